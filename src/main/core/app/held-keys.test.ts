import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { CallName, Input } from '#shared/ipc/index.ts';
import { exportWhole } from '#shared/ipc/read-export.ts';
import { createTestApp, draftOf, temporaryFolder } from '../../../testing/app.ts';
import type { TestApp } from '../../../testing/app.ts';
import type { Host } from '../host/host.ts';
import { createLocalSecrets } from '../keys/local-secrets.ts';
import { startHttpsServer } from '../../../testing/https-server.ts';
import { keyAttacks } from '../../../testing/key-attacks.ts';
import { leaksIn, secretForms } from '../../../testing/secret-forms.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

const key = 'k3y/"9f86d081é884c7d65';
const other = 'another-key-0c55ad015';

async function open(
  answer = (body: string) => `{"code":0,"message":"ok","data":{"slots":[]},"echo":${JSON.stringify(body)}}`,
  host: Partial<Host> = {},
) {
  const test = await createTestApp({ host });
  ended.push(test.close);
  const bodies: string[] = [];
  const server = await startHttpsServer(({ body }, response) => {
    bodies.push(body.toString('utf8'));
    response.end(answer(body.toString('utf8')));
  });
  ended.push(server.close);
  const environment = await test.environment(server, { name: 'Staging' }, key);
  await test.environment(server, { name: 'Other' }, other);
  const directory = await temporaryFolder();
  let tickets = 0;
  const confirm = (draft: Input<'calls.send'>['draft']) =>
    test.client.call('calls.send', { draft, ticket: `confirmed-${++tickets}`, confirmed: false, keyConfirmed: true });
  return { ...test, makeEnvironment: test.environment, bodies, environment, directory, confirm };
}

/** Names of the files below the home that hold a key in any form. */
async function filesWithKey({ home, client }: Pick<TestApp, 'home' | 'client'>, keys = [key, other]): Promise<string[]> {
  await client.call('settings.read', {});
  const found: string[] = [];
  for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    const bytes = await readFile(path);
    for (const text of [bytes.toString('utf8'), bytes.toString('latin1')])
      if (keys.some((one) => path.includes(one) || leaksIn(text, one).length > 0)) found.push(path);
  }
  return [...new Set(found)];
}

const asked = { code: 'refused', details: { reason: 'key_unconfirmed' } };

