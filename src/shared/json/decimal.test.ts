import { fc } from '#testing/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { addDecimals, compareDecimals, isNumberText } from './decimal.ts';

/** A value as units of 10^-40, and texts that mean it. */
const decimals = fc
  .record({
    units: fc.bigInt({ min: -(10n ** 80n), max: 10n ** 80n }),
    zeros: fc.integer({ min: 0, max: 5 }),
    exponent: fc.integer({ min: -60, max: 60 }),
  })
  .map(({ units, zeros, exponent }) => ({ units, text: textOf(units, zeros, exponent) }));

/** `units` × 10^-40, written with an exponent and with zeros that mean nothing. */
function textOf(units: bigint, zeros: number, exponent: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = String(units < 0n ? -units : units);
  const behind = 40 + exponent;
  if (behind <= 0) return `${sign}${digits}${digits === '0' ? '' : '0'.repeat(-behind)}e${exponent}`;
  const padded = digits.padStart(behind + 1, '0');
  return `${sign}${padded.slice(0, -behind)}.${padded.slice(-behind)}${'0'.repeat(zeros)}${exponent === 0 ? '' : `E${exponent}`}`;
}

function unitsOf(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(40, '0').slice(0, 40));
}

describe('exact decimals', () => {
  it('compare like whole numbers of any length', () => {
    fc.assert(
      fc.property(decimals, decimals, (one, other) => {
        expect(isNumberText(one.text)).toBe(true);
        const expected = one.units < other.units ? -1 : one.units > other.units ? 1 : 0;
        expect(Math.sign(compareDecimals(one.text, other.text))).toBe(expected);
        expect(compareDecimals(one.text, textOf(one.units, 2, 7))).toBe(0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('add like whole numbers of any length', () => {
    const plain = decimals.map(({ units }) => ({ units, text: textOf(units, 0, 0) }));
    fc.assert(
      fc.property(plain, plain, (one, other) => {
        const sum = addDecimals(one.text, other.text) as string;
        expect(isNumberText(sum)).toBe(true);
        const negative = sum.startsWith('-');
        const size = unitsOf(negative ? sum.slice(1) : sum);
        expect(negative ? -size : size).toBe(one.units + other.units);
      }),
      { numRuns: 2_000 },
    );
  });

  it('sum whatever the exponents are', () => {
    fc.assert(
      fc.property(decimals, decimals, (one, other) => {
        expect(compareDecimals(addDecimals(one.text, other.text) as string, textOf(one.units + other.units, 0, 0))).toBe(0);
      }),
    );
  });

  it.each([
    ['9007199254740992', '9007199254740993', -1],
    ['0.10', '0.1', 0],
    ['1e400', '1e399', 1],
    ['-1e400', '1', -1],
    ['-0', '0', 0],
    ['0e5', '-0.000', 0],
    ['1e-400', '0', 1],
    ['100', '1e2', 0],
    ['-2', '-10', 1],
    ['0.001', '0.01', -1],
    ['1e99999999999999999999999', '1e99999999999999999999998', 1],
  ])('%s against %s', (one, other, order) => {
    expect(Math.sign(compareDecimals(one, other))).toBe(order);
    expect(Math.sign(compareDecimals(other, one))).toBe(order === 0 ? 0 : -order);
  });

  it.each([
    ['100.50', '-10', '90.50'],
    ['0.1', '0.2', '0.3'],
    ['9007199254740993', '1', '9007199254740994'],
    ['1', '-1.00', '0.00'],
    ['0.5', '-1', '-0.5'],
    ['1e3', '1e-3', '1000.001'],
  ])('%s plus %s is %s', (one, other, sum) => expect(addDecimals(one, other)).toBe(sum));

  it('does not write a sum of a billion digits', () => {
    expect(addDecimals('1e1000000000', '1')).toBeNull();
    expect(addDecimals('1', '1e-1000000000')).toBeNull();
  });

  it('takes a number of a million zeros at once', () => {
    const long = `1${'0'.repeat(1_000_000)}1`;
    expect(compareDecimals(long, `${long}.0`)).toBe(0);
    expect(compareDecimals(`0.${'0'.repeat(1_000_000)}1`, '0')).toBe(1);
  });

  it.each(['', ' 1', '01', '1.', '.5', '+1', '1e', 'NaN', 'Infinity', '0x1', '1,0', '1_0', '--1', '1\n'])(
    '%j is not a number',
    (text) => expect(isNumberText(text)).toBe(false),
  );
});
