import { characterName } from './hidden-characters.ts';
import { createPlaceCounter } from './line-and-column.ts';
import { encodeUtf8, utf8Length } from './utf8.ts';

/** One of the texts at the difference. */
interface DifferingSide {
  /** The byte in hexadecimal, two digits; null if the text has ended. */
  readonly byte: string | null;
  /** The whole character in words: `/`, `space`, `é U+00E9`, `U+00A0 no-break space`, `the end`. */
  readonly character: string;
  /** The text from that character on; at most `contextLength` UTF-16 units. */
  readonly after: string;
  readonly cut: boolean;
}

/** The first position at which the UTF-8 of two texts differs. */
export interface FirstDifference {
  /** Offset of the first differing byte, or of the end of the shorter text. */
  readonly byteOffset: number;
  /** UTF-16 offset of the character that holds the byte: the same in both texts. */
  readonly charOffset: number;
  /** Counted from 1; a column is a character. */
  readonly line: number;
  readonly column: number;
  /** The text before it, at most `contextLength` UTF-16 units, and whether there is more. */
  readonly before: string;
  readonly beforeCut: boolean;
  readonly left: DifferingSide;
  readonly right: DifferingSide;
}

const contextLength = 24;

/** Finds the first byte at which two texts differ in UTF-8; null if the bytes are the same. */
export function firstDifference(left: string, right: string): FirstDifference | null {
  // Every unpaired surrogate is sent as U+FFFD.
  const [one, other] = [left.toWellFormed(), right.toWellFormed()];
  const length = Math.min(one.length, other.length);
  let at = 0;
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  if (at === one.length && at === other.length) return null;
  if (at > 0 && (one.charCodeAt(at - 1) & 0xfc00) === 0xd800) at--;
  const [ours, theirs] = [characterAt(one, at), characterAt(other, at)];
  const [ourBytes, theirBytes] = [encodeUtf8(ours), encodeUtf8(theirs)];
  let shared = 0;
  while (shared < ourBytes.length && shared < theirBytes.length && ourBytes[shared] === theirBytes[shared]) shared++;
  const { line, column } = createPlaceCounter(one)(at);
  const from = startOf(one, Math.max(0, at - contextLength));
  return {
    byteOffset: utf8Length(one.slice(0, at)) + shared,
    charOffset: at,
    line,
    column,
    before: one.slice(from, at),
    beforeCut: from > 0,
    left: side(one, at, ours, ourBytes[shared]),
    right: side(other, at, theirs, theirBytes[shared]),
  };
}

/** Names a character for a sentence: the character itself if it is visible, with its code point if it is not ASCII. */
export function characterWords(character: string): string {
  const code = character.codePointAt(0);
  if (code === undefined) return 'the end';
  if (code === 0x20) return 'space';
  if (code > 0x20 && code < 0x7f) return character;
  const name = characterName(code);
  // Only invisible characters have a name beside the code point.
  return name.includes(' ') || /[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/u.test(character)
    ? name
    : `${character} ${name}`;
}

function side(text: string, at: number, character: string, byte: number | undefined): DifferingSide {
  const end = startOf(text, Math.min(text.length, at + contextLength));
  return {
    byte: byte === undefined ? null : byte.toString(16).padStart(2, '0'),
    character: characterWords(character),
    after: text.slice(at, end),
    cut: end < text.length,
  };
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

/** Moves an offset so that it is not between the halves of a surrogate pair. */
function startOf(text: string, at: number): number {
  return at > 0 && at < text.length && (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at;
}