describe('a request that holds a private key', () => {
  it('is not sent and leaves no row until it is confirmed, in whatever form and field the key stands', async () => {
    const test = await open();
    const { id } = test.environment;
    for (const [name, form] of secretForms(key)) {
      const draft = draftOf(id, { operation: 'getGameRound', text: JSON.stringify({ roundId: form }) });
      await expect(test.send(draft), name).rejects.toMatchObject(asked);
    }
    for (const overrides of [
      { time: key },
      { hash: key },
      { platform: JSON.stringify(key) },
      { partnerId: JSON.stringify(other) },
    ])
      await expect(test.send(draftOf(id, { operation: 'getGameRound', text: '{}', overrides }))).rejects.toMatchObject(asked);
    // Not signed, so no digest is asked for on the way.
    await expect(test.send(draftOf(id, { operation: 'bet', text: JSON.stringify({ playerId: key }) }))).rejects.toMatchObject(
      asked,
    );
    expect(test.bodies).toEqual([]);
    expect(await test.client.call('calls.list', {})).toMatchObject({ total: 0 });
  });

  it('is asked about with the environment whose key it is, and where it stands', async () => {
    const { environment, send } = await open();
    const draft = draftOf(environment.id, {
      operation: 'getGameRound',
      text: `{"roundId":"${other}"}`,
      overrides: { time: other },
    });
    await expect(send(draft)).rejects.toMatchObject({
      message: expect.stringContaining('Send the private key of Other?'),
      details: {
        question: { keys: ['Other'], where: ['the payload', 'time'], environment: 'Staging', operation: 'getGameRound' },
      },
    });
  });

  it('goes out as it is once confirmed, and is kept masked: in the call, its response, and every file', async () => {
    const test = await open();
    const { environment, client, confirm, bodies } = test;
    const forms = [...secretForms(key).values()];
    const text = JSON.stringify({ roundId: 9, notes: forms, more: `<${key}> ${other}` });
    const call = await confirm(draftOf(environment.id, { operation: 'getGameRound', text, overrides: { time: key } }));
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ time: key, data: { notes: forms } });
    expect(call).toMatchObject({
      state: 'answered',
      code: 0,
      maskedKeys: ['Staging', 'Other'],
      requestBytes: Buffer.byteLength(bodies[0] ?? ''),
    });
    const read = await client.call('calls.get', { id: call.id });
    expect(read).toEqual(call);
    const { request, draft } = read;
    expect(JSON.parse(request.hashInput?.dataJson ?? '')).toMatchObject({ roundId: 9, more: '<[private key]> [private key]' });
    expect(request.hashInput?.time).toBe('[private key]');
    expect(draft.overrides.time).toBe('[private key]');
    const body = Buffer.from(await client.body(call.id)).toString('utf8');
    for (const one of [JSON.stringify(call), request.bodyText, draft.text, body])
      expect([key, other].flatMap((own) => leaksIn(one, own))).toEqual([]);
    expect(await filesWithKey(test)).toEqual([]);
    await test.app.close();
    expect(await filesWithKey({ ...test, client: { ...client, call: async () => ({}) as never } })).toEqual([]);
  });

  it('is not repeated exactly, and not exported as it was sent', async () => {
    const { environment, client, confirm, bodies } = await open();
    const { id } = await confirm(
      draftOf(environment.id, { operation: 'getGameRound', text: `{"roundId":"${key.slice(0, 0)}${other}"}` }),
    );
    await expect(client.call('calls.repeat', { id, ticket: 'r' })).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('private key of Other'),
    });
    await expect(exportWhole(client, { format: 'har', callIds: [id] })).rejects.toMatchObject({
      message: expect.stringContaining('masks'),
    });
    expect(bodies).toHaveLength(1);
  });

  it('is not repeated where the key was stored after it was sent', async () => {
    const { environment, client, send, app, bodies } = await open();
    const { id } = await send(draftOf(environment.id, { operation: 'getGameRound', text: '{"roundId":"a-key-stored-later"}' }));
    await app.useKey(environment.id, 'a-key-stored-later');
    await expect(client.call('calls.repeat', { id, ticket: 'r' })).rejects.toMatchObject({
      code: 'refused',
      details: { reason: 'key_held' },
    });
    expect(bodies).toHaveLength(1);
  });
});

it('a screen that does not ask refuses a request with a key in it, and says what to do', async () => {
  const { client, environment, bodies } = await open();
  for (const sent of [
    client.call('catalogue.fetch', { environmentId: environment.id, currency: other, ticket: 'b' }),
    client.call('launches.renewToken', { environmentId: environment.id, token: other, newGameId: '1', ticket: 'c' }),
  ])
    await expect(sent).rejects.toMatchObject({
      code: 'refused',
      message: 'Not sent: the payload of this request contains the private key of Other. Remove it; Croupier signs without it.',
    });
  expect(bodies).toEqual([]);
});

