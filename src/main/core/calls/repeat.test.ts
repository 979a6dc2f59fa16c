import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { Call, SandboxVerdict } from '#shared/ipc/index.ts';
import { exportWhole } from '#shared/ipc/read-export.ts';
import { operations } from '#shared/provider/index.ts';
import { createTestApp, draftOf } from '#testing/app.ts';
import type { TestApp, TestAppOptions } from '#testing/app.ts';
import { startHttpsServer } from '#testing/https-server.ts';
import type { Received } from '#testing/https-server.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const item of opened.splice(0).reverse()) await item.close();
});

const accepted = '{"code":0,"message":"ok","data":null}';

async function open(options?: TestAppOptions) {
  const test = await createTestApp(options);
  opened.push(test);
  let tickets = 0;
  const repeat = (id: number, confirmed = false, ticket = `repeat-${++tickets}`) =>
    test.client.call('calls.repeat', { id, ticket, confirmed });
  return { ...test, repeat };
}

/** A server that keeps every body and header list it got. */
async function listen(answer: (received: Received, response: ServerResponse) => void = (_, response) => response.end(accepted)) {
  const received: { body: Buffer; headers: string[] }[] = [];
  const server = await startHttpsServer((got, response) => {
    received.push({ body: got.body, headers: got.request.rawHeaders });
    answer(got, response);
  });
  opened.push(server);
  return { ...server, received };
}

/** Returns the fields of a call that describe what was sent. */
const sentOf = ({ url, operation, requestBytes, draft, request }: Call) => ({ url, operation, requestBytes, draft, request });

/** Rows that another program wrote, or that were damaged. */
function change({ home }: TestApp, sql: string): void {
  const database = new DatabaseSync(join(home, 'history.sqlite'), { timeout: 5_000 });
  database.exec(sql);
  database.close();
}

describe('an exact repeat', () => {
  it('is every byte and header that was recorded, for each form of each operation', async () => {
    const server = await listen();
    const { environment, send, repeat, client } = await open();
    const { id } = await environment(server, { answers: { 'cancelFreeRounds.action': { value: 'cancelFreeRounds' } } });
    const odd = '{ "roundId": 9007199254740993, "amount":1.50, "name" : "Zoë 幸運 😀\\u2028/<>" }';
    const drafts = operations
      .filter(({ name }) => name !== 'currencyList' && name !== 'cancelFreeRounds')
      .map(({ name }) => draftOf(id, { operation: name, text: name === 'gameList' ? '{"currency": "EUR"}' : odd }));
    const overridden = draftOf(id, {
      operation: 'getGameRound',
      text: odd,
      overrides: { hash: 'wrong', time: 'gestern ü', platform: '"x"' },
    });
    for (const draft of [...drafts, overridden]) {
      const first = await send(draft);
      const again = await repeat(first.id);
      expect(again.id).toBeGreaterThan(first.id);
      expect(again).toMatchObject({ repeats: first.id, code: 0, state: 'answered', failure: null, pinned: false, note: '' });
      expect(sentOf(again)).toEqual(sentOf(first));
      expect(await client.call('calls.get', { id: again.id })).toEqual(again);
      const [one, other] = server.received.splice(0);
      expect(other?.body.equals(one?.body ?? Buffer.alloc(0))).toBe(true);
      expect(other?.body.length).toBe(first.requestBytes);
      expect(other?.headers).toEqual(one?.headers);
    }
    const { calls } = await client.call('calls.list', { limit: 2 });
    expect(calls.map(({ repeats }) => repeats)).toEqual([(calls[0]?.id ?? 0) - 1, null]);
  });

  it('of bytes that are no UTF-8, as a backend may send, is those bytes', async () => {
    const server = await listen();
    const test = await open();
    const { id } = await test.environment(server);
    const first = await test.send(draftOf(id, { operation: 'bet', text: '{"transactionId":"??"}' }));
    // Nothing here writes such a body; only the row counts.
    const bytes = '7b227472616e73616374696f6e4964223a22ff80227d';
    change(test, `UPDATE call_requests SET body = X'${bytes}' WHERE call_id = ${first.id}`);
    change(test, `UPDATE calls SET origin = 'backend' WHERE id = ${first.id}`);
    const again = await test.repeat(first.id);
    expect(server.received.at(-1)?.body.toString('hex')).toBe(bytes);
    // Whoever sent the first, this one is Croupier's.
    expect([again.repeats, again.origin]).toEqual([first.id, undefined]);
  });

  it('is judged by the provider by its old time and hash: the right one is accepted, the wrong one is code 8 again', async () => {
    const { send, repeat, app } = await open({ sandbox: true });
    const verdicts: SandboxVerdict[] = [];
    app.subscribe((name, payload) => {
      if (name === 'sandbox.judged') verdicts.push(payload as SandboxVerdict);
    });
    const text = '{"roundId": 9007199254740993, "logMonth": 0, "note": "Zoë 幸運"}';
    const right = await send(draftOf('sandbox', { operation: 'getGameRound', text }));
    const wrong = await send(draftOf('sandbox', { operation: 'gameList', overrides: { hash: 'wrong' } }));
    expect(wrong.code).toBe(8);
    expect((await repeat(right.id)).code).toBe(right.code);
    expect((await repeat(wrong.id)).code).toBe(8);
    const [first, second, firstAgain, secondAgain] = verdicts.map(({ bodyText }) => bodyText);
    expect([firstAgain, secondAgain]).toEqual([first, second]);
    expect(first).toContain('9007199254740993');
  });

  it('needs no key, and goes out with the limits and certificates of the environment as it is now', async () => {
    const server = await listen(({ request }, response) => void (request.url === '/serviceApi.php' && response.end(accepted)));
    const { environment, send, repeat, client } = await open();
    const made = await environment(server);
    const first = await send(draftOf(made.id, { operation: 'gameList' }));
    await client.call('keys.remove', { environmentId: made.id });
    await client.call('environments.save', { environment: { ...made, name: 'renamed', maxResponseBytes: 1_024 } });
    expect(await repeat(first.id)).toMatchObject({ code: 0, environmentName: 'renamed' });
    await client.call('environments.save', { environment: { ...made, ca: '' } });
    expect(await repeat(first.id)).toMatchObject({ state: 'failed', failure: { kind: 'tls' }, repeats: first.id });
  });

  it('of a repeat says which call it was made from', async () => {
    const server = await listen();
    const { environment, send, repeat } = await open();
    const first = await send(draftOf((await environment(server)).id, { operation: 'gameList' }));
    const second = await repeat(first.id);
    const third = await repeat(second.id);
    expect(third).toMatchObject({ repeats: second.id, request: { bodyText: first.request.bodyText } });
  });

  it('of a call without an answer is possible, and is what makes sure that it arrived once at least', async () => {
    let quiet = true;
    const server = await listen((_, response) => void (quiet ? response.destroy() : response.end(accepted)));
    const { environment, send, repeat } = await open();
    const first = await send(draftOf((await environment(server)).id, { operation: 'bet', text: '{"transactionId":"t-1"}' }));
    expect(first.state).toBe('failed');
    quiet = false;
    expect(await repeat(first.id)).toMatchObject({ state: 'answered', repeats: first.id });
  });
});

