import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#testing/app.ts';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';
import { createDatabase } from '../database/database.ts';
import { createSnapshotStore } from './store.ts';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

let test: TestApp;
let provider: TestServer;
let answer = '{}';
beforeAll(async () => {
  test = await createTestApp({ sandbox: true });
  provider = await startHttpsServer((_, response) => void response.end(answer));
});
afterAll(async () => {
  await test.close();
  await provider.close();
});

let tickets = 0;
function fetchGames(environmentId = 'sandbox', currency = 'EUR') {
  return test.client.call('catalogue.fetch', { environmentId, currency, ticket: `games-${++tickets}` });
}
const gamesOf = async (snapshotId: number | undefined) =>
  (await test.client.call('catalogue.games', { snapshotId: snapshotId ?? 0 })).games;

describe('the game list of the built-in provider', () => {
  it('is fetched through the history and kept with its exact texts', async () => {
    const changes: unknown[] = [];
    const stop = test.app.subscribe((name) => name === 'catalogue.changed' && changes.push(name));
    const { call, snapshot } = await fetchGames();
    stop();
    expect(call).toMatchObject({ operation: 'gameList', code: 0 });
    expect(snapshot).toMatchObject({ environmentId: 'sandbox', currency: 'EUR', callId: call.id, games: 60, problems: [] });
    expect(changes).toHaveLength(1);
    const games = await gamesOf(snapshot?.id);
    expect(games).toHaveLength(60);
    expect(games[0]).toMatchObject({ id: '1001', name: 'Lucky Compass', status: '1' });
    expect(games[0]?.bets.length).toBeGreaterThan(0);
    expect((await test.client.call('catalogue.snapshots', {})).snapshots[0]).toEqual(snapshot);
  });

  it('in another currency differs in nothing, since bets are not compared', async () => {
    const [from, to] = [await fetchGames(), await fetchGames('sandbox', 'JPY')];
    const compared = await test.client.call('catalogue.compare', { from: from.snapshot?.id ?? 0, to: to.snapshot?.id ?? 0 });
    expect(compared).toMatchObject({ betsCompared: false, added: [], removed: [], changed: [], same: 60 });
  });

  it('is not kept where the code is not 0', async () => {
    const before = (await test.client.call('catalogue.snapshots', {})).snapshots.length;
    const { call, snapshot } = await fetchGames('sandbox', 'XXX');
    expect(call.code).not.toBe(0);
    expect(snapshot).toBeNull();
    expect((await test.client.call('catalogue.snapshots', {})).snapshots).toHaveLength(before);
  });
});

