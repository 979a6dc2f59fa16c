import type { Choices } from './seeded-random.ts';

const intruders = [
  'NaN',
  'TRUE',
  'Null',
  'Infinity',
  "'",
  ',',
  ',,',
  ':',
  '{',
  '}',
  '[',
  ']',
  '"',
  '\\',
  '//',
  '/**/',
  '+',
  '-',
  '.',
  '0',
  '00',
  'e',
  '\u0000',
  '\u0001',
  '\t',
  '\n',
  '\u000b',
  '\u00a0',
  '\ufeff',
  '\\u',
  '\\ud800',
  '\\x',
  'true',
  '1e999',
  ' ',
];
const brokenBytes = [
  [0xff],
  [0xfe],
  [0x80],
  [0xc0, 0xaf],
  [0xc1, 0x81],
  [0xc3],
  [0xe0, 0x80, 0x80],
  [0xe2, 0x82],
  [0xed, 0xa0, 0x80],
  [0xed, 0xbf, 0xbf],
  [0xf0, 0x80, 0x80, 0x80],
  [0xf0, 0x9f, 0x98],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf5, 0x80, 0x80, 0x80],
  [0xef, 0xbb, 0xbf],
];

/** Damages a text by one edit, or by bytes that are not UTF-8. */
export function createDamage({ below, pick }: Choices): (text: string) => Buffer {
  return (text) => {
    const bytes = Buffer.from(text);
    const at = below(bytes.length + 1);
    const insert = (piece: Buffer) => Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
    switch (below(6)) {
      case 0:
        return insert(Buffer.from(pick(intruders)));
      case 1:
        return insert(Buffer.from(pick(brokenBytes)));
      case 2:
        return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(3))]);
      case 3:
        return bytes.subarray(0, at);
      case 4: {
        const copy = Buffer.from(bytes);
        if (copy.length > 0) copy[below(copy.length)] = below(256);
        return copy;
      }
      default:
        return insert(bytes.subarray(below(bytes.length + 1)));
    }
  };
}
