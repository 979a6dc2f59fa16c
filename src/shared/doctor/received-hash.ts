import { byteText } from '../model/byte-text.ts';
import { textOfUnits } from '../json/text-pieces.ts';
import { bytesOfBase64, bytesOfHex, hexOf } from './bytes.ts';
import type { Algorithm, Language, Mistake } from './model.ts';

/** A digest that the received text may stand for. */
export interface Target {
  readonly algorithm: Algorithm;
  /** Its mistakes of form: the algorithm, and how the digest is written; none for 64 lowercase digits. */
  readonly mistakes: readonly Mistake[];
  readonly accepts: (hex: string) => boolean;
  /** Digits that are compared; less than the digest has if the text is cut. */
  readonly digits: number;
}

/** Fewest digits of a cut hash that count: with fewer, one of millions of tries fits by chance. */
const fewestDigits = 10;

const algorithms: readonly (readonly [Algorithm, number, string])[] = [
  ['sha256', 64, 'SHA-256'],
  ['md5', 32, 'MD5'],
  ['sha1', 40, 'SHA-1'],
  ['sha512', 128, 'SHA-512'],
  ['sha384', 96, 'SHA-384'],
  ['sha224', 56, 'SHA-224'],
];

function spelling(name: string, rarity: Mistake['rarity'], languages: readonly Language[], says: string, who = ''): Mistake {
  return { id: `spelling.${name}`, axis: 'spelling', rarity, languages, says, who };
}

export const spellings = {
  upper: spelling('upper', 1, ['csharp'], 'Your backend writes the hash in uppercase.', "C#'s Convert.ToHexString does this."),
  spaces: spelling('spaces', 2, [], 'The hash has whitespace around it.'),
  decorated: spelling('decorated', 3, ['python'], 'The hash has other text around it.'),
  separated: spelling(
    'separated',
    2,
    ['csharp'],
    'Your backend writes a separator between the bytes of the hash.',
    "C#'s BitConverter.ToString does this.",
  ),
  base64: spelling('base64', 1, ['node', 'java', 'csharp'], 'Your backend writes the hash in base64 instead of hexadecimal.'),
  base64OfHex: spelling('base64-of-hex', 4, [], 'Your backend encodes the hexadecimal hash in base64.'),
  hexOfHex: spelling('hex-of-hex', 3, [], 'Your backend encodes the hexadecimal hash in hexadecimal again.'),
  numbers: spelling('numbers', 4, ['node', 'java', 'python', 'go'], 'Your backend writes the bytes of the hash as numbers.'),
  zeros: spelling('zeros-lost', 2, ['java'], 'Your backend drops the leading zeros of the hash.', "Java's BigInteger does this."),
  inner: spelling(
    'inner-zeros-lost',
    2,
    ['java', 'node'],
    'Your backend drops the leading zero of each byte below 16.',
    "Java's Integer.toHexString and JavaScript's toString(16) do this.",
  ),
  signed: spelling(
    'signed',
    4,
    ['java'],
    'Your backend writes bytes from 128 up as negative numbers.',
    "Java's Integer.toHexString(b) needs b & 0xff.",
  ),
  raw: spelling('raw', 4, ['php', 'node'], 'Your backend sends the bytes of the hash as text, not in hexadecimal.'),
} as const;

/** Returns the name of the algorithm that makes so many hexadecimal digits; null if none is known. */
export function algorithmOfLength(digits: number): string | null {
  return algorithms.find(([, length]) => length === digits)?.[2] ?? null;
}

function algorithmMistake(algorithm: Algorithm): Mistake[] {
  if (algorithm === 'sha256') return [];
  const name = algorithms.find(([one]) => one === algorithm)?.[2];
  return [
    {
      id: `digest.${algorithm}`,
      axis: 'digest',
      rarity: algorithm === 'sha224' || algorithm === 'sha384' ? 5 : 2,
      languages: [],
      says: `Your backend hashes with ${name} instead of SHA-256.`,
      who: '',
    },
  ];
}

/** Reads a received hash in all forms in which mistakes write one; empty if it is none of them. */
export function targetsOf(received: string): Target[] {
  const outer: Mistake[] = [];
  let text = received.trim();
  if (text !== received) outer.push(spellings.spaces);
  const bare = undecorated(text);
  if (bare !== text) outer.push(spellings.decorated);
  text = bare;
  return [...hexTargets(text), ...otherTargets(text)].map((target) => ({ ...target, mistakes: [...outer, ...target.mistakes] }));
}

/** Returns whether a mistake of form writes a digest as it is: not every one begins with a zero. */
export function leavesDigest({ id }: Mistake, hex: string): boolean {
  if (id === spellings.zeros.id) return !hex.startsWith('0');
  return id === spellings.inner.id && withoutInnerZeros(hex) === hex;
}

function withoutInnerZeros(hex: string): string {
  return hex.replaceAll(/0([\da-f])|([\da-f]{2})/g, '$1$2');
}

/** Returns the mistake of a hash that is right but for one digit; null if it is not. */
export function oneDigitOff(right: string, received: string): Mistake | null {
  const hash = received.trim().toLowerCase();
  const places = hash.length === right.length ? Array.from(right).flatMap((digit, at) => (hash[at] === digit ? [] : [at])) : [];
  const [at] = places;
  if (at === undefined || places.length > 1) return null;
  const says = `One digit of the hash is wrong: ${hash[at]} instead of ${right[at]} at ${byteText(at)}.`;
  return spelling('one-digit', 4, [], says);
}

