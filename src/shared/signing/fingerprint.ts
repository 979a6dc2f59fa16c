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

/** Another hexadecimal digit in the place of the last one; twice is none. */
export function flipLastDigit(hash: string): string {
  return hash.slice(0, -1) + (Number.parseInt(hash.slice(-1), 16) ^ 1).toString(16);
}
