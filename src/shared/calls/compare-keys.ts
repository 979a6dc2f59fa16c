import { flipLastDigit, readFingerprint } from '../signing/fingerprint.ts';
import type { Call } from '../ipc/outputs/calls.ts';

/** Verdict on whether two calls were signed with one key. */
export type KeyComparison =
  /** `hash`: the same time and data gave the same hash, or another one. `fingerprint`: by comparing their fingerprints. */
  | { readonly verdict: 'same' | 'different'; readonly proof: 'hash' | 'fingerprint' }
  /** `missing`: a call has no fingerprint. `kind`: of an older record. `sessions`: made with two fingerprint keys. */
  | { readonly verdict: 'cannot be compared'; readonly proof: 'missing' | 'kind' | 'sessions' };

/**
 * Compares the keys of two calls, which no record holds. Equal hash inputs prove it: behind one time and one data, the same
 * digest means the same key. Otherwise their fingerprints decide, if one fingerprint key made both.
 */
export function compareKeys(left: Signed, right: Signed): KeyComparison {
  const [ours, theirs] = [digestOf(left), digestOf(right)];
  if (ours !== null && theirs !== null && ours.time === theirs.time && ours.dataJson === theirs.dataJson) {
    return { verdict: ours.digest === theirs.digest ? 'same' : 'different', proof: 'hash' };
  }
  return compareFingerprints(left.request.keyFingerprint, right.request.keyFingerprint);
}

type Signed = Pick<Call, 'request' | 'draft' | 'maskedParts' | 'origin'>;

/** Compares the fingerprints of two keys; null where there is none. */
export function compareFingerprints(left: string | null, right: string | null): KeyComparison {
  if (left === null || right === null) return { verdict: 'cannot be compared', proof: 'missing' };
  const [ours, theirs] = [readFingerprint(left), readFingerprint(right)];
  const same = ours.digits === theirs.digits;
  if (ours.kind === 'unknown' || theirs.kind === 'unknown') {
    // Two fingerprint keys give the same digits once in 16 million times: equal ones were made with one.
    return same ? { verdict: 'same', proof: 'fingerprint' } : { verdict: 'cannot be compared', proof: 'kind' };
  }
  if (ours.maker !== theirs.maker) return { verdict: 'cannot be compared', proof: 'sessions' };
  return { verdict: same ? 'same' : 'different', proof: 'fingerprint' };
}

/** Returns the correct digest of a call that was hashed with a key, even if an override then changed its last digit; otherwise null. */
function digestOf({
  request,
  draft,
  maskedParts,
  origin,
}: Signed): { time: string; dataJson: string | null; digest: string } | null {
  const { hashInput, hash } = request;
  // Two texts that read the same where tokens are masked were not the same, and nobody knows how another program hashes.
  if (maskedParts !== undefined || origin !== undefined) return null;
  const override = draft.overrides.hash;
  if (hashInput === null || hash === null || (override !== undefined && override !== 'wrong')) return null;
  return { ...hashInput, digest: override === undefined ? hash : flipLastDigit(hash) };
}
