import { describe, expect, it } from 'vitest';
import { differences, type TextRange } from './input-differences.ts';

/** Returns the differing parts as texts. */
function parts(expected: string, hashed: string): (readonly [string, string])[] {
  const found = differences(expected, hashed);
  const cut = (text: string, range: TextRange | undefined) => text.slice(range?.start, range?.end);
  return found.expected.map((range, at) => [cut(expected, range), cut(hashed, found.hashed[at])]);
}

describe('differences', () => {
  it('marks each escape by itself', () => {
    expect(parts('{"u":"https://a.example/lobby"}', '{"u":"https:\\/\\/a.example\\/lobby"}')).toEqual([
      ['/', '\\/'],
      ['/', '\\/'],
      ['/', '\\/'],
    ]);
    expect(parts('{"n":"Zo\\u00eb","m":"x"}', '{"n":"Zoë","m":"x"}')).toEqual([['\\u00eb', 'ë']]);
  });

  it('marks what only one text has, at its end, too', () => {
    expect(parts('{"a":1}', '{"a": 1}')).toEqual([['', ' ']]);
    expect(parts('{"b":1,"a":"x"}', '{\n  "b": 1,\n  "a": "x"\n}\n').map(([, hashed]) => hashed)).toEqual([
      '\n  ',
      ' ',
      '\n  ',
      ' ',
      '\n',
      '\n',
    ]);
    expect(parts('{"a":1}', '{"a":1}\n')).toEqual([['', '\n']]);
    expect(parts('', '{"a":1}')).toEqual([['', '{"a":1}']]);
  });

  it('gives nothing for equal texts, and everything between if they never go on alike', () => {
    expect(parts('same', 'same')).toEqual([]);
    expect(parts(`<${'a'.repeat(200)}>`, `<${'b'.repeat(300)}>`)).toEqual([['a'.repeat(200), 'b'.repeat(300)]]);
  });

  it('stays quick on long texts that differ everywhere', () => {
    const [slashes, escaped] = ['/'.repeat(200_000), '\\/'.repeat(200_000)];
    const found = differences(`{"a":"${slashes}"}`, `{"a":"${escaped}"}`);
    expect(found.expected.length).toBeLessThanOrEqual(501);
  });
});
