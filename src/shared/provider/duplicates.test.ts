import { describe, expect, it } from 'vitest';
import { findDuplicates } from './validate-response.ts';

function duplicatesOf(text: string): string[] {
  const found: string[] = [];
  findDuplicates(text, JSON.parse(text), ({ name, at, group, values }) => {
    found.push(`${at}|${group} ${name}: ${values.map(({ start, end }) => text.slice(start, end)).join(' ')}`);
  });
  return found;
}

describe('members of one name', () => {
  it.each<[text: string, expected: string[]]>([
    ['{"code":8,"code":0}', ['| code: 8 0']],
    ['{"code":8,"\\u0063ode":0}', ['| code: 8 0']],
    ['{"a":{"b":[{"c":1,"c":1,"c":2}]}}', ['/a/b/0|/a/b/* c: 1 1 2']],
    ['{"a":{"x":1},"a":{"x":1,"x":2}}', ['| a: {"x":1} {"x":1,"x":2}', '/a|/a x: 1 2']],
    ['[{"__proto__":1,"__proto__":2}]', ['/0|/* __proto__: 1 2']],
    ['{"a/b~":{"":0,"":1}}', ['/a~1b~0|/a~1b~0 : 0 1']],
    // V8 reads the second name as the first one.
    ['{"\\\\":1,"\\n":2}', []],
    ['{"a:b":"\\":\\"","c":[":","\\\\"],"toString":{"a:b":1}}', []],
    ['{"code":0,"Code":0,"code ":0}', []],
    ['"a:b"', []],
    ['[[],{},"",0,null]', []],
  ])('%s', (text, expected) => {
    expect(duplicatesOf(text)).toEqual(expected);
  });
});
