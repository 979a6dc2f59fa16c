/** What the checks need of one game of a list. Bets are texts with every digit, by their position. */
export interface KnownGame {
  readonly name: string;
  readonly bets: readonly string[];
}

/** The newest game list of one environment. */
export interface KnownGames {
  /** In which the list was asked for, so that its bets are in it; empty where the request named none. */
  readonly currency: string;
  /** By the text of their id. */
  readonly byId: ReadonlyMap<string, KnownGame>;
}

/** Orders the games of a list by id; of an id that is there twice the first entry counts. */
export function knownGames(currency: string, games: readonly (KnownGame & { readonly id: string })[]): KnownGames {
  const byId = new Map<string, KnownGame>();
  for (const { id, name, bets } of games) if (!byId.has(id)) byId.set(id, { name, bets });
  return { currency, byId };
}
