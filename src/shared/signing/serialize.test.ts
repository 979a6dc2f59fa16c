import { describe, expect, it } from 'vitest';
import { describeSyntaxError } from '../json/parse.ts';
import { serializeBytes, serializeData } from './serialize.ts';

const text = '{ "a": "é\\/", "n": 1.50 }';

describe('serializeData', () => {
  it('writes one text in each form', () => {
    expect(serializeData(text, 'php')).toEqual({ ok: true, dataJson: '{"a":"\\u00e9/","n":1.5}' });
    expect(serializeData(text, 'php-unicode')).toEqual({ ok: true, dataJson: '{"a":"é/","n":1.5}' });
    expect(serializeData(text, 'verbatim')).toEqual({ ok: true, dataJson: text });
  });

  it('refuses with a place, but verbatim nothing', () => {
    expect(serializeData('{"a":1,}', 'php')).toMatchObject({ ok: false, error: { line: 1, column: 7 } });
    for (const typed of ['{"a":1,}', '', '\ufeff{}', '{"a":"\ud800"}']) {
      expect(serializeData(typed, 'verbatim')).toEqual({ ok: true, dataJson: typed });
      expect(serializeData(typed, 'php').ok).toBe(false);
    }
  });
});

describe('serializeBytes', () => {
  function refusal(bytes: Buffer): string {
    const result = serializeBytes(bytes, 'php');
    return result.ok ? 'accepted' : describeSyntaxError(result.error);
  }

  it('gives the same as for the text', () => {
    const result = serializeBytes(Buffer.from(text), 'php-unicode');
    expect(result).toEqual({ ok: true, bytes: new Uint8Array(Buffer.from('{"a":"é/","n":1.5}')), text: '{"a":"é/","n":1.5}' });
  });

  it('hands verbatim bytes through, malformed UTF-8 included', () => {
    const bytes = Buffer.from('7b2261223a22ff227d', 'hex');
    const result = serializeBytes(bytes, 'verbatim');
    expect(result).toEqual({ ok: true, bytes, text: null });
    expect(serializeBytes(Buffer.from('\ufeff{}'), 'verbatim')).toMatchObject({ text: '\ufeff{}' });
  });

  it('names the first offending place, be it the bytes or the JSON before them', () => {
    const broken = Buffer.from('\n{"é":"\x00"}', 'latin1');
    expect(refusal(broken)).toBe('Malformed UTF-8: unexpected 0xE9 at byte 3. Save the text as UTF-8 (line 2, column 3)');
    expect(refusal(Buffer.concat([Buffer.from('{"a":1,}'), Buffer.from([0xff])]))).toMatch(/^Trailing comma.*line 1, column 7/);
    expect(refusal(Buffer.concat([Buffer.from('{"a":1}'), Buffer.from([0xff])]))).toMatch(
      /^Malformed UTF-8: unexpected 0xFF at byte 7/,
    );
    expect(refusal(Buffer.from('\ufeff{}'))).toMatch(/byte order mark.*line 1, column 1/);
  });
});
