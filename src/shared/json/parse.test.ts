import { describe, expect, it } from 'vitest';
import { createJsonGenerator } from '../../testing/random-json.ts';
import { chooseSeed, seededRandom } from '../../testing/seeded-random.ts';
import { describeSyntaxError, parseJson, type JsonNode } from './parse.ts';

function root(text: string): JsonNode {
  const result = parseJson(text);
  if (!result.ok) throw new Error(describeSyntaxError(result.error));
  return result.root;
}

function refusal(text: string): string {
  const result = parseJson(text);
  return result.ok ? 'accepted' : describeSyntaxError(result.error);
}

/** The value as JSON.parse gives it: last of duplicates wins. */
function plain(node: JsonNode): unknown {
  switch (node.kind) {
    case 'object': {
      const object = {};
      for (const { key, value } of node.members) {
        Object.defineProperty(object, key, { value: plain(value), enumerable: true, configurable: true, writable: true });
      }
      return object;
    }
    case 'array':
      return node.items.map(plain);
    case 'string':
      return node.value;
    case 'number':
      return Number(node.text);
    case 'true':
    case 'false':
    case 'null':
      return JSON.parse(node.kind);
  }
}

function hasEscapedName(node: JsonNode): boolean {
  if (node.kind === 'array') return node.items.some(hasEscapedName);
  if (node.kind !== 'object') return false;
  return node.members.some((member) => member.keyEnd - member.keyStart - 2 !== member.key.length || hasEscapedName(member.value));
}

