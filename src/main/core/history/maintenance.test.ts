import { expect, it } from 'vitest';
import type { Database } from '../database/database.ts';
import { createMaintenance } from './maintenance.ts';
import type { EraseExtent } from './search-messages.ts';
import type { Search } from './search.ts';

it('writes the file anew only once no call was sent for ten seconds', () => {
  let clock = 1_000_000;
  let emptied = 1;
  const asked: EraseExtent[] = [];
  const planned = new Map<() => void, number>();
  const maintenance = createMaintenance({
    database: {
      path: '/no/such/history.sqlite',
      run: () => 0,
      connection: () => undefined,
      leftUnclean: () => false,
    } as unknown as Database,
    removal: { empty: () => (emptied-- > 0 ? 1 : 0) },
    search: {
      background: true,
      touch: () => undefined,
      check: () => undefined,
      erase: async (extent: EraseExtent) => {
        asked.push(extent);
        return { blocked: [], stopped: false };
      },
    } as unknown as Search,
    retention: { step: () => ({ removed: 0, more: false, asked: false }) },
    now: () => clock,
    later(run, milliseconds) {
      planned.set(run, clock + milliseconds);
      return () => void planned.delete(run);
    },
    onRemoved: () => undefined,
    onFault: (error) => {
      throw error;
    },
  });
  function pass(milliseconds: number): void {
    for (const end = clock + milliseconds; ;) {
      const [next] = [...planned].sort(([, one], [, other]) => one - other);
      if (next === undefined || next[1] > end) return void (clock = end);
      planned.delete(next[0]);
      clock = next[1];
      next[0]();
    }
  }
  // Calls are sent, and what a dead session deleted is emptied meanwhile.
  maintenance.sent();
  pass(2_000);
  expect(asked).toEqual(['words']);
  pass(7_000);
  maintenance.sent();
  pass(9_000);
  expect(asked).toEqual(['words']);
  pass(20_000);
  expect(asked).toEqual(['words', 'copies']);
  maintenance.close();
});