describe('every other file', () => {
  it('loses a key that was typed into a tab before it was stored', async () => {
    const test = await open();
    const { client, environment } = test;
    const late = 'late-key-7c1e9f20ab34';
    await client.call('settings.write', { name: 'tabs', value: JSON.stringify({ text: `{"a":"${late}"}`, notes: 'kept' }) });
    await client.call('settings.write', { name: 'layout', value: '{}' });
    await client.call('keys.set', { environmentId: environment.id, key: late });
    const { values } = await client.call('settings.read', {});
    expect(values).toEqual({ layout: '{}', tabs: JSON.stringify({ text: '{"a":"[private key]"}', notes: 'kept' }) });
    expect(await readFile(join(test.home, 'settings.json'), 'utf8')).not.toContain(late);
  });

  it('refuses a key, or takes the rest without it', async () => {
    const test = await open();
    const { client, environment, directory, send } = test;
    const { id } = await client.call('collections.open', { directory: join(directory, 'requests'), create: true });
    const call = await send(draftOf(environment.id, { operation: 'gameList' }));
    const request = { operation: 'gameList', notes: key } as const;
    const spaced = Buffer.from(key).toString('hex').replace(/../g, '$& ');
    const reading = await client.call('collections.create', {
      id,
      folder: '',
      name: 'plain',
      request: { operation: 'gameList' },
    });
    const refused: [CallName, unknown][] = [
      ['calls.note', { id: call.id, note: `was ${spaced}` }],
      ['environments.create', { environment: { ...environment, id: undefined, kind: undefined, name: key } }],
      ['environments.save', { environment: { ...environment, name: key } }],
      ['environments.save', { environment: { ...environment, defaults: { ...environment.defaults, playerId: other } } }],
      ['collections.open', { directory: join(directory, other), create: true }],
      ['collections.createFromStarter', { starter: 'wallet-session', directory: join(directory, other) }],
      ['collections.create', { id, folder: '', name: other, request: { operation: 'gameList' } }],
      ['collections.create', { id, folder: '', name: 'x', request }],
      ['collections.save', { id, path: 'plain.yaml', request, revision: reading.revision }],
      ['collections.createFolder', { id, folder: '', name: other }],
      ['collections.rename', { id, path: 'plain.yaml', name: other }],
      ['collections.saveFolder', { id, path: '', settings: { variables: { a: key }, order: [], notes: '' }, revision: null }],
      ['collections.addExample', { id, path: 'plain.yaml', revision: reading.revision, callId: call.id, name: other }],
      ['launches.fromCall', { callId: call.id, gameName: other }],
      ['runs.start', { collectionId: id, path: '', environmentId: environment.id, options: { variables: { a: other } } }],
    ];
    for (const [name, input] of refused) {
      const reply = await test.app.dispatch(name, JSON.parse(JSON.stringify(input)));
      expect(reply, name).toMatchObject({
        ok: false,
        error: { code: 'refused', message: expect.stringContaining('private key') },
      });
    }
    // Text typed into a tab is remembered without the key, and the other tabs with it.
    await client.call('settings.write', {
      name: 'workspace',
      value: JSON.stringify({ tabs: [{ text: JSON.stringify({ a: key }) }, 'kept'] }),
    });
    const { values } = await client.call('settings.read', {});
    expect(JSON.parse(values['workspace'] ?? '')).toEqual({ tabs: [{ text: '{"a":"[private key]"}' }, 'kept'] });
    expect(await filesWithKey(test)).toEqual([]);
    expect(await filesWithKey({ ...test, home: directory })).toEqual([]);
  });

  it('is not reached by a request of a run that gets a key from a response', async () => {
    const { client, environment, directory, bodies } = await open(() =>
      JSON.stringify({ code: 0, message: 'ok', data: { slots: [] }, leak: key }),
    );
    const { id } = await client.call('collections.open', { directory: join(directory, 'requests'), create: true });
    await client.call('collections.create', {
      id,
      folder: '',
      name: '1',
      request: { operation: 'gameList', take: { a: '/leak' } },
    });
    await client.call('collections.create', {
      id,
      folder: '',
      name: '2',
      request: { operation: 'getGameRound', data: '{"roundId":"{{a}}"}' },
    });
    const over = Promise.withResolvers<void>();
    client.on('runs.progressed', ({ state }) => state === 'finished' && over.resolve());
    const { runId } = await client.call('runs.start', { collectionId: id, path: '', environmentId: environment.id, options: {} });
    await over.promise;
    const { requests } = await client.call('runs.requests', { runId, from: 0, limit: 10 });
    expect(requests[1]?.request).toMatchObject({ state: 'error', reason: expect.stringContaining('[private key]') });
    expect(bodies).toHaveLength(1);
  });
});

