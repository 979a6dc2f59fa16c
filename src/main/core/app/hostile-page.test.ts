import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { inputs, type CallName, type Environment } from '#shared/ipc/index.ts';
import { outputs } from '#shared/ipc/outputs/index.ts';
import { createTestApp, draftOf, temporaryFolder, type TestApp } from '../../../testing/app.ts';
import { conformanceCases, createGround } from '../../../testing/conformance-cases.ts';
import { inputsWith, textsOfCall } from '../../../testing/contract-inputs.ts';
import { startHttpsServer } from '../../../testing/https-server.ts';
import { malformations } from '../../../testing/malformations.ts';

// A foreign script that ran in the page has the page's one way to core, and writes its messages itself.

let test: TestApp;
let environment: Environment;
let bodies: string[];
const ended: (() => unknown)[] = [];
beforeEach(async () => {
  test = await createTestApp();
  bodies = [];
  const server = await startHttpsServer(({ body }, response) => {
    bodies.push(body.toString('utf8'));
    response.end('{"code":0,"message":"ok","data":{"slots":[]}}');
  });
  ended.push(server.close, test.close);
  environment = await test.environment(server, {}, 'a-key-of-the-page');
});
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

const send = (draft: object, more: object = {}) =>
  test.app.dispatch('calls.send', { draft, ticket: 'hostile', confirmed: true, keyConfirmed: true, ...more });
const rows = async () => (await test.client.call('calls.list', {})).total;

it('a script in the page sends nowhere but to an environment, and nothing but its operations', async () => {
  const draft = draftOf(environment.id, { operation: 'gameList' });
  const refused: [object, object?][] = [
    // With settings that only the command line may replace.
    [draft, { instead: { baseUrl: 'https://evil.example/' } }],
    [draft, { environment: { ...environment, baseUrl: 'https://evil.example/' } }],
    ...['nothing', '/admin', '../gameList', 'GAMELIST', '__proto__', 'constructor'].map((operation): [object] => [
      { ...draft, operation },
    ]),
    // In the name of an environment that is not there.
    ...['', 'none', '../settings', '__proto__', 'constructor', `${environment.id} `].map((environmentId): [object] => [
      { ...draft, environmentId },
    ]),
  ];
  for (const [one, more] of refused) {
    const reply = await send(one, more);
    expect(reply, JSON.stringify([one, more])).toMatchObject({
      ok: false,
      error: { code: expect.stringMatching(/^(?:invalid_input|not_found)$/) as string },
    });
  }
  expect({ bodies, rows: await rows() }).toEqual({ bodies: [], rows: 0 });
});

