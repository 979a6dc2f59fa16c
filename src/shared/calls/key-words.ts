import type { KeyStatus } from '../ipc/outputs/keys.ts';
import { fingerprintText } from '../signing/fingerprint.ts';
import { compareFingerprints } from './compare-keys.ts';

/** Says that a code 0 ended the time of two keys. `removed`: the older one's fingerprint; null where unknown. */
export function provenText(removed: string | null, callId: number, environmentName?: string): string {
  const older = removed === null ? 'The older key' : `The older key ${fingerprintText(removed)}`;
  const whose = environmentName === undefined ? '' : ` of ${environmentName}`;
  return `${older}${whose} was removed: call ${callId}, signed with the new one, got code 0.`;
}

/**
 * Names the key that signed a call, from the call's own fingerprint: `new key, fingerprint 7f3e-91`, or `key, fingerprint 7f3e-91`. Which of two keys it was is said while the
 * environment has two and the fingerprints can be compared. Null for a call that no key signed, or that was recorded without a fingerprint.
 */
export function signerWords(
  keyFingerprint: string | null,
  status: Pick<KeyStatus, 'fingerprint' | 'pair'> | null,
): string | null {
  if (keyFingerprint === null) return null;
  const which = status === null ? null : signerOf(keyFingerprint, status);
  return `${which === null ? '' : `${which} `}key, fingerprint ${fingerprintText(keyFingerprint)}`;
}

/** Returns which of an environment's two keys signed a call; null if it has one key, or the fingerprints do not say. */
export function signerOf(
  keyFingerprint: string | null,
  { fingerprint, pair }: Pick<KeyStatus, 'fingerprint' | 'pair'>,
): 'new' | 'older' | null {
  if (pair === null) return null;
  const is = (one: string | null) => compareFingerprints(keyFingerprint, one).verdict === 'same';
  const [own, other] = [is(fingerprint), is(pair.other.fingerprint)];
  if (own === other) return null;
  return own ? pair.signs : pair.signs === 'new' ? 'older' : 'new';
}
