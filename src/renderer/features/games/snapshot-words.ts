import { amount } from '#shared/amount.ts';
import type { CatalogueSnapshot } from '#shared/ipc/index.ts';
import { answerOf, type Answers } from '#shared/provider/index.ts';

/** Returns `20 Nov 13:40:05`, with the year if it is another; in the user's own zone. */
export function snapshotTime(fetchedAt: number, now: number): string {
  const at = new Date(fetchedAt);
  const year = at.getFullYear() === new Date(now).getFullYear() ? '' : ` ${at.getFullYear()}`;
  return `${at.getDate()} ${at.toLocaleString('en', { month: 'short' })}${year} ${at.toLocaleTimeString('en-GB')}`;
}

/** Returns the age in the largest unit that fits: `just now`, `5 min ago`, `3 days ago`. */
export function ageText(fetchedAt: number, now: number): string {
  const minutes = Math.floor((now - fetchedAt) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 1_440) return `${Math.floor(minutes / 60)} h ago`;
  const days = Math.floor(minutes / 1_440);
  return days === 1 ? 'yesterday' : `${days} days ago`;
}

/** Returns `20 Nov 13:40:05, EUR, 60 games`. */
export function snapshotTitle({ fetchedAt, currency, games }: CatalogueSnapshot, now: number): string {
  return `${snapshotTime(fetchedAt, now)}, ${currencyText(currency)}, ${amount(games, 'game')}`;
}

/** Returns two snapshots of a list that is newest first, the older one first. */
export function olderFirst(list: readonly CatalogueSnapshot[], one: number, other: number): [from: number, to: number] {
  const at = (id: number) => list.findIndex((snapshot) => snapshot.id === id);
  return at(one) < at(other) ? [other, one] : [one, other];
}

/** Returns the unit of a list's bets: the requested currency, or its minor units if that is recorded; empty for none. */
export function betUnit(currency: string, answers: Answers): string {
  if (answerOf('amounts.unit', answers) !== 'minor') return currency;
  return currency === '' ? 'minor units' : `minor units of ${currency}`;
}

/** Returns the currency as it was requested. */
export function currencyText(currency: string): string {
  return currency === '' ? 'no currency' : currency;
}

/** Returns a hint about an unusual currency that is being typed; null for three capital letters. It is sent as it stands. */
export function currencyHint(currency: string): string | null {
  if (/^[A-Z]{3}$/.test(currency)) return null;
  if (currency === '') return 'No currency: the provider may reject it. Codes have three letters, such as EUR.';
  if (/^[A-Za-z]{3}$/.test(currency)) return 'Currency codes have capital letters. Sent as typed.';
  return 'Currency codes have three letters, such as EUR. Sent as typed.';
}
