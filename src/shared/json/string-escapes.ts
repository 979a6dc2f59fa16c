/** An invalid position inside a string. */
export interface StringFault {
  readonly offset: number;
  readonly message: string;
}

/** Returns whether a UTF-16 unit is the second half of a pair. */
export function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Writes each UTF-16 unit of a text as JSON escapes it: a backslash, `u` and four lowercase hexadecimal digits. */
export function unicodeEscape(text: string): string {
  return text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Returns the message for an unpaired surrogate. */
export function escapeUnpaired(code: number): string {
  return `Unpaired surrogate (U+${code.toString(16).toUpperCase()}): it has no UTF-8 form`;
}

function hexValue(text: string, from: number, end: number): number {
  if (from + 4 > end) return -1;
  let value = 0;
  for (let i = from; i < from + 4; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x30 && code <= 0x39) value = value * 16 + code - 0x30;
    else if (code >= 0x61 && code <= 0x66) value = value * 16 + code - 0x57;
    else if (code >= 0x41 && code <= 0x46) value = value * 16 + code - 0x37;
    else return -1;
  }
  return value;
}

const simpleEscapes: Readonly<Record<number, string>> = {
  0x22: '"',
  0x5c: '\\',
  0x2f: '/',
  0x62: '\b',
  0x66: '\f',
  0x6e: '\n',
  0x72: '\r',
  0x74: '\t',
};

const longPart = 65_536;

/** Returns the value of the string between two offsets of the text, or its first invalid escape. */
export function unescapeString(text: string, start: number, end: number, pairedSurrogates: boolean): string | StringFault {
  /** Parts of a long value: one part for each escape would take ten times the memory of the text. */
  const parts: string[] = [];
  let value = '';
  let from = start;
  for (let i = text.indexOf('\\', start); i !== -1 && i < end; i = text.indexOf('\\', from)) {
    value += text.slice(from, i);
    if (value.length > longPart) {
      // Reading a character makes V8 flatten the joined string.
      value.charCodeAt(0);
      parts.push(value);
      value = '';
    }
    const kind = text.charCodeAt(i + 1);
    if (kind === 0x75) {
      const code = hexValue(text, i + 2, end);
      if (code < 0) return { offset: i, message: 'An escape must be \\u and four hexadecimal digits' };
      from = i + 6;
      if (pairedSurrogates && code >= 0xd800 && code <= 0xdfff) {
        const paired = code < 0xdc00 && text.startsWith('\\u', from) && isLowSurrogate(hexValue(text, from + 2, end));
        if (!paired) return { offset: i, message: escapeUnpaired(code) };
        value += String.fromCharCode(code, hexValue(text, from + 2, end));
        from += 6;
      } else {
        value += String.fromCharCode(code);
      }
    } else {
      const simple = i + 1 < end ? simpleEscapes[kind] : undefined;
      if (simple === undefined) {
        return {
          offset: i,
          message: 'JSON has no such escape: write a backslash as \\\\, or one of \\" \\/ \\b \\f \\n \\r \\t \\u0000',
        };
      }
      value += simple;
      from = i + 2;
    }
  }
  return parts.join('') + value + text.slice(from, end);
}
