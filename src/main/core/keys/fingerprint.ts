import { createHmac, randomBytes } from 'node:crypto';
import type { Secret } from './secret.ts';

/** A new random key for fingerprints, as text so that a keychain can hold it. */
export function newFingerprintKey(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Six hexadecimal digits as `7f3e-91` by which a person recognises a key.
 *
 * It does not help to guess the key. A bare hash, even cut short, would let anyone who reads the index or the history
 * try likely keys at full speed and keep the one that fits; 24 bits sort out all but one in 16 million. Here each try needs the
 * 256-bit fingerprint key, which lies in the keychain beside the private key: whoever has it needs no guessing.
 */
export function fingerprintOf(fingerprintKey: Secret, key: Secret): string {
  const hmac = fingerprintKey.use((bytes) => createHmac('sha256', bytes));
  const digits = key.use((bytes) => hmac.update(bytes).digest('hex'));
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}`;
}
