import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCli, type Cli } from '#testing/cli-driver.ts';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';

const key = 'K3y/with"quotes"&=+<42>';
const env = { PROVIDER_KEY: key };

let cli: Cli;
let server: TestServer;
beforeAll(async () => {
  cli = await createCli();
  server = await startHttpsServer((_, response) => void response.end('{"code":0,"message":"ok","data":[]}'));
  await cli.run(['env', 'list']);
  const ca = join(cli.home, 'ca.pem');
  await writeFile(ca, server.ca);
  const settings = ['--base-url', server.baseUrl, '--platform=7', '--partner-id=31', '--no-production', '--ca', ca];
  expect(await cli.run(['env', 'set', 'e', ...settings])).toMatchObject({ code: 0 });
  const call = (...args: string[]) => cli.run(['call', ...args, '--env', 'e', '--key-env', 'PROVIDER_KEY'], { env });
  await call('playerInfo', '--data', '{"externalToken":"a-session-token"}');
  await call('getGameRound', '--data', '{"roundId":9007199254740993,"logMonth":0}');
  // Sent before the key was this environment's: of its own key Croupier asks, and the history has none.
  const note = JSON.stringify({ roundId: 1, note: Buffer.from(key).toString('base64') });
  const before = ['--env', 'e', '--key-env', 'PROVIDER_KEY'];
  await cli.run(['call', 'getGameRound', '--data', note, ...before], { env: { PROVIDER_KEY: 'an-older-key-1' } });
});
afterAll(async () => {
  await server.close();
  await cli.close();
});

describe('history export', () => {
  it('prints one file', async () => {
    const { code, out, err } = await cli.run(['history', 'export', '2', '1', '--as', 'jsonl']);
    expect({ code, err }).toEqual({
      code: 0,
      err: 'croupier: tokens are masked as [token], other secrets as [secret]. To keep them, add --keep-tokens.\n',
    });
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { operation: string }).operation),
    ).toEqual(['playerInfo', 'getGameRound']);
    expect(out).not.toContain('a-session-token');
    const kept = await cli.run(['history', 'export', '1', '--as', 'curl', '--keep-tokens']);
    expect(kept).toMatchObject({ code: 0, err: '' });
    expect(kept.out).toContain('a-session-token');
  });

  it('writes a program that takes the key from the variable that was named', async () => {
    const { code, out } = await cli.run(['history', 'export', '2', '--as', 'php', '--resign', '--key-variable', 'MY_KEY']);
    expect(code).toBe(0);
    expect(out).toContain("getenv('MY_KEY')");
    expect(await cli.run(['history', 'export', '2', '--as', 'har', '--resign'])).toMatchObject({ code: 2, out: '' });
  });

  it('writes files for their owner alone, and takes the place of none', async () => {
    const path = join(cli.home, 'calls.har');
    expect(await cli.run(['history', 'export', '2', '--as', 'har', '--out', path])).toMatchObject({ code: 0, out: '' });
    expect((await stat(path)).mode & 0o077).toBe(0);
    expect(JSON.parse(await readFile(path, 'utf8'))).toHaveProperty('log.version', '1.2');
    await writeFile(path, 'mine');
    const { code, err } = await cli.run(['history', 'export', '2', '--as', 'har', '--out', path]);
    expect(code).toBe(2);
    expect(err).toContain('already exists and was not changed');
    expect(await readFile(path, 'utf8')).toBe('mine');
  });

  it('writes a support pack as a page and its JSON, both or none', async () => {
    const page = join(cli.home, 'pack.html');
    expect(await cli.run(['history', 'export', '2', '--as', 'support', '--out', page])).toMatchObject({ code: 0 });
    expect(await readFile(page, 'utf8')).toMatch(/^<!doctype html>/);
    expect(JSON.parse(await readFile(join(cli.home, 'pack.json'), 'utf8'))).toHaveProperty('calls.length', 1);
    const before = await readdir(cli.home);
    const again = await cli.run(['history', 'export', '2', '--as', 'support', '--out', join(cli.home, 'pack')]);
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining('pack.json already exists') });
    const same = await cli.run(['history', 'export', '2', '--as', 'support', '--out', join(cli.home, 'other.json')]);
    expect(same).toMatchObject({ code: 2, err: expect.stringContaining('another extension') });
    expect(await readdir(cli.home)).toEqual(before);
  });

  it('writes nothing that holds the key', async () => {
    const path = join(cli.home, 'leak.har');
    const { code, out, err } = await cli.run(
      ['history', 'export', '2', '3', '--as', 'har', '--out', path, '--key-env', 'PROVIDER_KEY'],
      { env },
    );
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain("an environment's private key was sent or received");
    await expect(stat(path)).rejects.toThrow('ENOENT');
    expect(await cli.run(['history', 'export', '2', '--as', 'har', '--key-env', 'PROVIDER_KEY'], { env })).toMatchObject({
      code: 0,
    });
  });
});
