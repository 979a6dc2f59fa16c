import { describe, expect, it } from 'vitest';
import { hashInputHex } from './hash-input-hex.ts';
import { hashInputText } from './hash-input-text.ts';

const time = '20-11-2026 10:15:30';

function marked(data: string | null, difference: number | null = null) {
  const shown = hashInputText(time, data, difference);
  return shown.marks.map((mark) => [
    mark.kind,
    shown.text.slice(mark.start, mark.end),
    ...(mark.label === undefined ? [] : [mark.label]),
  ]);
}

describe('the hash input as text', () => {
  it('is the key’s place, time and data in one text', () => {
    expect(hashInputText(time, '{"a":1}').text).toBe(`<PRIVATE_KEY>${time}{"a":1}`);
    expect(marked('{"a":1}')).toEqual([
      ['key', '<PRIVATE_KEY>'],
      ['time', time],
    ]);
    expect(hashInputText(time, null).text).toBe(`<PRIVATE_KEY>${time}`);
  });

  it('marks escapes of what is not ASCII, and no others', () => {
    expect(marked('{"a":"Zo\\u00eb \\/ \\n \\u0041 \\\\u00eb"}').slice(2)).toEqual([['escape', '\\u00eb']]);
  });

  it('names characters that show nothing', () => {
    expect(marked('"é\u200b\u00a0\ufeff\u0007"').slice(2)).toEqual([
      ['nonAscii', 'é'],
      ['invisible', '\u200b', 'ZWSP'],
      ['invisible', '\u00a0', 'NBSP'],
      ['invisible', '\ufeff', 'BOM'],
      ['invisible', '\u0007', 'U+0007'],
    ]);
  });

  it('keeps its offsets where a carriage return is replaced', () => {
    const shown = hashInputText(time, '{\r\n"é":1}');
    expect(shown.text).not.toContain('\r');
    expect(shown.text).toHaveLength('<PRIVATE_KEY>'.length + time.length + 9);
    expect(
      marked('{\r\n"é":1}')
        .slice(2)
        .map(([kind, , label]) => [kind, label]),
    ).toEqual([
      ['invisible', 'CR'],
      ['invisible', 'LF'],
      ['nonAscii', undefined],
    ]);
  });

  it('points at the first difference', () => {
    expect(marked('{"a":1.50}', 8).at(-1)).toEqual(['difference', '0']);
  });

  it('has at most 2,000 marks, whatever stands in place of the time', () => {
    expect(hashInputText('é'.repeat(2_100), '"é"').marks).toHaveLength(2_000);
  });

  it('cuts what is shown and counts what is hashed', () => {
    const data = `"${'x'.repeat(99_998)}😀${'y'.repeat(50)}"`;
    const shown = hashInputText(time, data);
    expect(shown.text.endsWith('x')).toBe(true);
    expect(shown.hidden).toBe(53);
    expect(shown.text.slice(shown.dataStart)).toBe(data.slice(0, shown.text.length - shown.dataStart));
  });
});

describe('the hash input in hexadecimal', () => {
  it('shows the key’s length and none of its bytes', () => {
    const hex = hashInputHex(20, 'ab', '{"é":1}');
    expect(hex.text.split('\n')).toEqual([
      '00000000  key, 20 bytes, hidden',
      '00000014  61 62 7b 22 c3 a9 22 3a 31 7d                    ab{"··":1}',
    ]);
    expect(hex.marks.map((mark) => [mark.kind, hex.text.slice(mark.start, mark.end)])).toEqual([
      ['key', 'key, 20 bytes, hidden'],
      ['time', '61 62'],
      ['time', 'ab'],
    ]);
  });

  it('begins with time while the key’s length is unknown, and cuts long data', () => {
    expect(hashInputHex(null, 'ab', null).text).toBe(`00000000  61 62${' '.repeat(44)}ab`);
    expect(hashInputHex(0, '', 'x'.repeat(40_000)).hidden).toBe(40_000 - 32_768);
  });
});
