import { withSigns } from '../json/hidden-characters.ts';
import { describeSyntaxError } from '../json/parse.ts';
import { unicodeEscape } from '../json/string-escapes.ts';
import { utf8Length } from '../json/utf8.ts';
import { checkStability, type Reencoding } from '../signing/stability.ts';

/** Facts about the bytes of `data` that can explain a hash that does not match. */
export interface DataFacts {
  /** `none`: the call has no data. `long`: it is too long to examine here. */
  readonly state: 'none' | 'long' | 'read';
  /** The reason why PHP's decoder refuses the text, without a full stop; null if it reads it, or nobody looked. */
  readonly refused: string | null;
  /** First place that PHP would write differently: always (`text`), or only if it decodes objects as associative arrays (`assoc`). */
  readonly change: DataChange | null;
  /** The first character outside ASCII, and how it was hashed. */
  readonly nonAscii: NonAscii | null;
}

interface DataChange {
  readonly kind: 'text' | 'assoc';
  /** Counted from 0 in the UTF-8 bytes of data. */
  readonly byte: number;
  /** A few characters of the hashed text, and of PHP's, with signs for white space; empty at the end of the text. */
  readonly ours: string;
  readonly theirs: string;
  /** Describes PHP's change, without a full stop. */
  readonly reason: string;
}

interface NonAscii {
  /** The serialization that writes it so. */
  readonly form: 'php' | 'php-unicode';
  readonly byte: number;
  readonly character: string;
  /** The word that holds it, and the same as it was hashed. */
  readonly word: string;
  readonly hashed: string;
  /** The word in the form that was not hashed. */
  readonly other: string;
}

/** Most UTF-16 units to examine beside a response, because re-encoding takes as long as reading. */
const longest = 1_000_000;

/** Reads what was hashed as `data`. Pure: the text alone decides, not the settings of an environment. */
export function readData(dataJson: string | null): DataFacts {
  if (dataJson === null) return { state: 'none', refused: null, change: null, nonAscii: null };
  if (dataJson.length > longest) return { state: 'long', refused: null, change: null, nonAscii: null };
  const nonAscii = findNonAscii(dataJson);
  // `nonAscii` reports the escaping of characters outside ASCII, so here the form that was sent counts as right.
  const stability = checkStability(dataJson, nonAscii?.form ?? 'php');
  return {
    state: 'read',
    refused: stability.php.error === null ? null : describeSyntaxError(stability.php.error),
    change: changeOf(dataJson, stability.php, 'text') ?? changeOf(dataJson, stability.phpAssoc, 'assoc'),
    nonAscii,
  };
}

function changeOf(dataJson: string, { firstDifference, becomes }: Reencoding, kind: DataChange['kind']): DataChange | null {
  if (firstDifference === null || becomes === null) return null;
  const { byteOffset, charOffset, reason } = firstDifference;
  // The part of the word or number that both share.
  const before = /[\p{L}\p{N}\p{M}._+-]*$/u.exec(dataJson.slice(Math.max(0, charOffset - 12), charOffset))?.[0] ?? '';
  const from = charOffset - before.length;
  return { kind, byte: byteOffset, ours: excerpt(dataJson, from), theirs: excerpt(becomes, from), reason };
}

const mostShown = 24;

/**
 * Cuts out the text between two words, with signs for white space, and the word or number after it, so that a difference is visible. A
 * truncated number ends in `…`, so that it does not look like another number.
 */
function excerpt(text: string, from: number): string {
  const rest = text.slice(from, from + mostShown + 1);
  const [whole = '', between = ''] = /^(["\s{}[\],]*)[^"\s{}[\],]*/.exec(rest) ?? [];
  const quoted = between.endsWith('"') && rest[whole.length] === '"' ? `${whole}"` : whole;
  return withSigns(quoted.length > mostShown ? `${quoted.slice(0, mostShown).toWellFormed()}…` : quoted);
}

function findNonAscii(text: string): NonAscii | null {
  const bare = text.search(/[^\0-\x7f]/);
  const escaped = findEscape(text);
  if (bare === -1 && escaped === -1) return null;
  const form = bare === -1 ? 'php' : 'php-unicode';
  const at = bare === -1 ? escaped : bare;
  const hashed = wordAround(text, at);
  const word = unescape(hashed);
  const first = /[^\0-\x7f]/u.exec(word)?.[0] ?? word;
  const other = bare === -1 ? word : escape(word);
  return { form, byte: utf8Length(text.slice(0, at)), character: first, word, hashed, other };
}

/** Returns the first `\u` escape of a character outside ASCII; -1 where there is none. */
function findEscape(text: string): number {
  for (const match of text.matchAll(/\\(?:u([0-9a-fA-F]{4})|[^u])/g)) {
    if (match[1] !== undefined && Number.parseInt(match[1], 16) > 0x7f) return match.index;
  }
  return -1;
}

/** Returns the letters, digits and escapes around a position, at most 24 UTF-16 units to each side. */
function wordAround(text: string, at: number): string {
  const before = /(?:[\p{L}\p{N}\p{M}_-]|\\u[0-9a-fA-F]{4})*$/u.exec(text.slice(Math.max(0, at - 24), at))?.[0] ?? '';
  const after =
    /^(?:\\u[0-9a-fA-F]{4}|[^"\\\s])(?:[\p{L}\p{N}\p{M}_-]|\\u[0-9a-fA-F]{4})*/u.exec(text.slice(at, at + 48))?.[0] ?? '';
  return `${before}${after}`.toWellFormed();
}

function unescape(text: string): string {
  return text.replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function escape(text: string): string {
  return text.replace(/[^\0-\x7f]/g, unicodeEscape);
}