describe('a game list of any provider', () => {
  const list = (slots: string) => `{"code":0,"message":"ok","data":{"slots":${slots}}}`;

  it('keeps every digit, every place of a bet and the order, and says what it could not take', async () => {
    const { id } = await test.environment(provider);
    answer = list(
      '[{"id":9007199254740993,"gameName":"A\\u00e4","bets":[0.10,1.50,null,1e2],"thumbnail":"https://x.example/a.png","status":3},' +
        '{"id":"text-7","bets":"no","status":"new"},{"gameName":"nameless"},{"id":9007199254740993,"gameName":"B"},null,7]',
    );
    const { snapshot } = await fetchGames(id);
    expect(await gamesOf(snapshot?.id)).toEqual([
      {
        id: '9007199254740993',
        name: 'Aä',
        bets: ['0.10', '1.50', '', '1e2'],
        thumbnail: 'https://x.example/a.png',
        status: '3',
      },
      { id: 'text-7', name: '', bets: [], thumbnail: '', status: 'new' },
      { id: '9007199254740993', name: 'B', bets: [], thumbnail: '', status: null },
    ]);
    expect(snapshot?.problems).toEqual([
      '3 entries have no ID and cannot be shown.',
      '1 game has an ID in quotes.',
      '1 game has no valid ID (a whole number from 0).',
      '1 game has no name.',
      '3 games have bets that are not a list of numbers.',
      '2 games have no http or https thumbnail URL.',
      '2 games have no whole-number status.',
      'Listed more than once: 9007199254740993.',
    ]);
  });

  it.each([
    ['nothing', '', []],
    ['an ID in quotes', '"id":"7"', ['1 game has an ID in quotes.']],
    ['a negative ID', '"id":-7', ['1 game has no valid ID (a whole number from 0).']],
    ['half an ID', '"id":7.5', ['1 game has no valid ID (a whole number from 0).']],
    ['bets in quotes', '"bets":["0.2"]', ['1 game has bets that are not a list of numbers.']],
    ['a bet of nothing', '"bets":[0,1]', ['1 game has a bet that is 0 or less.']],
    ['a negative bet', '"bets":[-1]', ['1 game has a bet that is 0 or less.']],
    ['a path', '"thumbnail":"/a.png"', ['1 game has no http or https thumbnail URL.']],
    ['a script', '"thumbnail":"javascript:alert(1)"', ['1 game has no http or https thumbnail URL.']],
    ['a status in words', '"status":"active"', ['1 game has no whole-number status.']],
  ])('says of a game with %s', async (_, member, problems) => {
    const { id } = await test.environment(provider);
    const whole = '"id":7,"gameName":"A","bets":[0.2,1e2],"thumbnail":"https://x.example/a.png","status":1';
    const name = member.split(':', 1)[0] ?? '';
    const members = member === '' ? whole : whole.replace(new RegExp(`${name}:(?:\\[.*?\\]|[^,]*)`), member);
    answer = list(`[{${members}}]`);
    expect((await fetchGames(id)).snapshot?.problems).toEqual(problems);
  });

  it.each([
    ['no list', '{"code":0,"data":{}}'],
    ['no JSON', 'hello'],
    ['an object for the list', list('{}')],
  ])('is not kept where there is %s', async (_, body) => {
    const { id } = await test.environment(provider);
    answer = body;
    expect((await fetchGames(id)).snapshot).toBeNull();
  });

  it('is compared with a later one game by game', async () => {
    const { id } = await test.environment(provider);
    const game = (gameId: number, rest: string) => `{"id":${gameId},${rest}}`;
    answer = list(
      `[${game(1, '"gameName":"One","bets":[0.1,0.2,0.5],"thumbnail":"a","status":1')},${game(2, '"gameName":"Two","bets":[1],"status":1')},` +
        `${game(3, '"gameName":"Three","bets":[1.5],"status":1')},${game(4, '"gameName":"Four","bets":[]')}]`,
    );
    const from = (await fetchGames(id)).snapshot?.id ?? 0;
    answer = list(
      `[${game(5, '"gameName":"Five","bets":[]')},${game(1, '"gameName":"Uno","bets":[0.1,0.25,0.5,1],"thumbnail":"b","status":1')},` +
        `${game(3, '"gameName":"Three","bets":[1.50],"status":2')},${game(4, '"gameName":"Four","bets":[]')}]`,
    );
    const to = (await fetchGames(id)).snapshot?.id ?? 0;
    const compared = await test.client.call('catalogue.compare', { from, to });
    expect(compared.added.map((added) => added.id)).toEqual(['5']);
    expect(compared.removed.map((removed) => removed.id)).toEqual(['2']);
    expect(compared.same).toBe(1);
    expect(compared.changed).toEqual([
      {
        id: '1',
        name: 'Uno',
        renamed: { from: 'One', to: 'Uno' },
        bets: { from: ['0.1', '0.2', '0.5'], to: ['0.1', '0.25', '0.5', '1'], levels: [1, 3] },
        status: null,
        thumbnail: { from: 'a', to: 'b' },
      },
      { id: '3', name: 'Three', renamed: null, bets: null, status: { from: '1', to: '2' }, thumbnail: null },
    ]);
  });

  it('of 10,000 games with 50 bets each comes back whole', async () => {
    const { id } = await test.environment(provider);
    const bets = Array.from({ length: 50 }, (_, level) => (level + 1) / 4);
    const slots = Array.from({ length: 10_000 }, (_, index) => ({
      id: index + 1,
      gameName: `Game number ${index}`,
      bets,
      thumbnail: `https://cdn.example/thumbs/${index}.png`,
      status: index % 3,
    }));
    answer = list(JSON.stringify(slots));
    const { snapshot } = await fetchGames(id);
    expect(snapshot?.games).toBe(10_000);
    const games = await gamesOf(snapshot?.id);
    expect(games).toHaveLength(10_000);
    expect(games[9_999]).toMatchObject({ id: '10000', bets: bets.map(String) });
  });

  it('that is beyond the limits is refused by them, and is not called something else', async () => {
    const { id } = await test.environment(provider);
    answer = list(`[${'{},'.repeat(600_000)}{}]`);
    await expect(fetchGames(id)).rejects.toThrow(
      'The response was not read: it has about 1,200,007 values; Croupier reads at most 1,200,000. Save it to a file and read it there.',
    );
    const [call] = (await test.client.call('calls.list', { limit: 1 })).calls;
    expect(call).toMatchObject({ code: 0, doubt: expect.stringMatching(/^The response beyond code and message was not read/) });
    expect(await test.client.call('catalogue.snapshots', { environmentId: id })).toEqual({ snapshots: [] });
  });
});

