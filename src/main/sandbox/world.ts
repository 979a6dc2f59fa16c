import { createFreeRoundBook, type FreeRoundBook } from './free-rounds.ts';
import { createLedger, type Ledger } from './ledger.ts';
import type { Currency } from './money.ts';
import { createRoundBook, type RoundBook } from './rounds.ts';
import type { StartWorld } from './start.ts';
import { addStartStock } from './start-stock.ts';

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
}

/** Creates the world of a start: each player has a finished round, an open bet and unplayed free rounds. */
export function createWorld(start: StartWorld, { now, newToken, secret }: WorldDeps): World {
  const rounds = createRoundBook({ now, secret });
  const freeRounds = createFreeRoundBook({ now });
  const ledger = createLedger({ rounds, newToken, players: start.players });
  addStartStock({ rounds, freeRounds, ledger, now });
  return { rounds, freeRounds, ledger, currencies: start.currencies };
}
