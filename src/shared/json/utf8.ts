/** Returns the length of the text in UTF-8, in bytes; an unpaired surrogate counts as U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    bytes += code < 0x800 ? 1 : 2;
    if (code >= 0xd800 && code < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i++;
  }
  return bytes;
}

/** Encodes the text as UTF-8; an unpaired surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(utf8Length(text));
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code < 0x80) {
      bytes[at++] = code;
      continue;
    }
    if (code < 0x800) {
      bytes[at++] = 0xc0 | (code >> 6);
      bytes[at++] = 0x80 | (code & 0x3f);
      continue;
    }
    if (code >= 0xd800 && code < 0xe000) {
      const low = text.charCodeAt(i + 1);
      if (code < 0xdc00 && (low & 0xfc00) === 0xdc00) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        i++;
        bytes[at++] = 0xf0 | (code >> 18);
        bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
        bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
        bytes[at++] = 0x80 | (code & 0x3f);
        continue;
      }
      code = 0xfffd;
    }
    bytes[at++] = 0xe0 | (code >> 12);
    bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
    bytes[at++] = 0x80 | (code & 0x3f);
  }
  return bytes;
}

export type Utf8Result = { ok: true; text: string } | { ok: false; offset: number };

/** Decodes strict UTF-8 (a byte order mark stays as U+FEFF), or returns the byte offset, from 0, of the first malformed sequence. */
export function decodeUtf8(bytes: Uint8Array): Utf8Result {
  const { text, firstFault } = decode(bytes, true);
  return firstFault === null ? { ok: true, text } : { ok: false, offset: firstFault.byteOffset };
}

/** Decodes everything, with U+FFFD for each malformed byte, and returns the first one's offsets in bytes and in UTF-16 units. */
export function decodeUtf8Leniently(bytes: Uint8Array): {
  text: string;
  firstFault: { byteOffset: number; charOffset: number } | null;
} {
  return decode(bytes, false);
}

const chunk = 8_192;

function decode(bytes: Uint8Array, strict: boolean) {
  const units = new Uint16Array(Math.min(bytes.length, chunk) + 2);
  let firstFault: { byteOffset: number; charOffset: number } | null = null;
  let text = '';
  let used = 0;
  let at = 0;
  while (at < bytes.length) {
    if (used >= chunk) {
      text += unitsToText(units, used);
      used = 0;
    }
    const byte = bytes[at] as number;
    if (byte < 0x80) {
      units[used++] = byte;
      at++;
      continue;
    }
    const length = sequenceLength(bytes, at, byte);
    if (length === 0) {
      firstFault ??= { byteOffset: at, charOffset: text.length + used };
      if (strict) break;
      units[used++] = 0xfffd;
      at++;
      continue;
    }
    let code = byte & (0xff >> (length + 1));
    for (let i = 1; i < length; i++) code = (code << 6) | ((bytes[at + i] as number) & 0x3f);
    at += length;
    if (code >= 0x10000) {
      units[used++] = 0xd800 + ((code - 0x10000) >> 10);
      units[used++] = 0xdc00 + (code & 0x3ff);
    } else {
      units[used++] = code;
    }
  }
  return { text: text + unitsToText(units, used), firstFault };
}

function unitsToText(units: Uint16Array, used: number): string {
  // `apply` takes any array-like; its type says only arrays.
  return String.fromCharCode.apply(null, units.subarray(0, used) as unknown as number[]);
}

/** Returns the length of the sequence (Unicode, table 3-7) that begins with a byte over 0x7F; 0 if it is malformed. */
function sequenceLength(bytes: Uint8Array, at: number, first: number): number {
  const second = bytes[at + 1] ?? 0;
  if (first >= 0xc2 && first <= 0xdf) return (second & 0xc0) === 0x80 ? 2 : 0;
  if (first < 0xe0 || first > 0xf4) return 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high || ((bytes[at + 2] ?? 0) & 0xc0) !== 0x80) return 0;
  if (first < 0xf0) return 3;
  return ((bytes[at + 3] ?? 0) & 0xc0) === 0x80 ? 4 : 0;
}
