import { describe, expect, it } from 'vitest';
import { describeHashInput, describeInvisible, hashInputSegments, hexRowCount, hexRows } from './hash-input.ts';

describe('hashInputSegments', () => {
  it('counts bytes and characters apart', () => {
    expect(hashInputSegments('ü', '{"a":"😀"}', 29)).toEqual([
      { kind: 'key', byteOffset: 0, byteLength: 29, start: 0, end: 13 },
      { kind: 'time', byteOffset: 29, byteLength: 2, start: 13, end: 14 },
      { kind: 'data', byteOffset: 31, byteLength: 12, start: 14, end: 24 },
    ]);
  });

  it('has no data where there is none, and no offsets where the key is not known', () => {
    expect(hashInputSegments('20-11-2026 10:15:30', null)).toEqual([
      { kind: 'key', byteOffset: 0, byteLength: null, start: 0, end: 13 },
      { kind: 'time', byteOffset: null, byteLength: 19, start: 13, end: 32 },
    ]);
  });
});

describe('describeHashInput', () => {
  it('puts a placeholder where the key stands', () => {
    const input = describeHashInput('20-11-2026 10:15:30', '{"a":"é"}', 29);
    expect(input).toMatchObject({ text: '<PRIVATE_KEY>20-11-2026 10:15:30{"a":"é"}', byteLength: 58, byteLengthAfterKey: 29 });
    expect(input.segments.map((segment) => input.text.slice(segment.start, segment.end))).toEqual([
      '<PRIVATE_KEY>',
      '20-11-2026 10:15:30',
      '{"a":"é"}',
    ]);
    expect(describeHashInput('t', null)).toMatchObject({ byteLength: null, byteLengthAfterKey: 1 });
  });
});

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
