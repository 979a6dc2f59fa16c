import { phpFloat, type PhpValue } from './php-json.ts';

/** A currency of the built-in provider. `digits`: decimals of its minor unit; `scale`: factor of its bets compared with euros. */
export interface Currency {
  readonly code: string;
  readonly digits: number;
  readonly scale: number;
}

/** The provider's currencies, by ISO 4217 code. */
export const currencies: ReadonlyMap<string, Currency> = new Map(
  (
    [
      ['EUR', 2, 1],
      ['USD', 2, 1],
      ['GBP', 2, 1],
      ['CHF', 2, 1],
      ['AUD', 2, 2],
      ['CAD', 2, 2],
      ['NZD', 2, 2],
      ['SEK', 2, 10],
      ['NOK', 2, 10],
      ['DKK', 2, 10],
      ['PLN', 2, 5],
      ['CZK', 2, 20],
      ['HUF', 2, 500],
      ['RON', 2, 5],
      ['TRY', 2, 20],
      ['BRL', 2, 5],
      ['MXN', 2, 20],
      ['ARS', 2, 500],
      ['CLP', 0, 1_000],
      ['COP', 2, 5_000],
      ['PEN', 2, 5],
      ['ZAR', 2, 20],
      ['INR', 2, 100],
      ['IDR', 2, 10_000],
      ['THB', 2, 50],
      ['VND', 0, 20_000],
      ['KRW', 0, 1_000],
      ['JPY', 0, 100],
      ['CNY', 2, 10],
      ['KZT', 2, 500],
      ['KWD', 3, 0.5],
      ['TND', 3, 2],
    ] as const
  ).map(([code, digits, scale]) => [code, { code, digits, scale }]),
);

/** Most digits of an amount or a balance before the decimal point. */
export const maxWholeDigits = 18;

/**
 * Returns an amount of a request in minor units, or a sentence about its fault. `sent` is the number as the request has it. Without that, a
 * float counts with the digits that PHP prints for it, so 0.1 is ten cents and 0.30000000000000004 is rejected as finer than a cent.
 */
export function parseAmount(value: PhpValue | undefined, currency: Currency, sent?: string): bigint | string {
  if (typeof value !== 'bigint' && typeof value !== 'number') return 'amount is not a number';
  const text = sent ?? (typeof value === 'bigint' ? value.toString() : phpFloat(value));
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text);
  if (!match) return 'amount is not a number';
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent) - fraction.length + currency.digits;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return 0n;
  if (sign === '-') return 'amount is negative';
  if (digits.length + shift > maxWholeDigits + currency.digits) return `amount has more than ${maxWholeDigits} digits`;
  if (shift >= 0) return BigInt(digits) * 10n ** BigInt(shift);
  const cut = digits.slice(0, shift);
  if (!/^0+$/.test(digits.slice(shift))) return `amount has more decimals than ${currency.code} allows`;
  return BigInt(cut === '' ? '0' : cut);
}

/** Writes minor units as the shortest exact decimal, as PHP prints it: 1050 cents are `10.5`. */
export function printAmount(minor: bigint, digits: number): string {
  const sign = minor < 0n ? '-' : '';
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const fraction = text.slice(text.length - digits).replace(/0+$/, '');
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}
