import { isNumberText } from '../json/decimal.ts';

/** An amount, exact, in units of 10^-24. */
export type Money = bigint;

const places = 24;
const mostDigits = 400;

/** Reads a JSON number; null if the text is none, or has more digits than an amount can have. */
export function readMoney(text: string): Money | null {
  if (!isNumberText(text)) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return 0n;
  const shift = Number(exponent) - fraction.length + places;
  if (Math.abs(shift) + digits.length > mostDigits) return null;
  const kept = shift >= 0 ? digits + '0'.repeat(shift) : digits.slice(0, shift);
  if (shift < 0 && !/^0*$/.test(digits.slice(shift))) return null;
  const value = BigInt(kept === '' ? '0' : kept);
  return sign === '-' ? -value : value;
}

/** Writes an amount as a JSON number without an exponent; `decimals`: at least so many. */
export function moneyText(money: Money, decimals = 0): string {
  const digits = sizeOf(money)
    .toString()
    .padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '').padEnd(decimals, '0');
  return `${money < 0n ? '-' : ''}${digits.slice(0, -places)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Returns an amount without its sign. */
export const sizeOf = (money: Money): Money => (money < 0n ? -money : money);

/** Returns 10^-digits. */
export function minorUnit(digits: number): Money {
  return 10n ** BigInt(places - digits);
}

/** Says why a stake cannot be used; null if it can. */
export function stakeProblem(stake: string): string | null {
  const money = stake === '' ? 1n : readMoney(stake);
  return money !== null && money > 0n ? null : 'The stake must be a number above 0, such as 20.';
}