it('what is exported of it says which call it repeats', async () => {
  const server = await listen();
  const { environment, send, repeat, client } = await open();
  const first = await send(draftOf((await environment(server)).id, { operation: 'gameList' }));
  const { id } = await repeat(first.id);
  const says = { jsonl: '"repeats":1,', har: 'Sent exactly as call 1, with its time and hash.', support: '"repeats": 1' };
  for (const [format, words] of Object.entries(says)) {
    const { files } = await exportWhole(client, { callIds: [id], format: format as keyof typeof says });
    expect(files.map(({ text }) => text).join('')).toContain(words);
  }
});

describe('the steps of an exact repeat', () => {
  it('are those of a send: the row is on the disk before a byte leaves, and everybody is told', async () => {
    const seen: unknown[] = [];
    const test = await open();
    const server = await listen((_, response) => {
      const other = new DatabaseSync(join(test.home, 'history.sqlite'), { readOnly: true });
      seen.push(other.prepare('SELECT state, repeats FROM calls ORDER BY id DESC LIMIT 1').get());
      other.close();
      response.end(accepted);
    });
    const { id } = await test.environment(server);
    const first = await test.send(draftOf(id, { operation: 'gameList' }));
    const told: unknown[] = [];
    test.client.on('calls.changed', (payload) => told.push(payload));
    const again = await test.repeat(first.id, false, 'mine');
    expect(seen).toEqual([
      { state: 'pending', repeats: null },
      { state: 'pending', repeats: first.id },
    ]);
    expect(told).toEqual([{ id: again.id, ticket: 'mine' }, { id: again.id }]);
  });

  it('can be cancelled by their ticket, and a ticket is under way once', async () => {
    const arrived = Promise.withResolvers<void>();
    let answers = true;
    const server = await listen((_, response) => (answers ? void response.end(accepted) : arrived.resolve()));
    const { environment, send, repeat, client } = await open();
    const first = await send(draftOf((await environment(server)).id, { operation: 'gameList' }));
    answers = false;
    const under = repeat(first.id, false, 'mine');
    await arrived.promise;
    await expect(repeat(first.id, false, 'mine')).rejects.toMatchObject({ code: 'conflict' });
    expect(await client.call('calls.cancel', { ticket: 'mine' })).toEqual({ cancelled: true });
    expect(await under).toMatchObject({ state: 'cancelled', repeats: first.id });
  });

  it('ask before production, as the operation that they repeat does', async () => {
    const server = await listen();
    const { environment, send, repeat, client } = await open();
    const made = await environment(server);
    const first = await send(draftOf(made.id, { operation: 'gameList' }));
    await client.call('environments.save', { environment: { ...made, production: true } });
    await expect(repeat(first.id)).rejects.toMatchObject({ code: 'refused', details: { reason: 'production_unconfirmed' } });
    expect(server.received).toHaveLength(1);
    expect(await repeat(first.id, true)).toMatchObject({ code: 0 });
    expect(await send(draftOf(made.id, { operation: 'gameList' }))).toMatchObject({ code: 0 });
    const bet = await send(draftOf(made.id, { operation: 'bet', text: '{"amount":2.25,"currency":"EUR"}' }), true);
    expect(await repeat(first.id)).toMatchObject({ code: 0 });
    await expect(repeat(bet.id)).rejects.toMatchObject({
      details: { question: { call: { operation: 'bet', kind: 'takes', money: { amount: '2.25', currency: 'EUR' } } } },
    });
    await repeat(bet.id, true);
    await expect(repeat(bet.id)).rejects.toMatchObject({ details: { reason: 'production_unconfirmed' } });
  });
});

