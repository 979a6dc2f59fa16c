import { fc } from '#testing/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { usualStart } from './start.ts';
import { createLedger, type Ledger, type MovementRequest } from './ledger.ts';
import type { Movement, Player } from './transaction-book.ts';
import { currencies, parseAmount, printAmount } from './money.ts';
import { phpDecode } from './php-json.ts';
import { createRoundBook, firstRoundId, roundTotals } from './rounds.ts';

function world(limits: { rounds?: number; transactions?: number } = {}) {
  let tokens = 0;
  const rounds = createRoundBook({ now: () => 1_800_000_000_000, secret: new Uint8Array(32), limit: limits.rounds ?? 50_000 });
  const ledger = createLedger({
    rounds,
    newToken: () => `token-${++tokens}`,
    players: usualStart.players,
    limit: limits.transactions ?? 100_000,
  });
  return { rounds, ledger };
}

function requestOf(ledger: Ledger, player: number, change: Partial<MovementRequest> = {}): MovementRequest {
  const who = ledger.players()[player];
  return {
    externalToken: who?.token,
    playerId: who?.playerId,
    gameId: '1042',
    transactionId: 't-1',
    amount: 1n,
    currency: who?.currency.code,
    externalReferenceId: 'e-1',
    ...change,
  };
}

describe('random sequences of wallet calls', () => {
  const kinds: readonly Movement[] = ['bet', 'win', 'cancel', 'tournamentWin', 'promoWin'];
  const step = fc.record({
    kind: fc.constantFrom(...kinds),
    player: fc.integer({ min: 0, max: 4 }),
    transaction: fc.integer({ min: 1, max: 12 }),
    amount: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constantFrom(0.1, 0.2, 2.5, 99.99, 0.001, -1, 1e6)),
    game: fc.constantFrom('1001', '1042'),
    token: fc.constantFrom('right', 'right', 'right', 'wrong'),
  });

  test('no money appears or is lost, no balance falls below zero, a repeat moves nothing', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const { ledger, rounds } = world();
        const expected = new Map(ledger.players().map((player) => [player.playerId, player.balance]));
        const answered = new Map<string, string>();
        const bets = new Map<string, { amount: bigint; closed: boolean }>();
        for (const { kind, player, transaction, amount, game, token } of steps) {
          const who = ledger.players()[player];
          if (!who) throw new Error('no player');
          const request = requestOf(ledger, player, {
            transactionId: `t-${transaction}`,
            amount: Number.isInteger(amount) ? BigInt(amount) : amount,
            gameId: game,
            externalReferenceId: `e-${player}-${transaction}`,
            ...(token === 'wrong' ? { externalToken: 'nobody' } : {}),
          });
          const key = `${who.playerId}/${kind}/t-${transaction}`;
          const before = who.balance;
          const outcome = ledger.move(kind, request);
          if (!outcome.ok || outcome.repeated) expect(who.balance).toBe(before);
          if (!outcome.ok) {
            if (token === 'wrong') expect(outcome.cause).toBe('token');
            continue;
          }
          const { player: _owner, ...receipt } = outcome.receipt;
          const said = JSON.stringify(receipt, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
          expect(outcome.repeated).toBe(answered.has(key));
          if (outcome.repeated) {
            expect(said).toBe(answered.get(key));
            continue;
          }
          answered.set(key, said);
          const minor = kind === 'cancel' ? 0n : parseAmount(request.amount, who.currency);
          if (typeof minor === 'string') throw new Error('an amount that is wrong was booked');
          const bet = bets.get(`${who.playerId}/t-${transaction}`);
          const change = kind === 'bet' ? -minor : kind === 'cancel' ? (bet?.amount ?? 0n) : minor;
          if (kind === 'bet') bets.set(`${who.playerId}/t-${transaction}`, { amount: minor, closed: false });
          if (kind === 'cancel') {
            expect(bet?.closed).toBe(false);
            bets.set(`${who.playerId}/t-${transaction}`, { amount: bet?.amount ?? 0n, closed: true });
          }
          expected.set(who.playerId, (expected.get(who.playerId) ?? 0n) + change);
          expect(who.balance).toBe(expected.get(who.playerId));
          expect(outcome.receipt.balance).toBe(who.balance);
        }
        for (const player of ledger.players()) {
          expect(player.balance).toBe(expected.get(player.playerId));
          expect(player.balance >= 0n).toBe(true);
        }
        expect(rounds.size()).toBe([...answered.keys()].filter((key) => key.includes('/bet/')).length);
      }),
      { numRuns: 300 },
    );
  });

  test('a cancelled bet leaves the balance and the round as if it had not been made', () => {
    const { ledger, rounds } = world();
    const before = ledger.players()[0]?.balance;
    const bet = ledger.move('bet', requestOf(ledger, 0, { amount: 12.34 }));
    if (!bet.ok) throw new Error(bet.why);
    expect(ledger.move('cancel', requestOf(ledger, 0)).ok).toBe(true);
    expect(ledger.players()[0]?.balance).toBe(before);
    const round = rounds.get(firstRoundId);
    expect(round && roundTotals(round)).toMatchObject({ bet: 0n, win: 0n });
    expect(ledger.move('cancel', requestOf(ledger, 0))).toMatchObject({ ok: true, repeated: true });
    expect(ledger.players()[0]?.balance).toBe(before);
  });
});

