import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createDatabase } from './database.ts';
import { mayHoldCopies, rewrite } from './rewrite.ts';

it('does not call a history rewritten from which another program removed a call in that very moment', () => {
  const home = mkdtempSync(join(tmpdir(), 'croupier-rewrite-'));
  const path = join(home, 'history.sqlite');
  const database = createDatabase(path);
  const connection = database.connection();
  connection.exec(
    'INSERT INTO calls (environment_id, environment_name, operation, url, sent_at, state, run, request_bytes) ' +
      "SELECT 'e', 'e', 'bet', 'u', 1, 'answered', 'r', 1 FROM json_each('[1,2,3]'); DELETE FROM calls WHERE id = 1",
  );
  expect(mayHoldCopies(connection)).toBe(true);
  const other = new DatabaseSync(path);
  const alone = connection.exec.bind(connection);
  connection.exec = (sql) => {
    const [first = '', rest = ''] = sql.split(/(?<=VACUUM)/);
    alone(first);
    if (!first.endsWith('VACUUM')) return;
    other.exec('DELETE FROM calls WHERE id = 2');
    alone(rest);
  };
  rewrite(connection);
  expect(mayHoldCopies(connection)).toBe(true);
  connection.exec = alone;
  rewrite(connection);
  expect([mayHoldCopies(connection), connection.isTransaction]).toEqual([false, false]);
  other.close();
  database.close();
  rmSync(home, { recursive: true });
});
