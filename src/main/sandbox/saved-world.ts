import { AppError } from '#shared/errors.ts';
import { z } from '#shared/model/schema.ts';
import { createFreeRoundBook } from './free-rounds.ts';
import { createLedger } from './ledger.ts';
import { createRoundBook } from './rounds.ts';
import type { World, WorldDeps } from './world.ts';

/** A world as it is kept in a file. */
type SavedWorld = ReturnType<typeof readWorld>;

const version = 1;

/** Returns a world as JSON text; whole numbers of any size are strings of digits. */
export function printWorld({ rounds, freeRounds, ledger, currencies }: World): string {
  const players = ledger.players().map(({ playerId, token, currency, country, balance }) => ({
    playerId,
    externalToken: token,
    currency: currency.code,
    country,
    balance,
  }));
  const state = {
    builtInProvider: version,
    currencies: [...currencies.values()],
    players,
    wallet: ledger.saved(),
    rounds: rounds.saved(),
    freeRounds: freeRounds.all(),
  };
  const text = JSON.stringify(state, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value), 1);
  return `${text}\n`;
}

const digits = z.pipe(
  z.string().check(z.regex(/^-?\d{1,40}$/)),
  z.transform((text: string) => BigInt(text)),
);
const nullableDigits = z.nullable(digits);
const Code = z.string();

const State = z.strictObject({
  builtInProvider: z.literal(version),
  currencies: z.array(z.strictObject({ code: Code, digits: z.int(), scale: z.number() })),
  players: z.array(
    z.strictObject({ playerId: z.string(), externalToken: z.string(), currency: Code, country: z.string(), balance: digits }),
  ),
  wallet: z.strictObject({
    nextTransaction: z.int(),
    references: z.array(z.string()),
    transactions: z.array(
      z.strictObject({
        kind: z.enum(['bet', 'win', 'cancel', 'tournamentWin', 'promoWin']),
        playerId: z.string(),
        fingerprint: z.string(),
        transactionId: z.string(),
        externalTrxId: z.string(),
        balance: digits,
        amount: digits,
        gameId: z.string(),
        roundId: nullableDigits,
        state: z.enum(['open', 'won', 'cancelled', 'final']),
      }),
    ),
  }),
  rounds: z.strictObject({
    next: digits,
    nextRecord: digits,
    rounds: z.array(
      z.strictObject({
        id: digits,
        gameId: z.int(),
        playerId: z.string(),
        currency: z.strictObject({ code: Code, digits: z.int(), scale: z.number() }),
        start: z.int(),
        records: z.array(
          z.strictObject({
            id: digits,
            action: z.enum(['bet', 'win', 'cancel', 'freeRound', 'promoWin']),
            bet: digits,
            win: digits,
            at: z.int(),
          }),
        ),
        reels: z.nullable(z.array(z.array(z.int()))),
      }),
    ),
  }),
  freeRounds: z.array(
    z.strictObject({
      reference: z.string(),
      playerId: z.string(),
      gameIds: z.array(z.string()),
      stake: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('level'), level: z.int() }),
        z.strictObject({ kind: z.literal('amount'), amount: digits, currency: z.string() }),
      ]),
      total: z.int(),
      left: z.int(),
      validUntil: z.int(),
      boundGame: z.nullable(z.string()),
    }),
  ),
});

/** Reads the text of `printWorld`. Fails with `invalid_input`. `name` is the file's name for the message. */
export function readWorld(text: string, name: string) {
  const refuse = (why: string) =>
    new AppError(
      'invalid_input',
      `${name} is not a state that the built-in provider saved: ${why}. It was left unchanged. Name another file, or move this one away.`,
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('it is not JSON');
  }
  const read = State.safeParse(value);
  if (!read.success) throw refuse(`${read.error.issues[0]?.path.join('.') || 'it'} has an unexpected value`);
  const { data } = read;
  const currencies = new Map(data.currencies.map((currency) => [currency.code, currency]));
  const players = data.players.map((player) => {
    const currency = currencies.get(player.currency);
    if (currency === undefined) throw refuse(`it has no currency ${player.currency}`);
    return { ...player, currency };
  });
  const known = new Set(players.map(({ playerId }) => playerId));
  const stranger = data.wallet.transactions.find(({ playerId }) => !known.has(playerId));
  if (stranger !== undefined) throw refuse(`it has no player ${stranger.playerId}`);
  return { ...data, currencies, players };
}

/** Creates a world as it was saved. */
export function restoreWorld(saved: SavedWorld, { now, newToken, secret, walletFault }: WorldDeps): World {
  const rounds = createRoundBook({ now, secret });
  const freeRounds = createFreeRoundBook({ now });
  rounds.restore(saved.rounds);
  freeRounds.grant(saved.freeRounds.map((grant) => ({ ...grant })));
  const ledger = createLedger({ rounds, newToken, players: saved.players, fault: walletFault });
  ledger.restore(saved.wallet);
  return { rounds, freeRounds, ledger, currencies: saved.currencies };
}
