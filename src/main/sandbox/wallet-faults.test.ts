import { describe, expect, it } from 'vitest';
import { createLedger } from './ledger.ts';
import { createRoundBook } from './rounds.ts';
import { readStart } from './start-file.ts';
import { createWalletApi } from './wallet-api.ts';
import { walletFaults, type WalletFault } from './wallet-faults.ts';

const players = `players:
  - { playerId: a, externalToken: Token-a, currency: EUR, balance: 1000 }
  - { playerId: b, externalToken: Token-b, currency: EUR, balance: 500 }`;

type Step = readonly [method: string, change?: Readonly<Record<string, unknown>>];

/** Sends requests to a wallet. Returns of each response code and balance, and what both players have after it. */
function answersOf(fault: WalletFault | undefined, steps: readonly Step[]): string[] {
  let tokens = 0;
  const rounds = createRoundBook({ now: () => 1_800_000_000_000, secret: new Uint8Array(32) });
  const newToken = () => `new-${++tokens}`;
  const ledger = createLedger({ rounds, newToken, players: readStart(players, 'players.yaml').players, fault });
  const wallet = createWalletApi(ledger);
  const usual = { externalToken: 'Token-a', playerId: 'a', gameId: '1042', transactionId: 't-1', amount: 1, currency: 'EUR' };
  return steps.map(([method, change]) => {
    const { body = '' } = wallet(`/${method}`, JSON.stringify({ ...usual, ...change })) ?? {};
    const { code, balance = '-' } = JSON.parse(body) as { code: number; balance?: number };
    const balances = ledger.players().map((player) => Number(player.balance) / 100);
    return `${code} ${balance}, ${balances.join(',')}`;
  });
}

const bet: Step = ['bet'];
const win: Step = ['win', { transactionId: 'w-1' }];
const cancel: Step = ['cancel'];
const dear: Step = ['bet', { amount: 1001 }];
const promo = (transactionId: string): Step => ['promoWin', { transactionId, externalReferenceId: 'e-1' }];
const renewal: Step = ['generateNewToken', { token: 'Token-a', newGameId: '1043' }];
const tenths = [1, 2, 3].map((id): Step => ['bet', { transactionId: `t-${id}`, amount: 0.1 }]);

/** Requests by which each fault shows, and what the last one gets from the correct wallet and from the faulty one. */
const table: { readonly [Fault in WalletFault]: readonly [steps: readonly Step[], correct: string, faulty: string] } = {
  'unknown-token-first-player': [[['playerInfo', { externalToken: 'x' }]], '404 -, 1000,500', '0 1000, 1000,500'],
  'token-case-folded': [[['playerInfo', { externalToken: 'token-A' }]], '404 -, 1000,500', '0 1000, 1000,500'],
  'other-players-token': [[['bet', { playerId: 'b' }]], '404 -, 1000,500', '0 499, 1000,499'],
  'old-token-lives': [[renewal, bet], '404 -, 1000,500', '0 999, 999,500'],
  'retry-debits-twice': [[bet, bet], '0 999, 999,500', '0 998, 998,500'],
  'retry-credits-twice': [[win, win], '0 1001, 1001,500', '0 1002, 1002,500'],
  'retry-refused': [[bet, bet], '0 999, 999,500', '404 -, 999,500'],
  'conflict-booked': [[bet, ['bet', { amount: 2 }]], '404 -, 999,500', '0 997, 997,500'],
  'conflict-replayed': [[bet, ['bet', { amount: 2 }]], '404 -, 999,500', '0 999, 999,500'],
  'id-case-folded': [[bet, ['bet', { transactionId: 'T-1' }]], '0 998, 998,500', '0 999, 999,500'],
  'cancelled-bet-booked-again': [[bet, cancel, bet], '0 999, 1000,500', '0 999, 999,500'],
  'cancel-unknown-credits': [[cancel], '404 -, 1000,500', '0 1001, 1001,500'],
  'cancel-twice-pays-twice': [[bet, cancel, cancel], '0 1000, 1000,500', '0 1001, 1001,500'],
  'cancel-trusts-amount': [[bet, ['cancel', { amount: 3 }]], '0 1000, 1000,500', '0 1002, 1002,500'],
  'cancel-moves-nothing': [[bet, cancel], '0 1000, 1000,500', '0 999, 999,500'],
  'cancel-after-win-refunds': [[bet, win, cancel], '404 -, 1000,500', '0 1001, 1001,500'],
  'promo-reference-not-unique': [[promo('p-1'), promo('p-2')], '404 -, 1001,500', '0 1002, 1002,500'],
  'zero-win-refused': [[['win', { amount: 0 }]], '0 1000, 1000,500', '404 -, 1000,500'],
  'negative-bet-pays': [[['bet', { amount: -1.5 }]], '404 -, 1000,500', '0 1001.5, 1001.5,500'],
  'no-funds-check': [[dear], '404 -, 1000,500', '0 -1, -1,500'],
  'currency-ignored': [[['bet', { currency: 'KWD' }]], '404 -, 1000,500', '0 999, 999,500'],
  'amount-cut-to-int': [[['bet', { amount: 1.75 }]], '0 998.25, 998.25,500', '0 999, 999,500'],
  'float-money': [tenths, '0 999.7, 999.7,500', '0 999.6999999999999, 999.7,500'],
  'balance-before': [[bet], '0 999, 999,500', '0 1000, 999,500'],
  'error-with-code-0': [[dear], '404 -, 1000,500', '0 -, 1000,500'],
};

describe.each(Object.keys(walletFaults) as WalletFault[])('the wallet with the fault %s', (fault) => {
  const [steps, correct, faulty] = table[fault];

  it('does what the correct wallet does not', () => {
    expect([answersOf(undefined, steps).at(-1), answersOf(fault, steps).at(-1)]).toEqual([correct, faulty]);
  });

  // A balance from before shows everywhere.
  if (fault === 'balance-before') return;
  it('is otherwise correct', () => {
    const round = [bet, ['win', { amount: 2 }], promo('p-1'), ['bet', { transactionId: 't-2' }], renewal] as const;
    expect(answersOf(fault, round)).toEqual(answersOf(undefined, round));
  });
});
