import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase } from '#core/database/database.ts';
import { keepsAll } from '#core/history/retention-state.ts';
import { createTestApp, temporaryFolder } from '#testing/app.ts';
import { runCommand, type Said } from '#testing/command-runner.ts';
import { historyCompactCommand } from './history-compact.ts';
import { historyLimitsCommand, historyStatusCommand } from './history-limits.ts';

let home: string;
const said: Said = { printed: [], told: [] };
beforeEach(async () => {
  home = await temporaryFolder();
  const database = createDatabase(join(home, 'history.sqlite'));
  database.run((connection) =>
    connection.exec(
      'INSERT INTO calls (environment_id, environment_name, operation, url, sent_at, state, run, request_bytes) ' +
        "WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 600) SELECT 'e', 'e', 'bet', 'u', 1790000000000 + at, 'answered', 'r', 1000 FROM n",
    ),
  );
  database.close();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const limits = (args: readonly string[], typed?: string) =>
  runCommand(historyLimitsCommand, { home, said }, args, typed === undefined ? {} : { typed });
async function status(): Promise<string> {
  expect(await runCommand(historyStatusCommand, { home, said }, [])).toBe(0);
  return said.printed.join('\n');
}
/** Limits that nobody saw the number of. */
async function setUnseen(maxCalls: number): Promise<void> {
  const app = await createTestApp({ home });
  await app.client.call('history.retain', { retention: { ...keepsAll, maxCalls }, removes: 0 });
  await app.close();
}

describe('history limits', () => {
  it('says what limits remove before it sets them, and removes that', async () => {
    expect(await limits(['--calls', '250', '--dry-run'])).toBe(0);
    expect(said.printed.join('\n')).toMatch(
      /^These limits remove 350 calls, 1.1 MB, sent on 2026-09-\d\d\. 250 calls stay\. There is no undo\.$/,
    );
    await expect(limits(['--calls', '250'])).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/^Nothing was changed\. These limits remove 350 calls.* add --yes\.$/) as string,
    });
    await expect(limits(['--calls', '250'], 'n\n')).rejects.toMatchObject({ message: 'Nothing was changed.' });
    expect(said.told).toEqual([
      expect.stringContaining('These limits remove 350 calls'),
      'Set these limits and remove 350 calls? [y/N] ',
    ]);
    expect(await status()).toMatch(/^600 calls\. .*\nKeeps all calls\./s);
    expect(await limits(['--calls', '250', '--yes'])).toBe(0);
    expect(said.printed).toEqual(['Keeps at most 250 calls, pinned calls, and the newest 100.']);
    expect(await status()).toMatch(/^250 calls\. .*\nKeeps at most 250 calls/s);
    expect(await limits(['--none'])).toBe(0);
    expect(said.printed).toEqual(['Keeps all calls.']);
  });

  it('lets a removal that waits begin, for its number alone, or keeps its calls', async () => {
    await expect(limits(['--keep-waiting'])).rejects.toMatchObject({
      message: 'Nothing was changed: no removal is waiting for confirmation.',
    });
    await setUnseen(250);
    expect(await status()).toMatch(
      /^600 calls\. .*far more than you have sent .*: 350 calls, .*\n {2}croupier history limits --remove-waiting 350 .*\n {2}croupier history limits --keep-waiting /s,
    );
    await expect(limits(['--remove-waiting', '349'])).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('calls to remove is now 350') as string,
    });
    expect(await limits(['--remove-waiting', '350'])).toBe(0);
    expect(await status()).toMatch(/^250 calls\. .*\nKeeps at most 250 calls, pinned calls, and the newest 100\.\n/s);
    expect(said.printed.join('\n')).not.toContain('waiting');

    await setUnseen(100);
    expect(await status()).toContain('--remove-waiting 150');
    expect(await limits(['--keep-waiting'])).toBe(0);
    expect(said.printed).toEqual(['Keeps all calls.']);
    expect(await status()).toMatch(/^250 calls\./);
  });

  it('takes nothing that it would have to guess', async () => {
    for (const [args, words] of [
      [['--days', '0'], '--days must be a whole number from 1'],
      [['--calls', '99'], '--calls must be a whole number from 100'],
      [['--none', '--days', '3'], 'Use --none or a limit, not both'],
      [['--dry-run'], 'Name the limits to try'],
      [['--remove-waiting', 'all'], '--remove-waiting must be the number of calls'],
      [['--remove-waiting', '3', '--keep-waiting'], 'Use --remove-waiting or --keep-waiting, not both'],
      [['--keep-waiting', '--days', '3'], 'Set limits or decide on the waiting removal, not both'],
    ] as const) {
      const message = expect.stringContaining(words) as string;
      await expect(limits(args)).rejects.toMatchObject({ code: 'invalid_input', message });
    }
  });
});

