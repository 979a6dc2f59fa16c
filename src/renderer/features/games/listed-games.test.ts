import { describe, expect, it } from 'vitest';
import type { CatalogueGame } from '#shared/ipc/index.ts';
import {
  betRange,
  compareIds,
  countStatuses,
  filterGames,
  findGames,
  listGames,
  mostLevels,
  orderGames,
  type GameOrder,
} from './listed-games.ts';

function game(id: string, name: string, change: Partial<CatalogueGame> = {}): CatalogueGame {
  return { id, name, bets: ['0.10', '0.5', '20'], thumbnail: '', status: '1', ...change };
}

const games = listGames([
  game('1001', 'Señor Fortuna', { bets: ['5'], status: '2' }),
  game('1002', 'Amber Orchard', { bets: [] }),
  game('12', 'Älpenglow', { bets: ['1', '0.05', '100'] }),
  game('9007199254740993', 'golden Orchard', { status: null }),
  game('9007199254740992', '', { bets: ['', '2e1'] }),
]);
const ids = (found: readonly { game: CatalogueGame }[]) => found.map(({ game: { id } }) => id);

describe('the search', () => {
  it('finds every word in names and ids, without regard to case and accents', () => {
    expect(ids(filterGames(games, 'ORCHARD', 'any'))).toEqual(['1002', '9007199254740993']);
    expect(ids(filterGames(games, 'orch gold', 'any'))).toEqual(['9007199254740993']);
    expect(ids(filterGames(games, 'senor', 'any'))).toEqual(['1001']);
    expect(ids(filterGames(games, ' alp ', 'any'))).toEqual(['12']);
    expect(ids(filterGames(games, '100', 'any'))).toEqual(['1001', '1002']);
    expect(filterGames(games, '', 'any')).toBe(games);
  });

  it('keeps to a status, and to games without one', () => {
    expect(ids(filterGames(games, '', { only: '2' }))).toEqual(['1001']);
    expect(ids(filterGames(games, '', { only: null }))).toEqual(['9007199254740993']);
    expect(ids(filterGames(games, 'orchard', { only: '1' }))).toEqual(['1002']);
  });

  it('stops at a limit, and finds nothing for a blank text', () => {
    expect(ids(findGames(games, 'orchard', 1))).toEqual(['1002']);
    expect(findGames(games, '  ', 5)).toEqual([]);
  });
});

describe('the order', () => {
  it('is by name, by the size of an id of any length, by bets, or as received', () => {
    const ordered = (order: GameOrder) => ids(orderGames(games, order));
    expect(ordered('received')).toEqual(ids(games));
    expect(ordered('name').slice(1)).toEqual(['12', '1002', '9007199254740993', '1001']);
    expect(ordered('id')).toEqual(['12', '1001', '1002', '9007199254740992', '9007199254740993']);
    expect(ordered('lowestBet')).toEqual(['12', '9007199254740993', '1001', '9007199254740992', '1002']);
    expect(ordered('highestBet')).toEqual(['12', '9007199254740993', '9007199254740992', '1001', '1002']);
  });

  it('compares ids that are no numbers as text', () => {
    expect(compareIds('a2', 'a10')).toBeLessThan(0);
    expect(compareIds('007', '7')).toBe(0);
    expect(compareIds('99999999999999999999', '100000000000000000000')).toBeLessThan(0);
  });
});

describe('what is said of games', () => {
  it('gives amounts as they came', () => {
    expect(games.map((listed) => betRange(listed.game))).toEqual(['5', 'no bets', '0.05 – 100', '0.10 – 20', '2e1']);
  });

  it('counts statuses, the most frequent first, and levels', () => {
    expect(countStatuses(games)).toEqual([
      { status: '1', games: 3 },
      { status: '2', games: 1 },
      { status: null, games: 1 },
    ]);
    expect(mostLevels(games)).toBe(3);
    expect(mostLevels([])).toBe(0);
  });
});
