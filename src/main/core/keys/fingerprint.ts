import { createHmac, randomBytes } from 'node:crypto';
import { writeFingerprint, type Fingerprint } from '#shared/signing/fingerprint.ts';
import type { Secret } from './secret.ts';

/** A new random key for fingerprints, as text so that a keychain can hold it. */
export function newFingerprintKey(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Six hexadecimal digits by which a person recognises a key, with the kind and a name of the fingerprint key: only what one key made can
 * be compared. The name is a keyed hash too, of a fixed text.
 *
 * It does not help to guess the key. A bare hash, even cut short, would let anyone who reads the index or the history
 * try likely keys at full speed and keep the one that fits; 24 bits sort out all but one in 16 million. Here each try needs the
 * 256-bit fingerprint key, which lies in the keychain beside the private key: whoever has it needs no guessing.
 */
export function fingerprintOf(fingerprintKey: Secret, key: Secret, kind: Exclude<Fingerprint['kind'], 'unknown'>): string {
  const hmac = () => fingerprintKey.use((bytes) => createHmac('sha256', bytes));
  const digits = key.use((bytes) => hmac().update(bytes).digest('hex'));
  const maker = hmac().update('croupier fingerprint key').digest('hex').slice(0, 8);
  return writeFingerprint({ digits: `${digits.slice(0, 4)}-${digits.slice(4, 6)}`, kind, maker });
}