it('keeps the newest lists of each environment', async () => {
  const database = createDatabase(join(test.home, 'snapshots.sqlite'));
  const store = createSnapshotStore(database, { currency: 10, environment: 2 });
  let callId = 0;
  const add = async (environmentId: string) => {
    const { id } = await store.add(
      { environmentId, environmentName: 'n', currency: 'EUR', callId: ++callId, fetchedAt: 1, problems: [] },
      [{ id: '1', name: `of call ${callId}`, bets: '[]', thumbnail: '', status: null }],
    );
    return id;
  };
  const [first, other, second, third] = [await add('a'), await add('b'), await add('a'), await add('a')];
  expect(store.list().map(({ id }) => id)).toEqual([third, second, other]);
  await expect(store.get(first)).rejects.toThrow('There is no game list');
  const left = database.run((connection) => connection.prepare('SELECT count(*) AS n FROM catalogue_games').get());
  expect(left).toEqual({ n: 3 });
  database.close();
});

it('keeps the newest lists of each currency, and those of no environment that is gone', async () => {
  const database = createDatabase(join(test.home, 'currencies.sqlite'));
  const store = createSnapshotStore(database, { currency: 2, environment: 50 });
  let callId = 0;
  const add = (environmentId: string, currency: string) =>
    store.add({ environmentId, environmentName: 'n', currency, callId: (callId += 1), fetchedAt: callId, problems: [] }, [
      { id: String(callId), name: 'g', bets: '[]', thumbnail: '', status: null },
    ]);
  for (const currency of ['EUR', 'USD', 'EUR', 'EUR']) await add('one', currency);
  await add('two', 'EUR');
  expect(store.list('one').map(({ callId: call }) => call)).toEqual([4, 3, 2]);
  expect(store.drop(['one', 'two'])).toBe(false);
  expect(store.drop(['one'])).toBe(true);
  expect(store.drop(['one'])).toBe(false);
  expect(store.list().map(({ environmentId }) => environmentId)).toEqual(['one', 'one', 'one']);
  // Kept by an earlier version, which kept 50 whatever their currency.
  const fewer = createSnapshotStore(database, { currency: 1, environment: 1 });
  expect([fewer.drop(['one']), fewer.drop(['one']), fewer.drop(['one'])]).toEqual([true, true, false]);
  expect(fewer.list().map(({ callId: call }) => call)).toEqual([4]);
  database.close();
});

it('keeps, compares, shows and drops a long list in steps, and shows no part of it', async () => {
  const database = createDatabase(join(test.home, 'long.sqlite'));
  const store = createSnapshotStore(database, { currency: 1, environment: 50 });
  const bets = JSON.stringify(Array.from({ length: 50 }, (_, level) => `0.${level}`));
  const games = Array.from({ length: 10_000 }, (_, at) => ({ id: `${at}`, name: 'g', bets, thumbnail: '', status: null }));
  const about = { environmentId: 'e', environmentName: 'e', currency: 'EUR', problems: [] };
  const adding = store.add({ ...about, callId: 1, fetchedAt: 1 }, games);
  const again = store.add({ ...about, callId: 2, fetchedAt: 2 }, games);
  const seen = new Set<number>();
  for (let done = false; !done;) {
    void adding.then(() => (done = true));
    await setImmediate();
    seen.add(database.run((one) => Number(one.prepare('SELECT count(*) AS n FROM catalogue_games').get()?.['n'])));
    if (!done) expect(store.list()).toEqual([]);
  }
  expect(seen.size).toBeGreaterThan(3);
  const { id } = await adding;
  expect(await again).toMatchObject({ id, callId: 2 });
  expect(await store.get(id)).toEqual({ snapshot: { ...about, id, callId: 2, fetchedAt: 2, games: 10_000 }, games });
  await store.add({ ...about, callId: 3, fetchedAt: 3 }, games.slice(1));
  expect(store.list()).toMatchObject([{ callId: 3, games: 9_999 }]);
  let steps = 0;
  while (store.drop(['e'])) steps += 1;
  expect(steps).toBeGreaterThan(2);
  expect(database.run((one) => one.prepare('SELECT count(*) AS n FROM catalogue_games').get())).toEqual({ n: 9_999 });
  database.close();
});
