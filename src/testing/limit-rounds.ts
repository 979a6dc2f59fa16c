/**
 * Applies limits of every kind to histories with wrong dates, while clocks jump: the limits remove exactly what they announced, and
 * nobody loses a call that was just sent, is pinned, or would go only because a clock is wrong.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabase } from '#core/database/database.ts';
import { createSessionLock } from '#core/files/session-lock.ts';
import { createRemoval } from '#core/history/removal.ts';
import { createRetention } from '#core/history/retention.ts';
import type { Retention } from '#shared/ipc/index.ts';
import { seededRandom } from './seeded-random.ts';

export interface LimitReport {
  rounds: number;
  calls: number;
  /** Number of removed calls, as it was announced. */
  removed: number;
  /** Jumps of the clock after which removals waited. */
  waited: number;
  readonly problems: string[];
}

const day = 86_400_000;
const start = 1_790_000_000_000;
const weight = 2 * 1_000 + 500 + 1_024;

export async function limitRounds(
  folder: string,
  rounds: number,
  seed: number,
  onRound: (round: number) => void,
): Promise<LimitReport> {
  const report: LimitReport = { rounds: 0, calls: 0, removed: 0, waited: 0, problems: [] };
  const next = seededRandom(seed);
  const pick = (below: number) => Math.floor(next() * below);
  for (let round = 0; round < rounds; round += 1) {
    await oneRound(mkdtempSync(join(folder, 'limits-')), pick, report, `seed ${seed}, round ${round}`);
    report.rounds += 1;
    onRound(round);
  }
  return report;
}

async function oneRound(home: string, pick: (below: number) => number, report: LimitReport, name: string): Promise<void> {
  const run = createSessionLock(join(home, 'runs'));
  const database = createDatabase(join(home, 'history.sqlite'), { run });
  try {
    const connection = database.connection();
    connection.exec('PRAGMA synchronous = OFF');
    const clock = { now: start, monotonic: 0 };
    let kept: Record<string, string> = {};
    const rule = createRetention({
      database,
      removal: createRemoval(database, run),
      settings: { read: () => kept, write: async (key, value) => ((kept = { [key]: value }), { masked: false }) },
      now: () => clock.now,
      monotonic: () => clock.monotonic,
    });
    const say = (problem: string) => void report.problems.push(`${name}: ${problem}`);
    const work = (): number => {
      let removed = 0;
      for (let more = true; more;) {
        const step = rule.step();
        ({ more } = step);
        removed += step.removed;
      }
      return removed;
    };
    const idsOf = (condition: string) =>
      new Set(
        connection
          .prepare(`SELECT id FROM calls ${condition}`)
          .all()
          .map(({ id }) => Number(id)),
      );

    // Calls of some weeks, a few of them sent by a wrong clock.
    const count = 150 + pick(900);
    const days = 1 + pick(90);
    const insert = connection.prepare(
      'INSERT INTO calls (environment_id, environment_name, operation, url, sent_at, state, run, request_bytes, response_bytes, pinned) ' +
        "VALUES ('e', 'e', 'bet', 'u', ?, ?, 'r', 1000, 500, ?)",
    );
    const wrong = new Set<number>();
    connection.exec('BEGIN');
    for (let n = 1; n <= count; n += 1) {
      const strange = pick(40) === 0;
      if (strange) wrong.add(n);
      const date = start - Math.floor(((count - n) / count) * days * day);
      const sentAt = strange ? (pick(2) === 0 ? pick(1_000) : start + (1 + pick(3_000)) * day) : date;
      insert.run(sentAt, pick(60) === 0 ? 'pending' : 'answered', pick(20) === 0 ? 1 : 0);
    }
    connection.exec('COMMIT');
    report.calls += count;
    const limits: Retention = {
      maxAgeDays: pick(2) === 0 ? 1 + pick(60) : null,
      maxCalls: pick(2) === 0 ? 100 + pick(900) : null,
      maxBytes: pick(2) === 0 ? 1_048_576 + pick(400) * weight : null,
    };
    const safe = idsOf(`WHERE pinned = 1 OR state = 'pending' OR id > ${count - 100}`);

    const shown = await rule.preview(limits);
    await rule.set(limits, shown.calls);
    const removed = work();
    report.removed += removed;
    if (removed !== shown.calls) say(`${shown.calls} were shown, ${removed} went`);
    const left = idsOf('');
    for (const id of safe) if (!left.has(id)) say(`call ${id} had to stay`);
    // These are certainly too old: the limit of age takes them, whatever other dates show.
    const { maxAgeDays } = limits;
    if (maxAgeDays !== null) {
      for (const id of left) {
        const date = start - Math.floor(((count - id) / count) * days * day);
        const surely = date < start - (maxAgeDays + 1) * day && !wrong.has(id) && !safe.has(id);
        const beside = [-2, -1, 1, 2].some((by) => wrong.has(id + by));
        if (surely && !beside) say(`call ${id} is too old and stayed`);
      }
    }

    // The clock jumps ahead by years, and back, with calls sent meanwhile: it removes nothing that would not have gone without it.
    const before = idsOf('');
    clock.now += (30 + pick(3_000)) * day;
    clock.monotonic += pick(3_600_000);
    const inJump = work();
    const aged = maxAgeDays !== null && before.size > safe.size;
    if (inJump > 0) say(`${inJump} went while the clock was ahead`);
    if (rule.waiting() !== null) report.waited += 1;
    else if (aged && [...before].some((id) => !safe.has(id) && !wrong.has(id))) say('the clock went ahead, and nobody is asked');
    clock.now = start + clock.monotonic;
    const after = work();
    if (maxAgeDays === null && after > 0) say(`${after} went when the clock came back`);
    if (rule.waiting()?.why === 'clock') say('the clock came back, and somebody is still asked');
  } finally {
    database.close();
    run.close();
    rmSync(home, { recursive: true, force: true });
  }
}