describe('a response that holds a private key which its request did not', () => {
  it('is masked in every form, in body and headers, before anybody reads it, and the call says so', async () => {
    const forms = [...secretForms(key).values()];
    const test = await open(() => JSON.stringify({ code: 0, message: `ok ${key}`, data: { slots: [] }, forms, other }));
    const { client, environment } = test;
    const call = await test.send(draftOf(environment.id, { operation: 'gameList' }));
    const finding = { rule: 'answer.key', severity: 'warning', message: expect.stringContaining('key of Staging and Other') };
    expect(call.findings[0]).toMatchObject(finding);
    expect(call.findings[0]?.message).toContain('ask the provider for a new one');
    expect(call).toMatchObject({ code: 0, message: 'ok [private key]' });
    expect(call.maskedKeys).toBeUndefined();
    expect(await client.call('calls.get', { id: call.id })).toEqual(call);
    const body = Buffer.from(await client.body(call.id)).toString('utf8');
    expect(JSON.parse(body)).toMatchObject({ code: 0, other: '[private key]' });
    expect(call.responseBytes).toBe(Buffer.byteLength(body));
    for (const one of [JSON.stringify(call), body]) expect([key, other].flatMap((own) => leaksIn(one, own))).toEqual([]);
    // The request never held one: it is repeated as it was.
    const again = await client.call('calls.repeat', { id: call.id, ticket: 'r' });
    expect(again).toMatchObject({ repeats: call.id, code: 0 });
    expect(again.findings[0]).toMatchObject(finding);
    expect(await filesWithKey(test)).toEqual([]);
  });

  it('is dropped if the user stops while it is searched, and the call says so at once', async () => {
    const searching = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const secrets = createLocalSecrets();
    const find: typeof secrets.find = async (inspection) => {
      if (inspection.bytes.length > 65_536) {
        searching.resolve();
        await goOn.promise;
      }
      return secrets.find(inspection);
    };
    const test = await open(() => `"${'x'.repeat(1_000_000)} ${key}"`, { secrets: { ...secrets, find } });
    const { client, environment } = test;
    const draft = draftOf(environment.id, { operation: 'gameList' });
    const sent = client.call('calls.send', { draft, ticket: 'stopped', confirmed: false });
    await searching.promise;
    expect(await client.call('calls.cancel', { ticket: 'stopped' })).toEqual({ cancelled: true });
    goOn.resolve();
    const call = await sent;
    expect(call).toMatchObject({ state: 'cancelled', status: 200, responseBytes: 0, code: null });
    expect(call.failure?.message).toContain("while Croupier searched its response for private keys. The body wasn't kept.");
    expect((await client.body(call.id)).length).toBe(0);
    expect(await filesWithKey(test)).toEqual([]);
  });

  it('is masked in a header with characters beyond ASCII, and stands in no words about the response', async () => {
    const test = await open();
    const { makeEnvironment } = test;
    const foreign = 'k3y-äß-9f8e7d6c5b4a';
    let headers: Record<string, string> = {};
    const server = await startHttpsServer((_, response) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, Buffer.from(value).toString('latin1'));
      // With a text, Node would write the headers as UTF-8, too.
      response.end(Buffer.from('{}'));
    });
    ended.push(server.close);
    const { id } = await makeEnvironment(server, { name: 'Leaky' }, foreign);
    for (const [sent, kept] of [
      [{ 'x-debug': `ä ${foreign} ß` }, ['x-debug', 'Ã¤ [private key] Ã\u009f']],
      [{ 'content-encoding': other }, ['content-encoding', '[private key]']],
      [{ 'content-encoding': `gzip, ${foreign}` }, ['content-encoding', 'gzip, [private key]']],
    ] as const) {
      headers = sent;
      const call = await test.send(draftOf(id, { operation: 'gameList' }));
      expect(call.findings[0]).toMatchObject({ rule: 'answer.key' });
      expect(call.response?.headers).toContainEqual(kept);
      expect(JSON.stringify(call)).not.toContain('9f8e7d6c5b4a');
      expect(leaksIn(JSON.stringify(call), other)).toEqual([]);
    }
    expect(await filesWithKey(test)).toEqual([]);
  });

  it('leaves none in the report of a run, in what its checks say, nor in an export of either', async () => {
    const test = await open(() => JSON.stringify({ code: 0, message: 'ok', data: { slots: [] }, leak: other, [other]: 1 }));
    const { client, environment, directory } = test;
    const { id } = await client.call('collections.open', { directory: join(directory, 'requests'), create: true });
    await client.call('collections.create', {
      id,
      folder: '',
      name: '1',
      request: { operation: 'gameList', expect: [{ path: '/leak', equals: 'something' }] },
    });
    const over = Promise.withResolvers<void>();
    client.on('runs.progressed', ({ state }) => state === 'finished' && over.resolve());
    const { runId } = await client.call('runs.start', { collectionId: id, path: '', environmentId: environment.id, options: {} });
    await over.promise;
    const { requests } = await client.call('runs.requests', { runId, from: 0, limit: 10 });
    expect(JSON.stringify(requests)).toContain('[private key]');
    const texts = [JSON.stringify(requests)];
    for (const as of ['json', 'junit', 'html'] as const) texts.push((await client.call('runs.export', { runId, as })).text);
    const { calls } = await client.call('calls.list', {});
    texts.push(JSON.stringify(await exportWhole(client, { format: 'har', callIds: calls.map((call) => call.id) })));
    for (const text of texts) expect(leaksIn(text, other)).toEqual([]);
    expect(await filesWithKey(test)).toEqual([]);
  });

  it('leaves a short key as it stands, which is a part of words by chance, and masks its longer forms', async () => {
    const test = await open(
      () => `{"code":0,"message":"tested","data":{"slots":[]},"hex":"${Buffer.from('test12').toString('hex')}"}`,
    );
    await test.app.useKey(test.environment.id, 'test12');
    const call = await test.send(draftOf(test.environment.id, { operation: 'gameList' }));
    expect(JSON.parse(Buffer.from(await test.client.body(call.id)).toString())).toMatchObject({
      message: 'tested',
      hex: '[private key]',
    });
    await test.app.useKey(test.environment.id, 'test');
    const plain = await test.send(draftOf(test.environment.id, { operation: 'gameList' }));
    expect(plain).toMatchObject({ code: 0, message: 'tested' });
  });

  it('is kept with the key where a request held one, too, only as the mark', async () => {
    const { environment, confirm } = await open();
    const call = await confirm(draftOf(environment.id, { operation: 'getGameRound', text: `{"roundId":"${other}"}` }));
    expect(call.findings[0]).toMatchObject({ rule: 'answer.key' });
    expect(call.findings[0]?.message).not.toContain('ask the provider for a new one');
  });
});

