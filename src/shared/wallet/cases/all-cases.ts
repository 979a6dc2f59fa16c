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
      ...sessionCases,
      ...winCases,
      ...betCases,
      ...retryCases,
      ...cancelCases,
      ...moneyCases,
      ...prizeCases,
      ...hostileCases,
      ...orderCases,
      ...tokenCases,
    ].map((one) => WalletCase.parse(one)),
  ),
);

/** Cases on which others hang: a code in successes, decimals, and the ID of wins. */
const asked = ['session-01', 'money-12', 'win-02'];

/** Returns cases so that the wallet is asked before it is judged, those that end the token in hand run last, and what looks at the whole run at the very end. */
export function inOrder(cases: readonly WalletCase[]): readonly WalletCase[] {
  function place(one: WalletCase): number {
    if (asked.includes(one.id)) return asked.indexOf(one.id) - asked.length;
    if (one.special === 'refusals' || one.special === 'leaks') return 2;
    return endsToken(one) ? 1 : 0;
  }
  return [...cases].sort((one, other) => place(one) - place(other));
}
