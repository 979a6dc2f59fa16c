import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from './utf8.ts';
import { createJsonMeter, excessOf, measureJson, mostBytes, mostDepth, mostValues } from './measure.ts';

const bytes = (text: string) => encodeUtf8(text);
const nested = (depth: number) => bytes('['.repeat(depth) + ']'.repeat(depth));
const excess = (body: Uint8Array) => excessOf(body, 'The response', 'Save it.');

describe('the measure of JSON', () => {
  it.each([
    ['{}', 1, 2],
    ['[1,2,3]', 1, 4],
    ['{"a":[{"b":[]}],"c":"[[[[[,,,"}', 4, 6],
    ['["\\"[[[", "\\\\", [ ]]', 2, 5],
    ['"text"', 0, 1],
  ])('%s is %i deep with %i values', (text, depth, values) => {
    expect(measureJson(bytes(text))).toEqual({ depth, values });
  });

  it('does not depend on where the bytes are cut', () => {
    const text = bytes('{"a\\"[":[1,"\\\\",{"b":"é{"}]}');
    for (let at = 0; at <= text.length; at++) {
      const meter = createJsonMeter();
      meter.add(text.subarray(0, at));
      meter.add(text.subarray(at));
      expect(meter.measure).toEqual(measureJson(text));
    }
  });
});

describe('a text within the limits', () => {
  it('has at most so many levels and values', () => {
    expect(excess(nested(mostDepth))).toBeNull();
    expect(excess(nested(mostDepth + 1))).toBe(
      'The response was not read: it is nested 1,001 levels deep; Croupier reads at most 1,000. Save it.',
    );
    expect(excess(bytes(`[${'1,'.repeat(mostValues)}1]`))).toBe(
      'The response was not read: it has about 1,200,002 values; Croupier reads at most 1,200,000. Save it.',
    );
  });

  it('may be the list of a provider with 20,000 games of 50 bets each', () => {
    const bets = Array.from({ length: 50 }, (_, index) => index / 4);
    const game = JSON.stringify({ id: 100_001, gameName: 'x'.repeat(60), bets, thumbnail: 'x'.repeat(200), status: 1 });
    const list = bytes(`{"code":0,"message":"ok","data":{"slots":[${`${game},`.repeat(19_999)}${game}]}}`);
    expect(list.length).toBeGreaterThan(10_000_000);
    expect(excess(list)).toBeNull();
  });

  it('has at most so many bytes, whatever they are', () => {
    expect(excess(new Uint8Array(mostBytes))).toBeNull();
    expect(excess(new Uint8Array(mostBytes + 1))).toBe(
      'The response was not read: it has 20,971,521 bytes; Croupier reads at most 20,971,520. Save it.',
    );
  });

  it('is also what is not JSON', () => {
    expect(excess(bytes(`<html>${'['.repeat(2_000)}`))).toBeNull();
    expect(excess(bytes(''))).toBeNull();
    expect(excess(bytes(`\uFEFF \n${'['.repeat(2_000)}`))).not.toBeNull();
  });
});
