import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCli, type Cli } from '#testing/cli-driver.ts';
import { startHttpsServer } from '#testing/https-server.ts';

let cli: Cli;
let provider: Awaited<ReturnType<typeof startHttpsServer>>;
let folder: string;
let requests = 0;
beforeAll(async () => {
  cli = await createCli();
  folder = dirname(cli.home);
  provider = await startHttpsServer((_, response) => {
    requests += 1;
    response.end('{"code":0,"message":"ok","data":null}');
  });
  await writeFile(join(folder, 'ca.pem'), provider.ca);
  const settings = ['--platform=1', '--partner-id=2', '--no-production', '--ca', join(folder, 'ca.pem')];
  await cli.run(['env', 'set', 'stage', '--base-url', provider.baseUrl, ...settings]);
  await mkdir(join(folder, 'collection'));
  await writeFile(join(folder, 'collection', 'a.yaml'), 'operation: getGameRound\ndata: |\n  {"roundId": 1, "logMonth": 0}\n');
  await mkdir(join(folder, 'taken'));
});
afterAll(async () => {
  await cli.close();
  await provider.close();
});

const run = (...more: string[]) => ['run', join(folder, 'collection'), ...more];

it.each([
  ...['junit', 'report-json', 'html', 'code-quality'].map(
    (option) => [option, (path: string) => run(`--${option}`, path)] as const,
  ),
  ['out', (path) => ['call', 'gameList', '--out', path]] as const,
] as readonly (readonly [string, (path: string) => string[]])[])(
  '--%s that cannot be written is refused before anything is sent',
  async (_option, args) => {
    const before = await readdir(folder);
    for (const path of [join(folder, 'missing', 'r'), join(folder, 'ca.pem', 'r'), join(folder, 'taken'), '/dev/null']) {
      const { code, out } = await cli.run([...args(path), '--env', 'stage', '--key-env', 'KEY'], {
        env: { KEY: 'the-key-of-this-test' },
      });
      expect({ path, code, out }).toEqual({ path, code: 2, out: '' });
    }
    expect({ requests, left: await readdir(folder) }).toEqual({ requests: 0, left: before });
  },
);

it.each(['blob', 'support-pack'])('--%s whose directory cannot be made is refused before anything is sent', async (option) => {
  const args = run(`--${option}`, join(folder, 'ca.pem', 'd'), '--shard', '1/1', '--env', 'stage', '--key-env', 'KEY');
  expect(await cli.run(args, { env: { KEY: 'the-key-of-this-test' } })).toMatchObject({ code: 2, out: '' });
  expect(requests).toBe(0);
});
