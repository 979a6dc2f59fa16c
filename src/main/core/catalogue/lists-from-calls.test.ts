import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestApp, draftOf, type TestApp, type TestAppOptions } from '#testing/app.ts';
import { startHttpsServer } from '#testing/https-server.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function open(options?: TestAppOptions): Promise<TestApp> {
  const test = await createTestApp(options);
  opened.push(test);
  return test;
}

const list = (...names: string[]) =>
  JSON.stringify({
    code: 0,
    message: 'ok',
    data: { slots: names.map((gameName, index) => ({ id: index + 1, gameName, bets: [0.1, 0.5], status: 1 })) },
  });

/** Creates a provider whose response the test sets, and its environment. */
async function provider(test: TestApp) {
  const state = { answer: list('One') };
  const server = await startHttpsServer((_, response) => void response.end(state.answer));
  opened.push(server);
  return { state, environment: await test.environment(server) };
}

const snapshotsOf = async (test: TestApp, environmentId: string) =>
  (await test.client.call('catalogue.snapshots', { environmentId })).snapshots;

function gameList(environmentId: string, currency = 'EUR') {
  return draftOf(environmentId, { operation: 'gameList', form: 'main', text: JSON.stringify({ currency }) });
}

describe('a gameList that is sent as any call', () => {
  it('is in the catalogue when its answer is, and listeners are told', async () => {
    const test = await open({ sandbox: true });
    const told: string[] = [];
    test.app.subscribe((name) => name.startsWith('catalogue.') && told.push(name));
    const call = await test.send(gameList('sandbox', 'USD'));
    expect(told).toEqual(['catalogue.changed']);
    const [snapshot] = await snapshotsOf(test, 'sandbox');
    expect(snapshot).toMatchObject({ currency: 'USD', callId: call.id, fetchedAt: call.sentAt, games: 60 });
    const { games } = await test.client.call('catalogue.games', { snapshotId: snapshot?.id ?? 0 });
    expect(games[0]).toMatchObject({ id: '1001', name: 'Lucky Compass' });
    expect(test.faults).toEqual([]);
  });

  it('is kept of a long response too, which a thread reads', async () => {
    const test = await open();
    const { state, environment } = await provider(test);
    state.answer = list(...Array.from({ length: 3_000 }, (_, index) => `Game number ${index}`));
    const call = await test.send(gameList(environment.id));
    const [snapshot] = await snapshotsOf(test, environment.id);
    expect(snapshot).toMatchObject({ callId: call.id, games: 3_000 });
    const fetched = await test.client.call('catalogue.fetch', {
      environmentId: environment.id,
      currency: 'EUR',
      ticket: 'fetch',
      confirmed: false,
    });
    expect(fetched.snapshot).toMatchObject({ id: snapshot?.id, games: 3_000 });
    expect(test.faults).toEqual([]);
  });

  it('is not kept where it has more games than a platform can have', async () => {
    const test = await open();
    const { state, environment } = await provider(test);
    state.answer = JSON.stringify({
      code: 0,
      message: 'ok',
      data: { slots: Array.from({ length: 20_001 }, (_, id) => ({ id })) },
    });
    await test.send(gameList(environment.id));
    expect(await snapshotsOf(test, environment.id)).toEqual([]);
    expect(test.faults).toEqual([
      expect.objectContaining({ message: 'The list was not kept: it has 20,001 games; Croupier keeps at most 20,000.' }),
    ]);
  });

  it('is kept of an exact repeat too', async () => {
    const test = await open();
    const { state, environment } = await provider(test);
    const { id } = await test.send(gameList(environment.id));
    state.answer = list('Two');
    const repeated = await test.client.call('calls.repeat', { id, ticket: 'again', confirmed: false });
    const snapshots = await snapshotsOf(test, environment.id);
    expect(snapshots.map(({ callId, currency }) => [callId, currency])).toEqual([
      [repeated.id, 'EUR'],
      [id, 'EUR'],
    ]);
  });

  it.each([
    ['of another partner', { overrides: { partnerId: '7' } }, list('One')],
    ['of another platform', { overrides: { platform: '9' } }, list('One')],
    ['with another code', {}, list('One').replace('"code":0', '"code":8')],
    ['without a list', {}, '{"code":0,"message":"ok","data":{}}'],
  ])('is not kept %s', async (_, change, answer) => {
    const test = await open();
    const { state, environment } = await provider(test);
    state.answer = answer;
    await test.send({ ...gameList(environment.id), ...change });
    expect(await snapshotsOf(test, environment.id)).toEqual([]);
  });

  it('makes no new snapshot where it is the same as the last one in its currency', async () => {
    const test = await open();
    const { state, environment } = await provider(test);
    const first = await test.send(gameList(environment.id));
    await test.send(gameList(environment.id, 'USD'));
    const again = await test.send(gameList(environment.id));
    // The list that came last is the newest, though it is the first one.
    const snapshots = await snapshotsOf(test, environment.id);
    expect(snapshots.map(({ id, currency, callId }) => [id, currency, callId])).toEqual([
      [1, 'EUR', again.id],
      [2, 'USD', first.id + 1],
    ]);
    state.answer = list('One', 'Two');
    await test.send(gameList(environment.id));
    state.answer = list('One');
    await test.send(gameList(environment.id));
    expect((await snapshotsOf(test, environment.id)).map(({ id }) => id)).toEqual([4, 3, 1, 2]);
  });

  it('is seen when another process on the same home keeps it', async () => {
    const [shown, other] = [await open(), await open()];
    const beside = await createTestApp({ home: shown.home });
    opened.push(beside);
    const { environment } = await provider(other);
    const copy = await beside.environment({ baseUrl: environment.baseUrl, ca: environment.ca });
    expect(await snapshotsOf(shown, copy.id)).toEqual([]);
    const heard = new Promise<void>((resolve) => shown.client.on('catalogue.changed', () => resolve()));
    await beside.send(gameList(copy.id));
    await heard;
    expect(await snapshotsOf(shown, copy.id)).toHaveLength(1);
  });
});

it('keeps each list of a run that differs from the one before, and one of a hundred that are the same', async () => {
  const test = await open();
  const { state, environment } = await provider(test);
  const directory = join(test.home, 'collection');
  await mkdir(directory);
  await writeFile(join(directory, 'list.yaml'), 'operation: gameList\ndata: |\n  {"currency": "EUR"}\n');
  const told: string[] = [];
  test.app.subscribe((name) => name === 'catalogue.changed' && told.push(name));
  const run = async (repeat: number) => {
    const ended = new Promise<void>((resolve) => {
      const stop = test.client.on('runs.progressed', (progress) => {
        if (progress.state === 'running') return;
        stop();
        resolve();
      });
    });
    await test.client.call('runs.start', { directory, environmentId: environment.id, options: { repeat } });
    await ended;
  };
  await run(100);
  expect(await snapshotsOf(test, environment.id)).toHaveLength(1);
  expect(told.length).toBeLessThan(20);
  state.answer = list('One', 'Two');
  await run(2);
  const snapshots = await snapshotsOf(test, environment.id);
  expect(snapshots.map(({ games }) => games)).toEqual([2, 1]);
  expect((await test.client.call('calls.get', { id: snapshots[0]?.callId ?? 0 })).collectionRun).not.toBeNull();
  expect(test.faults).toEqual([]);
});
