import { describe, expect, it } from 'vitest';
import { compareTexts, mostDifferences, valueDifferences, type JsonDifference } from './compare-json.ts';

function compared(left: string, right: string) {
  const { json } = compareTexts(left, right);
  if (json === null) throw new Error('Not JSON.');
  return json;
}

const short = ({ kind, pointer, occurrence, spelling, name, left, right }: JsonDifference) =>
  [
    kind + (name ? ' name' : '') + (spelling === null ? '' : ` ${spelling}`),
    pointer + (occurrence === null ? '' : `#${occurrence}`),
    left?.text ?? null,
    right?.text ?? null,
  ] as const;

describe('compareTexts', () => {
  const cases: [string, string, ReturnType<typeof short>[]][] = [
    ['{"a":1}', '{"a":1}', []],
    ['{"a":1}', '{"a":2}', [['changed', '/a', '1', '2']]],
    ['{"a":9007199254740992}', '{"a":9007199254740993}', [['changed', '/a', '9007199254740992', '9007199254740993']]],
    [
      '[1.0,1e2,-0,0.10]',
      '[1,100,0,1E-1]',
      [
        ['spelling number', '/0', '1.0', '1'],
        ['spelling number', '/1', '1e2', '100'],
        ['spelling number', '/2', '-0', '0'],
        ['spelling number', '/3', '0.10', '1E-1'],
      ],
    ],
    [
      '{"a":1,"b":2}',
      '{"b":2,"c":3}',
      [
        ['removed', '/a', '1', null],
        ['added', '/c', null, '3'],
      ],
    ],
    ['[1,2,3]', '[1,2]', [['removed', '/2', '3', null]]],
    [
      '[[],{}]',
      '[{},[]]',
      [
        ['changed', '/0', '[]', '{}'],
        ['changed', '/1', '{}', '[]'],
      ],
    ],
    ['"a"', '1', [['changed', '', '"a"', '1']]],
    ['{"a/b":{"~":1}}', '{"a/b":{"~":2}}', [['changed', '/a~1b/~0', '1', '2']]],
    ['{"":{"":1}}', '{"":{"":2}}', [['changed', '//', '1', '2']]],
    [String.raw`{"u":"a\/b"}`, '{"u":"a/b"}', [['spelling slashes', '/u', String.raw`"a\/b"`, '"a/b"']]],
    [
      String.raw`["\u00e9","\u00E9"]`,
      String.raw`["é","\u00e9"]`,
      [
        ['spelling escapes', '/0', String.raw`"\u00e9"`, '"é"'],
        ['spelling hex case', '/1', String.raw`"\u00E9"`, String.raw`"\u00e9"`],
      ],
    ],
    [String.raw`{"\/":1}`, '{"/":1}', [['spelling name slashes', '/~1', String.raw`"\/"`, '"/"']]],
    // Two backslashes and a slash are no escaped slash.
    [String.raw`["\\/"]`, String.raw`["\\\/"]`, [['spelling slashes', '/0', String.raw`"\\/"`, String.raw`"\\\/"`]]],
    ['{"a":1,"a":2}', '{"a":1,"a":3}', [['changed', '/a#2', '2', '3']]],
    ['{"a":1}', '{"a":1,"a":1}', [['added', '/a#2', null, '1']]],
    ['{"__proto__":1,"constructor":2}', '{"__proto__":2,"constructor":2}', [['changed', '/__proto__', '1', '2']]],
    [String.raw`["\ud800"]`, String.raw`["\ud801"]`, [['changed', '/0', String.raw`"\ud800"`, String.raw`"\ud801"`]]],
    ['["\ud800"]', '["\ufffd"]', [['changed', '/0', '"\ud800"', '"\ufffd"']]],
    [
      '[true,null]',
      '[false,0]',
      [
        ['changed', '/0', 'true', 'false'],
        ['changed', '/1', 'null', '0'],
      ],
    ],
  ];
  it.each(cases)('%s against %s', (left, right, differences) => {
    expect(compared(left, right).differences.map(short)).toEqual(differences);
  });

  it('says the order of members without counting it, and white space alone', () => {
    const json = compared('{"a":{"x":1,"y":2},"b":1}', '{"b":1,"a":{"y":2,"x":1}}');
    expect(json).toMatchObject({ differences: [], reordered: { count: 2, first: '' }, whiteSpaceOnly: false });
    expect(compared('{"a":1,"c":1,"b":2}', '{"a":1,"b":2}').reordered.count).toBe(0);
    expect(compared('{"a": 1}', '{"a":1}')).toMatchObject({ differences: [], whiteSpaceOnly: true });
    expect(compared('{"a":1}', '{"a":1}').whiteSpaceOnly).toBe(false);
    expect(compared('{"a": 1.0}', '{"a":1}').whiteSpaceOnly).toBe(false);
  });

  it('compares numbers to the last digit, whatever their exponents', () => {
    const long = '9'.repeat(5_000);
    expect(compared(`[${long}]`, `[${long.slice(1)}8]`).counts.changed).toBe(1);
    expect(compared(`[${long}e-2]`, `[${long.slice(0, -2)}.99]`).counts).toMatchObject({ changed: 0, spelling: 1 });
    expect(compared('[1e400]', '[1e401]').counts.changed).toBe(1);
    expect(compared('[10e400]', '[1e401]').counts.spelling).toBe(1);
    expect(compared(`[1e${long}]`, `[1e${long}]`).differences).toEqual([]);
    expect(compared(`[1e${long}]`, `[1.0e${long}]`).counts.changed).toBe(1);
    expect(compared('[0e5]', '[-0.000]').counts.spelling).toBe(1);
    expect(compared('[1e0000000000000000002]', '[100]').counts.spelling).toBe(1);
  });

  it('names the first thousand differences and counts the rest', () => {
    const list = (from: number) => `[${Array.from({ length: 2_500 }, (_, at) => from + at).join(',')}]`;
    const json = compared(list(0), list(1));
    expect(json.differences).toHaveLength(mostDifferences);
    expect(valueDifferences(json)).toBe(2_500);
    expect(json.differences.at(-1)?.pointer).toBe('/999');
  });

  it('takes deep and large texts', () => {
    const deep = (value: string, depth: number) => `${'{"a":['.repeat(depth)}${value}${']}'.repeat(depth)}`;
    const json = compared(deep('1', 490), deep('2', 490));
    expect(json.differences).toHaveLength(1);
    expect(json.differences[0]?.pointer).toBe('/a/0'.repeat(490));
    const hostile = compareTexts('['.repeat(200_000), deep('1', 100_000));
    expect(hostile).toMatchObject({ json: null, equal: false });
    expect(hostile.leftError).toMatch(/column/);
    const members = (name: (at: number) => string, count: number) =>
      `{${Array.from({ length: count }, (_, at) => `"${name(at)}":${at}`).join(',')}}`;
    expect(
      compared(
        members((at) => `k${at}`, 60_000),
        members((at) => `k${at}`, 60_001),
      ).counts,
    ).toMatchObject({ added: 1 });
    // One name for all would be slow where each is looked for among all the others.
    expect(
      compared(
        members(() => 'k', 60_000),
        members(() => 'k', 120_000),
      ).counts,
    ).toMatchObject({ added: 60_000, changed: 0 });
  });

  it('cuts long parts, never through a pair', () => {
    const [part] = compared(`["${'😀'.repeat(500)}"]`, '[1]').differences;
    expect(part?.left).toMatchObject({ start: 1, end: 1_003, cut: true });
    expect(part?.left?.text).toBe(`"${'😀'.repeat(99)}`);
    expect(part?.right).toEqual({ start: 1, end: 2, text: '1', cut: false });
  });

  it('says which text is not JSON and why', () => {
    expect(compareTexts('{"a":1}', '\ufeff{"a":1}')).toMatchObject({ json: null, leftError: null, equal: false });
    expect(compareTexts('{"a":1}', '\ufeff{"a":1}').rightError).toContain('byte order mark');
    expect(compareTexts('', '<html>').leftError).toContain('empty');
    expect(compareTexts('no', 'no')).toMatchObject({ equal: true, json: null });
  });
});
