import { betsIn, games } from './catalogue.ts';
import { createFreeRoundBook, type FreeRoundBook } from './free-rounds.ts';
import { createLedger, type Ledger } from './ledger.ts';
import type { Currency } from './money.ts';
import { createRoundBook, type RoundBook } from './rounds.ts';
import type { StartWorld } from './start.ts';
import type { WalletFault } from './wallet-faults.ts';

/** Everything that requests change. */
export interface World {
  readonly rounds: RoundBook;
  readonly freeRounds: FreeRoundBook;
  readonly ledger: Ledger;
  readonly currencies: ReadonlyMap<string, Currency>;
}

export interface WorldDeps {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newToken: () => string;
  /** Signs the links of replays. */
  readonly secret: Uint8Array;
  /** Planted fault of the wallet. */
  readonly walletFault?: WalletFault | undefined;
}

/** Creates the world of a start: each player has a finished round, an open bet and unplayed free rounds. */
export function createWorld(start: StartWorld, { now, newToken, secret, walletFault }: WorldDeps): World {
  const rounds = createRoundBook({ now, secret });
  const freeRounds = createFreeRoundBook({ now });
  const ledger = createLedger({ rounds, newToken, players: start.players, fault: walletFault });
  addStartStock({ rounds, freeRounds, ledger, now });
  return { rounds, freeRounds, ledger, currencies: start.currencies };
}

/** First ID of these rounds: outside the sequence of played rounds, and odd, so that a JavaScript number damages it. */
const firstStockId = 9_007_199_255_000_001n;
const minute = 60_000;
const day = 24 * 60 * minute;

/** The game of the stock: the last of the list, so that rounds of other games do not touch it. */
const stockGame = games.at(-1);

/** Gives each player a finished round, an open bet and unplayed free rounds, so that every operation has a target at once. */
function addStartStock(deps: { ledger: Ledger; rounds: RoundBook; freeRounds: FreeRoundBook; now: () => number }): void {
  const { ledger, rounds, freeRounds, now } = deps;
  if (stockGame === undefined) return;
  const gameId = String(stockGame.id);
  let id = firstStockId;
  for (const [index, player] of ledger.players().entries()) {
    const { playerId, currency } = player;
    const [amount = 1n] = betsIn(stockGame, currency);
    const round = { gameId, playerId, currency, action: 'bet', bet: amount } as const;
    const started = now() - 10 * minute;
    rounds.open({ ...round, id, at: started });
    rounds.add(id, { action: 'win', bet: 0n, win: 2n * amount }, started + minute);
    id += 2n;
    rounds.open({ ...round, id, at: now() - 5 * minute });
    ledger.startWithBet(player, { transactionId: `start-bet-${index + 1}`, gameId, amount, roundId: id });
    id += 2n;
  }
  freeRounds.grant(
    ledger.players().map(({ playerId }, index) => ({
      reference: `start-reference-${index + 1}`,
      playerId,
      gameIds: [gameId],
      stake: { kind: 'level', level: 0 },
      total: 5,
      left: 5,
      validUntil: now() + 30 * day,
      boundGame: null,
    })),
  );
}
