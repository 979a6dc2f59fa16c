import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Input, PoolToken, SandboxPlayer } from '#shared/ipc/index.ts';
import { startSandbox } from '#sandbox/server.ts';
import { createTestApp, type TestApp } from '#testing/app.ts';
import { startHttpsServer } from '#testing/https-server.ts';
import { unconfirmed } from '#testing/production-question.ts';

let test: TestApp;
let tickets = 0;
let players: readonly SandboxPlayer[];
const bounds = { x: 0, y: 0, width: 390, height: 844 };

// One program for all: each test leaves an empty pool and no launch that has a token.
beforeAll(async () => {
  test = await createTestApp({
    sandbox: true,
    host: { startSandbox, gameFrames: { offer: () => '/frame/1' }, allowCommand: async () => true },
  });
});
beforeEach(async () => {
  ({ players } = await test.client.call('sandbox.status', {}));
});
afterEach(async () => {
  for (const { id } of (await test.client.call('launches.list', {})).launches) await close(id);
  await test.client.call('tokens.remove', { environmentId, ids: (await pool()).map(({ id }) => id) });
  await test.client.call('tokens.setCommand', { environmentId, command: '' });
  await setProduction(false);
  expect(test.faults).toEqual([]);
});
afterAll(() => test.close());

const environmentId = 'sandbox';
const tokenOf = (at: number) => players[at]?.externalToken ?? '';
const add = (text: string, file = '') => test.client.call('tokens.add', { environmentId, text, file });
const pool = async (): Promise<PoolToken[]> => (await test.client.call('tokens.list', { environmentId })).tokens;
const states = async () => (await pool()).map(({ state, user }) => `${state} ${user}`.trim());
const open = (id: string) => test.client.call('launches.open', { id, bounds });
const close = (id: string) => test.client.call('launches.close', { id });

function prepare(question: Partial<Input<'launches.prepare'>>) {
  return test.client.call('launches.prepare', {
    environmentId,
    gameMode: 'real',
    gameId: '1001',
    gameName: 'Lucky',
    lang: 'en',
    playerId: 'of-the-form',
    country: 'DE',
    ip: '203.0.113.9',
    ticket: `tokens-${++tickets}`,
    ...question,
  });
}

const sentBy = async (callId: number) =>
  JSON.parse((await test.client.call('calls.get', { id: callId })).draft.text) as Record<string, string>;

async function setProduction(production: boolean): Promise<void> {
  const sandbox = (await test.client.call('environments.list', {})).environments.find(({ id }) => id === environmentId);
  if (sandbox === undefined) throw new Error('There is no environment of the built-in provider.');
  if (sandbox.production !== production) await test.client.call('environments.save', { environment: { ...sandbox, production } });
}

const refusal = (message: string, reuse?: true) => ({
  message: expect.stringContaining(message) as string,
  details: { field: 'externalToken', ...(reuse === undefined ? {} : { reuse }) },
});

/** Makes a program the token command; it appends a line to the file `ran` in the home each time. */
async function withCommand(source: string): Promise<() => string> {
  const [file, ran] = [join(test.home, 'tokens.mjs'), join(test.home, 'ran')];
  rmSync(ran, { force: true });
  writeFileSync(file, `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(ran)}, 'x');\n${source}`);
  await test.client.call('tokens.setCommand', { environmentId, command: `"${process.execPath}" "${file}"` });
  return () => (existsSync(ran) ? readFileSync(ran, 'utf8') : '');
}

describe('a launch from the pool', () => {
  it('gets a token of its own, also of two that begin at once; used ones come back only if the user asks', async () => {
    await add(`${tokenOf(0)}\n${tokenOf(1)}`);
    const two = await Promise.all([prepare({ tokenFrom: 'pool' }), prepare({ tokenFrom: 'pool' })]);
    const sent = await Promise.all(two.map(async ({ call }) => (await sentBy(call.id))['externalToken']));
    expect(new Set(sent)).toEqual(new Set([tokenOf(0), tokenOf(1)]));
    expect(await states()).toEqual(['in use Lucky', 'in use Lucky']);
    await expect(prepare({ tokenFrom: 'pool' })).rejects.toMatchObject(refusal('has no unused token'));
    for (const { id } of two) await close(id);
    expect(await states()).toEqual(['used', 'used']);
    await expect(prepare({ tokenFrom: 'pool', reuse: true })).rejects.toMatchObject(refusal('reset used ones'));
    expect(await test.client.call('tokens.restore', { environmentId })).toEqual({ restored: 2 });
    expect((await sentBy((await prepare({ tokenFrom: 'pool' })).call.id))['externalToken']).toBe(tokenOf(0));
  });

  it('passes over a token that an open launch has, although it was put back', async () => {
    await add(`${tokenOf(0)}\n${tokenOf(1)}`);
    const first = await prepare({ tokenFrom: 'pool' });
    await open(first.id);
    await test.client.call('tokens.restore', { environmentId });
    expect((await sentBy((await prepare({ tokenFrom: 'pool' })).call.id))['externalToken']).toBe(tokenOf(1));
  });

  it('says what to do if the pool is empty, and takes none in fun mode', async () => {
    await expect(prepare({ tokenFrom: 'pool' })).rejects.toMatchObject(
      refusal('The pool of sandbox is empty. Add tokens, or type one.'),
    );
    await add(tokenOf(0));
    const fun = await prepare({ tokenFrom: 'pool', gameMode: 'fun' });
    expect((await sentBy(fun.call.id))['externalToken']).toBe('');
    expect(await states()).toEqual(['unused']);
  });

  it('is that of the player of the token, as far as the pool knows the player', async () => {
    await add(`token,playerId,lang,country\n${tokenOf(0)},player-1,sv,`, 'players.csv');
    const launch = await prepare({ tokenFrom: 'pool' });
    expect(launch).toMatchObject({ playerId: 'player-1', lang: 'sv', country: 'DE', problem: null });
    const { entries } = await test.client.call('launches.get', { id: launch.id });
    expect(entries[0]?.detail).toMatch(/^\d+ ms, session token: pool, line 2 of players\.csv$/);
  });

  it('that could not be sent gives its token back', async () => {
    await add(tokenOf(0));
    await setProduction(true);
    await expect(prepare({ tokenFrom: 'pool' })).rejects.toMatchObject({ details: { reason: 'production_unconfirmed' } });
    expect(await states()).toEqual(['unused']);
  });
});

