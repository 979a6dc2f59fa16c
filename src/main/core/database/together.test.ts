import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDatabase } from './database.ts';
import { migrations } from './migrations.ts';

let folder: string;
let path: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'croupier-together-'));
  path = join(folder, 'history.sqlite');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Fails if it is done twice; takes long enough that another program that opens the file meanwhile has to wait. */
const slow = `
  CREATE TABLE extra (id INTEGER PRIMARY KEY) STRICT;
  WITH RECURSIVE many (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM many WHERE id < 50000) INSERT INTO extra SELECT id FROM many`;
const endless =
  'WITH RECURSIVE many (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM many) INSERT INTO calls (id) SELECT id FROM many WHERE id < 0';

function use<T>(steps: readonly string[], work: (connection: DatabaseSync) => T): T {
  const database = createDatabase(path, { steps });
  try {
    return database.run(work);
  } finally {
    database.close();
  }
}

/** Starts a program that waits for a word, then opens the history, uses it, and reports that. */
async function program(steps: readonly string[]): Promise<{ child: ChildProcess; said: () => string }> {
  const text = `
    const { createDatabase } = await import(${JSON.stringify(join(import.meta.dirname, 'database.ts'))});
    const database = createDatabase(process.argv[1], { steps: JSON.parse(process.argv[2]) });
    process.stdout.write('ready');
    process.stdin.once('data', () => {
      database.run((connection) => connection.exec('INSERT INTO extra DEFAULT VALUES'));
      database.close();
      process.stdout.write('done');
      process.exit();
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', text, path, JSON.stringify(steps)]);
  children.push(child);
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()));
  await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  expect(out).toBe('ready');
  return { child, said: () => out };
}

it('several programs that open an older history at once take it forward once, and all of them use it', async () => {
  use(migrations, () => undefined);
  const steps = [...migrations, slow];
  const programs = await Promise.all([1, 2, 3, 4].map(() => program(steps)));
  const ended = programs.map(({ child }) => once(child, 'close'));
  for (const { child } of programs) child.stdin?.write('go');
  await Promise.all(ended);
  expect(programs.map(({ said }) => said())).toEqual(programs.map(() => 'readydone'));
  use(steps, (connection) => {
    expect(connection.prepare('PRAGMA user_version').get()).toEqual({ user_version: steps.length });
    expect(connection.prepare('SELECT count(*) AS n FROM extra').get()).toEqual({ n: 50_004 });
    expect(connection.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  });
});

it('a program that is killed while it takes a history forward leaves it to the next one as it was', async () => {
  use(migrations, () => undefined);
  const { child, said } = await program([...migrations, endless]);
  child.stdin?.write('go');
  const isLocked = () => {
    const other = new DatabaseSync(path, { timeout: 0 });
    try {
      other.exec('BEGIN IMMEDIATE; ROLLBACK');
      return false;
    } catch {
      return true;
    } finally {
      other.close();
    }
  };
  await expect.poll(isLocked, { timeout: 30_000 }).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(said()).toBe('ready');
  use([...migrations, slow], (connection) => {
    expect(connection.prepare('PRAGMA user_version').get()).toEqual({ user_version: migrations.length + 1 });
    expect(connection.prepare('SELECT count(*) AS n FROM extra').get()).toEqual({ n: 50_000 });
  });
});
