import { describe, expect, it } from 'vitest';
import { createJsonGenerator } from '../../testing/random-json.ts';
import { chooseSeed, seededRandom } from '../../testing/seeded-random.ts';
import { AppError } from '../errors.ts';
import { ExactNumber, parseExact } from './exact-numbers.ts';
import { parseJson, type JsonNode } from './parse.ts';

describe('parseExact', () => {
  it('keeps a number that JSON.parse would change as its text', () => {
    expect(parseExact('{"roundId":9007199254740993,"bet":1.50,"n":[-12345678901234567890,1e400,0.1234567890123456789]}')).toEqual(
      {
        roundId: new ExactNumber('9007199254740993'),
        bet: 1.5,
        n: [new ExactNumber('-12345678901234567890'), new ExactNumber('1e400'), new ExactNumber('0.1234567890123456789')],
      },
    );
    expect(parseExact(' 9007199254740993\n')).toEqual(new ExactNumber('9007199254740993'));
  });

  it('gives plain numbers where nothing is lost', () => {
    const text =
      '[9007199254740991,-9007199254740991,0.1,1e2,1.7976931348623157e+308,0.30000000000000004,100.00,-0.0,1e20,0e999]';
    expect(parseExact(text)).toEqual(JSON.parse(text));
  });

  it('is not misled by strings', () => {
    const text =
      '{"a":" ,9007199254740993, ","9007199254740993":"\\",9007199254740993,","\\u0080":"\u0080\\u0081","n":9007199254740993}';
    const value = JSON.parse(text) as Record<string, unknown>;
    value['n'] = new ExactNumber('9007199254740993');
    expect(parseExact(text)).toEqual(value);
  });

  it('reads a text that holds every character it could use as a mark', () => {
    const all = Array.from({ length: 0x20 }, (_, i) => String.fromCharCode(0x80 + i)).join('');
    expect(parseExact(`{"a":"${all}","n":[true,false,null,1,9007199254740993]}`)).toEqual({
      a: all,
      n: [true, false, null, 1, new ExactNumber('9007199254740993')],
    });
  });

  it('is right about escapes in names, which V8 takes for the backslash of a name it met before', () => {
    expect(parseExact('{"B":1,"\\\\":2}')).toEqual({ B: 1, '\\': 2 });
    expect(parseExact('{"B":1,"\\n":2}')).toEqual({ B: 1, '\n': 2 });
  });

  it('treats __proto__ as a name like any other', () => {
    const value = parseExact('{"__proto__":9007199254740993}') as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')?.value).toEqual(new ExactNumber('9007199254740993'));
  });

  it.each([
    '',
    '{12345678901234567890:1}',
    '[1 12345678901234567890]',
    '-12345678901234567890-',
    '[01234567890123456789]',
    '[12345678901234567890',
    '{"a":"12345678901234567890]',
  ])('refuses %j with its place', (text) => {
    let caught: unknown;
    try {
      parseExact(text);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(AppError);
    expect(caught).toMatchObject({ code: 'invalid_input', details: { line: 1 } });
  });

  it('reads a text nested 100,000 deep, as JSON.parse does', () => {
    const text = `${'['.repeat(100_000)}9007199254740993${']'.repeat(100_000)}`;
    let value = parseExact(text);
    while (Array.isArray(value)) value = value[0];
    expect(value).toEqual(new ExactNumber('9007199254740993'));
  });

  it('agrees with the nodes of the text on random texts, number by number', () => {
    const seed = chooseSeed();
    const generator = createJsonGenerator(seededRandom(seed));
    const seen = { exact: 0, plain: 0, refused: 0 };
    for (let i = 0; i < 4_000; i++) {
      const text = generator.bytes().toString('utf8');
      const note = `CROUPIER_SEED=${seed}, case ${i}: ${JSON.stringify(text)}`;
      const parsed = parseJson(text);
      if (parsed.ok) {
        expect(parseExact(text), note).toEqual(expected(parsed.root, seen));
      } else {
        seen.refused++;
        expect(() => parseExact(text), note).toThrow(AppError);
      }
    }
    expect(Math.min(seen.exact, seen.plain, seen.refused)).toBeGreaterThan(500);
  });
});

/** The value by a way of its own: it compares decimals as big integers. */
function expected(node: JsonNode, seen: { exact: number; plain: number }): unknown {
  switch (node.kind) {
    case 'object': {
      const object = {};
      for (const { key, value } of node.members) {
        Object.defineProperty(object, key, {
          value: expected(value, seen),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
      return object;
    }
    case 'array':
      return node.items.map((item) => expected(item, seen));
    case 'string':
      return node.value;
    case 'number': {
      const unsafe = /^-?\d+$/.test(node.text) && !Number.isSafeInteger(Number(node.text));
      if (unsafe || !sameDecimal(node.text, String(Number(node.text)))) {
        seen.exact++;
        return new ExactNumber(node.text);
      }
      seen.plain++;
      return Number(node.text);
    }
    case 'true':
    case 'false':
    case 'null':
      return JSON.parse(node.kind);
  }
}

function sameDecimal(a: string, b: string): boolean {
  if (b.includes('Infinity')) return false;
  const [x, y] = [decimal(a), decimal(b)];
  if (x.digits === 0n || y.digits === 0n) return x.digits === y.digits;
  // Any two that are equal lie within the exponents that a double has.
  if (Math.abs(x.exponent - y.exponent) > 1_000) return false;
  const lowest = Math.min(x.exponent, y.exponent);
  return x.digits * 10n ** BigInt(x.exponent - lowest) === y.digits * 10n ** BigInt(y.exponent - lowest);
}

function decimal(text: string): { digits: bigint; exponent: number } {
  const [, whole = '', fraction = '', exponent = '0'] = /^(-?\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
