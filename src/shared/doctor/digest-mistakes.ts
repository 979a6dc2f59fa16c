import type { Algorithm, Digests, Language, Mistake, Part } from './model.ts';
import { bytesOfHex } from './bytes.ts';

/** The parts of a hash input, joined. */
export interface HashInput {
  readonly whole: Part;
  /** The same without the key. */
  readonly rest: Part;
  readonly key: Part;
}

/** One way to make a digest of the parts. */
export interface DigestForm {
  /** Null for the rule: the plain digest. */
  readonly mistake: Mistake | null;
  /** Null where it cannot be made. */
  readonly make: (digests: Digests, algorithm: Algorithm, input: HashInput) => string | null;
}

export const ruleDigest: DigestForm = {
  mistake: null,
  make: (digests, algorithm, { whole }) => digests.hash(algorithm, whole),
};

function form(
  name: string,
  rarity: Mistake['rarity'],
  languages: readonly Language[],
  says: string,
  make: DigestForm['make'],
): DigestForm {
  return { mistake: { id: `digest.${name}`, axis: 'digest', rarity, languages, says, who: '' }, make };
}

export const digestForms: readonly DigestForm[] = [
  form(
    'hmac',
    1,
    ['php', 'node', 'python', 'java'],
    'Your backend makes an HMAC with the key instead of a plain SHA-256.',
    (d, algorithm, { key, rest }) => d.hmac(algorithm, key, rest),
  ),
  form(
    'hmac-whole',
    3,
    ['php', 'node'],
    'Your backend makes an HMAC of key, time and data with the key instead of a plain SHA-256.',
    (d, algorithm, { key, whole }) => d.hmac(algorithm, key, whole),
  ),
  form(
    'hmac-swapped',
    2,
    ['php', 'node'],
    'Your backend makes an HMAC with text and key swapped, instead of a plain SHA-256.',
    (d, algorithm, { key, rest }) => d.hmac(algorithm, rest, key),
  ),
  form('twice', 2, [], 'Your backend hashes the hash again.', (d, algorithm, { whole }) =>
    d.hash(algorithm, d.hash(algorithm, whole)),
  ),
  form('twice-raw', 4, [], 'Your backend hashes the bytes of the hash again.', (d, algorithm, { whole }) =>
    d.hash(algorithm, bytesOfHex(d.hash(algorithm, whole))),
  ),
  form('twice-upper', 4, [], 'Your backend hashes the uppercase hash again.', (d, algorithm, { whole }) =>
    d.hash(algorithm, d.hash(algorithm, whole).toUpperCase()),
  ),
  form('utf-16', 2, ['csharp'], 'Your backend hashes UTF-16 instead of UTF-8.', (d, algorithm, { whole }) =>
    typeof whole === 'string' ? d.hash(algorithm, utf16(whole, true)) : null,
  ),
  form('utf-16-big', 4, ['java'], 'Your backend hashes big-endian UTF-16 instead of UTF-8.', (d, algorithm, { whole }) =>
    typeof whole === 'string' ? d.hash(algorithm, utf16(whole, false)) : null,
  ),
  form('upper', 4, [], 'Your backend converts the whole hash input to uppercase.', (d, algorithm, { whole }) =>
    typeof whole === 'string' ? d.hash(algorithm, whole.toUpperCase()) : null,
  ),
  form('lower', 4, [], 'Your backend converts the whole hash input to lowercase.', (d, algorithm, { whole }) =>
    typeof whole === 'string' ? d.hash(algorithm, whole.toLowerCase()) : null,
  ),
];

function utf16(text: string, low: boolean): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    bytes[at * 2 + (low ? 0 : 1)] = unit & 0xff;
    bytes[at * 2 + (low ? 1 : 0)] = unit >> 8;
  }
  return bytes;
}
