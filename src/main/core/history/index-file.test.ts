import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createTestApp, draftOf } from '#testing/app.ts';
import { openIndex } from './index-file.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

it.skipIf(process.platform === 'win32')('a pipe or a device in the place of the index is replaced', async () => {
  const test = await createTestApp();
  ended.push(test.close);
  const { id } = await test.environment({ baseUrl: 'https://localhost:1' });
  await test.send(draftOf(id, { operation: 'gameList' }));
  const history = join(test.home, 'history.sqlite');
  execFileSync('mkfifo', [join(test.home, 'pipe.sqlite')]);
  await symlink('/dev/null', join(test.home, 'device.sqlite'));
  for (const name of ['pipe', 'device']) {
    const { connection, close } = openIndex(history, join(test.home, `${name}.sqlite`), true);
    expect(connection.prepare('SELECT count(*) AS rows FROM main.marks').get()).toMatchObject({ rows: 1 });
    close();
  }
});
