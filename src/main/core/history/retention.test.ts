import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Retention } from '#shared/ipc/index.ts';
import { limitRounds } from '#testing/limit-rounds.ts';
import { createSnapshotStore } from '../catalogue/store.ts';
import { createDatabase } from '../database/database.ts';
import { migrations } from '../database/migrations.ts';
import { createSessionLock } from '../files/session-lock.ts';
import { createRemoval } from './removal.ts';
import { createRetention } from './retention.ts';
import { keepsAll } from './retention-state.ts';
import { totalsOf } from './totals.ts';

let home: string;
let opened: { close(): unknown }[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'croupier-retention-'));
  opened = [];
});
afterEach(() => {
  for (const item of opened.reverse()) item.close();
  rmSync(home, { recursive: true, force: true });
});

const day = 86_400_000;
const start = 1_790_000_000_000;
const keep = (part: Partial<Retention>): Retention => ({ ...keepsAll, ...part });

/** Calls with these dates, all at once; each weighs 2 * 1,000 + 500 + 1,024 bytes. */
function record(connection: DatabaseSync, dates: readonly number[], pinned = 0): void {
  connection
    .prepare(
      'INSERT INTO calls (environment_id, environment_name, operation, url, sent_at, state, run, request_bytes, response_bytes, pinned) ' +
        "SELECT 'e', 'e', 'bet', 'u', value, 'answered', 'r', 1000, 500, ? FROM json_each(?) ORDER BY key",
    )
    .run(pinned, JSON.stringify(dates));
}
const weight = 3_524;

/** The rule of one program on the home, with a clock of its own. */
function open(limits: Retention, at = start) {
  const run = createSessionLock(join(home, 'runs'));
  const database = createDatabase(join(home, 'history.sqlite'), { run });
  opened.push(run, database);
  const clock = { now: at, monotonic: 0 };
  const settings: Record<string, string> = { retention: JSON.stringify(limits) };
  const connection = database.connection();
  // No test of these loses power.
  connection.exec('PRAGMA synchronous = OFF');
  const rule = createRetention({
    database,
    removal: createRemoval(database, run),
    settings: {
      read: () => settings,
      write: async (name, value) => {
        settings[name] = value;
        return { masked: false };
      },
    },
    now: () => clock.now,
    monotonic: () => clock.monotonic,
  });
  return {
    rule,
    clock,
    database,
    connection,
    /** Time passes for everybody. */
    pass(ms: number) {
      clock.now += ms;
      clock.monotonic += ms;
    },
    /** Removes the surplus; returns its number. */
    run() {
      let removed = 0;
      for (let more = true; more;) {
        const step = rule.step();
        removed += step.removed;
        ({ more } = step);
      }
      return removed;
    },
    ids: () =>
      connection
        .prepare('SELECT id FROM calls ORDER BY id')
        .all()
        .map(({ id }) => Number(id)),
  };
}
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const minutes = (count: number, from = start) => range(1, count).map((n) => from - (count - n) * 60_000);

