import { Agent, request, type RequestOptions } from 'node:https';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { startTestSandbox } from '#testing/sandbox-client.ts';
import type { SandboxOptions } from '../server.ts';
import { readStart } from '../start-file.ts';
import { printWorld, readWorld, restoreWorld } from '../saved-world.ts';

const ended: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of ended.splice(0).reverse()) await one.close();
});

async function open(options: Partial<SandboxOptions> = {}) {
  const sandbox = await startTestSandbox(options);
  const agent = new Agent({ ca: sandbox.ca });
  ended.push(sandbox, { close: () => agent.destroy() });
  const ask = (url: string, { body = '', ...more }: RequestOptions & { body?: string } = {}) =>
    new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
      const sent = request(url, { agent, ...more }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  const headers = { 'content-type': 'application/json', origin: sandbox.baseUrl, 'sec-fetch-site': 'same-origin' };
  const order = async (what: object, changed: Record<string, string> = {}) => {
    const { status, text } = await ask(sandbox.controlUrl, {
      method: 'POST',
      headers: { ...headers, ...changed },
      body: JSON.stringify(what),
    });
    return { status, json: JSON.parse(text) as Record<string, unknown> };
  };
  return { sandbox, ask, order };
}

describe('the control page', () => {
  it('has a policy, loads nothing from elsewhere, and is nowhere without its secret path', async () => {
    const { sandbox, ask } = await open();
    const page = await ask(sandbox.controlUrl);
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(page.text).not.toMatch(/<script(?![^>]* src=)|<style| on\w+=| style=/);
    for (const [, path] of page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      expect((await ask(`${sandbox.baseUrl}${path ?? ''}`)).status, path).toBe(200);
    }
    const secret = new URL(sandbox.controlUrl).pathname;
    expect(secret).toMatch(/^\/croupier\/control\/[0-9a-f]{32}$/);
    for (const path of ['/croupier/control', '/croupier/control/', `/croupier/control/${'0'.repeat(32)}`, `${secret}/`])
      expect((await ask(`${sandbox.baseUrl}${path}`)).status, path).toBe(404);
  });

  it('adds, lists and removes faults, which requests meet', async () => {
    const { sandbox, order } = await open();
    const added = await order({ do: 'add', fault: 'playerInfo=code:404,5' });
    expect(added).toMatchObject({ status: 200, json: { faults: [{ id: 1, where: 'playerInfo', left: 5 }], canSave: false } });
    const [player] = sandbox.players();
    const info = () => sandbox.wallet('playerInfo', { externalToken: player?.externalToken });
    expect((await info()).json).toEqual({ code: 404, message: 'Invalid Token' });
    expect((await order({ do: 'remove', id: 1 })).json).toMatchObject({ faults: [] });
    expect((await info()).json).toMatchObject({ code: 0 });
    expect(await order({ do: 'add', fault: 'x' })).toMatchObject({
      status: 400,
      json: { problem: expect.stringContaining('Write it as') as string },
    });
    expect((await order({ do: 'save' })).json).toEqual({ problem: 'The provider was started without --state.' });
  });

  it.each([
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'content-type': 'text/plain' }, 400],
    [{ host: 'evil.example' }, 421],
  ])('takes no order from another site: %j', async (changed, status) => {
    const { sandbox, order, ask } = await open();
    const sent = await (status === 421
      ? ask(sandbox.controlUrl, { method: 'POST', headers: { ...changed }, servername: 'localhost' })
      : order({ do: 'add', fault: 'all=cut' }, changed as Record<string, string>));
    expect(sent.status).toBe(status);
    expect((await order({ do: 'clear' })).json).toMatchObject({ faults: [] });
    expect((await sandbox.call('getGameRound', '{"roundId":1,"logMonth":0}')).status).toBe(200);
  });

  it('resets the state to that of the start, with the tokens of the start', async () => {
    const start = readStart('players: [{ playerId: a, currency: EUR, balance: 10 }]', 'players.yaml');
    const { sandbox, order } = await open({ start });
    const before = sandbox.players();
    const [{ externalToken } = { externalToken: '' }] = before;
    const bet = { externalToken, playerId: 'a', gameId: '1001', transactionId: 't', amount: 4, currency: 'EUR' };
    expect((await sandbox.wallet('bet', bet)).json).toMatchObject({ balance: 6 });
    expect((await sandbox.wallet('generateNewToken', { token: externalToken, newGameId: '1002' })).json).toMatchObject({
      code: 0,
    });
    expect((await sandbox.wallet('bet', bet)).json).toMatchObject({ code: 404 });
    expect((await order({ do: 'reset' })).status).toBe(200);
    expect(sandbox.players()).toEqual(before);
    // Not a repetition: the transaction is forgotten.
    expect((await sandbox.wallet('bet', bet)).json).toMatchObject({ balance: 6 });
    expect(sandbox.lastWhy()).toBe('The bet was processed.');
  });
});

describe('a saved state', () => {
  it('brings back players, transactions, rounds and free rounds', async () => {
    let kept = '';
    const save: SandboxOptions['save'] = async (world) => void (kept = printWorld(world));
    const { sandbox, order } = await open({ save });
    const [player] = sandbox.players();
    const bet = {
      externalToken: player?.externalToken,
      playerId: player?.playerId,
      gameId: '1001',
      transactionId: '9007199254740995',
      amount: 4.5,
      currency: 'EUR',
    };
    const booked = await sandbox.wallet('bet', bet);
    await sandbox.wallet('win', { ...bet, amount: 9 });
    expect((await order({ do: 'save' })).json).toMatchObject({ done: 'State saved.' });
    const samples = sandbox.samples('player-1');

    const { sandbox: again } = await open({ save, restore: (deps) => restoreWorld(readWorld(kept, 'state.json'), deps) });
    expect(again.players()).toEqual(sandbox.players());
    expect(again.samples('player-1')).toEqual(samples);
    expect((await again.wallet('bet', bet)).text).toBe(booked.text);
    expect(again.lastWhy()).toBe('This transaction was already processed; no money was moved this time.');
    const rounds = await again.call('getGameRound', '{"roundId":9007199254740995,"logMonth":0}');
    expect(rounds.text).toContain('"action":"win"');
    const first = kept;
    await again.save();
    expect(JSON.parse(kept)).toEqual(JSON.parse(first));
  });

  it.each([
    ['{', 'it is not JSON'],
    ['{"players": []}', 'builtInProvider has an unexpected value'],
    ['[]', 'it has an unexpected value'],
  ])('is refused if it is another file: %s', (text, why) => {
    expect(() => readWorld(text, 'state.json')).toThrow(AppError);
    expect(() => readWorld(text, 'state.json')).toThrow(`state.json is not a state that the built-in provider saved: ${why}.`);
  });

  it('that cannot be kept is said, and the provider goes on', async () => {
    const { sandbox, order } = await open({ save: () => Promise.reject(new AppError('storage', 'The disk is full.')) });
    expect(await order({ do: 'save' })).toEqual({ status: 400, json: { problem: 'The disk is full.' } });
    expect((await sandbox.call('getGameRound', '{"roundId":1,"logMonth":0}')).status).toBe(200);
  });
});
