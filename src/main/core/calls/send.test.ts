import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Environment } from '#shared/ipc/index.ts';
import { draftOf, temporaryFolder } from '#testing/app.ts';
import { startHttpsServer } from '#testing/https-server.ts';
import { createDatabase } from '../database/database.ts';
import { createSessionLock } from '../files/session-lock.ts';
import { createCancellation } from './cancellation.ts';
import { createConnections } from '../network/connections.ts';
import { createHistoryStore } from '../history/store.ts';
import { repeatOf } from './repeat.ts';
import { readResponse } from './read-response.ts';
import { createSender } from './send.ts';

let home: string;
const opened: { close(): unknown }[] = [];
beforeEach(async () => {
  home = await temporaryFolder();
});
afterEach(async () => {
  for (const item of opened.splice(0).reverse()) await item.close();
  rmSync(home, { recursive: true, force: true });
});

async function prepare(answer: string) {
  const server = await startHttpsServer((_, response) => void response.end(answer));
  const run = createSessionLock(join(home, 'runs'));
  const database = createDatabase(join(home, 'history.sqlite'));
  const history = createHistoryStore(database, run);
  const connections = createConnections();
  opened.push(server, run, database, history, connections);
  const environment = Environment.parse({
    id: 'e',
    name: 'e',
    baseUrl: server.baseUrl,
    ca: server.ca,
    platform: 1,
    partnerId: 2,
  });
  const { send, repeat } = createSender({
    connections,
    keys: {
      sign: async (_, parts) => ({
        digest: createHash('sha256').update(Buffer.concat(parts)).digest('hex'),
        held: [],
        fingerprint: 'aaaa-bb',
      }),
      find: async () => [],
    },
    recorder: history,
    readResponse,
    nameOf: (id) => id,
    now: () => Date.UTC(2026, 10, 20, 10, 15, 30),
    userAgent: 'Test/1',
  });
  return { environment, send, repeat, history, database };
}

const unasked = (): void => undefined;

it('sends with the time it was given and the fingerprint of the key that signed', async () => {
  const { environment, send } = await prepare('{"code":0,"message":"ok","data":{"slots":[]}}');
  const call = await send(draftOf('e', { operation: 'gameList' }), environment, createCancellation(), unasked);
  expect(call).toMatchObject({ code: 0, sentAt: Date.UTC(2026, 10, 20, 10, 15, 30) });
  expect(call.request).toMatchObject({ hashInput: { time: '20-11-2026 10:15:30' }, keyFingerprint: 'aaaa-bb' });
  const literal = draftOf('e', { operation: 'gameList', overrides: { hash: 'x' } });
  expect((await send(literal, environment, createCancellation(), unasked)).request.keyFingerprint).toBeNull();
});

it('gives a call as the history has it: signed with and without data, unsigned, with a hash of its own, and repeated', async () => {
  const { environment, send, repeat, history } = await prepare('{"code":7,"message":"no","data":null}');
  const drafts = [
    draftOf('e', { operation: 'bet', text: '{"playerId":"Zoë"}' }),
    draftOf('e', { operation: 'gameList', text: '' }),
    draftOf('e', { operation: 'gameList', overrides: { hash: 'wrong' } }),
    draftOf('e', { operation: 'gameList', overrides: { hash: 'x', time: 't' } }),
    draftOf('e', { operation: 'win', text: '{}' }),
  ];
  for (const draft of drafts) {
    const asked: string[] = [];
    const call = await send(draft, environment, createCancellation(), ({ url }) => void asked.push(url));
    expect(asked).toEqual([call.url]);
    expect(history.get(call.id)).toEqual(call);
    expect(call).toMatchObject({
      code: 7,
      message: 'no',
      status: 200,
      day: '2026-11-20',
      pinned: false,
      note: '',
      repeats: null,
    });
    expect(call.requestBytes).toBe(Buffer.byteLength(call.request.bodyText));
    const { hashInput, bodyText } = call.request;
    if (hashInput !== null && hashInput.dataJson !== null) {
      const bytes = Buffer.from(bodyText).subarray(hashInput.dataOffset, hashInput.dataOffset + hashInput.dataLength);
      expect(bytes.toString()).toBe(hashInput.dataJson);
    }
    expect(call.request.headers).toEqual([
      ['host', new URL(call.url).host],
      ['connection', 'keep-alive'],
      ['content-type', 'application/json'],
      ['accept', 'application/json'],
      ['accept-encoding', 'identity'],
      ['user-agent', 'Test/1'],
      ['content-length', String(call.requestBytes)],
    ]);
    const again = await repeat(repeatOf(history.sent(call.id), environment, 5), createCancellation(), unasked);
    expect(history.get(again.id)).toEqual(again);
    expect(again).toMatchObject({ request: call.request, draft, repeats: call.id, sentAt: 5 });
  }
});

