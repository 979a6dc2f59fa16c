import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '#core/database/database.ts';
import { createCli, type Cli } from '#testing/cli-driver.ts';

let cli: Cli;
beforeAll(async () => {
  cli = await createCli();
  mkdirSync(cli.home, { recursive: true });
  const database = createDatabase(join(cli.home, 'history.sqlite'));
  const insert =
    'INSERT INTO calls (environment_id, environment_name, operation, url, sent_at, state, run, request_bytes) ' +
    "VALUES ('e', 'e', 'bet', 'u', ?, 'answered', 'r', 1000)";
  database.run((connection) => {
    const one = connection.prepare(insert);
    for (let n = 0; n < 600; n += 1) one.run(1_790_000_000_000 + n);
  });
  database.close();
});
afterAll(() => cli.close());

it('says what limits remove before it sets them, and removes that', async () => {
  const shown = await cli.run(['history', 'limits', '--calls', '250', '--dry-run']);
  expect(shown).toMatchObject({ code: 0, err: '' });
  expect(shown.out).toMatch(
    /^These limits remove 350 calls, 1.1 MB, sent on 2026-09-\d\d\. 250 calls stay\. There is no undo\.\n$/,
  );
  const unasked = await cli.run(['history', 'limits', '--calls', '250']);
  expect(unasked).toMatchObject({ code: 2, out: '' });
  expect(unasked.err).toContain('Nothing was changed. These limits remove 350 calls');
  const done = await cli.run(['history', 'limits', '--calls', '250', '--yes']);
  expect(done).toMatchObject({ code: 0, err: '', out: 'Keeps at most 250 calls, pinned calls, and the newest 100.\n' });
  expect((await cli.run(['history', 'status'])).out).toMatch(/^250 calls\. .*\nKeeps at most 250 calls/s);
});
