import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '#shared/json/utf8.ts';
import { bodyParts } from '#shared/calls/sent-request.ts';
import { bodyText } from './body-text.ts';
import { hexText } from './hex-text.ts';

describe('a body for reading', () => {
  it('marks the signed parts and what cannot be seen', () => {
    const body = '{"time":"now","data":{"a":"x\u200by"},"hash":"ab"}';
    const { text, marks } = bodyText(body, bodyParts(body));
    expect(text).toBe(body);
    expect(marks.map(({ kind, start, end }) => [kind, text.slice(start, end)])).toEqual([
      ['time', 'now'],
      ['data', '{"a":"x\u200by"}'],
      ['hash', 'ab'],
      ['invisible', '\u200b'],
    ]);
  });

  it('gives a line feed a label only behind a carriage return: the others are seen to end a line', () => {
    const { text, marks } = bodyText('{\n "a":\r\n 1\t\r}\n', []);
    expect(text).toBe('{\n "a":\u00a0\n 1\t\u00a0}\n');
    expect(marks.map(({ start, label }) => [start, label])).toEqual([
      [7, 'CR'],
      [8, 'LF'],
      [11, 'TAB'],
      [12, 'CR'],
    ]);
  });

  it('shows the beginning of a long one, and ends its parts there', () => {
    const body = `{"data":"${'ë'.repeat(150_000)}","hash":"ab"}`;
    const { text, marks, hidden } = bodyText(body, bodyParts(body));
    expect([text.length, hidden]).toEqual([100_000, body.length - 100_000]);
    expect(marks[0]).toEqual({ kind: 'data', start: 8, end: 100_000 });
    expect(marks.every(({ end }) => end <= text.length)).toBe(true);
  });

  it('finds the parts in its bytes too', () => {
    const body = '{"time":"ë","data":{"a":"0123456789"}}';
    const bytes = encodeUtf8(body);
    const hex = hexText(bytes.length, (at) => bytes[at] ?? 0, bodyParts(body));
    const time = hex.marks.filter(({ kind }) => kind === 'time').map(({ start, end }) => hex.text.slice(start, end));
    expect(time).toEqual(['c3 ab', '··']);
    // Data crosses two ends of rows: each row has it in both columns.
    expect(hex.marks.filter(({ kind }) => kind === 'data')).toHaveLength(4);
  });

  it('has eight bytes a row where sixteen have no room', () => {
    const bytes = encodeUtf8('{"time":"now"}');
    const { text, marks } = hexText(bytes.length, (at) => bytes[at] ?? 0, bodyParts('{"time":"now"}'), { rowBytes: 8 });
    expect(text.split('\n')).toEqual([
      '00000000  7b 22 74 69 6d 65 22 3a  {"time":',
      '00000008  22 6e 6f 77 22 7d        "now"}',
    ]);
    expect(marks.map(({ start, end }) => text.slice(start, end))).toEqual(['6e 6f 77', 'now']);
  });
});
