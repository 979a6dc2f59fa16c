import { describe, expect, it } from 'vitest';
import type { CatalogueComparison, CatalogueSnapshot } from '#shared/ipc/index.ts';
import { comparisonRows, comparisonText, countKinds, filterComparison } from './comparison-rows.ts';

function snapshot(id: number, change: Partial<CatalogueSnapshot> = {}): CatalogueSnapshot {
  return {
    id,
    environmentId: 'e',
    environmentName: 'staging',
    currency: 'EUR',
    callId: id,
    fetchedAt: id,
    games: 4,
    problems: [],
    ...change,
  };
}

const game = (id: string, name: string) => ({ id, name, bets: ['1'], thumbnail: '', status: '1' });
const comparison: CatalogueComparison = {
  from: snapshot(1),
  to: snapshot(2),
  added: [game('5', 'New Moon')],
  removed: [{ ...game('4', ''), status: null, bets: [] }],
  changed: [
    {
      id: '1',
      name: 'Gold',
      renamed: { from: 'Golden', to: 'Gold' },
      bets: { from: ['0.1', '0.5', '1'], to: ['0.1', '0.6', '1', '2'], levels: [1, 3] },
      status: { from: '1', to: null },
      thumbnail: null,
    },
    {
      id: '2',
      name: 'Silver',
      renamed: null,
      bets: { from: ['1', '2'], to: ['1'], levels: [1] },
      status: null,
      thumbnail: { from: '', to: 'https://a.example/b.png' },
    },
  ],
  same: 1,
  betsCompared: true,
};

describe('the lines of a comparison', () => {
  const rows = comparisonRows(comparison);

  it('are one for each kind of change of a game, with the change in words', () => {
    expect(rows.map(({ key, what }) => [key, what])).toEqual([
      ['added 5', 'status 1, 1 bet'],
      ['removed 4', '0 bets'],
      ['renamed 1', 'Golden → Gold'],
      ['bets 1', 'betLevel 1: 0.5 → 0.6, betLevel 3 is new: 2'],
      ['bets 2', 'betLevel 1 is gone: 2'],
      ['status 1', '1 → none'],
      ['thumbnail 2', 'empty → https://a.example/b.png'],
    ]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
    expect(countKinds(rows)).toEqual({ added: 1, removed: 1, renamed: 1, bets: 2, status: 1, thumbnail: 1 });
  });

  it('are filtered by kind and by words', () => {
    expect(filterComparison(rows, 'bets', '').map(({ id }) => id)).toEqual(['1', '2']);
    expect(filterComparison(rows, 'all', 'gold betlevel').map(({ key }) => key)).toEqual(['bets 1']);
    expect(filterComparison(rows, 'status', 'silver')).toEqual([]);
  });

  it('read as text for a ticket', () => {
    const text = comparisonText(comparison, rows, ({ id }) => `list ${id}`);
    expect(text).toContain('Games of staging\nfrom list 1\nto   list 2\n');
    expect(text).toContain(
      'Bets (2)\n  1  Gold: betLevel 1: 0.5 → 0.6, betLevel 3 is new: 2\n  2  Silver: betLevel 1 is gone: 2\n',
    );
    expect(text).toContain('  4  (no name): 0 bets\n');
    expect(text).toContain('1 game is the same in both.');
    const across = {
      ...comparison,
      added: [],
      removed: [],
      changed: [],
      betsCompared: false,
      to: snapshot(2, { currency: 'USD' }),
    };
    expect(comparisonText(across, [], () => 'x')).toContain('No differences.');
    expect(comparisonText(across, [], () => 'x')).toContain('Bets were not compared: EUR and USD are different currencies.');
  });
});
