import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#testing/app.ts';
import { locateRun } from './collection-path.ts';

let folder: string;
let test: TestApp;
beforeAll(async () => {
  test = await createTestApp({ sandbox: true });
  folder = await mkdtemp(join(tmpdir(), 'croupier-run-path-'));
  const request = 'operation: gameList\n';
  for (const name of ['collection', 'elsewhere']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'collection', 'collection.yaml'), '');
  for (const name of ['b.yaml', 'b:c.yaml', 'b.yml']) await writeFile(join(folder, 'collection', name), request);
  await writeFile(join(folder, 'elsewhere', 'x.yaml'), request);
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(process.platform === 'win32')('a run of one file or folder', () => {
  it.each([
    ['b.yml', "isn't a request file", async () => undefined],
    ['b:c.yaml', 'b:c.yaml is not a valid path', async () => undefined],
    ['file.yaml', 'file.yaml is a link or inside one', (at: string) => symlink('../elsewhere/x.yaml', at)],
    ['folder', 'folder is a link', (at: string) => symlink('../elsewhere', at)],
    ['way/x.yaml', 'way is a link or inside one', () => symlink('../elsewhere', join(folder, 'collection', 'way'))],
  ] as const)('refuses %s as a run of the whole does: %s', async (name, words, make) => {
    const at = join(folder, 'collection', name);
    await make(at);
    const start = async () =>
      test.client.call('runs.start', { ...(await locateRun(at)), environmentId: 'sandbox', options: { unreadable: 'refuse' } });
    await expect(start()).rejects.toMatchObject({ message: expect.stringContaining(words) as string });
  });

  it('finds its collection where the way to it is a link', async () => {
    await symlink('collection', join(folder, 'link'));
    expect(await locateRun(join(folder, 'link', 'b.yaml'))).toEqual({ directory: join(folder, 'link'), path: 'b.yaml' });
  });
});
