import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { SandboxVerdict } from '#shared/ipc/index.ts';
import { operations, templateText } from '#shared/provider/index.ts';
import { createTestApp, draftOf, temporaryFolder } from '#testing/app.ts';
import type { TestApp, TestAppOptions } from '#testing/app.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const item of opened.splice(0).reverse()) await item.close();
});

async function open(options?: TestAppOptions): Promise<TestApp> {
  const opening = await createTestApp(options);
  opened.push(opening);
  return opening;
}

function keep<T extends { close(): Promise<void> }>(item: T): T {
  opened.push(item);
  return item;
}

describe('the first start', () => {
  it('has one environment ready, sandbox, with its key, and the first call is answered with code 0', async () => {
    const { client, send, faults } = await open({ sandbox: true });
    const { environments, broken } = await client.call('environments.list', {});
    expect(broken).toEqual([]);
    expect(environments).toHaveLength(1);
    expect(environments[0]).toMatchObject({
      id: 'sandbox',
      name: 'sandbox',
      kind: 'sandbox',
      color: 'green',
      platform: 1,
      partnerId: 42,
    });
    expect(await client.call('keys.status', { environmentId: 'sandbox' })).toMatchObject({ state: 'present', bytes: 64 });
    const status = await client.call('sandbox.status', {});
    expect(status).toMatchObject({ running: true, environmentId: 'sandbox', message: null, baseUrl: environments[0]?.baseUrl });

    expect(status.controlUrl).toMatch(new RegExp(`^${status.baseUrl}/croupier/control/[0-9a-f]{32}$`));

    const call = await send(draftOf('sandbox', { operation: 'gameList', text: '{"currency": "EUR"}' }));
    expect(call).toMatchObject({ state: 'answered', status: 200, code: 0, message: 'ok', failure: null });
    expect(call.findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
    expect(Buffer.from(await client.body(call.id)).toString()).toContain('"slots"');
    expect(faults).toEqual([]);
  });

  it('judges a changed hash, platform and partner as the spec words it', async () => {
    const { client, send } = await open({ sandbox: true });
    const judged: SandboxVerdict[] = [];
    client.on('sandbox.judged', (verdict) => judged.push(verdict));
    const draft = draftOf('sandbox', { operation: 'gameList', text: '{"currency": "EUR"}' });
    expect(await send({ ...draft, overrides: { hash: 'wrong' } })).toMatchObject({ code: 8, message: 'hash not valid' });
    expect(await send({ ...draft, overrides: { platform: '2' } })).toMatchObject({ code: 9 });
    expect(await send({ ...draft, overrides: { partnerId: '"x"' } })).toMatchObject({ code: 9 });
    expect(await send({ ...draft, overrides: { omit: ['hash'] } })).not.toMatchObject({ code: 0 });
    expect(judged.map(({ verdict }) => verdict.code).slice(0, 3)).toEqual([8, 9, 9]);
  });

  it('answers every documented action and wallet method from its template', async () => {
    const { client, send } = await open({ sandbox: true });
    const judged: SandboxVerdict[] = [];
    client.on('sandbox.judged', (verdict) => judged.push(verdict));
    const { environments } = await client.call('environments.list', {});
    const environment = environments[0];
    const { players } = await client.call('sandbox.status', {});
    const player = players[0];
    if (environment === undefined || player === undefined) throw new Error('no sandbox');
    for (const operation of operations.filter(({ endpoint, action }) => endpoint === 'service' && action !== null)) {
      for (const form of operation.forms) {
        // A reference may be used once.
        const text = templateText(operation, form.id, environment.defaults).replaceAll(
          'reference-',
          `${operation.name}-${form.id}-`,
        );
        const call = await send(draftOf('sandbox', { operation: operation.name, form: form.id, text }));
        expect(call, `${operation.name} ${form.id}: ${judged.at(-1)?.verdict.why}`).toMatchObject({ state: 'answered', code: 0 });
      }
    }
    const bet = {
      externalToken: player.externalToken,
      playerId: player.playerId,
      gameId: '1',
      transactionId: 'trx-1',
      amount: 1,
      currency: player.currency,
    };
    const balance = async (operation: 'bet' | 'win' | 'playerInfo', body: object) => {
      const call = await send(draftOf('sandbox', { operation, text: JSON.stringify(body) }));
      expect(call.request.hashInput).toBeNull();
      return (JSON.parse(Buffer.from(await client.body(call.id)).toString()) as { balance: number }).balance;
    };
    const before = await balance('playerInfo', { externalToken: player.externalToken });
    const games = await send(draftOf('sandbox', { operation: 'gameList', text: '{"currency":"EUR"}' }));
    const { slots } = (
      JSON.parse(Buffer.from(await client.body(games.id)).toString()) as { data: { slots: { id: number; bets: number[] }[] } }
    ).data;
    const gameId = String(slots[0]?.id);
    expect(await balance('bet', { ...bet, gameId })).toBeCloseTo(before - 1, 6);
  });

  it('survives non-ASCII text and integers beyond 2^53 in all three serializations', async () => {
    const { client, send } = await open({ sandbox: true });
    const text = '{"roundId": 9007199254740993, "logMonth": 0, "note": "Zażółć gęślą 😀 a/b", "n": 9223372036854775807}';
    for (const serialization of ['php', 'php-unicode', 'verbatim'] as const) {
      const { environments } = await client.call('environments.list', {});
      await client.call('environments.save', { environment: { ...environments[0]!, serialization } });
      const call = await send(draftOf('sandbox', { operation: 'getGameRound', text }));
      expect(call.request.bodyText).toContain('9007199254740993');
      expect((await client.call('calls.get', { id: call.id })).draft.text).toBe(text);
      if (serialization === 'php') expect(call.code).not.toBe(8);
    }
  });

  it('is repeated on the same home with the same environment, and what was changed in it stays', async () => {
    const home = await temporaryFolder();
    keep({ close: async () => rmSync(home, { recursive: true, force: true }) });
    const first = await createTestApp({ home, sandbox: true });
    const { environments } = await first.client.call('environments.list', {});
    await first.client.call('environments.save', { environment: { ...environments[0]!, color: 'violet', platform: 5 } });
    await first.close();
    const second = await open({ home, sandbox: true });
    const again = (await second.client.call('environments.list', {})).environments;
    expect(again).toHaveLength(1);
    expect(again[0]).toMatchObject({ color: 'violet', platform: 5 });
    const draft = draftOf('sandbox', { operation: 'gameList', text: '{"currency": "EUR"}' });
    expect(await second.send(draft)).toMatchObject({ code: 9 });
    expect(await second.send({ ...draft, overrides: { platform: '1' } })).toMatchObject({ code: 0 });
  });

  it('goes on without a provider where it cannot start, and says why', async () => {
    const failing = () => Promise.reject(new AppError('storage', 'The disk is full.'));
    const { client, faults } = await open({ sandbox: true, host: { startSandbox: failing } });
    expect(await client.call('sandbox.status', {})).toEqual({
      running: false,
      environmentId: null,
      baseUrl: null,
      controlUrl: null,
      message: 'The built-in provider could not start. The disk is full.',
      players: [],
      samples: {},
    });
    expect((await client.call('environments.list', {})).environments).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('takes another port where the usual one is taken, and a port that was asked for or none', async () => {
    const blocker = createServer();
    const blocked = await new Promise<boolean>((resolve) => {
      blocker.once('error', () => resolve(false));
      blocker.listen(8443, '127.0.0.1', () => resolve(true));
    });
    try {
      const usual = await open();
      await usual.app.startSandbox();
      const status = await usual.client.call('sandbox.status', {});
      expect(status.running).toBe(true);
      expect(status.baseUrl).not.toBe('https://localhost:8443');
      const asked = await open();
      await asked.app.startSandbox({ port: 8443 });
      const refused = await asked.client.call('sandbox.status', {});
      expect(refused.running).toBe(false);
      expect(refused.message).toContain('8443');
    } finally {
      if (blocked) blocker.close();
    }
  });

  it('of two programs on one home gives each its own provider', async () => {
    const home = await temporaryFolder();
    keep({ close: async () => rmSync(home, { recursive: true, force: true }) });
    const [one, two] = [await open({ home, sandbox: true }), await open({ home, sandbox: true })];
    const addresses = [];
    for (const { client, send } of [one, two]) {
      expect(await send(draftOf('sandbox', { operation: 'gameList', text: '{"currency": "EUR"}' }))).toMatchObject({ code: 0 });
      addresses.push((await client.call('environments.list', {})).environments[0]?.baseUrl);
    }
    expect(new Set(addresses).size).toBe(2);
    expect((await one.client.call('calls.list', {})).total).toBe(2);
    expect((await one.client.call('calls.list', {})).calls).toEqual((await two.client.call('calls.list', {})).calls);
  });

  it('of two that start on one home in the same instant one has the environment, and the other leaves it alone', async () => {
    for (let round = 0; round < 3; round += 1) {
      const home = await temporaryFolder();
      keep({ close: async () => rmSync(home, { recursive: true, force: true }) });
      const apps = [await open({ home }), await open({ home })];
      const others = await Promise.all(apps.map(async ({ app }) => app.startSandbox({ port: 0 })));
      const urls = await Promise.all(apps.map(async ({ client }) => (await client.call('sandbox.status', {})).baseUrl));
      const first = others.indexOf(null);
      expect(others[1 - first]).toBe(urls[first]);
      const { environments } = await (await open({ home })).client.call('environments.list', {});
      expect(environments.map(({ baseUrl }) => baseUrl)).toEqual([urls[first]]);
      for (const { send } of apps)
        expect(await send(draftOf('sandbox', { operation: 'gameList', text: '{"currency": "EUR"}' }))).toMatchObject({ code: 0 });
    }
  });
});
