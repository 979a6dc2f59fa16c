import { answerOf } from './wire-form.ts';
import { counted } from './findings.ts';
import { minorUnitDecimals } from './iso-codes.ts';
import type { Answers } from './model.ts';

/** Says that an amount has more decimals than the recorded answer allows, or null; `currency` is null where it is not known. */
export function tooPrecise(amount: string, currency: string | null, answers: Answers): string | null {
  const answer = answerOf('amounts.precision', answers);
  if (answer === null || answer === 'any') return null;
  const ofCurrency = currency === null ? null : minorUnitDecimals(currency);
  const allowed = answer === 'currency' ? ofCurrency : Number(answer);
  const decimals = countDecimals(amount);
  if (allowed === null || decimals === null || decimals <= allowed) return null;
  const of = answer === 'currency' && currency !== null ? ` for ${currency}` : '';
  return `has ${counted(decimals)} decimals; the recorded maximum${of} is ${allowed}`;
}

/** Counts the decimals of a number as written, without trailing zeros; null if it is too large for an amount. */
function countDecimals(text: string): number | null {
  const [, , fraction = '', exponent = '0'] = /^(-?\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (Math.abs(Number(exponent)) > 1_000) return null;
  return Math.max(0, fraction.replace(/0+$/, '').length - Number(exponent));
}

/** Says that an amount has decimals though the recorded answer is minor units, or null. */
export function notMinorUnits(amount: string, answers: Answers): string | null {
  const decimals = answerOf('amounts.unit', answers) === 'minor' ? countDecimals(amount) : null;
  return decimals === null || decimals === 0 ? null : 'has decimals, but the recorded unit is minor units';
}