it('history status says what is kept beside the calls, since when and by which rule', async () => {
  expect(await status()).not.toContain('Evidence');
  mkdirSync(join(home, 'evidence', 'one'), { recursive: true });
  writeFileSync(join(home, 'evidence', 'one', 'launch.json'), 'x'.repeat(1_234));
  expect(await status()).toMatch(
    /\nOther stored data:\n(.*\n)* {2}Launch evidence: 1, 1\.2 kB, since \d{4}-\d\d-\d\d\. At most 1,000, until you remove them\./,
  );
});

describe('history compact', () => {
  const compact = (args: string[] = [], typed?: string) =>
    runCommand(historyCompactCommand, { home, said }, args, typed === undefined ? {} : { typed });

  /** Leaves 40 MB free, more than is rewritten unasked, in the file. */
  function remove(vacuum = 'INCREMENTAL'): void {
    const database = createDatabase(join(home, 'history.sqlite'));
    if (vacuum === 'NONE') database.connection().exec('PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM');
    database
      .connection()
      .exec(
        "INSERT INTO call_requests (call_id, draft, headers, body) VALUES (1, '{}', '[]', zeroblob(40000000)); DELETE FROM calls WHERE id = 1",
      );
    database.close();
  }
  const size = () => statSync(join(home, 'history.sqlite')).size;

  it('gives back what is free, and says how far it is on a terminal', async () => {
    remove();
    expect(size()).toBeGreaterThan(40_000_000);
    expect(await compact([], '')).toBe(0);
    expect(said.printed).toEqual([
      expect.stringMatching(/^History: 40\.\d MB before, \d+\.\d kB now\.$/),
      'Search index: 0 B before, 0 B now.',
    ]);
    expect(said.told.length).toBeGreaterThan(1);
    for (const text of said.told) expect(text).toMatch(/^Freed \d+\.\d [kM]B of 40\.\d MB\.$/);
    expect(size()).toBeLessThan(1_000_000);
    expect(await compact(['--json'])).toBe(0);
    expect(JSON.parse(said.printed.join(''))).toMatchObject({ cancelled: false, left: null });
    expect(said.told).toEqual([]);
  });

  it('ends with 70 and why where it cannot: an old file that another copy of Croupier uses', async () => {
    remove('NONE');
    const app = await createTestApp({ home });
    await app.client.call('calls.delete', { ids: [2] });
    expect(await compact()).toBe(70);
    expect(said.told).toEqual([expect.stringMatching(/^croupier: An earlier version .* Close every other copy of Croupier/)]);
    expect(size()).toBeGreaterThan(40_000_000);
    await app.close();
    expect(await compact()).toBe(0);
    expect(size()).toBeLessThan(1_000_000);
  });

  it('ends with 4 where it is stopped, and keeps what it has given back', async () => {
    remove();
    const before = size();
    const stop = new AbortController();
    expect(
      await runCommand(historyCompactCommand, { home, said }, [], { typed: '', stop: stop.signal, onTold: () => stop.abort() }),
    ).toBe(4);
    expect(said.told.at(-1)).toBe('croupier: stopped. The space freed so far stays free, and no calls were lost.');
    expect(size()).toBeGreaterThan(1_000_000);
    expect(size()).toBeLessThan(before);
    expect(await status()).toMatch(/^599 calls\./);
  });
});
