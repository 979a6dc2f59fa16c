import { setImmediate } from 'node:timers/promises';
import type { CatalogueChange, CatalogueComparison, CatalogueGame } from '#shared/ipc/index.ts';
import { gameOf, type GameRow } from './read-games.ts';
import type { KeptList } from './store.ts';

/** Games that are compared in one step: some 20 ms. */
const mostInStep = 500;

/**
 * Returns the differences between two game lists. Games are matched by ID; of an ID that is listed twice the first entry counts.
 * Bets are compared as amounts (`1.5` is `1.50`) and by position, because the position is the betLevel; not at all between two
 * currencies. Other work goes on in between.
 */
export async function compareSnapshots(from: KeptList, to: KeptList): Promise<CatalogueComparison> {
  const betsCompared = from.snapshot.currency === to.snapshot.currency;
  const before = byId(from.games);
  const after = byId(to.games);
  const added: CatalogueGame[] = [];
  const changed: CatalogueChange[] = [];
  let [same, seen] = [0, 0];
  for (const [id, game] of after) {
    if (++seen % mostInStep === 0) await setImmediate();
    const old = before.get(id);
    if (old === undefined) {
      added.push(gameOf(game));
      continue;
    }
    const change = changeOf(old, game, betsCompared);
    if (change === null) same += 1;
    else changed.push(change);
  }
  const removed: CatalogueGame[] = [];
  for (const [id, game] of before) {
    if (++seen % mostInStep === 0) await setImmediate();
    if (!after.has(id)) removed.push(gameOf(game));
  }
  return { from: from.snapshot, to: to.snapshot, added, removed, changed, same, betsCompared };
}

function byId(games: readonly GameRow[]): Map<string, GameRow> {
  const map = new Map<string, GameRow>();
  for (const game of games) if (!map.has(game.id)) map.set(game.id, game);
  return map;
}

function changeOf(old: GameRow, game: GameRow, betsCompared: boolean): CatalogueChange | null {
  const [from, to] = betsCompared && old.bets !== game.bets ? [gameOf(old).bets, gameOf(game).bets] : [[], []];
  const levels = differentLevels(from, to);
  const change: CatalogueChange = {
    id: game.id,
    name: game.name,
    renamed: textChange(old.name, game.name),
    bets: levels.length === 0 ? null : { from, to, levels },
    status: textChange(old.status, game.status),
    thumbnail: textChange(old.thumbnail, game.thumbnail),
  };
  const differs = change.renamed !== null || change.bets !== null || change.status !== null || change.thumbnail !== null;
  return differs ? change : null;
}

function textChange(from: string | null, to: string | null): { from: string | null; to: string | null } | null {
  return from === to ? null : { from, to };
}

function differentLevels(from: readonly string[], to: readonly string[]): number[] {
  const levels: number[] = [];
  for (let level = 0; level < Math.max(from.length, to.length); level += 1) {
    const [a, b] = [from[level], to[level]];
    if (a === b) continue;
    if (a === undefined || b === undefined || amountOf(a) !== amountOf(b)) levels.push(level);
  }
  return levels;
}

/** Returns a JSON number's digits without those that do not change its value; any other text, or one with an exponent, as it is. */
function amountOf(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) return text;
  const [, sign = '', whole = '', fraction = ''] = match;
  const trimmed = fraction.replace(/0+$/, '');
  return `${sign}${whole}${trimmed === '' ? '' : `.${trimmed}`}`;
}
