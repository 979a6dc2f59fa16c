import { isLowSurrogate } from './string-escapes.ts';

/** A position in a text, counted from 1, columns in characters. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/**
 * Returns a function from a UTF-16 offset to its position. Ascending offsets cost one pass over the text in all; a smaller offset
 * starts again from the beginning.
 */
export function createPlaceCounter(text: string): (offset: number) => Place {
  let at = 0;
  let line = 1;
  let column = 1;
  return (offset) => {
    if (offset < at) {
      at = 0;
      line = 1;
      column = 1;
    }
    for (; at < offset; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) {
        line++;
        column = 1;
      } else if (!(isLowSurrogate(code) && at > 0 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800)) {
        column++;
      }
    }
    return { line, column };
  };
}
