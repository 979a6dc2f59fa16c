import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, draftOf } from '#testing/app.ts';
import { createCli, type Cli } from '#testing/cli-driver.ts';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';

let cli: Cli;
let server: TestServer;
let collection: string;
/** Five calls to one base URL: of staging, of live, of a removed environment, of its namesake, and of one that was renamed since. */
beforeAll(async () => {
  cli = await createCli();
  server = await startHttpsServer((_, answer) => void answer.end('{"code":0,"message":"ok","data":{"slots":[]}}'));
  const app = await createTestApp({ home: cli.home });
  const staging = await app.environment(server, { name: 'staging', platform: 1, partnerId: 2 });
  const live = await app.environment(server, { name: 'live', platform: 7, partnerId: 31 });
  const removed = await app.environment(server, { name: 'partner' });
  const send = (environmentId: string) => app.send(draftOf(environmentId, { operation: 'gameList', text: '{"currency":"EUR"}' }));
  for (const { id } of [staging, live, removed]) await send(id);
  await app.client.call('environments.remove', { id: removed.id });
  const namesake = await app.environment(server, { name: 'partner' });
  const renamed = await app.environment(server, { name: 'europe' });
  await send(namesake.id);
  await send(renamed.id);
  await app.client.call('environments.save', { environment: { ...renamed, name: 'asia' } });
  await app.close();
  collection = join(dirname(cli.home), 'collection');
  await mkdir(collection);
  await writeFile(join(collection, 'player.yaml'), 'operation: playerInfo\ndata: |\n  {"externalToken": "t"}\n');
});
afterAll(async () => {
  await server.close();
  await cli.close();
});

async function print(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await cli.run(args);
  expect({ code, err }).toMatchObject({ code: 0, err: expect.not.stringContaining('Error') });
  return out;
}

/** Without the address, which is the same, and without what differs between any two calls. */
function told(text: string): string {
  return text.replaceAll(server.baseUrl, '').replace(/\d\d-\d\d-\d{4}|\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|[0-9a-f]{64}/g, '');
}

describe('two environments at one base URL', () => {
  it('have a row each in the list, with name and identity', async () => {
    const rows = told(await print('env', 'list')).split('\n');
    expect(rows).toContainEqual(expect.stringMatching(/^staging .* platform 1, partner 2$/));
    expect(rows).toContainEqual(expect.stringMatching(/^live .* platform 7, partner 31$/));
  });

  it.each([
    ['env show', (name: string) => ['env', 'show', name]],
    ['history list', (name: string) => ['history', 'list', '--env', name]],
    ['history show', (name: string) => ['history', 'show', name === 'staging' ? '1' : '2']],
    ['history export', (name: string) => ['history', 'export', name === 'staging' ? '1' : '2', '--as', 'curl']],
    ['call', (name: string) => ['call', 'gameList', '--env', name, '--key-env', 'KEY', '--dry-run']],
  ])('are distinguished by %s', async (_, argsFor) => {
    const run = async (name: string) => told((await cli.run(argsFor(name), { env: { KEY: 'k' } })).out);
    const [staging, live] = [await run('staging'), await run('live')];
    const without = (text: string) => text.replace(/^ *[12] /gm, '').replace(/call-?[12]/gi, '');
    expect(staging).toMatch(/staging|"platform":1,"partnerId":2/);
    expect(live).toMatch(/live|"platform":7,"partnerId":31/);
    expect(without(staging)).not.toBe(without(live));
    expect(staging).not.toMatch(/\blive\b/);
  });

  it('are named with the identity that each call was sent with where two calls are compared', async () => {
    expect(await print('history', 'diff', '1', '2')).toContain(
      '\n  - call 1 to staging, platform 1, partner 2\n  + call 2 to live, platform 7, partner 31\n',
    );
  });

  it('are distinguished in the reports of a run', async () => {
    for (const name of ['staging', 'live']) {
      const files = ['junit', 'report-json', 'html'].map((as) => [`--${as}`, join(dirname(cli.home), `${name}.${as}`)] as const);
      expect((await cli.run(['run', collection, '--env', name, ...files.flat()])).code).toBe(0);
      for (const [, path] of files) expect(await readFile(path, 'utf8')).toMatch(new RegExp(`["> ]${name}["<]`));
    }
  });

  it('are distinguished where one has the name that another one had', async () => {
    const rows = (await print('history', 'list')).split('\n').filter((row) => row.includes('gameList'));
    expect(rows.map((row) => /gameList +(.*?) {2,}code/.exec(row)?.[1])).toEqual([
      'europe (now asia)',
      'partner',
      'partner (removed)',
      'live',
      'staging',
    ]);
    expect(await print('history', 'show', '3')).toContain('partner (removed)');
    expect(await print('history', 'diff', '3', '4')).toContain(
      '\n  - call 3 to partner (removed), platform 1, partner 42\n  + call 4 to partner, platform 1, partner 42\n',
    );
  });

  it('are listed with their ids where a file that was copied gave both one look', async () => {
    const shown = JSON.parse(await print('env', 'show', 'asia', '--json')) as { id: string };
    const copy = { ...shown, id: 'copied', name: 'As\u200bia' };
    await writeFile(join(cli.home, 'environments', 'copied.json'), JSON.stringify(copy));
    const rows = (await print('env', 'list')).split('\n');
    const titles = rows.filter((row) => /^as.*ia /i.test(row)).map((row) => row.split('  ')[0]);
    expect(new Set(titles)).toEqual(new Set(['As[ZWSP]ia (ID copied)', `asia (ID ${shown.id})`]));
    expect(rows.filter((row) => row.startsWith('live '))).toHaveLength(1);
  });
});
