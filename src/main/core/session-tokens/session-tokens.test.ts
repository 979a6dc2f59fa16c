import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '#testing/app.ts';
import { createSessionTokens, type SessionTokens } from './session-tokens.ts';

let folder: string;
let path: string;
let allows: boolean;
const asked: string[] = [];
const context = { environmentName: 'Stage', gameId: '1001', playerId: 'p 7' };

function open(limitMs = 30_000): SessionTokens {
  return createSessionTokens({
    path,
    knows: (id) => id !== 'gone',
    nameOf: (id) => id.toUpperCase(),
    allowCommand: async (name, command) => {
      asked.push(`${name}: ${command}`);
      return allows;
    },
    variables: async () => ({ PATH: process.env['PATH'], KEPT: 'yes' }),
    onChange: () => undefined,
    limitMs,
  });
}

/** Writes a program for Node and makes it the command of the environment `e`. */
async function withProgram(source: string, tokens = open(), ...given: string[]): Promise<SessionTokens> {
  const file = join(folder, `a program ${asked.length}.mjs`);
  writeFileSync(file, source);
  await tokens.setCommand('e', [process.execPath, file, ...given].map((word) => `"${word}"`).join(' '));
  return tokens;
}

const fetch = (tokens: SessionTokens, ticket = 't') => tokens.fetch('e', context, ticket);

beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder, 'token-commands.json');
  allows = true;
  asked.length = 0;
});
afterEach(() => rm(folder, { recursive: true }));

describe('the command of an environment', () => {
  it('is kept on this machine, once the user allowed it, and can be removed', async () => {
    const tokens = open();
    expect(await tokens.setCommand('e', '/opt/t "a b" x')).toBe(true);
    expect(asked).toEqual(['E: /opt/t "a b" x']);
    expect(open().command('e')).toBe('/opt/t "a b" x');
    expect(open().command('other')).toBe('');
    expect(await tokens.setCommand('e', ' ')).toBe(true);
    expect(asked).toHaveLength(1);
    expect(open().command('e')).toBe('');
  });

  it('is not set if the user declines, or in a host that cannot ask', async () => {
    allows = false;
    expect(await open().setCommand('e', '/opt/t')).toBe(false);
    expect(existsSync(path)).toBe(false);
    const browser = createSessionTokens({
      path,
      knows: () => true,
      nameOf: (id) => id,
      allowCommand: undefined,
      variables: async () => ({}),
      onChange: () => undefined,
    });
    await expect(browser.setCommand('e', '/opt/t')).rejects.toThrow('croupier env set NAME --token-command');
    expect(existsSync(path)).toBe(false);
  });

  it('goes with its environment, and what a newer version wrote beside it stays', async () => {
    writeFileSync(path, JSON.stringify({ commands: { gone: ['x'], other: ['y'] }, later: [1] }));
    await open().setCommand('e', '/opt/t');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ commands: { other: ['y'], e: ['/opt/t'] }, later: [1] });
  });
});

