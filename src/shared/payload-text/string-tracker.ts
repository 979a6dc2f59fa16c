/** `escape`: inside a string, in the middle of a backslash escape. */
type StringContext = 'outside' | 'string' | 'escape';

/** Tracks strings in any text, valid or not: a double quote opens a string, and the next unescaped one, or the end of the line, closes it. */
export function createStringTracker(text: string) {
  let at = 0;
  let inString = false;

  /** Returns whether the escape that begins at the backslash goes beyond the offset. */
  function isOpenEscape(backslash: number, offset: number): boolean {
    if (backslash + 2 > offset) return true;
    return text.charCodeAt(backslash + 1) === 0x75 && backslash + 6 > offset && isHex(text.slice(backslash + 2, offset));
  }

  return {
    /** Reads on to the offset. */
    moveTo(offset: number): StringContext {
      while (at < offset) {
        const code = text.charCodeAt(at);
        if (code === 0x22) {
          inString = !inString;
        } else if (inString && isLineBreak(code)) {
          inString = false;
        } else if (inString && code === 0x5c) {
          if (isOpenEscape(at, offset)) {
            at = offset;
            return 'escape';
          }
          // What follows is part of the escape, but a line break still ends the string.
          if (!isLineBreak(text.charCodeAt(at + 1))) at++;
        }
        at++;
      }
      return inString ? 'string' : 'outside';
    },
    /** Continues at the offset without reading the text before it. */
    skipTo(offset: number) {
      at = offset;
    },
  };
}

function isLineBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}

function isHex(text: string): boolean {
  return /^[\da-fA-F]*$/.test(text);
}
