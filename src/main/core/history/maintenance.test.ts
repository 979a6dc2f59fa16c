import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createDatabase, type Database } from '../database/database.ts';
import { createMaintenance } from './maintenance.ts';
import type { EraseExtent } from './search-messages.ts';
import type { Search } from './search.ts';

it('writes the file again only once no call was sent for ten seconds', () => {
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
  // While calls are sent, the deletions of a dead session are emptied.
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

it('gives back to the disk what a program that ended before it was through had freed', async () => {
  const home = mkdtempSync(join(tmpdir(), 'croupier-maintenance-'));
  const database = createDatabase(join(home, 'history.sqlite'));
  try {
    const pages = (name: string) => Number(database.connection().prepare(`PRAGMA ${name}`).get()?.[name]);
    function remove(): void {
      database
        .connection()
        .exec(
          'INSERT INTO calls (id, environment_id, environment_name, operation, url, sent_at, state, run, request_bytes) ' +
            "VALUES (1, 'e', 'e', 'bet', 'u', 1, 'answered', 'r', 1); " +
            "INSERT INTO call_requests (call_id, draft, headers, body) VALUES (1, '{}', '[]', zeroblob(12000000)); DELETE FROM calls",
        );
      expect(pages('freelist_count')).toBeGreaterThan(1_000);
    }
    remove();
    const planned: (() => void)[] = [];
    let hours = 0;
    let limited = 0;
    const maintenance = createMaintenance({
      database,
      removal: { empty: () => 0 },
      retention: {
        step() {
          const removed = limited;
          limited = 0;
          if (removed > 0) remove();
          return { removed, more: removed > 0, asked: false };
        },
      },
      search: {
        background: true,
        touch: () => undefined,
        check: () => undefined,
        erase: async () => ({ blocked: [], stopped: false }),
      } as unknown as Search,
      now: () => 1,
      later: (work, ms) => {
        if (ms === 3_600_000) hours += 1;
        else planned.push(work);
        return () => undefined;
      },
      onRemoved: () => undefined,
      onFault: (error) => {
        throw error;
      },
    });
    maintenance.start();
    const freed: number[] = [];
    function idle(): void {
      for (let next = planned.shift(); next !== undefined && freed.length < 50; next = planned.shift()) {
        const before = pages('freelist_count');
        next();
        freed.push(before - pages('freelist_count'));
      }
    }
    idle();
    expect(pages('freelist_count')).toBe(0);
    // And from then on calls that grow too old are looked for each hour.
    expect(hours).toBe(1);
    // A call that is sent waits for one of these at most.
    expect(Math.max(...freed)).toBeLessThanOrEqual(500);
    // The same for calls that the user or a limit removes meanwhile.
    remove();
    maintenance.removed();
    idle();
    expect(pages('freelist_count')).toBe(0);
    limited = 1;
    maintenance.sent();
    idle();
    expect([limited, pages('freelist_count')]).toEqual([0, 0]);
    maintenance.close();
  } finally {
    database.close();
    rmSync(home, { recursive: true, force: true });
  }
});
