import { shortCharacterName } from '#shared/json/hidden-characters.ts';
import { describeInvisible } from '#shared/signing/hash-input.ts';

/** A character that is drawn in its own way; UTF-16 offsets into the shown text. */
export interface CharacterMark {
  readonly start: number;
  readonly end: number;
  readonly kind: 'escape' | 'nonAscii' | 'invisible';
  /** Text drawn for a character that shows nothing itself. */
  readonly label?: string;
}

/** A text as it is shown, with marks on the characters that could be taken for others. */
export interface MarkedCharacters {
  readonly text: string;
  readonly marks: readonly CharacterMark[];
  /** Number of characters that show nothing themselves. */
  readonly invisible: number;
  readonly nonAscii: number;
}

/** Number of characters beyond which the page's layout would take longer than a key press may. */
const MAX_SHOWN = 100_000;

/**
 * Marks at most `most` characters of a text that begins at `offset` of the shown text. Characters without a shape get a label. A
 * label replaces a carriage return, which an editor would take for the end of a line. A line feed has a label, too; with `breaks:
 * 'seen'` only that of CR LF has one, because the others end a line visibly.
 */
export function markCharacters(
  text: string,
  offset: number,
  most: number,
  breaks: 'labelled' | 'seen' = 'labelled',
): MarkedCharacters {
  const marks: CharacterMark[] = [];
  let invisible = 0;
  const plainBreak = (index: number) => breaks === 'seen' && text[index] === '\n' && text[index - 1] !== '\r';
  const found = describeInvisible(text).filter(({ index }) => !plainBreak(index));
  for (const { index, length, kind } of found) {
    if (kind !== 'visible') invisible += 1;
    if (marks.length >= most) continue;
    const start = offset + index;
    if (kind === 'visible') marks.push({ start, end: start + length, kind: 'nonAscii' });
    else {
      const label = shortCharacterName(text.codePointAt(index) ?? 0);
      marks.push({ start, end: start + length, kind: 'invisible', label });
    }
  }
  for (const { start, end } of escapes(text)) {
    if (marks.length >= most) break;
    marks.push({ start: offset + start, end: offset + end, kind: 'escape' });
  }
  return {
    text: found.some((one) => one.kind === 'control') ? text.replaceAll('\r', '\u00a0') : text,
    marks,
    invisible,
    nonAscii: found.length - invisible,
  };
}

/** Returns the number of UTF-16 units of a long text that are shown; never half a pair. */
export function shownLength(text: string): number {
  if (text.length <= MAX_SHOWN) return text.length;
  const code = text.charCodeAt(MAX_SHOWN - 1);
  return code >= 0xd800 && code <= 0xdbff ? MAX_SHOWN - 1 : MAX_SHOWN;
}

/** Finds the `\uXXXX` escapes of characters that are not printable ASCII. */
function* escapes(data: string): Generator<{ start: number; end: number }> {
  for (let at = data.indexOf('\\'); at >= 0; at = data.indexOf('\\', at)) {
    if (data[at + 1] !== 'u') {
      at += 2;
      continue;
    }
    const code = parseInt(data.slice(at + 2, at + 6), 16);
    if (code < 0x20 || code > 0x7e) yield { start: at, end: at + 6 };
    at += 6;
  }
}
