import { afterEach, describe, expect, it } from 'vitest';
import { createFaults, readFault } from '#shared/provider/faults-on-demand.ts';
import { startTestSandbox, type TestSandbox } from '#testing/sandbox-client.ts';

const ended: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of ended.splice(0)) await one.close();
});

async function start(...faults: string[]): Promise<TestSandbox> {
  const sandbox = await startTestSandbox({ faults: faults.map((text) => readFault(text)) });
  ended.push(sandbox);
  return sandbox;
}

function betOf({ players }: TestSandbox, transactionId = 't-1') {
  const [{ playerId, externalToken, currency } = { playerId: '', externalToken: '', currency: '' }] = players();
  return { externalToken, playerId, gameId: '1001', transactionId, amount: 1, currency };
}

const balanceOf = ({ players }: TestSandbox) => players()[0]?.balance;

describe('a fault as it is written', () => {
  it.each([
    ['bet=500', { where: 'bet', effect: { kind: 'status', status: 500 }, left: null }],
    ['all=delay:1500,2', { where: 'all', effect: { kind: 'delay', ms: 1500 }, left: 2 }],
    ['gameList=code:-3', { where: 'gameList', effect: { kind: 'code', code: -3 }, left: null }],
    ['win=cut', { where: 'win', effect: { kind: 'cut' }, left: null }],
    ['win=cut-body', { where: 'win', effect: { kind: 'cutBody' }, left: null }],
    ['win=drip', { where: 'win', effect: { kind: 'drip' }, left: null }],
    ['win=cut-after,10', { where: 'win', effect: { kind: 'cutAfter' }, left: 10 }],
  ])('reads %s', (text, fault) => expect(readFault(text)).toEqual(fault));

  it.each([
    '',
    'bet',
    'bet=',
    '=500',
    'bett=500',
    'bet=200',
    'bet=600',
    'bet=delay',
    'bet=delay:0',
    'bet=delay:600001',
    'bet=500,0',
    'bet=500,x',
    'bet=cut:1',
    'bet=repeat:5',
    'toString=500',
  ])('refuses %j', (text) => expect(() => readFault(text)).toThrow('Write it as'));

  it('counts down, and is gone then', () => {
    const faults = createFaults([readFault('bet=500,2'), readFault('all=delay:5')]);
    const met = [faults.meet('bet'), faults.meet('win'), faults.meet('bet'), faults.meet('bet')];
    expect(met.map(({ delayMs, effect }) => [delayMs, effect?.kind])).toEqual([
      [5, 'status'],
      [5, undefined],
      [5, 'status'],
      [5, undefined],
    ]);
    expect(faults.list()).toHaveLength(1);
  });
});

describe('a provider with faults on demand', () => {
  it('answers with a status and does not act, as often as asked', async () => {
    const sandbox = await start('bet=503,1');
    const before = balanceOf(sandbox);
    const failed = await sandbox.wallet('bet', betOf(sandbox));
    expect(failed).toMatchObject({ status: 503, json: { code: 404 } });
    expect(sandbox.lastWhy()).toBe(
      'Injected fault: HTTP 503. The provider did not act on the request. The spec shows no code for this; the built-in provider uses 404.',
    );
    expect(balanceOf(sandbox)).toBe(before);
    expect(await sandbox.wallet('bet', betOf(sandbox))).toMatchObject({ status: 200, json: { code: 0 } });
  });

  it('answers with a code, at the endpoint with the form of its rejections', async () => {
    const sandbox = await start('gameList=code:8', 'playerInfo=code:77');
    expect(await sandbox.call('gameList', '{}')).toMatchObject({
      status: 200,
      text: '{"code":8,"message":"hash not valid","data":null}',
    });
    expect(await sandbox.wallet('playerInfo', {})).toMatchObject({
      status: 200,
      text: '{"code":77,"message":"fault on demand"}',
    });
    expect(await sandbox.call('currencyList')).toMatchObject({ json: { code: 9 } });
  });

  it('cuts the connection before it acts, or after', async () => {
    const sandbox = await start('bet=cut,1', 'bet=cut-after,1');
    const before = balanceOf(sandbox) ?? 0;
    await expect(sandbox.wallet('bet', betOf(sandbox))).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(balanceOf(sandbox)).toBe(before);
    await expect(sandbox.wallet('bet', betOf(sandbox))).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(balanceOf(sandbox)).toBe(before - 1);
    expect(sandbox.lastWhy()).toBe(
      'The bet was processed. Injected fault: Croupier cut the connection instead of sending this response.',
    );
    // The retry that a game must send.
    expect(await sandbox.wallet('bet', betOf(sandbox))).toMatchObject({ status: 200, json: { code: 0, balance: before - 1 } });
    expect(balanceOf(sandbox)).toBe(before - 1);
  });

  it('holds a response back, acts at once, and says so', async () => {
    const sandbox = await start('bet=delay:300');
    const before = balanceOf(sandbox) ?? 0;
    const began = performance.now();
    const answer = sandbox.wallet('bet', betOf(sandbox));
    await expect.poll(() => balanceOf(sandbox)).toBe(before - 1);
    expect((await answer).headers['x-croupier-why']).toContain('held the response back for 300 ms');
    expect(performance.now() - began).toBeGreaterThanOrEqual(295);
  });

  it('meets the wallet calls of its game, which does not blame the player for it', async () => {
    const sandbox = await start('win=500,1', 'playerInfo=code:404,1');
    const [player] = sandbox.players();
    const game = { platform: '7', partnerId: '12', gameId: '1001', gameMode: 'real', externalToken: player?.externalToken };
    const ask = (path: string) => sandbox.send(`/game-api/${path}`, JSON.stringify({ ...game, betIndex: 0 }));
    expect((await ask('session')).json).toEqual({ problem: 'wallet' });
    expect((await ask('session')).json).toMatchObject({ mode: 'real' });
    expect((await ask('spin')).json).toEqual({ problem: 'wallet' });
    expect(sandbox.verdicts.map(({ path }) => path)).toEqual(['/playerInfo', '/playerInfo', '/playerInfo', '/bet', '/win']);
    expect((await ask('spin')).json).not.toHaveProperty('problem');
  });
});