it('a URL in whatever text of whatever call leads a script in the page nowhere', async () => {
  const heard: string[] = [];
  let sent = 'nothing';
  const elsewhere = createServer((socket) => {
    heard.push(sent);
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  const url = `https://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
  const folder = await temporaryFolder();
  await test.app.startSandbox({ port: 0 });
  ended.push(
    () => elsewhere.close(),
    () => rm(folder, { recursive: true }),
  );
  const ground = { ...(await createGround(test.client, folder)), client: test.client };
  const tried: string[] = [];
  for (const name of Object.keys(inputs) as CallName[]) {
    sent = name;
    const replies: Promise<unknown>[] = [];
    // IDs and tickets have at most 100 characters.
    for (const place of textsOfCall(name, 101)) {
      const [valid] = await conformanceCases[name](ground);
      const input = inputsWith([valid], place, url).find((one) => inputs[name].safeParse(one).success);
      if (input === undefined) continue;
      tried.push(`${name} ${place.path.join('.')}`);
      replies.push(test.app.dispatch(name, input));
    }
    await Promise.all(replies);
  }
  expect(heard).toEqual([]);
  expect(tried).toEqual(
    expect.arrayContaining(['calls.send draft.text', 'catalogue.thumbnail url', 'environments.create environment.baseUrl']),
  );
  // The command line can, in this process.
  sent = 'the command line';
  test.app.useInstead('elsewhere', { baseUrl: url });
  await send(draftOf(environment.id, { operation: 'gameList' }), { ticket: 'elsewhere' });
  expect(heard).toEqual(['the command line']);
});

it('a script in the page finds no input, however odd, that breaks what answers it', { timeout: 120_000 }, async () => {
  const folder = await temporaryFolder();
  await test.app.startSandbox({ port: 0 });
  ended.push(() => rm(folder, { recursive: true }));
  const ground = { ...(await createGround(test.client, folder)), client: test.client };
  const wrong: string[] = [];
  let tried = 0;
  for (const name of Object.keys(inputs) as CallName[]) {
    const odd = (await conformanceCases[name](ground))
      .filter((input) => JSON.stringify(input).length < 10_000)
      .flatMap(malformations)
      .filter((input) => inputs[name].safeParse(input).success);
    await Promise.all(
      odd.map(async (input) => {
        const reply = await test.app.transport.call(name, input);
        const isRight = reply.ok ? outputs[name].safeParse(reply.value).success : reply.error.code !== 'internal';
        if (!isRight) wrong.push(`${name} ${JSON.stringify(input).slice(0, 300)}: ${JSON.stringify(reply).slice(0, 300)}`);
        // A run may be as long as somebody wants it to be.
        if (name === 'runs.start' && reply.ok) await test.app.transport.call('runs.cancel', reply.value);
      }),
    );
    tried += odd.length;
  }
  expect(wrong).toEqual([]);
  expect(test.faults).toEqual([]);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(tried).toBeGreaterThan(500);
});

it('a script in the page loads no picture but those that a game list names', async () => {
  const paths: (string | undefined)[] = [];
  const server = await startHttpsServer(({ request }, response) => {
    paths.push(request.url);
    response.end(`{"code":0,"message":"ok","data":{"slots":[{"id":1,"gameName":"a","thumbnail":"${server.baseUrl}/1.png"}]}}`);
  });
  ended.push(server.close);
  const { id } = await test.environment(server, {}, 'a-key');
  const load = (path: string) => test.client.call('catalogue.thumbnail', { environmentId: id, url: `${server.baseUrl}${path}` });
  expect(await load('/1.png')).toEqual({ problem: 'No game list contains this picture.', cancelled: false });
  await test.client.call('catalogue.fetch', { environmentId: id, currency: 'EUR', ticket: 'list' });
  for (const path of ['/1.png?what=was-read', '/1.png', '/']) await load(path);
  expect(paths.slice(1)).toEqual(['/1.png']);
});

it('a script in the page makes no environment whose calls go unencrypted, with a password or to a file', async () => {
  const { id: _, kind: __, ...draft } = environment;
  for (const baseUrl of [
    'http://evil.example',
    'http://127.0.0.1:1',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'ftp://evil.example',
    'https://user:word@evil.example',
    'https://',
    '//evil.example',
    'https://evil.example/?a=1',
    'https://evil.example/#a',
  ]) {
    for (const field of ['baseUrl', 'walletUrl'] as const) {
      const changed = { ...draft, name: 'new', [field]: baseUrl };
      const made = await test.app.dispatch('environments.create', { environment: changed });
      expect(made, `${field} ${baseUrl}`).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
      const saved = await test.app.dispatch('environments.save', { environment: { ...environment, [field]: baseUrl } });
      expect(saved, `${field} ${baseUrl}`).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    }
  }
});

it('whatever a script in the page sends has its row, however much that is and whatever it stops', async () => {
  const count = 100;
  const sent = Array.from({ length: count }, async (__, index) => {
    const ticket = `flood-${index}`;
    const draft = draftOf(environment.id, { operation: 'getGameRound', text: `{"roundId":${index}}` });
    const reply = test.app.dispatch('calls.send', { draft, ticket, confirmed: true });
    if (index % 3 === 0) void test.app.dispatch('calls.cancel', { ticket });
    return reply;
  });
  await Promise.all(sent);
  const arrived = bodies.map((body) => Number(/"roundId":(\d+)/.exec(body)?.[1]));
  expect(arrived.length).toBeGreaterThan(count / 2);
  const { calls } = await test.client.call('calls.list', { limit: 500 });
  const kept: number[] = [];
  for (const { id } of calls) {
    const { request } = await test.client.call('calls.get', { id });
    kept.push(Number(/"roundId":(\d+)/.exec(request.bodyText)?.[1]));
  }
  expect(new Set(kept).size).toBe(kept.length);
  expect(arrived.filter((id) => !kept.includes(id))).toEqual([]);
});