describe('the sentence on keys in docs/your-data.md', () => {
  /** Its clauses on where a key is found and how texts are treated; e2e/built/leak.test.ts has those on processes. */
  const sentence =
    'A private key of eight bytes or more enters once and never comes out. It is in no file, no message to the page, no output, no process list and no error. ' +
    'If a request holds a key, Croupier asks before it sends it, and keeps the call with the key masked. ' +
    'If a response holds a key, Croupier shows and keeps it with the key masked. Every other file refuses the text';

  it.each(['k"3/yé7', '73510248'])('holds for a key of eight bytes: %s', async (eight) => {
    const page = await readFile(join(import.meta.dirname, '../../../../docs/your-data.md'), 'utf8');
    expect(page.replaceAll(/\n- |\s+/g, ' ')).toContain(sentence);
    expect(Buffer.byteLength(eight)).toBe(8);

    const test = await open(
      () => `{"code":0,"message":"ok","data":{"slots":[]},"leak":${/^\d+$/.test(eight) ? eight : JSON.stringify(eight)}}`,
    );
    const { client, app, environment, confirm } = test;
    const told: string[] = [];
    for (const name of ['calls.changed', 'history.changed', 'keys.changed'] as const)
      client.on(name, (payload) => told.push(JSON.stringify(payload)));
    await app.useKey(environment.id, eight);
    told.push(JSON.stringify(await client.call('keys.status', { environmentId: environment.id })));
    const draft = draftOf(environment.id, { operation: 'getGameRound', text: JSON.stringify({ roundId: eight }) });
    const refused = await test.app.dispatch('calls.send', { draft, ticket: 'asked', confirmed: false });
    expect(refused).toMatchObject({ ok: false, error: asked });
    expect(test.bodies).toEqual([]);
    const note = await test.app.dispatch('environments.save', { environment: { ...environment, name: eight } });
    expect(note).toMatchObject({ ok: false, error: { code: 'refused', details: { reason: 'key_held' } } });
    const call = await confirm(draft);
    expect(call.maskedKeys).toEqual(['Staging']);
    expect(JSON.parse(call.draft.text)).toEqual({ roundId: '[private key]' });
    const quiet = await test.send(draftOf(environment.id, { operation: 'gameList' }));
    for (const { id } of [call, quiet]) {
      const body = Buffer.from(await client.body(id)).toString('utf8');
      expect(JSON.parse(body)).toMatchObject({ leak: '[private key]' });
      told.push(body, JSON.stringify(await client.call('calls.get', { id })));
    }
    for (const text of [...told, JSON.stringify([refused, note, call, quiet])]) expect(leaksIn(text, eight)).toEqual([]);
    expect(await filesWithKey(test, [eight])).toEqual([]);
  });
});

describe('random keys', () => {
  it('get through no way out and into no file, in no form', async () => {
    const attacks = await keyAttacks(2, 13);
    expect(attacks.filter(({ through }) => through > 0)).toEqual([]);
    expect(attacks.every(({ tried }) => tried > 50)).toBe(true);
  });
});