describe('rules', () => {
  test.each<[Movement, Partial<MovementRequest>, string]>([
    ['bet', { amount: 1_000_000n }, 'does not cover'],
    ['bet', { amount: 0.001 }, 'has more decimals than'],
    ['bet', { amount: '1' }, 'not a number'],
    ['bet', { currency: 'USD' }, 'not the currency of the player'],
    ['bet', { playerId: 'player-2' }, 'not the player of this session'],
    ['bet', { transactionId: '' }, 'transactionId must be'],
    ['bet', { transactionId: 5n }, 'transactionId must be'],
    ['win', { gameId: undefined }, 'gameId must be'],
    ['promoWin', { externalReferenceId: undefined }, 'externalReferenceId must be'],
    ['cancel', { transactionId: 'unknown' }, 'no bet with transactionId "unknown"'],
  ])('%s is refused (%#)', (kind, change, why) => {
    const { ledger } = world();
    const outcome = ledger.move(kind, requestOf(ledger, 0, change));
    expect(outcome).toMatchObject({ ok: false, cause: 'rule' });
    expect(outcome.ok ? '' : outcome.why).toContain(why);
  });

  test('the same ID with other values is rejected, for another method or player it is another transaction', () => {
    const { ledger } = world();
    expect(ledger.move('bet', requestOf(ledger, 0)).ok).toBe(true);
    expect(ledger.move('bet', requestOf(ledger, 0, { amount: 2n })).ok).toBe(false);
    expect(ledger.move('tournamentWin', requestOf(ledger, 0)).ok).toBe(true);
    expect(ledger.move('bet', requestOf(ledger, 1)).ok).toBe(true);
  });

  test('an external reference pays once', () => {
    const { ledger } = world();
    expect(ledger.move('promoWin', requestOf(ledger, 0)).ok).toBe(true);
    expect(ledger.move('promoWin', requestOf(ledger, 0, { transactionId: 't-2' })).ok).toBe(false);
  });

  test('a win closes its bet, which can then not be cancelled', () => {
    const { ledger } = world();
    ledger.move('bet', requestOf(ledger, 0));
    ledger.move('win', requestOf(ledger, 0, { transactionId: 'w-1', amount: 3n }));
    const outcome = ledger.move('cancel', requestOf(ledger, 0));
    expect(outcome.ok ? '' : outcome.why).toContain('finalized by a win');
  });

  test('what can be cancelled is the last bet while it is open, then the oldest open one, then the last that was cancelled', () => {
    const { ledger } = world();
    const player = ledger.players()[0] as Player;
    const after = (kind: Movement, transactionId: string) => {
      expect(ledger.move(kind, requestOf(ledger, 0, { transactionId, amount: 1 })).ok).toBe(true);
      return ledger.cancellable(player);
    };
    expect(ledger.cancellable(player)).toBeNull();
    expect([after('bet', 't-1'), after('bet', 't-2'), after('bet', 't-3')]).toEqual(['t-1', 't-2', 't-3']);
    expect([after('cancel', 't-3'), after('cancel', 't-1'), after('cancel', 't-2')]).toEqual(['t-1', 't-2', 't-2']);
  });

  test('memory is bounded', () => {
    const { ledger, rounds } = world({ rounds: 10, transactions: 10 });
    for (let index = 0; index < 50; index += 1)
      ledger.move('bet', requestOf(ledger, 0, { transactionId: `t-${index}`, amount: 0.01 }));
    expect(rounds.size()).toBe(10);
    expect(rounds.get(firstRoundId)).toBeUndefined();
    expect(ledger.move('cancel', requestOf(ledger, 0, { transactionId: 't-0' })).ok).toBe(false);
    expect(ledger.move('cancel', requestOf(ledger, 0, { transactionId: 't-49' })).ok).toBe(true);
  });
});

describe('money', () => {
  const eur = currencies.get('EUR');
  if (!eur) throw new Error('no EUR');

  test('what is printed reads back as the same minor units', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999n }), fc.constantFrom(...currencies.values()), (minor, currency) => {
        const decoded = phpDecode(printAmount(minor, currency.digits));
        if (!decoded.ok) throw new Error(decoded.fault.message);
        expect(parseAmount(decoded.value, currency)).toBe(minor);
      }),
    );
  });

  test.each([
    ['10', 1_000n],
    ['0.1', 10n],
    ['1e2', 10_000n],
    ['1.50', 150n],
    ['0.0', 0n],
    ['-0', 0n],
    ['0.30000000000000004', 'amount has more decimals than EUR allows'],
    ['1e-300', 'amount has more decimals than EUR allows'],
    ['1e300', 'amount has more than 18 digits'],
    ['9999999999999999999', 'amount has more than 18 digits'],
    ['-1', 'amount is negative'],
    ['"1"', 'amount is not a number'],
    ['1e999', 'amount is not a number'],
  ] as const)('the amount %s (%#)', (json, expected) => {
    const decoded = phpDecode(json);
    expect(decoded.ok && parseAmount(decoded.value, eur)).toBe(expected);
  });

  test('prints no more digits than needed', () => {
    expect([printAmount(0n, 2), printAmount(5n, 3), printAmount(1050n, 2), printAmount(7n, 0), printAmount(-150n, 2)]).toEqual([
      '0',
      '0.005',
      '10.5',
      '7',
      '-1.5',
    ]);
  });
});