describe('a typed token', () => {
  it('of another launch is refused, also of one that begins at the same moment, unless the user asks for it', async () => {
    const typed = { externalToken: tokenOf(0) };
    const words = 'Lucky is using this token. Choose another one, or launch again to use it twice.';
    const two = await Promise.allSettled([prepare(typed), prepare(typed)]);
    expect(two.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await expect(prepare(typed)).rejects.toMatchObject({ code: 'conflict', ...refusal(words, true) });
    const again = await prepare({ ...typed, reuse: true });
    const { entries } = await test.client.call('launches.get', { id: again.id });
    expect(entries[0]?.detail).toMatch(/, session token: typed$/);
    for (const { id } of (await test.client.call('launches.list', {})).launches) await close(id);
    await open((await prepare(typed)).id);
    await expect(prepare(typed)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('that a closed launch used is asked about, but for the built-in provider', async () => {
    const data = { launcherURL: 'https://games.example.com/?partnerId=2&gameId=1001' };
    const provider = await startHttpsServer((_, response) => void response.end(JSON.stringify({ code: 0, message: 'ok', data })));
    try {
      const { id } = await test.environment(provider);
      const typed = { externalToken: 'used-once', environmentId: id };
      await close((await prepare(typed)).id);
      const words = 'Lucky has used this token. Choose another one, or launch again to reuse it.';
      await expect(prepare(typed)).rejects.toMatchObject({ code: 'conflict', ...refusal(words, true) });
      await close((await prepare({ ...typed, reuse: true })).id);
      const own = { externalToken: tokenOf(0) };
      await close((await prepare(own)).id);
      await close((await prepare(own)).id);
    } finally {
      await provider.close();
    }
  });

  it('that is in the pool is used there, too, and keeps the player of the form', async () => {
    await add(`${tokenOf(0)},player-9`);
    expect((await prepare({ externalToken: tokenOf(0) })).playerId).toBe('of-the-form');
    expect(await states()).toEqual(['in use Lucky']);
  });

  it('of a launch that the provider rejected is free', async () => {
    const rejected = await prepare({ externalToken: '' });
    expect(rejected.problem).not.toBeNull();
    await prepare({ externalToken: '' });
  });
});

describe('a launch with the command', () => {
  it('runs it once, and takes what it printed', async () => {
    const ran = await withCommand(`console.log(JSON.stringify({ token: ${JSON.stringify(tokenOf(0))}, playerId: 'player-1' }))`);
    const launch = await prepare({ tokenFrom: 'command' });
    expect(launch).toMatchObject({ playerId: 'player-1', problem: null });
    expect((await sentBy(launch.call.id))['externalToken']).toBe(tokenOf(0));
    const { entries } = await test.client.call('launches.get', { id: launch.id });
    expect(entries[0]?.detail).toMatch(/, session token: command$/);
    expect(ran()).toBe('x');
    // The same token again.
    await expect(prepare({ tokenFrom: 'command' })).rejects.toMatchObject({
      code: 'conflict',
      ...refusal('printed only a token that another launch uses', true),
    });
    await expect(prepare({ tokenFrom: 'command', reuse: true })).resolves.toMatchObject({ problem: null });
    expect(ran()).toBe('xxx');
  });

  it('asks about production before it runs it', async () => {
    const ran = await withCommand(`console.log(${JSON.stringify(tokenOf(0))})`);
    await setProduction(true);
    await expect(prepare({ tokenFrom: 'command' })).rejects.toMatchObject({
      code: unconfirmed.code,
      details: { reason: 'production_unconfirmed', question: { call: { operation: 'getLauncherURL' } } },
    });
    expect(ran()).toBe('');
    await prepare({ tokenFrom: 'command', confirmed: true });
    expect(ran()).toBe('x');
  });

  it('is cancelled with it, and sends nothing', async () => {
    const before = (await test.client.call('launches.list', {})).launches.length;
    const ran = await withCommand('setInterval(() => {}, 1e3)');
    const launching = prepare({ tokenFrom: 'command', ticket: 'stopped' });
    await vi.waitFor(() => expect(ran()).toBe('x'), 10_000);
    expect(await test.client.call('calls.cancel', { ticket: 'stopped' })).toEqual({ cancelled: true });
    await expect(launching).rejects.toMatchObject({ code: 'cancelled' });
    expect((await test.client.call('launches.list', {})).launches).toHaveLength(before);
  });

  it('never comes from a file of a collection or of an environment', async () => {
    const command = [process.execPath, '-e', 'x'];
    const folder = join(test.home, 'from-git');
    const { id } = await test.client.call('collections.open', { directory: folder, create: true });
    const text = `tokenCommand: ${JSON.stringify(command.join(' '))}\n`;
    writeFileSync(join(folder, 'collection.yaml'), text);
    const { unknown } = await test.client.call('collections.readFolder', { id, path: '' });
    expect(JSON.stringify(unknown)).toContain('tokenCommand');
    const [sandbox] = (await test.client.call('environments.list', {})).environments;
    writeFileSync(
      join(test.home, 'environments', 'stage.json'),
      JSON.stringify({ ...sandbox, id: 'stage', name: 'Stage', kind: 'provider', tokenCommand: command }),
    );
    const { broken } = await test.client.call('environments.list', {});
    rmSync(join(test.home, 'environments', 'stage.json'));
    expect(broken[0]?.message).toContain('It names a program in tokenCommand. Croupier runs no program named in a file');
    expect((await test.client.call('tokens.list', { environmentId })).command).toBe('');
    await expect(prepare({ tokenFrom: 'command' })).rejects.toMatchObject(refusal('has no token command on this machine'));
  });
});

describe('generateNewToken', () => {
  it('puts the new token into the pool in place of the old one, and shows the page neither', async () => {
    await add(`${tokenOf(0)},player-1`);
    const [{ id } = { id: 0 }] = await pool();
    const ask = { environmentId, id, newGameId: '1001', ticket: 'renew' };
    const renewed = await test.client.call('tokens.renew', ask);
    expect(renewed).toMatchObject({ message: null, call: { code: 0 } });
    const fresh = (await test.client.call('sandbox.status', {})).players[0]?.externalToken ?? '';
    expect(fresh).not.toBe(tokenOf(0));
    expect(JSON.stringify([renewed, await pool()])).not.toContain(fresh);
    expect(await pool()).toMatchObject([{ state: 'unused', from: 'generateNewToken of pool, pasted line 1' }]);
    const launch = await prepare({ tokenFrom: 'pool' });
    expect((await sentBy(launch.call.id))['externalToken']).toBe(fresh);
    await expect(test.client.call('tokens.renew', { ...ask, ticket: 'again' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Lucky is using this token.') as string,
    });
    await expect(
      test.client.call('launches.renewToken', { environmentId, token: fresh, newGameId: '1001', ticket: 'typed' }),
    ).rejects.toMatchObject({ code: 'conflict' });
    await expect(test.client.call('tokens.renew', { ...ask, id: 999 })).rejects.toMatchObject({ code: 'conflict' });
    expect(await states()).toEqual(['in use Lucky']);
  });

  it('that brings no token leaves the old one used', async () => {
    await add('nobody-has-this');
    const [{ id } = { id: 0 }] = await pool();
    const got = await test.client.call('tokens.renew', { environmentId, id, newGameId: '1001', ticket: 'renew' });
    expect(got.message).toContain('Invalid Token');
    expect(await states()).toEqual(['used']);
  });
});

describe('the pool', () => {
  it('leaves nothing on the disk and in no reply', async () => {
    const secret = 'pool-token-of-nobody-7731';
    const added = await add(`${tokenOf(0)}\n${secret}\n${secret}`);
    const launch = await prepare({ tokenFrom: 'pool' });
    const evidence = await test.client.call('launches.export', { ids: [launch.id], as: 'folder' });
    const told = [added, launch, await pool(), await test.client.call('launches.get', { id: launch.id }), evidence];
    expect(JSON.stringify(told)).not.toContain(tokenOf(0));
    expect(JSON.stringify(told)).not.toContain(secret);
    const evidenceText = evidence.as === 'folder' ? evidence.files.map((file) => readFileSync(file, 'latin1')).join('') : '';
    expect(evidenceText).toContain('session token: pool, pasted line 1');
    expect(evidenceText).not.toContain(tokenOf(0));
    const files = readdirSync(test.home, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const holding = (text: string) => files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(text));
    // The call was sent with it, and the history keeps each call as it was sent.
    expect(new Set(holding(tokenOf(0)).map(({ name }) => name.replace(/-(?:wal|shm)$/, '')))).toContain('history.sqlite');
    expect(holding(secret)).toEqual([]);
  });
});