describe('running it', () => {
  it('adds what it prints to the pool, and gives it the launch and no more', async () => {
    const tokens = await withProgram(
      `const { CROUPIER_ENVIRONMENT: e, CROUPIER_GAME_ID: g, CROUPIER_PLAYER_ID: p, KEPT, HOME } = process.env;
       console.log('token,playerId');
       console.log('tok-1,' + [e, g, p, KEPT, HOME, process.argv[2]].join('|'));
       console.log('tok-2,');`,
      open(),
      '$HOME; x',
    );
    expect(await fetch(tokens)).toEqual(['tok-1', 'tok-2']);
    expect(tokens.pools.list('e', () => null)).toMatchObject([
      { from: 'command', state: 'unused', playerId: 'Stage|1001|p 7|yes||$HOME; x' },
      { state: 'unused', playerId: '' },
    ]);
  });

  it('takes turns, and one that waits is cancelled at once', async () => {
    const marks = join(folder, 'marks');
    mkdirSync(marks);
    // It ends once the file is removed.
    const tokens = await withProgram(
      `import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
       const mark = ${JSON.stringify(marks)} + '/' + process.env.CROUPIER_GAME_ID;
       writeFileSync(mark, '');
       setInterval(() => existsSync(mark) || (console.log('tok-' + process.env.CROUPIER_GAME_ID), process.exit()), 5);`,
    );
    const run = (gameId: string) => tokens.fetch('e', { ...context, gameId }, gameId);
    const running = (gameId: string) => vi.waitFor(() => expect(existsSync(join(marks, gameId))).toBe(true), 10_000);
    const first = run('1');
    const [second, third] = [run('2'), run('3')];
    await running('1');
    expect(tokens.cancel('2')).toBe(true);
    await expect(second).rejects.toMatchObject({ code: 'cancelled' });
    expect(existsSync(join(marks, '3'))).toBe(false);
    rmSync(join(marks, '1'));
    expect(await first).toEqual(['tok-1']);
    await running('3');
    tokens.close();
    await expect(third).rejects.toMatchObject({ code: 'cancelled' });
    expect(existsSync(join(marks, '2'))).toBe(false);
    expect(tokens.cancel('3')).toBe(false);
    await expect(run('4')).rejects.toMatchObject({ code: 'cancelled' });
  });

  it.each([
    ['exits with a status', 'console.error("no VPN"); process.exit(3)', 'exited with status 3. Standard error: no VPN'],
    ['says nothing', 'process.exit(1)', 'exited with status 1. It printed nothing on standard error. Run it in a terminal.'],
    ['is ended', 'process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1e3)', 'was terminated by SIGTERM.'],
    ['prints no token', 'console.log("")', 'exited with status 0 but printed no token. Make it print'],
    ['prints only bad lines', 'console.log("a b")', 'printed no token. Line 1 has a space or a control character in its token.'],
    ['prints broken JSON', 'console.log("{")', 'cannot read what the token command printed. Line 1 is not JSON.'],
  ])('fails with its reason if it %s', async (_, source, message) => {
    const tokens = await withProgram(source);
    await expect(fetch(tokens)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining(message) as string,
      details: { field: 'externalToken' },
    });
  });

  it('fails if there is no such program, or it cannot be executed', async () => {
    const tokens = open();
    await expect(fetch(tokens)).rejects.toThrow('E has no token command on this machine.');
    await tokens.setCommand('e', 'croupier-no-such-program x');
    await expect(fetch(tokens)).rejects.toThrow('could not be started: program croupier-no-such-program not found.');
    await tokens.setCommand('e', `"${folder}"`);
    await expect(fetch(tokens)).rejects.toThrow('cannot be executed. Check its permissions.');
  });

  it('stops it if it takes too long', async () => {
    const tokens = await withProgram('setInterval(() => {}, 1e3)', open(200));
    await expect(fetch(tokens)).rejects.toThrow('did not end within 0.2 seconds and was stopped.');
  });

  it('stops it with everything that it has started', async () => {
    const connected = Promise.withResolvers<Socket>();
    const server = createServer((socket) => connected.resolve(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const child = `require('net').connect(${port}, '127.0.0.1').resume()`;
    const tokens = await withProgram(
      `import { spawn } from 'node:child_process';
       spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' });`,
    );
    const fetching = fetch(tokens);
    const socket = await connected.promise;
    const ended = once(
      socket.on('error', () => undefined),
      'close',
    );
    tokens.cancel('t');
    await expect(fetching).rejects.toMatchObject({ code: 'cancelled' });
    await ended;
    server.close();
  });

  it('stops it if it prints too much', async () => {
    const tokens = await withProgram('setInterval(() => console.log("x".repeat(100000)), 0)');
    await expect(fetch(tokens)).rejects.toThrow('was stopped: its output has more than 1,000,000 bytes. Have it print');
    expect(tokens.pools.list('e', () => null)).toEqual([]);
  });

  it('quotes standard error without the tokens that were printed', async () => {
    const tokens = await withProgram(
      `console.log('secret-token,p1'); console.error('x'.repeat(2000) + ' for secret-token'); process.exit(1)`,
    );
    const message = await fetch(tokens).then(String, ({ message: said }: Error) => said);
    expect(message).toContain('x for [hidden]');
    expect(message).not.toContain('secret-token');
    expect(message.length).toBeLessThan(1_100);
  });
});