describe('limits', () => {
  it('of bytes look at calls alone, whatever else is in the file', async () => {
    const { rule, run, connection, database, ids } = open(keepsAll);
    record(connection, minutes(300));
    const store = createSnapshotStore(database);
    const games = range(1, 2_000).map((n) => ({
      id: String(n),
      name: `Game ${n}`,
      bets: '["1"]',
      thumbnail: 'https://p.example/1.png',
      status: null,
    }));
    for (const currency of ['EUR', 'USD', 'SEK', 'NOK']) {
      await store.add({ environmentId: 'e', environmentName: 'e', currency, callId: 1, fetchedAt: start, problems: [] }, games);
    }
    const limits = keep({ maxBytes: 1_048_576 });
    expect(
      connection.prepare('SELECT sum(pgsize) AS n FROM dbstat WHERE name = ?').get('catalogue_games')?.['n'] ?? 2_000_000,
    ).toBeGreaterThan(200_000);
    expect(await rule.preview(limits)).toMatchObject({ calls: 3, bytes: 3 * weight, left: 297 });
    await rule.set(limits, 3);
    expect(run()).toBe(3);
    expect(ids()).toEqual(range(4, 300));
  });

  it('never remove the newest 100, a pinned or a pending call, and pinned ones take no room', async () => {
    const { rule, run, connection, ids } = open(keepsAll);
    record(connection, minutes(10), 1);
    record(connection, minutes(290));
    connection.exec("UPDATE calls SET state = 'pending' WHERE id = 20");
    expect(await rule.preview(keep({ maxCalls: 200 }))).toMatchObject({ calls: 90, left: 210, pinned: 10 });
    await rule.set(keep({ maxCalls: 100, maxAgeDays: 1, maxBytes: 1_048_576 }), 189);
    expect(run()).toBe(189);
    expect(ids()).toEqual([...range(1, 10), 20, ...range(201, 300)]);
  });

  it('of an earlier version that kept fewer than 100 keep 100', () => {
    expect(open(keep({ maxCalls: 50 })).rule.limits()).toEqual(keep({ maxCalls: 100 }));
  });

  it('remove what was shown before they were set, to the call', async () => {
    const { rule, run, connection, ids } = open(keepsAll);
    const dates = range(1, 1_000).map((n) => start - Math.floor((1_000 - n) / 60) * day);
    record(connection, dates);
    const limits = keep({ maxAgeDays: 9, maxCalls: 400, maxBytes: 350 * weight + 1 });
    const shown = await rule.preview(limits);
    const before = ids();
    await rule.set(limits, shown.calls);
    expect(run()).toBe(shown.calls);
    expect(before.length - ids().length).toBe(shown.calls);
    expect(ids()).toHaveLength(shown.left);
    expect(run()).toBe(0);
    expect(await rule.preview(limits)).toMatchObject({ calls: 0, from: null, to: null });
  });

  it('spare what somebody pins or deletes while they go on', async () => {
    const { rule, run, connection, ids } = open(keepsAll);
    record(connection, minutes(1_000));
    await rule.set(keep({ maxCalls: 600 }), 400);
    while (rule.step().removed === 0);
    connection.exec("UPDATE calls SET pinned = 1 WHERE id = 300; UPDATE calls SET deleted_by = 'r' WHERE id = 301");
    run();
    expect(ids().slice(0, 3)).toEqual([300, 301, 401]);
  });

  it('of age believe no single date', async () => {
    const { rule, run, connection, ids } = open(keepsAll);
    const dates = [...minutes(100, start - 60 * day), ...minutes(200)];
    // One in the future, one long ago: by a clock that was wrong for a moment.
    dates[20] = start + 365 * day;
    dates[150] = 0;
    record(connection, dates);
    const limits = keep({ maxAgeDays: 30 });
    expect(await rule.preview(limits)).toMatchObject({ calls: 100 });
    await rule.set(limits, 100);
    expect(run()).toBe(100);
    expect(ids()).toEqual(range(101, 300));
  });
});

