import { currencies, type Currency } from './money.ts';

/** A player as the provider starts with it; the balance is in minor units of the currency. */
export interface StartPlayer {
  readonly playerId: string;
  /** Null for a random session token. */
  readonly externalToken: string | null;
  readonly currency: Currency;
  readonly country: string;
  readonly balance: bigint;
}

/** Players and currencies with which the provider starts, and to which a reset goes back. */
export interface StartWorld {
  readonly players: readonly StartPlayer[];
  /** By code. */
  readonly currencies: ReadonlyMap<string, Currency>;
}

const usualPlayers: readonly (readonly [playerId: string, currency: string, country: string, balance: bigint])[] = [
  ['player-1', 'EUR', 'DE', 100_000n],
  ['player-2', 'EUR', 'AT', 25_050n],
  ['Zoë-7', 'CHF', 'CH', 50_000n],
  ['player-4', 'JPY', 'JP', 150_000n],
  ['player-5', 'KWD', 'KW', 99_125n],
];

/** The players and currencies of a provider that is given none. */
export const usualStart: StartWorld = {
  players: usualPlayers.map(([playerId, code, country, balance]) => {
    const currency = currencies.get(code) ?? { code, digits: 2, scale: 1 };
    return { playerId, externalToken: null, currency, country, balance };
  }),
  currencies,
};

/** Returns the start with a token for each player, so that a reset brings the same ones back. */
export function withTokens(start: StartWorld, newToken: () => string): StartWorld {
  const players = start.players.map((player) => ({ ...player, externalToken: player.externalToken ?? newToken() }));
  return { ...start, players };
}
