/** A game as the checks need it. Bets are strings with every digit, in their order. */
export interface KnownGame {
  readonly name: string;
  readonly bets: readonly string[];
}

/** The newest game list of one environment. */
export interface KnownGames {
  /** Currency of the request, and so of the bets; empty if the request named none. */
  readonly currency: string;
  /** Games by the source text of their ID. */
  readonly byId: ReadonlyMap<string, KnownGame>;
}

/** Indexes the games of a list by ID; of a duplicate ID the first entry counts. */
export function knownGames(currency: string, games: readonly (KnownGame & { readonly id: string })[]): KnownGames {
  const byId = new Map<string, KnownGame>();
  for (const game of games) if (!byId.has(game.id)) byId.set(game.id, game);
  return { currency, byId };
}

/** Returns the IDs of the games with this name, whatever its case. */
export function idsNamed(games: KnownGames | null, name: string): string[] {
  const wanted = name.trim().toLowerCase();
  return [...(games?.byId ?? [])].filter(([, game]) => game.name.trim().toLowerCase() === wanted).map(([id]) => id);
}
