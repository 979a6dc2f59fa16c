import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPlannedWork } from '#testing/planned-work.ts';
import { createDatabase, type Database } from '../database/database.ts';
import { createMaintenance } from './maintenance.ts';
import type { Step } from './retention-pass.ts';
import type { EraseExtent } from './erase.ts';
import type { Search } from './search.ts';

/** The upkeep of a history that has what a test says, by the clock of the test. */
function upkeep(background = true) {
  const work = createPlannedWork();
  /** Results of the next batches: calls of dead sessions that are emptied, and steps of the limits; nothing after the last one. */
  const emptied: number[] = [];
  const steps: Step[] = [];
  const asked: EraseExtent[] = [];
  const faults: unknown[] = [];
  let told = 0;
  const maintenance = createMaintenance({
    database: {
      path: '/no/such/history.sqlite',
      run: () => 0,
      connection: () => undefined,
      leftUnclean: () => false,
    } as unknown as Database,
    removal: { empty: () => emptied.shift() ?? 0 },
    search: {
      background,
      touch: () => undefined,
      check: () => undefined,
      erase: async (extent: EraseExtent) => {
        asked.push(extent);
        return { blocked: [], stopped: false };
      },
    } as unknown as Search,
    retention: { step: () => steps.shift() ?? nothing },
    now: work.now,
    later: work.later,
    onRemoved: () => (told += 1),
    onFault: (error) => faults.push(error),
  });
  return { ...work, maintenance, emptied, steps, asked, faults, told: () => told };
}
const nothing: Step = { removed: 0, more: false, asked: false };
const some: Step = { removed: 1, more: true, asked: false };
const times = <T>(count: number, item: T) => Array.from({ length: count }, () => item);

it('writes the file again only once no call was sent for ten seconds', () => {
  const { maintenance, emptied, asked, pass, faults } = upkeep();
  // While calls are sent, the deletions of a dead session are emptied.
  emptied.push(1);
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
  expect(faults).toEqual([]);
});

it('erases all of what a person deleted, and of what a limit takes only much', () => {
  const { maintenance, emptied, steps, asked, pass } = upkeep();
  maintenance.removed();
  pass(0);
  expect(asked.splice(0)).toEqual(['much']);
  steps.push(some, some);
  void maintenance.changed();
  pass(20);
  expect(asked.splice(0)).toEqual(['much']);
  emptied.push(100, 3);
  steps.push(some);
  void maintenance.changed();
  pass(30);
  expect(asked.splice(0)).toEqual(['all']);
  steps.push(some);
  void maintenance.changed();
  pass(10);
  expect(asked.splice(0)).toEqual(['much']);
  // Nothing was removed since.
  void maintenance.changed();
  pass(10_000);
  expect(asked).toEqual([]);
});

it('tells of a long removal each second and at its end, and of one that waits for an answer', () => {
  const { maintenance, steps, pass, told, waiting } = upkeep();
  steps.push(...times(250, some));
  void maintenance.changed();
  pass(990);
  expect(told()).toBe(0);
  pass(1_000);
  expect(told()).toBe(1);
  pass(510);
  expect([told(), steps.length]).toEqual([3, 0]);
  pass(10_000);
  expect(told()).toBe(3);
  steps.push({ ...nothing, asked: true });
  void maintenance.changed();
  pass(0);
  expect(told()).toBe(4);
  pass(2_000);
  expect([told(), waiting()]).toEqual([4, 0]);
});

it('looks at its limits a second after a call, each hour, and one time for many calls', () => {
  const { maintenance, steps, pass } = upkeep();
  maintenance.start();
  pass(2_000);
  steps.push(...times(9, nothing));
  maintenance.sent();
  maintenance.sent();
  pass(999);
  expect(steps).toHaveLength(9);
  pass(1);
  expect(steps).toHaveLength(8);
  pass(3_600_000);
  expect(steps).toHaveLength(7);
  pass(2 * 3_600_000);
  expect(steps).toHaveLength(5);
  maintenance.close();
  pass(3_600_000);
  maintenance.sent();
  pass(3_600_000);
  expect(steps).toHaveLength(5);
});

it('reports a batch that failed, and goes on with the next reason', () => {
  const { maintenance, steps, pass, faults } = upkeep();
  steps.push(nothing, nothing);
  const shift = steps.shift.bind(steps);
  steps.shift = () => {
    steps.shift = shift;
    throw new Error('full');
  };
  maintenance.sent();
  pass(1_000);
  expect([faults, steps.length]).toEqual([[new Error('full')], 2]);
  maintenance.sent();
  pass(1_000);
  expect([faults.length, steps.length]).toEqual([1, 1]);
});

it('tells at its end what it has not told yet, and does no more', () => {
  const { maintenance, steps, pass, told, waiting } = upkeep();
  steps.push(...times(9, some));
  void maintenance.changed();
  pass(10);
  expect([told(), steps.length]).toEqual([0, 7]);
  maintenance.close();
  expect([told(), waiting()]).toEqual([1, 0]);
  maintenance.removed();
  pass(10_000);
  expect([told(), steps.length]).toEqual([1, 7]);
});

describe('without a thread for it', () => {
  it('removes what changed limits do not keep before they count as set, and nothing by itself', async () => {
    const { maintenance, steps, asked, told, waiting } = upkeep(false);
    maintenance.start();
    maintenance.sent();
    maintenance.removed();
    expect(waiting()).toBe(0);
    steps.push(...times(30, some));
    await maintenance.changed();
    expect([steps.length, told(), asked]).toEqual([0, 1, []]);
    maintenance.close();
    steps.push(some);
    await maintenance.changed();
    expect(steps).toHaveLength(1);
  });

  it('does a bounded share of the work at its end, if it sent a call', () => {
    const { maintenance, steps, faults } = upkeep(false);
    steps.push(...times(50, some));
    maintenance.finish();
    expect(steps).toHaveLength(50);
    maintenance.sent();
    maintenance.finish();
    expect(steps).toHaveLength(30);
    steps.shift = () => {
      throw new Error('full');
    };
    maintenance.finish();
    expect(faults).toEqual([new Error('full')]);
    const thread = upkeep();
    thread.steps.push(some);
    thread.maintenance.sent();
    thread.maintenance.finish();
    expect(thread.steps).toHaveLength(1);
  });
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
