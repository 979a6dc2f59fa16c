import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Environment } from '#shared/ipc/index.ts';
import { createTestApp, draftOf, type TestApp } from '../../../testing/app.ts';
import { startHttpsServer } from '../../../testing/https-server.ts';

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
    // To an address, with a method, with headers and with a body of its own.
    ...['url', 'baseUrl', 'method', 'headers', 'body', 'data', 'hashInput', 'key', 'ca', 'proxy'].map((name): [object] => [
      { ...draft, [name]: 'https://evil.example/' },
    ]),
    [draft, { url: 'https://evil.example/' }],
    [draft, { environment: { ...environment, baseUrl: 'https://evil.example/' } }],
    [{ ...draft, overrides: { url: 'https://evil.example/' } }],
    [{ ...draft, overrides: { path: '/admin' } }],
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
  const count = 200;
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
