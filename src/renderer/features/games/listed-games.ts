import type { CatalogueGame } from '#shared/ipc/index.ts';

/** A game with its position in the provider's list, which names it even if two have the same ID. */
export interface ListedGame {
  readonly at: number;
  readonly game: CatalogueGame;
  /** Text that the search looks in. */
  readonly words: string;
}

/** The order of the grid; `received` is the provider's. */
export type GameOrder = 'received' | 'name' | 'id' | 'lowestBet' | 'highestBet';

/** One value of status as received, null if a game has none, and the number of games that have it. */
export interface StatusCount {
  readonly status: string | null;
  readonly games: number;
}

/** The games that are shown: `any`, or those of one status. */
export type StatusFilter = { readonly only: string | null } | 'any';

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Returns the games with their positions and the text to search in. */
export function listGames(games: readonly CatalogueGame[]): readonly ListedGame[] {
  return games.map((game, at) => ({ at, game, words: folded(`${game.name} ${game.id}`) }));
}

/** Returns the games that hold every word of the text in their name or ID, without regard to case and accents. */
export function filterGames(games: readonly ListedGame[], text: string, status: StatusFilter): readonly ListedGame[] {
  const words = folded(text).split(/\s+/).filter(Boolean);
  if (words.length === 0 && status === 'any') return games;
  return games.filter(
    (listed) => (status === 'any' || listed.game.status === status.only) && words.every((word) => listed.words.includes(word)),
  );
}

/** Returns the first games that hold every word of the text; none for a blank text. */
export function findGames(games: readonly ListedGame[], text: string, limit: number): readonly ListedGame[] {
  return text.trim() === '' ? [] : filterGames(games, text, 'any').slice(0, limit);
}

/** Returns the games in another order; equal ones keep the provider's. */
export function orderGames(games: readonly ListedGame[], order: GameOrder): readonly ListedGame[] {
  switch (order) {
    case 'received':
      return games;
    case 'name':
      return games.toSorted((a, b) => collator.compare(a.game.name, b.game.name));
    case 'id':
      return games.toSorted((a, b) => compareIds(a.game.id, b.game.id));
    case 'lowestBet':
      return byAmount(games, lower, 1);
    case 'highestBet':
      return byAmount(games, higher, -1);
  }
}

/** Orders whole numbers by size, however long they are, before any other text. */
export function compareIds(a: string, b: string): number {
  const whole = /^\d+$/;
  if (!whole.test(a) || !whole.test(b)) return collator.compare(a, b);
  const [x, y] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')];
  return x.length - y.length || (x < y ? -1 : x > y ? 1 : 0);
}

/** Returns each status that occurs, the most frequent first. */
export function countStatuses(games: readonly ListedGame[]): readonly StatusCount[] {
  const counts = new Map<string | null, number>();
  for (const { game } of games) counts.set(game.status, (counts.get(game.status) ?? 0) + 1);
  return [...counts].map(([status, count]) => ({ status, games: count })).toSorted((a, b) => b.games - a.games);
}

/** Returns the number of bet levels of the game that has the most. */
export function mostLevels(games: readonly ListedGame[]): number {
  return games.reduce((most, { game }) => Math.max(most, game.bets.length), 0);
}

/** Returns `0.10 to 20.00`, `0.10`, or that there are none; amounts as received. */
export function betRange({ bets }: Pick<CatalogueGame, 'bets'>): string {
  const [lowest, highest] = [pick(bets, lower), pick(bets, higher)];
  if (lowest === null || highest === null) return 'no bets';
  return lowest === highest ? lowest : `${lowest} – ${highest}`;
}

/** Returns the name of a status in the page. */
export function statusText(status: string | null, meanings: ReadonlyMap<string, string> | null = null): string {
  if (status === null) return 'no status';
  if (status === '') return 'empty status';
  const meaning = meanings === null ? '' : (meanings.get(status) ?? 'not recorded');
  return meaning === '' ? `status ${status}` : `status ${status}, ${meaning}`;
}

function byAmount(
  games: readonly ListedGame[],
  comesFirst: (a: number, b: number) => boolean,
  sign: 1 | -1,
): readonly ListedGame[] {
  const amounts = new Map(games.map((listed) => [listed, amountOf(pick(listed.game.bets, comesFirst))]));
  const of = (listed: ListedGame) => amounts.get(listed) ?? Number.NaN;
  return games.toSorted((a, b) => {
    // Games without a bet come last in every order.
    if (Number.isNaN(of(a)) || Number.isNaN(of(b))) return Number(Number.isNaN(of(a))) - Number(Number.isNaN(of(b)));
    return sign * (of(a) - of(b));
  });
}

const lower = (a: number, b: number) => a < b;
const higher = (a: number, b: number) => a > b;

/** Returns the first of the bets that none of the others comes before; null if none is an amount. */
function pick(bets: readonly string[], comesFirst: (a: number, b: number) => boolean): string | null {
  let picked: string | null = null;
  let most = Number.NaN;
  for (const bet of bets) {
    const amount = amountOf(bet);
    if (Number.isNaN(amount) || !(picked === null || comesFirst(amount, most))) continue;
    picked = bet;
    most = amount;
  }
  return picked;
}

function amountOf(bet: string | null): number {
  return bet === null || bet.trim() === '' ? Number.NaN : Number(bet);
}

function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
