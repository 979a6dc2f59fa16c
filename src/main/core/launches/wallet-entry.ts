import type { SandboxVerdict } from '#shared/ipc/index.ts';
import { parseJson } from '#shared/json/parse.ts';
import type { WalletBalance } from '#shared/model/wallet-balance.ts';
import { textAt } from '#shared/provider/launcher-url.ts';
import type { Note } from './record.ts';

/** An open launch as wallet calls are assigned to it. */
export interface WalletLaunch {
  readonly gameId: string;
  readonly gameMode: 'fun' | 'real' | null;
  readonly secrets: readonly string[];
}

/**
 * Returns the open launches that a wallet call of the built-in provider belongs to, with the entry for their records. A call belongs
 * to the launch whose token and game it carries. Several launches get it if nothing in the call tells them apart, as a /playerInfo
 * with the token of two: then the entry's signal says that it is not `alone`. A call with the token of none belongs to the fun launches
 * of its game, because these have no token.
 */
export function walletCall<L extends WalletLaunch>(
  verdict: SandboxVerdict,
  open: readonly L[],
): { owners: L[]; note: Note } | null {
  if (verdict.action !== null || verdict.path === '/serviceApi.php') return null;
  const parsed = parseJson(verdict.bodyText);
  const field = (name: string) => (parsed.ok ? textAt(parsed.root, [name]) : null);
  const [token, game] = [field('externalToken') ?? '', field('gameId')];
  const withToken = open.filter(({ secrets }) => secrets.includes(token));
  const owners =
    withToken.length > 0
      ? withToken.filter(({ gameId }) => game === null || game === gameId)
      : open.filter(({ gameId, gameMode }) => gameMode === 'fun' && game === gameId);
  if (owners.length === 0) return null;
  const amount = field('amount');
  const transaction = field('transactionId');
  const { code, message, why, balance = null } = verdict.verdict;
  return {
    owners,
    note: {
      kind: 'wallet',
      group: 'other',
      level: code === 0 ? 'info' : 'warning',
      title: amount === null ? verdict.path : `${verdict.path} ${amount} ${field('currency') ?? ''}`.trim(),
      detail: [
        code === 0 ? 'code 0' : `code ${code} ${message}: ${why}`,
        balanceText(balance),
        transaction === null ? '' : `transaction ${transaction}`,
        owners.length > 1 ? `${owners.length} open launches have its token` : '',
      ]
        .filter((part) => part !== '')
        .join('; '),
      signal: {
        type: 'wallet',
        method: verdict.path,
        alone: owners.length === 1,
        call: { code, amount, transactionId: transaction, balance },
      },
    },
  };
}

function balanceText(balance: WalletBalance | null): string {
  if (balance === null) return '';
  const { before, after, currency } = balance;
  return before === after ? `balance ${before} ${currency}, unchanged` : `balance ${before} → ${after} ${currency}`;
}
