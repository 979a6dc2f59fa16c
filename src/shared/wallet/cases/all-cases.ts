import { endsToken, WalletCase } from '../wallet-case.ts';
import { betCases } from './bet.ts';
import { cancelCases } from './cancel.ts';
import { hostileCases } from './hostile.ts';
import { moneyCases } from './money.ts';
import { orderCases } from './order.ts';
import { prizeCases } from './prizes.ts';
import { retryCases } from './retries.ts';
import { sessionCases } from './session.ts';
import { tokenCases } from './token.ts';
import { winCases } from './win.ts';
import { late } from '../../model/schema.ts';

/** Croupier's own cases, in the order in which they run. */
export const allCases = late((): readonly WalletCase[] =>
  inOrder(
    [
      // Asked first: what follows hangs on what they show.
      ...sessionCases.slice(0, 1),
      ...moneyCases.slice(0, 1),
      ...sessionCases.slice(1),
      ...winCases,
      ...betCases,
      ...retryCases,
      ...cancelCases,
      ...moneyCases.slice(1),
      ...prizeCases,
      ...hostileCases,
      ...orderCases,
      ...tokenCases,
    ].map((one) => WalletCase.parse(one)),
  ),
);

/** Returns cases so that those that end the token in hand run last, and what looks at the whole run at the very end. */
export function inOrder(cases: readonly WalletCase[]): readonly WalletCase[] {
  const place = (one: WalletCase) => (one.special === 'refusals' ? 2 : endsToken(one) ? 1 : 0);
  return [...cases].sort((one, other) => place(one) - place(other));
}