function undecorated(text: string): string {
  const inner = /^(?:sha-?256[=:]|0x|\{sha256\})?\s*(?:b?'([^']*)'|"([^"]*)"|(\S+?))(?:\s+\*?-)?$/is.exec(text);
  return inner?.[1] ?? inner?.[2] ?? inner?.[3] ?? text;
}

function hexTargets(text: string): Target[] {
  const separated = /^[\da-f]{2}([-: ])[\da-f]{2}(\1[\da-f]{2})+$/i.exec(text)?.[1];
  const plain = separated === undefined ? text : text.replaceAll(separated, '');
  const mistakes: Mistake[] = separated === undefined ? [] : [spellings.separated];
  const cut = /^([\da-f]*)(?:…|\.{2,}|\*{2,})([\da-f]*)$/i.exec(plain);
  if (cut !== null) return cutTargets(cut[1] ?? '', cut[2] ?? '');
  if (!/^[\da-f]+$/i.test(plain)) return [];
  const wanted = plain.toLowerCase();
  if (plain !== wanted) mistakes.push(spellings.upper);
  const targets: Target[] = [];
  for (const [algorithm, length] of algorithms) {
    if (wanted.length !== length) continue;
    targets.push({
      algorithm,
      mistakes: [...algorithmMistake(algorithm), ...mistakes],
      accepts: (hex) => hex === wanted,
      digits: length,
    });
  }
  if (wanted.length < 64 && wanted.length >= fewestDigits) targets.push(...shortTargets(wanted, mistakes));
  if (wanted.length > 64) targets.push(...longTargets(wanted, mistakes));
  return targets;
}

function cutTargets(front: string, back: string): Target[] {
  const [start, end] = [front.toLowerCase(), back.toLowerCase()];
  if (start.length + end.length < fewestDigits) return [];
  const accepts = (hex: string) => hex.startsWith(start) && hex.endsWith(end);
  return [{ algorithm: 'sha256', mistakes: [], accepts, digits: start.length + end.length }];
}

function shortTargets(wanted: string, mistakes: readonly Mistake[]): Target[] {
  const of = (mistake: Mistake, accepts: Target['accepts']): Target => ({
    algorithm: 'sha256',
    mistakes: [mistake, ...mistakes],
    accepts,
    digits: 64,
  });
  const lost: Target[] =
    wanted.length < 48
      ? []
      : [
          of(spellings.zeros, (hex) => hex.startsWith('0') && hex.replace(/^0+/, '') === wanted),
          of(spellings.inner, (hex) => withoutInnerZeros(hex) === wanted),
        ];
  const cut: Target = { algorithm: 'sha256', mistakes, accepts: (hex) => hex.startsWith(wanted), digits: wanted.length };
  return [cut, ...lost];
}

function longTargets(wanted: string, mistakes: readonly Mistake[]): Target[] {
  const targets: Target[] = [];
  const inner = wanted.length % 2 === 0 ? textOfUnits(bytesOfHex(wanted)) : '';
  if (/^[\da-f]{64}$/.test(inner.toLowerCase()))
    targets.push({
      algorithm: 'sha256',
      mistakes: [spellings.hexOfHex, ...mistakes],
      accepts: (hex) => hex === inner.toLowerCase(),
      digits: 64,
    });
  targets.push({
    algorithm: 'sha256',
    mistakes: [spellings.signed, ...mistakes],
    accepts: (hex) =>
      hex.replaceAll(/../g, (pair) => {
        const byte = Number.parseInt(pair, 16);
        return byte < 0x80 ? byte.toString(16) : `ffffff${pair}`;
      }) === wanted,
    digits: 64,
  });
  return targets;
}

function otherTargets(text: string): Target[] {
  const numbers = (/^\[?\s*(-?\d{1,3}(?:\s*,\s*-?\d{1,3})+)\s*\]?$/.exec(text) ?? /^\[(\d{1,3}(?: \d{1,3})+)\]$/.exec(text))?.[1];
  if (numbers !== undefined) {
    const bytes = Uint8Array.from(numbers.split(/[\s,]+/), (one) => Number(one) & 0xff);
    return ofBytes(bytes, spellings.numbers);
  }
  if (text.length === 32 && /[^ -~]/.test(text) && !/[^\0-\xff]/.test(text))
    return ofBytes(
      Uint8Array.from(text, (char) => char.charCodeAt(0)),
      spellings.raw,
    );
  if (/^[\da-f]+$/i.test(text) && text.length !== 44) return [];
  const bytes = bytesOfBase64(text);
  if (bytes === null) return [];
  const inner = textOfUnits(bytes.subarray(0, 200));
  if (/^[\da-f]{64}$/i.test(inner))
    return [
      { algorithm: 'sha256', mistakes: [spellings.base64OfHex], accepts: (hex) => hex === inner.toLowerCase(), digits: 64 },
    ];
  return ofBytes(bytes, spellings.base64);
}

function ofBytes(bytes: Uint8Array, mistake: Mistake): Target[] {
  const wanted = hexOf(bytes);
  return algorithms
    .filter(([, length]) => length === wanted.length)
    .map(([algorithm, length]) => ({
      algorithm,
      mistakes: [mistake, ...algorithmMistake(algorithm)],
      accepts: (hex) => hex === wanted,
      digits: length,
    }));
}
