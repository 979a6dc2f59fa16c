import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exact, phpDecode, phpEncode, phpFloat } from './php-json.ts';

interface Case {
  readonly id: string;
  readonly dataTextBase64: string;
  readonly php: { readonly json?: string; readonly error?: string };
  readonly phpUnescapedUnicode: { readonly json?: string; readonly error?: string };
  readonly hashPhp?: string | null;
}
const file = new URL('../../shared/signing/vectors/signing.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as { privateKey: string; time: string; cases: Case[] };

/** The text of the case, or null where the bytes are not UTF-8 (the server refuses those before decoding). */
function textOf(entry: Case): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(entry.dataTextBase64, 'base64'));
  } catch {
    return null;
  }
}

describe('the vectors made by PHP', () => {
  test.each(vectors.cases.map((entry) => [entry.id, entry] as const))('%s', (_id, entry) => {
    const text = textOf(entry);
    if (text === null) {
      expect(entry.php.error).toMatch(/UTF-8/);
      return;
    }
    const decoded = phpDecode(text);
    const json = decoded.ok ? phpEncode(decoded.value) : null;
    expect(json).toBe(entry.php.json ?? null);
    if (!decoded.ok) expect(decoded.fault.message).toBe(entry.php.error);
    expect(decoded.ok ? phpEncode(decoded.value, { unescapedUnicode: true }) : null).toBe(entry.phpUnescapedUnicode.json ?? null);
    if (json !== null && typeof entry.hashPhp === 'string') {
      const hash = createHash('sha256').update(vectors.privateKey + vectors.time + json, 'utf8');
      expect(hash.digest('hex')).toBe(entry.hashPhp);
    }
  });
});

describe('phpDecode', () => {
  test('keeps PHP ints and floats apart', () => {
    const decoded = phpDecode('[9007199254740993,1.0,9223372036854775808,-0]');
    expect(decoded).toMatchObject({ ok: true, value: [9007199254740993n, 1, 9223372036854775808, 0n] });
  });

  test('gives the span of each top-level member and of no other', () => {
    const text = '{ "action" : "bet", "data":{"data":1, "x":[{"action":2}]} ,"hash":"h" }';
    const decoded = phpDecode(text);
    if (!decoded.ok) throw new Error(decoded.fault.message);
    expect([...decoded.spans].map(([name, [start, end]]) => [name, text.slice(start, end)])).toEqual([
      ['action', '"bet"'],
      ['data', '{"data":1, "x":[{"action":2}]}'],
      ['hash', '"h"'],
    ]);
  });

  test('a repeated member keeps its first place, its last value and its last span', () => {
    const text = '{"data":1,"b":2,"data":[3]}';
    const decoded = phpDecode(text);
    if (!decoded.ok) throw new Error(decoded.fault.message);
    expect(phpEncode(decoded.value)).toBe('{"data":[3],"b":2}');
    const [start, end] = decoded.spans.get('data') ?? [0, 0];
    expect(text.slice(start, end)).toBe('[3]');
  });

  test('an array has no spans', () => {
    const decoded = phpDecode('[{"a":1}]');
    expect(decoded.ok && decoded.spans.size).toBe(0);
  });

  test('says where it stopped', () => {
    expect(phpDecode('{"a":01}')).toEqual({ ok: false, fault: { message: 'Syntax error', offset: 6 } });
  });
});

describe('phpEncode', () => {
  test('prints records and exact decimals', () => {
    expect(phpEncode({ balance: exact('12345678901234567.89'), url: 'https://a/ë' })).toBe(
      '{"balance":12345678901234567.89,"url":"https://a/\\u00eb"}',
    );
  });

  test('refuses what is not finite', () => {
    expect(phpEncode([Number.POSITIVE_INFINITY])).toBeNull();
  });

  test.each([
    [0.1, '0.1'],
    [1e16, '10000000000000000'],
    [1e17, '1.0e+17'],
    [0.00001, '1.0e-5'],
    [-0, '-0'],
    [123456789012345680, '1.2345678901234568e+17'],
  ])('prints the float %d as PHP does', (value, text) => {
    expect(phpFloat(value)).toBe(text);
  });
});
