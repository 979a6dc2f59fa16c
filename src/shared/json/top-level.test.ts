import { describe, expect, it } from 'vitest';
import { topLevelMembers } from './top-level.ts';
import { encodeUtf8 } from './utf8.ts';

const read = (text: string) => topLevelMembers(encodeUtf8(text), ['code', 'message']);

describe('code and message at the top level', () => {
  it.each<[text: string, codes: string[], messages: string[]]>([
    ['{}', [], []],
    [' { "code" : 0 , "message" : "ok" } \n', ['0'], ['"ok"']],
    ['{"data":{"code":7,"message":"inner"},"code":-3}', ['-3'], []],
    ['{"data":[{"code":7},"\\"code\\":1,]}"],"code":8,"message":"a\\"}b","code":0}', ['8', '0'], ['"a\\"}b"']],
    ['{"\\u0063ode":9,"c\\u006fd\\u0065":1,"Code":2,"codes":3,"cod":4}', ['9', '1'], []],
    ['{"code":{"a":[1,2]},"message":[[]],"code":null}', ['{}', 'null'], ['[]']],
    ['{"ż\\\\":"\\\\","message":"żółć 🎰"}', [], ['"żółć 🎰"']],
    [`{"code":1${' '.repeat(10)},"a":"${'x'.repeat(1_000)}"}`, ['1'], []],
  ])('%s', (text, code, message) => {
    expect(read(text)).toEqual({ code, message });
  });

  it.each([
    '',
    '[{"code":0}]',
    '"code"',
    '{"code":0',
    '{"code":0,"data":[1,2}',
    '{"code":0}}',
    '{"code":0} {"code":1}',
    '{"code":0,}',
    '{"code"}',
    '{"code":}',
    '{code:0}',
    '{"code":0 "message":"ok"}',
    '{"message":"never closed}',
    '{"message":"\\',
  ])('are not read where the object does not end with the text: %s', (text) => {
    expect(read(text)).toBeNull();
  });

  it('are found behind millions of values and levels', () => {
    const middle = `"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)},"b":[${'{},'.repeat(1_000_000)}{}],"c":"${'\\"'.repeat(1_000_000)}"`;
    expect(read(`{${middle},"code":8,"message":"hash not valid"}`)).toEqual({ code: ['8'], message: ['"hash not valid"'] });
  });

  it('are not read from bytes that are no UTF-8', () => {
    const bytes = encodeUtf8('{"code":0,"message":"ok"}');
    bytes[bytes.length - 3] = 0xff;
    expect(topLevelMembers(bytes, ['code', 'message'])).toBeNull();
    expect(topLevelMembers(bytes, ['code'])).toEqual({ code: ['0'] });
  });
});