it('sends nothing and records nothing where it is not confirmed, or cancelled while it is made ready', async () => {
  const { environment, send, repeat, history } = await prepare('{"code":0}');
  const no = () => {
    throw new Error('not confirmed');
  };
  await expect(send(draftOf('e', { operation: 'gameList' }), environment, createCancellation(), no)).rejects.toThrow(
    'not confirmed',
  );
  const cancelled = createCancellation();
  cancelled.request();
  await expect(send(draftOf('e', { operation: 'gameList' }), environment, cancelled, unasked)).rejects.toMatchObject({
    code: 'cancelled',
  });
  const { id } = await send(draftOf('e', { operation: 'gameList' }), environment, createCancellation(), unasked);
  await expect(repeat(repeatOf(history.sent(id), environment, 5), createCancellation(), no)).rejects.toThrow('not confirmed');
  await expect(repeat(repeatOf(history.sent(id), environment, 5), cancelled, unasked)).rejects.toMatchObject({
    code: 'cancelled',
  });
  expect(() => history.get(id + 1)).toThrow();
});

it('gives the answer back even where the disk does not take it any more, and says that it is not in the history', async () => {
  const answer = JSON.stringify({ code: 0, message: 'ok', data: { slots: [], filler: 'x'.repeat(500_000) } });
  const { environment, send, history, database } = await prepare(answer);
  const draft = draftOf('e', { operation: 'gameList' });
  await send({ ...draft, operation: 'playerInfo' }, environment, createCancellation(), unasked);
  const pages = Number(database.connection().prepare('PRAGMA page_count').get()?.['page_count']);
  database.connection().exec(`PRAGMA max_page_count = ${pages + 20}`);
  const call = await send(draft, environment, createCancellation(), unasked);
  expect(call).toMatchObject({ state: 'answered', code: 0, responseBytes: answer.length });
  expect(call.findings[0]).toMatchObject({ rule: 'history.outcome', severity: 'error' });
  expect(call.findings[0]?.message).toContain('disk is full');
  expect(history.get(call.id)).toMatchObject({ state: 'pending', response: null });
});

it.each([
  ['http://provider.example', 'https only'],
  ['ftp://provider.example', 'must start with https://'],
  ['not a URL', 'not a web URL'],
])('records a call to %s as refused, with nothing sent', async (baseUrl, words) => {
  const { environment, send, repeat, history } = await prepare('{"code":0}');
  const there = { ...environment, baseUrl };
  const call = await send(draftOf('e', { operation: 'gameList' }), there, createCancellation(), unasked);
  expect(call).toMatchObject({ state: 'failed', response: null, failure: { kind: 'address', phase: 'address' } });
  expect(call.failure?.message).toContain(words);
  expect(history.get(call.id)).toEqual(call);
  const again = await repeat(repeatOf(history.sent(call.id), there, 0), createCancellation(), () => undefined);
  expect(again).toMatchObject({ repeats: call.id, state: 'failed', response: null, failure: call.failure });
  expect(history.get(again.id)).toEqual(again);
});
