import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '#shared/json/utf8.ts';
import { layOutBody, mostLaidOut, readBody } from './body-view.ts';

const read = (text: string) => readBody(encodeUtf8(text));

describe('a body on the page', () => {
  it('is laid out as JSON', () => {
    expect(layOutBody(read('{"a":[1]}'))).toEqual({ text: '{\n  "a": [\n    1\n  ]\n}', whole: true });
  });

  it('that is too deep or too full is not taken for anything else, and says so', () => {
    const deep = read(`{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`);
    expect(deep).toMatchObject({
      isJson: false,
      unread: expect.stringMatching(/^The response was not read: it is nested 2,001 levels deep/),
    });
    expect(layOutBody(deep)).toEqual({ text: deep.text, whole: true });
    expect(read(`[${'{},'.repeat(600_000)}{}]`).unread).toContain('about 1,200,003 values');
    expect(read('<html>')).toMatchObject({ isJson: false, unread: null });
  });

  it('is shown by its beginning where indentation would make it very long', () => {
    const depth = 900;
    const body = read(`${'['.repeat(depth)}${'1,'.repeat(20_000)}1${']'.repeat(depth)}`);
    expect(body.isJson).toBe(true);
    const { text, whole } = layOutBody(body);
    expect([text.length, whole]).toEqual([mostLaidOut, false]);
    expect(text.startsWith('[\n  [\n    [')).toBe(true);
  });

  it('ends with no half of a character', () => {
    const { text } = layOutBody(read(`"${'😀'.repeat(600_000)}"`));
    expect(text.length).toBe(mostLaidOut - 1);
  });
});