describe('a removal that is not usual', () => {
  it('waits where the clock went ahead, and goes on without a word where it comes back', async () => {
    const { rule, run, clock, connection, ids, pass } = open(keepsAll);
    record(connection, minutes(300, start));
    await rule.set(keep({ maxAgeDays: 30 }), 0);
    expect(run()).toBe(0);
    clock.now += 365 * day;
    expect(run()).toBe(0);
    expect(rule.waiting()).toMatchObject({ why: 'clock', calls: 200, seenAt: start, at: start + 365 * day });
    // Other programs on this home respect it, and so does this one after hours.
    expect(open(keep({ maxAgeDays: 30 }), clock.now).run()).toBe(0);
    pass(2 * 3_600_000);
    expect(run()).toBe(0);
    clock.now -= 365 * day;
    expect(run()).toBe(0);
    expect(rule.waiting()).toBeNull();
    expect(ids()).toHaveLength(300);
  });

  it('asks once, and again where something else waits', async () => {
    const { rule, clock, connection, pass } = open(keepsAll);
    record(connection, minutes(300, start));
    await rule.set(keep({ maxAgeDays: 30 }), 0);
    const asked = () => {
      let times = 0;
      for (let more = true; more;) {
        const step = rule.step();
        if (step.asked) times += 1;
        ({ more } = step);
      }
      return times;
    };
    expect(asked()).toBe(0);
    clock.now += 365 * day;
    expect(asked()).toBe(1);
    expect(asked()).toBe(0);
    pass(2 * 3_600_000);
    expect(asked()).toBe(0);
    connection.exec('UPDATE calls SET pinned = 1 WHERE id = 1');
    pass(2 * 3_600_000);
    expect(asked()).toBe(1);
    expect(rule.waiting()).toMatchObject({ why: 'clock', calls: 199 });
    // As many wait for another reason: in this session the time has passed.
    clock.now -= 365 * day;
    pass(366 * day);
    expect(asked()).toBe(1);
    expect(rule.waiting()).toMatchObject({ why: 'much', calls: 199 });
  });

  it('that waits for the clock is not released by calls that are sent by it', () => {
    // Nobody has looked at limits on this home yet: the times of the last calls show what time it was.
    const { rule, run, clock, connection, pass } = open(keep({ maxAgeDays: 30 }));
    record(connection, minutes(300));
    clock.now += 365 * day;
    expect(run()).toBe(0);
    record(connection, minutes(150, clock.now));
    pass(2 * 3_600_000);
    expect(run()).toBe(0);
    expect(rule.waiting()).toMatchObject({ why: 'clock', calls: 300, seenAt: start - 50 * 60_000 });
  });

  it('does not wait where the time has passed in this session', async () => {
    const { rule, run, connection, pass } = open(keepsAll);
    record(connection, minutes(300, start));
    await rule.set(keep({ maxAgeDays: 30 }), 0);
    run();
    pass(31 * day);
    // All of it at once is still much.
    expect(run()).toBe(0);
    expect(rule.waiting()).toMatchObject({ why: 'much', calls: 200 });
  });

  it('waits for the person who says how many, and a number that is not that one is refused', async () => {
    const { rule, run, clock, connection, ids } = open(keepsAll);
    record(connection, minutes(300, start));
    await rule.set(keep({ maxAgeDays: 30 }), 0);
    run();
    clock.now += 365 * day;
    run();
    await expect(rule.settle('remove', 199)).rejects.toMatchObject({ code: 'conflict' });
    await rule.settle('remove', 200);
    expect(run()).toBe(200);
    expect(ids()).toEqual(range(201, 300));
    expect(rule.waiting()).toBeNull();
  });

  it('can be kept where none waits, as far as nobody expected one', async () => {
    const limits = keep({ maxAgeDays: 30 });
    const { rule } = open(limits);
    await rule.settle('keep', 0);
    expect(rule.limits()).toEqual(limits);
    const none = { code: 'conflict', message: expect.stringContaining('no removal is waiting for confirmation any more') };
    await expect(rule.settle('keep', 1)).rejects.toMatchObject(none);
    await expect(rule.settle('remove', 0)).rejects.toMatchObject(none);
  });

  it('is counted anew where its count or its removal failed', async () => {
    const { rule, run, connection, database, ids } = open(keepsAll);
    record(connection, minutes(1_000));
    await rule.set(keep({ maxCalls: 600 }), 400);
    while (rule.step().removed === 0);
    connection.exec("CREATE TRIGGER full BEFORE DELETE ON calls BEGIN SELECT RAISE(ABORT, 'full'); END");
    expect(() => rule.step()).toThrow('full');
    connection.exec('DROP TRIGGER full');
    // One of those that were counted already.
    connection.exec('UPDATE calls SET pinned = 1 WHERE id = 399');
    expect(database.run(totalsOf).pinned).toBe(1);
    run();
    expect(ids().length).toBe(601);
    expect(ids().slice(0, 2)).toEqual([399, 401]);
  });

  it('that is kept keeps everything from then on', async () => {
    const { rule, run, clock, connection, ids } = open(keepsAll);
    record(connection, minutes(300, start));
    await rule.set(keep({ maxAgeDays: 30 }), 0);
    run();
    clock.now += 365 * day;
    run();
    await rule.settle('keep', 200);
    expect(rule.limits()).toEqual(keepsAll);
    expect(run()).toBe(0);
    expect(ids()).toHaveLength(300);
    await expect(rule.settle('remove', 200)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('of limits that somebody set without seeing what they remove, however many calls are sent meanwhile', async () => {
    const { rule, run, connection, pass } = open(keep({ maxCalls: 100 }));
    record(connection, minutes(1_000));
    connection.exec('UPDATE history_retention SET seen_call = 1000');
    expect(run()).toBe(0);
    expect(rule.waiting()).toMatchObject({ why: 'much', calls: 900 });
    record(
      connection,
      range(1, 3_000).map(() => start),
    );
    // Counted again: with as many as were sent it would be usual by now.
    pass(2 * 3_600_000);
    expect(run()).toBe(0);
    expect(rule.waiting()).toMatchObject({ why: 'much', calls: 3_900 });
  });

  it('stops one that is under way in another program', async () => {
    const limits = keep({ maxAgeDays: 30, maxCalls: 600 });
    const { rule, run, connection, ids } = open(limits);
    record(connection, minutes(1_000));
    await rule.set(limits, 400);
    while (rule.step().removed === 0);
    const left = ids().length;
    expect(left).toBeLessThan(1_000);
    const other = open(limits, start + 365 * day);
    expect(other.run()).toBe(0);
    expect(other.rule.waiting()).toMatchObject({ why: 'clock' });
    expect([run(), ids().length]).toEqual([0, left]);
  });

  it('is not one that takes as many as were sent', async () => {
    const { rule, run, connection } = open(keepsAll);
    record(connection, minutes(500));
    await rule.set(keep({ maxCalls: 500 }), 0);
    run();
    record(
      connection,
      range(1, 3_000).map(() => start),
    );
    expect(run()).toBe(3_000);
    expect(rule.waiting()).toBeNull();
  });

  it('is not one that looks at no date, whatever the clock shows', async () => {
    const { rule, run, clock, connection } = open(keepsAll);
    record(connection, minutes(300));
    await rule.set(keep({ maxCalls: 300 }), 0);
    clock.now += 365 * day;
    record(connection, [start, start]);
    expect(run()).toBe(2);
    expect(rule.waiting()).toBeNull();
  });
});

describe('a bound', () => {
  it('of bytes, calls and days keeps what is just within it, and shows what is not', async () => {
    const { rule, connection } = open(keepsAll);
    record(connection, [start - 30 * day - 1, start - 30 * day, ...minutes(298)]);
    const shown = (limits: Partial<Retention>) => rule.preview(keep(limits));
    const none = { calls: 0, bytes: 0, from: null, to: null, left: 300, pinned: 0 };
    const one = { calls: 1, bytes: weight, from: start - 30 * day - 1, to: start - 30 * day - 1, left: 299, pinned: 0 };
    expect(await shown({ maxBytes: 300 * weight })).toEqual(none);
    expect(await shown({ maxBytes: 300 * weight - 1 })).toEqual(one);
    expect(await shown({ maxCalls: 300 })).toEqual(none);
    expect(await shown({ maxCalls: 299 })).toEqual(one);
    expect(await shown({ maxAgeDays: 31 })).toEqual(none);
    expect(await shown({ maxAgeDays: 30 })).toEqual(one);
    // Together: the oldest is too old already, and counts as one of those that are too many.
    expect(await shown({ maxAgeDays: 30, maxCalls: 298 })).toEqual({
      ...one,
      calls: 2,
      bytes: 2 * weight,
      to: start - 30 * day,
      left: 298,
    });
  });

  const old = start - 60 * day;
  it.each<[what: string, first: number[], removed: number[]]>([
    ['the first ones, which nothing dates', [old, old, old], [1, 2, 3]],
    ['one of the first, by its own date', [start, start, old], [3]],
    ['none that all before it contradict', [start, start, start, old], []],
    ['one that half of them contradict', [old, old, start, start, old], [1, 2, 5]],
    ['none that most of them contradict', [old, old, start, start, start, old], [1, 2]],
    [
      'one that is a day older than those before it',
      [...[1, 2, 3, 4].map(() => start - 29 * day - 1), start - 30 * day - 1],
      [5],
    ],
    [
      'one of the future among old ones, by those around it',
      [old, old, old, start + 2 * day, old, old, old],
      [1, 2, 3, 4, 5, 6, 7],
    ],
    ['none of the future among new ones', [old, start, start, start + 2 * day, start, start], [1]],
    ['one of tomorrow by its own date', [old, old, old, start + day, old, old, old], [1, 2, 3, 5, 6, 7]],
  ])('of days removes %s', async (_, first, removed) => {
    const { rule, run, connection, ids } = open(keepsAll);
    record(connection, [...first, ...minutes(200)]);
    const all = ids();
    await rule.set(keep({ maxAgeDays: 30 }), null);
    run();
    const left = ids();
    expect(all.filter((id) => !left.includes(id))).toEqual(removed);
  });

  it.each([
    [7 * day, 0, true],
    [7 * day + 1, 0, false],
    [10 * day, 3 * day, true],
    [10 * day + 1, 3 * day, false],
  ])('of the time that may have passed: %d ms by the clock, %d by this session', async (clockMs, sessionMs, isPlausible) => {
    const { rule, run, clock, connection } = open(keepsAll);
    record(connection, [...minutes(50, start - 25 * day), ...minutes(100)]);
    await rule.set(keep({ maxAgeDays: 30 }), 0);
    expect(run()).toBe(0);
    clock.now += clockMs;
    clock.monotonic += sessionMs;
    expect(run()).toBe(isPlausible ? 50 : 0);
    expect(rule.waiting()).toEqual(isPlausible ? null : expect.objectContaining({ why: 'clock', calls: 50 }));
  });

  it.each([
    [750, 250, null],
    [749, 0, 251],
    // With those that were sent since.
    [740, 0, 260, 9],
    [740, 260, null, 10],
  ])(
    'of a usual removal is a quarter of what is not pinned, and as many as were sent: %d calls',
    (maxCalls, goes, waits, sent = 0) => {
      const { rule, run, connection } = open(keep({ maxCalls }));
      record(connection, minutes(200), 1);
      record(connection, minutes(1_000));
      connection.exec(`UPDATE history_retention SET seen_call = ${1_200 - sent}`);
      expect(run()).toBe(goes);
      expect(rule.waiting()?.calls ?? null).toBe(waits);
    },
  );

  it('that a person allowed is of those limits, and of no others', async () => {
    const { rule, connection, run } = open(keepsAll);
    record(connection, minutes(1_000));
    await rule.set(keep({ maxCalls: 900 }), 500);
    const other = open(keep({ maxCalls: 500 }));
    expect(other.run()).toBe(0);
    expect(other.rule.waiting()).toMatchObject({ why: 'much', calls: 500 });
    await rule.set(keep({ maxCalls: 500 }), 500);
    expect(run()).toBe(500);
  });
});

it('notes when limits were last kept: once an hour while nothing goes, by whatever clock, and with each removal', async () => {
  const { rule, run, connection, pass, clock } = open(keepsAll);
  const noted = () => ({ ...connection.prepare('SELECT seen_at, seen_call FROM history_retention').get() });
  record(connection, minutes(50));
  run();
  expect(noted()).toEqual({ seen_at: null, seen_call: 0 });
  await rule.set(keep({ maxCalls: 100 }), 0);
  expect(noted()).toEqual({ seen_at: start, seen_call: 50 });
  pass(3_600_000);
  record(connection, [start]);
  run();
  expect(noted()).toEqual({ seen_at: start, seen_call: 50 });
  pass(1);
  run();
  expect(noted()).toEqual({ seen_at: start + 3_600_001, seen_call: 51 });
  clock.now = start;
  run();
  expect(noted()).toEqual({ seen_at: start, seen_call: 51 });
  record(connection, minutes(60));
  pass(5);
  expect(run()).toBe(11);
  expect(noted()).toEqual({ seen_at: start + 5, seen_call: 111 });
});

describe('what it costs', () => {
  it('is the same for each step, whatever there is: a few statements that read by an index, and as many rows as go', async () => {
    const { rule, database, connection } = open(keepsAll);
    record(connection, minutes(3_000), 1);
    record(connection, minutes(6_000));
    const asked: string[] = [];
    const prepare = connection.prepare.bind(connection);
    connection.prepare = (sql: string) => {
      asked.push(sql);
      return prepare(sql);
    };
    await rule.set(keep({ maxCalls: 500 }), 5_500);
    const statements: number[] = [];
    for (let more = true; more;) {
      asked.length = 0;
      const before = Number(prepare('SELECT total_changes() AS n').get()?.['n']);
      const { removed, ...step } = rule.step();
      ({ more } = step);
      statements.push(asked.length);
      // Calls that are sent meanwhile wait for one of these.
      expect(removed).toBeLessThanOrEqual(250);
      // The call, its mark, the totals.
      expect(Number(prepare('SELECT total_changes() AS n').get()?.['n']) - before).toBeLessThanOrEqual(3 * removed + 3);
      for (const sql of asked) {
        const plan = prepare(`EXPLAIN QUERY PLAN ${sql}`)
          .all()
          .map(({ detail }) => String(detail));
        const whole = plan.filter((detail) =>
          /^SCAN (?!t$|history_|\(subquery|sqlite_sequence|c USING INDEX calls_pending)/.test(detail),
        );
        if (!/LIMIT/.test(sql)) expect({ sql, whole }).toEqual({ sql, whole: [] });
      }
    }
    expect(Math.max(...statements)).toBeLessThan(12);
    expect(statements.length).toBeLessThan(5_500 / 100);
    expect(database.run(totalsOf)).toMatchObject({ calls: 3_500, pinned: 3_000 });
  });

  it('is known in a history of an earlier version too, whose totals counted calls that wait for an outcome', () => {
    const earlier = createDatabase(join(home, 'history.sqlite'), { steps: migrations.slice(0, 18) });
    record(earlier.connection(), minutes(3));
    record(earlier.connection(), minutes(2), 1);
    earlier.connection().exec("UPDATE calls SET state = 'pending' WHERE id IN (2, 5)");
    earlier.close();
    const { database, connection } = open(keepsAll);
    const totals = { calls: 5, bytes: 5 * weight, pinned: 2, pinnedBytes: 2 * weight };
    expect(database.run(totalsOf)).toEqual(totals);
    connection.exec("UPDATE calls SET state = 'answered' WHERE state = 'pending'");
    expect(database.run(totalsOf)).toEqual(totals);
  });

  it('is known without counting: the totals are those of the calls after any change', () => {
    const { connection, database } = open(keepsAll);
    let seed = 14;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let n = 0; n < 400; n += 1) {
      const id = 1 + random(60);
      const change = [
        () => record(connection, [start], random(2)),
        () => connection.prepare("UPDATE calls SET state = iif(state = 'pending', 'answered', 'pending') WHERE id = ?").run(id),
        () => connection.prepare('DELETE FROM calls WHERE id = ?').run(id),
        () => connection.prepare('UPDATE calls SET pinned = 1 - pinned WHERE id = ?').run(id),
        () => connection.prepare("UPDATE calls SET deleted_by = iif(deleted_by IS NULL, 'x', NULL) WHERE id = ?").run(id),
        () => connection.prepare('UPDATE calls SET response_bytes = ? WHERE id = ?').run(random(5_000), id),
        () => connection.prepare('UPDATE calls SET response_bytes = NULL WHERE id = ?').run(id),
        () => connection.prepare('UPDATE calls SET raw_bytes = ? WHERE id = ?').run(random(5_000), id),
      ][random(8)];
      change?.();
    }
    const counted = connection
      .prepare(
        'SELECT count(*) AS calls, sum(weight) AS bytes, sum(pinned) AS pinned, sum(pinned * weight) AS pinnedBytes FROM calls WHERE deleted_by IS NULL',
      )
      .get();
    expect(counted?.['calls']).toBeGreaterThan(10);
    expect(database.run(totalsOf)).toEqual({ ...counted });
  });
});

it('holds for random histories, limits and clocks (`npm run test:long -- limits` plays more)', async () => {
  const report = await limitRounds(home, 5, 7, () => undefined);
  expect(report.problems).toEqual([]);
  expect(report.removed).toBeGreaterThan(100);
  expect(report.waited).toBeGreaterThan(0);
});
