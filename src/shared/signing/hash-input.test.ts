import { describe, expect, it } from 'vitest';
import { describeInvisible, hexRowCount, hexRows } from './hash-input.ts';

describe('describeInvisible', () => {
  it('names what cannot be seen and lists what is not ASCII', () => {
    expect(describeInvisible('a\u00a0é😀\r\u202e\ufeff\u200b\u2028\ud800\u007f ~')).toEqual([
      { index: 1, length: 1, label: 'U+00A0 no-break space', kind: 'invisible' },
      { index: 2, length: 1, label: 'U+00E9', kind: 'visible' },
      { index: 3, length: 2, label: 'U+1F600', kind: 'visible' },
      { index: 5, length: 1, label: 'U+000D carriage return', kind: 'control' },
      { index: 6, length: 1, label: 'U+202E right-to-left override (bidirectional control)', kind: 'invisible' },
      { index: 7, length: 1, label: 'U+FEFF byte order mark', kind: 'invisible' },
      { index: 8, length: 1, label: 'U+200B zero width space', kind: 'invisible' },
      { index: 9, length: 1, label: 'U+2028 line separator', kind: 'invisible' },
      { index: 10, length: 1, label: 'U+D800 half of a surrogate pair', kind: 'invisible' },
      { index: 11, length: 1, label: 'U+007F delete', kind: 'control' },
    ]);
    expect(describeInvisible('{"a":"plain"}')).toEqual([]);
  });
});

describe('hexRows', () => {
  const bytes = Buffer.from('{"playerId":"Zoë-Müller"}\n');

  it('shows 16 bytes a row', () => {
    expect(hexRows(bytes)).toEqual([
      { offset: 0, hex: '7b 22 70 6c 61 79 65 72 49 64 22 3a 22 5a 6f c3', text: '{"playerId":"Zo·' },
      { offset: 16, hex: 'ab 2d 4d c3 bc 6c 6c 65 72 22 7d 0a', text: '·-M··ller"}·' },
    ]);
  });

  it('gives the rows that are asked for', () => {
    expect(hexRowCount(bytes.length)).toBe(2);
    expect(hexRows(bytes, 1, 2).map((row) => row.offset)).toEqual([16]);
    expect(hexRows(bytes, 2, 9)).toEqual([]);
    expect(hexRows(new Uint8Array())).toEqual([]);
  });
});
