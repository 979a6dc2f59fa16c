/** A number in parts: its value is ±0.digits × 10^scale, without zeros at either end of the digits; no digits for zero. */
interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly scale: bigint;
}

const numberGrammar = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const zero = 0x30;

/** Returns whether the text is a number as JSON writes it. */
export function isNumberText(text: string): boolean {
  return numberGrammar.test(text);
}

const largest = 2n ** 63n - 1n;

/** Returns whether the text of an integer, of any length, is one of 64 bits with a sign, as PHP keeps without loss. */
export function fitsSigned64(integer: string): boolean {
  if (integer.length > 20) return false;
  const value = BigInt(integer);
  return value <= largest && value >= -largest - 1n;
}

/** Compares two JSON numbers of any length: below 0 if the first is less, 0 if they are equal, above 0 if it is greater. */
export function compareDecimals(one: string, other: string): number {
  if (one === other) return 0;
  const [a, b] = [takeApart(one), takeApart(other)];
  const signs = signOf(a) - signOf(b);
  if (signs !== 0 || a.digits === '') return signs;
  const magnitude = a.scale === b.scale ? compareDigits(a.digits, b.digits) : a.scale < b.scale ? -1 : 1;
  return a.negative ? 0 - magnitude : magnitude;
}

function signOf({ digits, negative }: Decimal): number {
  if (digits === '') return 0;
  return negative ? -1 : 1;
}

/** Compares digits after a decimal point: a prefix of the other is less. */
function compareDigits(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

// Loops, because a regular expression for zeros at the end would try again at every zero of a long number.
function takeApart(text: string): Decimal {
  const { negative, whole, fraction, exponent } = partsOf(text);
  const all = whole + fraction;
  let from = 0;
  let to = all.length;
  while (from < to && all.charCodeAt(from) === zero) from++;
  while (to > from && all.charCodeAt(to - 1) === zero) to--;
  return { negative, digits: all.slice(from, to), scale: exponent + BigInt(whole.length - from) };
}

function partsOf(text: string) {
  const negative = text.startsWith('-');
  const mark = text.search(/[eE]/);
  const mantissa = text.slice(negative ? 1 : 0, mark === -1 ? text.length : mark);
  const point = mantissa.indexOf('.');
  return {
    negative,
    whole: point === -1 ? mantissa : mantissa.slice(0, point),
    fraction: point === -1 ? '' : mantissa.slice(point + 1),
    exponent: mark === -1 ? 0n : BigInt(text.slice(mark + 1)),
  };
}

/** Most digits of a sum. */
const mostDigits = 10_000n;

/**
 * Returns the exact sum of two JSON numbers without an exponent, with as many decimal places as the longer of the two has. Null if
 * they differ so much in size that the sum would have more than 10,000 digits.
 */
export function addDecimals(one: string, other: string): string | null {
  const terms = [one, other].map((text) => {
    const { negative, whole, fraction, exponent } = partsOf(text);
    return { negative, digits: whole + fraction, power: exponent - BigInt(fraction.length) };
  });
  const lowest = terms.reduce((low, { power }) => (power < low ? power : low), 0n);
  let sum = 0n;
  for (const { negative, digits, power } of terms) {
    if (power - lowest + BigInt(digits.length) > mostDigits) return null;
    const value = BigInt(digits) * 10n ** (power - lowest);
    sum += negative ? -value : value;
  }
  return written(sum, Number(-lowest));
}

/** Returns the exact product of a JSON number and a count, with as many decimal places as the number has. Null as in `addDecimals`. */
export function multiplyDecimal(text: string, times: bigint): string | null {
  const { negative, whole, fraction, exponent } = partsOf(text);
  const length = BigInt(whole.length + fraction.length) + (exponent < 0n ? -exponent : exponent);
  if (length > mostDigits) return null;
  const power = exponent - BigInt(fraction.length);
  const value = BigInt(whole + fraction) * times * (power > 0n ? 10n ** power : 1n);
  return written(negative ? -value : value, power < 0n ? Number(-power) : 0);
}

/** Writes `value` × 10^-`fractionLength` with `fractionLength` decimal places. */
function written(value: bigint, fractionLength: number): string {
  if (fractionLength === 0) return String(value);
  const digits = String(value < 0n ? -value : value).padStart(fractionLength + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -fractionLength)}.${digits.slice(-fractionLength)}`;
}