describe('an exact repeat is refused, and nothing is sent or recorded', () => {
  async function prepare() {
    const server = await listen();
    const test = await open();
    const made = await test.environment(server, { name: 'staging' });
    const first = await test.send(draftOf(made.id, { operation: 'gameList' }));
    const wallet = await test.send(draftOf(made.id, { operation: 'bet', text: '{"transactionId":"t"}' }));
    const total = async () => (await test.client.call('calls.list', {})).total;
    return { server, test, made, first, wallet, total };
  }

  it('where the environment was removed', async () => {
    const { server, test, made, first } = await prepare();
    await test.client.call('environments.remove', { id: made.id });
    await expect(test.repeat(first.id)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/staging, was removed.*Edit and re-sign/),
      details: { reason: 'environment_removed' },
    });
    expect(server.received).toHaveLength(2);
    await test.client.call('environments.save', { environment: made });
    expect(await test.repeat(first.id)).toMatchObject({ code: 0 });
  });

  it('where the environment sends the operation to another address now, with both addresses in the words', async () => {
    const { server, test, made, first, wallet, total } = await prepare();
    const walletUrl = `${server.baseUrl}/wallet`;
    await test.client.call('environments.save', { environment: { ...made, walletUrl, production: true } });
    // The service calls go to the same URL as before.
    expect(await test.repeat(first.id, true)).toMatchObject({ code: 0 });
    const before = await total();
    const refused = test.repeat(wallet.id);
    await expect(refused).rejects.toMatchObject({ code: 'refused', details: { reason: 'address_changed' } });
    await expect(refused).rejects.toThrow(`was sent to ${server.baseUrl}/bet, but staging now sends bet to ${walletUrl}/bet.`);
    await expect(refused).rejects.toThrow(/set that URL in the environment again.*Edit and re-sign/);
    expect(await total()).toBe(before);
    await test.client.call('environments.save', { environment: { ...made, baseUrl: `${server.baseUrl}/v2` } });
    await expect(test.repeat(first.id, true)).rejects.toMatchObject({ details: { reason: 'address_changed' } });
    expect(server.received).toHaveLength(3);
  });

  it('where no outcome is known yet, and where the row is damaged or not whole', async () => {
    const { server, test, first, wallet, total } = await prepare();
    const before = await total();
    const broken: [string, RegExp][] = [
      [`UPDATE call_requests SET body = substr(body, 2) WHERE call_id = ${first.id}`, /incomplete in the history/],
      [`UPDATE call_requests SET headers = '[["content-length","7"]]' WHERE call_id = ${first.id}`, /incomplete/],
      [`UPDATE call_requests SET draft = '{' WHERE call_id = ${first.id}`, /incomplete/],
      [`UPDATE calls SET operation = 'nonsense' WHERE id = ${first.id}`, /incomplete/],
      [
        `UPDATE call_requests SET headers = '[["Transfer-Encoding","chunked"]]' WHERE call_id = ${first.id}`,
        /was sent in chunks/,
      ],
      [`UPDATE calls SET operation = '' WHERE id = ${first.id}`, /fits no operation/],
      [
        `UPDATE calls SET operation = 'bet' WHERE id = ${first.id}; DELETE FROM call_requests WHERE call_id = ${first.id}`,
        /incomplete/,
      ],
    ];
    for (const [sql, says] of broken) {
      change(test, sql);
      await expect(test.repeat(first.id)).rejects.toMatchObject({ code: 'refused', message: expect.stringMatching(says) });
    }
    change(test, `UPDATE calls SET state = 'pending' WHERE id = ${wallet.id}`);
    await expect(test.repeat(wallet.id)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('no outcome'),
    });
    expect(server.received).toHaveLength(2);
    expect(await total()).toBe(before);
  });

  it('where there is no such call, and while the workbench closes', async () => {
    const { test, first } = await prepare();
    await expect(test.repeat(1_000)).rejects.toMatchObject({ code: 'not_found' });
    await test.app.close();
    await expect(test.repeat(first.id)).rejects.toMatchObject({ code: 'cancelled' });
  });
});

it('calls that were recorded before repeats were known have none', async () => {
  const server = await listen();
  const test = await open();
  const first = await test.send(draftOf((await test.environment(server)).id, { operation: 'gameList' }));
  change(test, 'UPDATE calls SET repeats = NULL');
  expect(await test.client.call('calls.get', { id: first.id })).toMatchObject({ repeats: null, failure: null });
});
