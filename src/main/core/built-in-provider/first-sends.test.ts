import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { SandboxVerdict } from '#shared/ipc/index.ts';
import { formOf, operationByName, operationNames, templateText, type OperationName } from '#shared/provider/index.ts';
import { createTestApp, draftOf, temporaryFolder } from '#testing/app.ts';
import type { TestApp, TestAppOptions } from '#testing/app.ts';

const opened: TestApp[] = [];
afterEach(async () => {
  for (const item of opened.splice(0).reverse()) await item.close();
});

async function open(options: TestAppOptions): Promise<TestApp> {
  const app = await createTestApp(options);
  opened.push(app);
  return app;
}

/** Returns a request as the workbench opens it now: the template with the values that the provider accepts. */
async function openedText({ client }: TestApp, name: OperationName, form: string): Promise<string> {
  const [environment] = (await client.call('environments.list', {})).environments;
  if (environment === undefined) throw new Error('no sandbox');
  const { samples } = await client.call('sandbox.status', {});
  return templateText(operationByName(name), form, environment.defaults, { now: Date.now(), samples });
}

describe('every operation as it is opened', () => {
  const orders = { 'in the order of the spec': operationNames, 'in the reverse order': operationNames.toReversed() };

  it.each(Object.entries(orders))('is accepted on a new home, %s and once more', async (_, names) => {
    const app = await open({ sandbox: true });
    const whys: SandboxVerdict['verdict'][] = [];
    app.client.on('sandbox.judged', ({ verdict }) => whys.push(verdict));
    for (const name of [...names, ...names]) {
      for (const { id: form } of operationByName(name).forms) {
        const text = await openedText(app, name, form);
        const call = await app.send(draftOf('sandbox', { operation: name, form, text }));
        expect(call, `${name} ${form} ${text}: ${whys.at(-1)?.why}`).toMatchObject({ state: 'answered', status: 200, code: 0 });
        expect(call.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(whys.at(-1)?.why).not.toMatch(/built-in provider uses|There is no round/);
      }
    }
    expect(app.faults).toEqual([]);
  });

  it('is accepted whichever player the defaults name', async () => {
    const app = await open({ sandbox: true });
    for (const playerId of ['Zoë-7', 'player-4', 'player-5', 'nobody']) {
      const [environment] = (await app.client.call('environments.list', {})).environments;
      const defaults = { ...environment!.defaults, playerId };
      await app.client.call('environments.save', { environment: { ...environment!, defaults } });
      for (const name of operationNames) {
        for (const { id: form } of operationByName(name).forms) {
          const text = await openedText(app, name, form);
          expect(await app.send(draftOf('sandbox', { operation: name, form, text })), `${name} ${text}`).toMatchObject({
            code: 0,
          });
        }
      }
    }
  });

  it('names what is there now: the new token, the last round, the last bet', async () => {
    const app = await open({ sandbox: true });
    const member = async (name: OperationName, field: string) =>
      (JSON.parse(await openedText(app, name, '')) as Record<string, unknown>)[field];
    const send = async (name: OperationName, text?: string) =>
      app.send(
        draftOf('sandbox', {
          operation: name,
          form: formOf(operationByName(name), '').id,
          text: text ?? (await openedText(app, name, '')),
        }),
      );
    const before = await member('playerInfo', 'externalToken');
    await send('generateNewToken');
    const after = await member('playerInfo', 'externalToken');
    expect(after).not.toBe(before);
    expect(await member('bet', 'externalToken')).toBe(after);

    const bet = await openedText(app, 'bet', '');
    const { transactionId } = JSON.parse(bet) as { transactionId: string };
    const placed = await send('bet', bet);
    expect(await member('cancel', 'transactionId')).toBe(transactionId);
    await send('win');
    expect(await member('cancel', 'transactionId')).not.toBe(transactionId);
    const { externalTrxId } = JSON.parse(Buffer.from(await app.client.body(placed.id)).toString()) as { externalTrxId: string };
    expect(await openedText(app, 'getGameRound', '')).toContain(`"roundId": ${externalTrxId},`);
  });
});

describe('the names that the spec does not show', () => {
  const list = draftOf('sandbox', { operation: 'currencyList', text: '{}' });

  it('are recorded on a new home, and a name that is recorded later counts at once', async () => {
    const app = await open({ sandbox: true });
    const [environment] = (await app.client.call('environments.list', {})).environments;
    expect(environment?.answers).toMatchObject({
      'cancelFreeRounds.action': { value: 'cancelFreeRounds' },
      'currencyList.action': { value: 'currencyList' },
    });
    await app.client.call('environments.save', {
      environment: { ...environment!, answers: { ...environment!.answers, 'currencyList.action': { value: 'allCurrencies' } } },
    });
    const call = await app.send(list);
    expect(call.request.bodyText).toContain('"action":"allCurrencies"');
    expect(call.code).toBe(0);
  });

  it('are those that the provider is started with, and stay', async () => {
    const home = await temporaryFolder();
    const first = await createTestApp({ home, sandbox: { actions: { currencyList: 'money' } } });
    expect((await first.send(list)).request.bodyText).toContain('"action":"money"');
    await first.close();
    const second = await open({ home, sandbox: true });
    expect(await second.send(list)).toMatchObject({ code: 0 });
    expect((await second.client.call('environments.list', {})).environments[0]?.answers['currencyList.action']?.value).toBe(
      'money',
    );
    rmSync(home, { recursive: true, force: true });
  });
});

describe('the provider of another program on the same home', () => {
  it('is used where it answers and has the same key, and else is distinguished', async () => {
    const home = await temporaryFolder();
    const other = await createTestApp({ home, sandbox: { key: 'shared-key' } });
    const mine = await open({ home });
    expect(await mine.app.joinSandbox()).toBe('otherKey');
    expect(await mine.client.call('sandbox.status', {})).toMatchObject({
      running: false,
      controlUrl: null,
      players: [],
      samples: {},
    });
    await mine.app.useKey('sandbox', 'wrong-key');
    expect(await mine.app.joinSandbox()).toBe('otherKey');
    await mine.app.useKey('sandbox', 'shared-key');
    expect(await mine.app.joinSandbox()).toBe('joined');
    expect(await mine.client.call('sandbox.status', {})).toEqual({
      ...(await other.client.call('sandbox.status', {})),
      controlUrl: null,
    });
    const text = await openedText(mine, 'bet', '');
    expect(await mine.send(draftOf('sandbox', { operation: 'bet', text }))).toMatchObject({ code: 0 });
    // The question is not a call: the log has the bet alone.
    expect((await other.client.call('sandbox.log', {})).total).toBe(1);
    await other.close();
    expect(await mine.app.joinSandbox()).toBe('absent');
    rmSync(home, { recursive: true, force: true });
  });

  it('is none on a new home', async () => {
    const { app } = await open({});
    expect(await app.joinSandbox()).toBe('absent');
  });
});
