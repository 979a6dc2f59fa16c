import { fc } from '#testing/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { parseJson, type JsonNode } from './parse.ts';
import { lookUp, pointerSteps, pointerStep, pointerTo } from './pointer.ts';
import { sameValue, valueText } from './values.ts';

function nodeOf(text: string): JsonNode {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.root;
}

/** Returns the value that a pointer finds, as text, or its message if it finds nothing. */
function at(text: string, pointer: string): string {
  const steps = pointerSteps(pointer);
  if (!steps.ok) return steps.message;
  const result = lookUp(nodeOf(text), steps.steps);
  return result.ok ? valueText(text, result.node) : result.message;
}

describe('a JSON Pointer', () => {
  // RFC 6901, section 5.
  const document = '{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8}';

  it.each([
    ['', document],
    ['/foo', '["bar","baz"]'],
    ['/foo/0', 'bar'],
    ['/', '0'],
    ['/a~1b', '1'],
    ['/c%d', '2'],
    ['/e^f', '3'],
    ['/g|h', '4'],
    ['/i\\j', '5'],
    ['/k"l', '6'],
    ['/ ', '7'],
    ['/m~0n', '8'],
  ])('%j finds %s', (pointer, value) => expect(at(document, pointer)).toBe(value));

  it.each(['9007199254740993', '0.10', '1e400', '-0', '1E+2', '-0.0e-0'])('keeps %s', (number) =>
    expect(at(`{"a":[ ${number} ]}`, '/a/0')).toBe(number),
  );

  it('gives a text its characters, and objects and arrays as compact JSON with their digits', () => {
    expect(at('{"a":"x\\n\\u00e9"}', '/a')).toBe('x\né');
    expect(at('{"a": { "b" : [ 1.50 , "x y" ] } }', '/a')).toBe('{"b":[1.50,"x y"]}');
    expect(at('[true,false,null]', '')).toBe('[true,false,null]');
  });

  it.each([
    ['{"code":0,"data":null}', '/data/balance', '/data/balance is missing: /data is null.'],
    ['{"code":0,"message":"OK"}', '/data', '/data is missing: the response is an object with "code" and "message".'],
    ['{"a":[1,2]}', '/a/2', '/a/2 is missing: /a is an array of 2.'],
    ['{"a":[1,2]}', '/a/-', '/a/- is missing: /a is an array of 2.'],
    ['{"a":[1,2]}', '/a/01', '/a/01 is missing: /a is an array of 2.'],
    ['{"a":"ERROR"}', '/a/b/c', '/a/b/c is missing: /a is the string "ERROR".'],
    [`{"a":"${'x'.repeat(50)}"}`, '/a/b', '/a/b is missing: /a is a string of 50 characters.'],
    ['{}', '/a', '/a is missing: the response is an empty object.'],
    ['[]', '/length', '/length is missing: the response is an empty array.'],
    ['{}', '/constructor', '/constructor is missing: the response is an empty object.'],
  ])('of %s %s says what is there instead', (text, pointer, message) => expect(at(text, pointer)).toBe(message));

  it('names no more members than can be read', () => {
    const text = JSON.stringify(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`n${i}`, i])));
    expect(at(text, '/x')).toMatch(/with "n0", .*"n11" and 88 more\.$/);
  });

  it('is refused where it is none', () => {
    expect(pointerSteps('a')).toMatchObject({ ok: false });
    expect(pointerSteps('/~2')).toMatchObject({ ok: false });
    expect(pointerSteps('/a~')).toMatchObject({ ok: false });
  });

  it('takes the last of two members of one name, as parsers do', () => expect(at('{"a":1,"a":2}', '/a')).toBe('2'));

  it('leads to every value, and every value leads back to it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        const root = nodeOf(text);
        const pending = [root];
        for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
          const steps = pointerSteps(pointerTo(root, node));
          expect(steps.ok && lookUp(root, steps.steps)).toEqual({ ok: true, node });
          if (node.kind === 'array') pending.push(...node.items);
          if (node.kind === 'object') pending.push(...node.members.map(({ value }) => value));
        }
      }),
    );
  });

  it('has one spelling for every name', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (names) => {
        expect(pointerSteps(names.map(pointerStep).join(''))).toEqual({ ok: true, steps: names });
      }),
    );
  });
});

describe('the same value', () => {
  it.each([
    ['1.0', '1', true],
    ['9007199254740993', '9007199254740992', false],
    ['{"a":1,"b":[2]}', '{ "b": [2.0], "a": 1 }', true],
    ['{"a":1}', '{"a":1,"b":null}', false],
    ['[1,2]', '[2,1]', false],
    ['"1"', '1', false],
    ['null', 'false', false],
    ['"\\u0061"', '"a"', true],
  ])('%s and %s: %s', (one, other, same) => expect(sameValue(nodeOf(one), nodeOf(other))).toBe(same));

  it('is what JSON says it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => sameValue(nodeOf(JSON.stringify(value)), nodeOf(JSON.stringify(value, null, 1)))),
    );
  });
});
