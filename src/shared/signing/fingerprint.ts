/**
 * Six digits by which the user recognises a key. `keychain`: made with the fingerprint key of a keychain, the same in every
 * process. `session`: made with a fingerprint key of one process. `unknown`: recorded by a version without kinds.
 */
export interface Fingerprint {
  /** Digits such as `7f3e-91`. */
  readonly digits: string;
  readonly kind: 'keychain' | 'session' | 'unknown';
  /** Identifies the fingerprint key without revealing it; null if the kind is unknown. */
  readonly maker: string | null;
}

/** Writes a fingerprint as one text, `7f3e-91 keychain 4c1d2e8f`, the form in records and key states. */
export function writeFingerprint({ digits, kind, maker }: Fingerprint): string {
  return kind === 'unknown' || maker === null ? digits : `${digits} ${kind} ${maker}`;
}

/** Reads a fingerprint's text; digits alone, as in older records, have an unknown kind. */
export function readFingerprint(text: string): Fingerprint {
  const [, digits = '', kind, maker = ''] = /^(\S+) (keychain|session) ([0-9a-f]+)$/.exec(text) ?? [];
  if (kind === 'keychain' || kind === 'session') return { digits, kind, maker };
  return { digits: text, kind: 'unknown', maker: null };
}

/** Writes the digits for the user, and whether they hold for one session only: `7f3e-91`, `7f3e-91 (session only)`. */
export function fingerprintText(text: string): string {
  const { digits, kind } = readFingerprint(text);
  return kind === 'session' ? `${digits} (session only)` : digits;
}

/** Replaces the last hexadecimal digit with another; applied twice, it restores the hash. */
export function flipLastDigit(hash: string): string {
  return hash.slice(0, -1) + (Number.parseInt(hash.slice(-1), 16) ^ 1).toString(16);
}
