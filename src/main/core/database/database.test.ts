import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase } from './database.ts';
import { migrations } from './migrations.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'croupier-database-'));
  path = join(folder, 'history.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function use<T>(work: (connection: DatabaseSync) => T, steps?: readonly string[]): T {
  const database = steps === undefined ? createDatabase(path) : createDatabase(path, { steps });
  try {
    return database.run(work);
  } finally {
    database.close();
  }
}

const value = (connection: DatabaseSync, name: string) => connection.prepare(`PRAGMA ${name}`).get()?.[name];
const refusal = (words: string) =>
  expect.objectContaining({ code: 'storage', message: expect.stringContaining(words) as string }) as Error;

describe('a new history', () => {
  it('is not made before it is used', () => {
    createDatabase(path).close();
    expect(existsSync(path)).toBe(false);
  });

  it('is made whole, with nothing left beside it, readable by its owner alone', () => {
    use(() => undefined);
    expect(readdirSync(folder)).toEqual(['history.sqlite']);
    expect(statSync(path).size).toBeGreaterThan(0);
  });

  it('has the settings that keep it safe', () => {
    use((connection) => {
      expect(value(connection, 'journal_mode')).toBe('wal');
      expect(value(connection, 'synchronous')).toBe(1);
      expect(value(connection, 'trusted_schema')).toBe(0);
      expect(value(connection, 'cell_size_check')).toBe(1);
      expect(value(connection, 'foreign_keys')).toBe(1);
      expect(connection.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 5_000 });
      const tables = connection
        .prepare('PRAGMA table_list')
        .all()
        .filter(({ name }) => !String(name).startsWith('sqlite_'));
      expect(tables.map(({ strict }) => strict)).toEqual(tables.map(() => 1));
      expect(tables).toHaveLength(12);
    });
  });
});

describe('migrations', () => {
  const second = 'CREATE TABLE extra (id INTEGER PRIMARY KEY) STRICT';

  it('take an older history forward once and keep its rows', () => {
    use((connection) => insert(connection));
    use(
      (connection) => {
        expect(value(connection, 'user_version')).toBe(migrations.length + 1);
        expect(connection.prepare('SELECT count(*) AS n FROM calls').get()).toEqual({ n: 1 });
        connection.exec('INSERT INTO extra VALUES (1)');
      },
      [...migrations, second],
    );
    use(
      (connection) => expect(connection.prepare('SELECT count(*) AS n FROM extra').get()).toEqual({ n: 1 }),
      [...migrations, second],
    );
  });

  it('that fail leave the history as it was', () => {
    use((connection) => insert(connection));
    const broken = [...migrations, `${second}; INSERT INTO nowhere VALUES (1)`];
    expect(() => use(() => undefined, broken)).toThrow(refusal('cannot be used'));
    use((connection) => {
      expect(value(connection, 'user_version')).toBe(migrations.length);
      expect(connection.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'extra'").get()).toEqual({ n: 0 });
    });
  });

  it('of a newer program are refused without a change', () => {
    use((connection) => insert(connection), [...migrations, second]);
    const before = readFileSync(path);
    expect(() => use(() => undefined)).toThrow(refusal('newer version'));
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe('a file that is not the history', () => {
  const cases: [string, () => void, string][] = [
    ['emptied', () => truncateSync(path, 0), 'is empty'],
    ['another database', () => makeForeign(), 'was not made by Croupier'],
    [
      'a text',
      () => writeFileSync(path, '{"hello": "world", "this is": "no database at all, and long enough to look at"}'.repeat(20)),
      'not a database',
    ],
    ['its header overwritten', () => overwrite(0, 100), 'not a database'],
    ['cut in half', () => truncateSync(path, statSync(path).size / 2), ''],
    [
      'without a table',
      () => use((connection) => connection.exec('ALTER TABLE call_requests RENAME TO theirs')),
      "its tables are not Croupier's (no such table: call_requests); move it away and keep it.",
    ],
    [
      'with a trigger that drops what is recorded',
      () => use((connection) => connection.exec('CREATE TRIGGER theirs BEFORE INSERT ON calls BEGIN SELECT RAISE(IGNORE); END')),
      'has a trigger that Croupier did not create: theirs. Remove it, or move the file away.',
    ],
    [
      'with a view in place of the calls',
      () => use((connection) => connection.exec('ALTER TABLE calls RENAME TO theirs; CREATE VIEW calls AS SELECT * FROM theirs')),
      'has a view that Croupier did not create: calls.',
    ],
  ];
  it.each(cases)('%s: is refused and left as it is', (_, damage, words) => {
    use((connection) => insert(connection));
    damage();
    const before = readFileSync(path);
    expect(() => use((connection) => connection.prepare('SELECT count(*) FROM call_requests').all())).toThrow(refusal(words));
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folder)).toContain('history.sqlite');
  });

  it('is used again once it is repaired, without a restart', () => {
    use((connection) => insert(connection));
    copyFileSync(path, `${path}.backup`);
    truncateSync(path, 0);
    const database = createDatabase(path);
    expect(() => database.connection()).toThrow(refusal('is empty'));
    copyFileSync(`${path}.backup`, path);
    expect(database.run((connection) => connection.prepare('SELECT count(*) AS n FROM calls').get())).toEqual({ n: 1 });
    database.close();
  });

  it('that reports damage is not written again in this run', () => {
    use((connection) => {
      for (let n = 0; n < 200; n++) insert(connection);
    });
    overwrite(8_192, statSync(path).size - 8_192);
    const database = createDatabase(path);
    const read = () => database.run((connection) => connection.prepare('SELECT sum(length(body)) FROM call_requests').all());
    expect(read).toThrow(refusal('damaged'));
    expect(() => database.run((connection) => connection.exec('SELECT 1'))).toThrow(refusal('damaged'));
    database.close();
  });

  it('that was removed or replaced while it is open takes no call more', () => {
    for (const change of [() => rmSync(path), () => renameSync(`${path}.other`, path)]) {
      writeFileSync(`${path}.other`, '');
      const database = createDatabase(path);
      database.run(() => undefined);
      change();
      const write = () => database.run((connection) => connection.exec("INSERT INTO history_identity VALUES ('x', 1)"));
      expect(write).toThrow(refusal('was removed or replaced while in use'));
      expect(write).toThrow(refusal('was removed or replaced'));
      expect(database.trouble()).toMatchObject({ state: 'unavailable' });
      database.close();
      rmSync(path, { force: true });
    }
  });

  it('that is a folder is refused', () => {
    const inside = join(folder, 'sub');
    const database = createDatabase(folder);
    expect(() => database.run((connection) => connection.exec('SELECT 1'))).toThrow(refusal('cannot be'));
    expect(existsSync(inside)).toBe(false);
  });
});

function insert(connection: DatabaseSync): void {
  const { lastInsertRowid } = connection
    .prepare(
      "INSERT INTO calls (environment_id, environment_name, operation, url, sent_at, state, run, request_bytes) VALUES ('e', 'e', 'bet', 'u', 1, 'answered', 'r', 1)",
    )
    .run();
  connection
    .prepare("INSERT INTO call_requests (call_id, draft, headers, body) VALUES (?, '{}', '[]', ?)")
    .run(lastInsertRowid, Buffer.alloc(500, 1));
}

function makeForeign(): void {
  rmSync(path);
  const foreign = new DatabaseSync(path);
  foreign.exec('CREATE TABLE theirs (id INTEGER); INSERT INTO theirs VALUES (1)');
  foreign.close();
}

function overwrite(start: number, length: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0xa5, start, start + length);
  writeFileSync(path, bytes);
}
