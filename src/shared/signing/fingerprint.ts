import type { Call } from '../ipc/outputs/calls.ts';

/**
 * Six digits by which a person recognises a key. `keychain`: made with the fingerprint key of a keychain, the same in every
 * process. `session`: made with one that a single process had. `unknown`: recorded before the kind was.
 */
export interface Fingerprint {
  /** As `7f3e-91`. */
  readonly digits: string;
  readonly kind: 'keychain' | 'session' | 'unknown';
  /** Names the fingerprint key without giving it away; null where the kind is unknown. */
  readonly maker: string | null;
}

/** Writes a fingerprint as one text, `7f3e-91 keychain 4c1d2e8f`, which is what records and key states hold. */
export function writeFingerprint({ digits, kind, maker }: Fingerprint): string {
  return kind === 'unknown' || maker === null ? digits : `${digits} ${kind} ${maker}`;
}

/** Reads a fingerprint's text; one of digits alone, as older records hold, is of an unknown kind. */
export function readFingerprint(text: string): Fingerprint {
  const [, digits = '', kind, maker = ''] = /^(\S+) (keychain|session) ([0-9a-f]+)$/.exec(text) ?? [];
  if (kind === 'keychain' || kind === 'session') return { digits, kind, maker };
  return { digits: text, kind: 'unknown', maker: null };
}

/** The digits, and that they hold for one session only where they do: `7f3e-91`, `7f3e-91 (this session only)`. */
export function fingerprintText(text: string): string {
  const { digits, kind } = readFingerprint(text);
  return kind === 'session' ? `${digits} (this session only)` : digits;
}

/** Whether two calls were signed with one key. */
export type KeyComparison =
  /** `hash`: the same time and data gave the same hash, or another one. `fingerprint`: by two that can be compared. */
  | { readonly verdict: 'same' | 'different'; readonly proof: 'hash' | 'fingerprint' }
  /** `missing`: a call has no fingerprint. `kind`: of an older record. `sessions`: made with two fingerprint keys. */
  | { readonly verdict: 'cannot be compared'; readonly proof: 'missing' | 'kind' | 'sessions' };

type Signed = Pick<Call, 'request' | 'draft'>;

/**
 * Compares the keys of two calls, which no record holds. Equal hash inputs prove it: behind one time and one data, the same
 * digest means the same key. Otherwise their fingerprints tell, if one fingerprint key made both.
 */
export function compareKeys(left: Signed, right: Signed): KeyComparison {
  const [ours, theirs] = [digestOf(left), digestOf(right)];
  if (ours !== null && theirs !== null && ours.time === theirs.time && ours.dataJson === theirs.dataJson) {
    return { verdict: ours.digest === theirs.digest ? 'same' : 'different', proof: 'hash' };
  }
  return compareFingerprints(left.request.keyFingerprint, right.request.keyFingerprint);
}

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

/** The right digest of a call, where a key made its hash: also of one whose last digit was then changed on purpose. */
function digestOf({ request, draft }: Signed): { time: string; dataJson: string | null; digest: string } | null {
  const { hashInput, hash } = request;
  const override = draft.overrides.hash;
  if (hashInput === null || hash === null || (override !== undefined && override !== 'wrong')) return null;
  return { ...hashInput, digest: override === undefined ? hash : flipLastDigit(hash) };
}

/** Another hexadecimal digit in the place of the last one; twice is none. */
export function flipLastDigit(hash: string): string {
  return hash.slice(0, -1) + (Number.parseInt(hash.slice(-1), 16) ^ 1).toString(16);
}