describe('parseJson', () => {
  it('keeps places, number texts and duplicate names', () => {
    const text = ' {"a" : [1.50, -0],\n"a":"\\u00e9\\n", "b":{"":null}}';
    const node = root(text);
    if (node.kind !== 'object') throw new Error('not an object');
    expect(node.members.map((member) => member.key)).toEqual(['a', 'a', 'b']);
    const [first, second, third] = node.members;
    expect(text.slice(first?.keyStart, first?.keyEnd)).toBe('"a"');
    expect(first?.value).toEqual({
      kind: 'array',
      start: 8,
      end: 18,
      items: [
        { kind: 'number', start: 9, end: 13, text: '1.50' },
        { kind: 'number', start: 15, end: 17, text: '-0' },
      ],
    });
    expect(second?.value).toMatchObject({ kind: 'string', value: 'é\n' });
    expect(text.slice(third?.value.start, third?.value.end)).toBe('{"":null}');
    expect([node.start, node.end]).toEqual([1, text.length]);
  });

  it.each([
    ['{"a":1,}', 'Trailing comma: remove it before the closing } (line 1, column 7)'],
    ['[\n  1,\n]', 'Trailing comma: remove it before the closing ] (line 2, column 4)'],
    ["{'a':1}", 'Single quotes are not JSON: use double quotes (line 1, column 2)'],
    ['{a:1}', 'A property name must be in double quotes (line 1, column 2)'],
    ['{"a":NaN}', 'JSON has no NaN (line 1, column 6)'],
    ['[Infinity]', 'JSON has no Infinity (line 1, column 2)'],
    ['{"a":True}', 'Write true, false and null in lowercase (line 1, column 6)'],
    ['{"a":undefined}', 'JSON has no undefined: use null or leave the field out (line 1, column 6)'],
    ['{"a":None}', 'JSON has no None: use null (line 1, column 6)'],
    ['{"a":1} x', 'Text after the end: there is more than one JSON value (line 1, column 9)'],
    ['[1]]', 'Text after the end: remove this ] (line 1, column 4)'],
    ['\ufeff{}', 'A byte order mark (U+FEFF) is not JSON: save the text as UTF-8 without it (line 1, column 1)'],
    ['{"a":01}', "A number can't begin with 0: remove the leading zero, or put the number in double quotes (line 1, column 6)"],
    ['[+1]', "A number can't begin with a plus sign (line 1, column 2)"],
    ['[.5]', "A number can't begin with a decimal point: put a 0 before it (line 1, column 2)"],
    ['[5.]', 'A digit is missing after the decimal point (line 1, column 4)'],
    ['[1e]', 'A digit is missing in the exponent (line 1, column 4)'],
    ['{"a":1/*x*/}', 'JSON has no comments: remove it (line 1, column 7)'],
    ['{"a":1//x\n}', 'JSON has no comments: remove it (line 1, column 7)'],
    ['{"a":"x\ny"}', 'A line break inside a string: write it as \\n or \\r, or close the string before it (line 1, column 8)'],
    ['{"a":"x\ty"}', 'A tab inside a string: write it as \\t (line 1, column 8)'],
    ['{"a":"x}', 'This string is never closed: add a double quote at its end (line 1, column 6)'],
    [
      '["\\x41"]',
      'JSON has no such escape: write a backslash as \\\\, or one of \\" \\/ \\b \\f \\n \\r \\t \\u0000 (line 1, column 3)',
    ],
    ['["\\u12"]', 'An escape must be \\u and four hexadecimal digits (line 1, column 3)'],
    ['{"a" 1}', 'A colon is missing after the property name (line 1, column 6)'],
    ['{"a":1 "b":2}', 'A comma or } is missing here (line 1, column 8)'],
    ['{"a":[1}', "} can't close [: use ] (line 1, column 8)"],
    ['{"a":\u00a01}', 'U+00A0 no-break space is not allowed between JSON values: remove it (line 1, column 6)'],
    ['{“a”:1}', '“ is not a JSON quote: use the straight double quote " (line 1, column 2)'],
    ['', 'The text is empty: JSON needs at least one value (line 1, column 1)'],
    ['{"a":', 'The text ends where a value is missing (line 1, column 6)'],
    ['{"a":1', 'The text ends inside an object: a closing } is missing (line 1, column 7)'],
  ])('says what is wrong with %j', (text, message) => {
    expect(refusal(text)).toBe(message);
  });

  it('counts lines over every kind of line break, and columns in characters', () => {
    expect(refusal('{\r\n"a":1,\r"b":2,\n"😀é":x}')).toContain('(line 4, column 6)');
    expect(parseJson('["😀", x]')).toMatchObject({ ok: false, error: { offset: 7, line: 1, column: 7 } });
  });

  it('refuses 100,000 levels of nesting without exhausting the stack', () => {
    for (const open of ['[', '{"a":']) expect(refusal(open.repeat(100_000))).toMatch(/^Nested more than 1000 levels deep/);
    expect(parseJson('['.repeat(1_000) + ']'.repeat(1_000)).ok).toBe(true);
  });

  it('reads what JSON.parse reads and refuses what it refuses', () => {
    const seed = chooseSeed();
    const generator = createJsonGenerator(seededRandom(seed));
    for (let i = 0; i < 5_000; i++) {
      const text = generator.bytes().toString('utf8');
      const result = parseJson(text);
      const note = `CROUPIER_SEED=${seed}, case ${i}: ${JSON.stringify(text)}`;
      let native: { value: unknown } | null;
      try {
        native = { value: JSON.parse(text) };
      } catch {
        native = null;
      }
      expect(result.ok, note).toBe(native !== null);
      // V8 misreads some names with escapes; those are compared with PHP, in signing/php.oracle.test.ts.
      if (result.ok && hasEscapedName(result.root)) continue;
      if (result.ok) expect(plain(result.root), note).toEqual(native?.value);
      else expect(result.error.offset, note).toBeLessThanOrEqual(text.length);
    }
  });

  it('never reports a place before which the text is already wrong', () => {
    const seed = chooseSeed();
    const generator = createJsonGenerator(seededRandom(seed));
    for (let i = 0; i < 2_000; i++) {
      const text = generator.bytes().toString('utf8');
      const result = parseJson(text);
      if (result.ok || text.length > 2_000) continue;
      // What stands before the place must itself break no rule but that it ends too early.
      const before = parseJson(text.slice(0, result.error.offset));
      const note = `CROUPIER_SEED=${seed}, case ${i}: ${JSON.stringify(text)}`;
      if (!before.ok)
        expect(before.error.message, note).toMatch(/^The text (ends|is empty)|^This string is never closed|^A digit is missing/);
    }
  });
});
