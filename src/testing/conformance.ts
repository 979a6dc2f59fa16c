import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { createClient } from '#shared/ipc/client.ts';
import { calls, events } from '#shared/ipc/index.ts';
import type { CallName, Client, Environment, EventName, Input, Launch, Reply, Transport } from '#shared/ipc/index.ts';
import { draftOf } from './app.ts';

/** A transport to a core of its own whose built-in provider runs with its environment `sandbox`, and whose keys live for this run. */
export interface ConformanceSubject {
  readonly transport: Transport;
  close(): Promise<void>;
}

/** What the valid inputs of a call are made from. */
interface Ground {
  readonly sandbox: Environment;
  /** A call that was answered. */
  readonly callId: number;
  /** Two game lists that are kept. */
  readonly snapshots: readonly [number, number];
  /** A call that was answered, made for this one input. */
  readonly answered: () => Promise<number>;
  /** A launch that was prepared for this one input. */
  readonly launch: () => Promise<Launch>;
  /** A collection with the request `a.yaml` and the folder `f` with `b.yaml`, made for this one input. */
  readonly collection: () => Promise<{ id: string; directory: string; revision: string }>;
  /** A run that was started for this one input. */
  readonly ranOnce: () => Promise<string>;
  /** An environment made for this one input. */
  readonly fresh: () => Promise<Environment>;
  /** Another name or ticket each time. */
  readonly unique: () => string;
}

type Cases = { [K in CallName]: (ground: Ground & { client: Client }) => Input<K>[] | Promise<Input<K>[]> };

const bounds = { x: 0, y: 40, width: 390, height: 844 };

/** What `launches.prepare` needs for a game of the built-in provider. */
const launchOf = (environmentId: string, ticket: string) => ({
  environmentId,
  gameMode: 'fun' as const,
  gameId: '1001',
  lang: 'en',
  playerId: 'player-1',
  country: 'DE',
  ip: '203.0.113.9',
  ticket,
});

const gameList = (environmentId: string) => draftOf(environmentId, { operation: 'gameList', text: '{"currency": "EUR"}' });

/** Valid inputs of every call; the malformed ones are derived from them. A call without an entry does not compile. */
export const conformanceCases: Cases = {
  'app.info': () => [{}],
  'app.openOutside': () => [{ url: 'https://example.com/' }, { url: 'file:///etc/passwd' }],
  'sandbox.status': () => [{}],
  'sandbox.log': () => [{}, { before: 2, limit: 1 }, { limit: 500 }],
  'environments.list': () => [{}],
  'environments.create': ({ unique }) => [
    { environment: { name: unique(), baseUrl: 'https://a.example', platform: 1, partnerId: 2 } },
    {
      environment: {
        name: `Ünïcode ${unique()} \u2028 😀`,
        baseUrl: 'https://b.example/path/',
        walletUrl: 'https://w.example',
        platform: -1,
        partnerId: 9_007_199_254_740_991,
        timeZone: 'Europe/Warsaw',
        serialization: 'verbatim',
        color: 'red',
        production: true,
        defaults: { currency: '', lang: 'pl' },
        timeouts: { total: 1 },
        answers: { 'time.order': { value: 'ymd' } },
      },
    },
  ],
  'environments.save': async ({ fresh }) => [{ environment: { ...(await fresh()), partnerId: 77 } }],
  'environments.remove': async ({ fresh }) => [{ id: (await fresh()).id }],
  'collections.list': () => [{}],
  'collections.open': async ({ collection, unique }) => {
    const { directory } = await collection();
    return [{ directory }, { directory: join(directory, `new ü ${unique()}`), create: true }];
  },
  'collections.forget': async ({ collection }) => [{ id: (await collection()).id }],
  'collections.tree': async ({ collection }) => [{ id: (await collection()).id }],
  'collections.read': async ({ collection }) => {
    const { id } = await collection();
    return [
      { id, path: 'a.yaml' },
      { id, path: 'f/b.yaml' },
    ];
  },
  'collections.save': async ({ collection }) => {
    const { id, revision } = await collection();
    return [
      { id, path: 'a.yaml', revision, request: { operation: 'win', data: '{"roundId": 9007199254740993, "ä": "😀\u2028"}\n' } },
    ];
  },
  'collections.create': async ({ collection, unique }) => {
    const { id } = await collection();
    return [
      { id, folder: '', name: `ünïcode ${unique()} 幸運`, request: { operation: 'gameList' } },
      {
        id,
        folder: 'f',
        name: unique(),
        request: {
          operation: 'bet',
          form: 'x',
          overrides: { hash: 'wrong', omit: ['time'] },
          take: { id: '/data/0/id' },
          expect: [
            { code: '0' },
            { path: '$.a[*]', present: true, count: '3' },
            { balance: { before: '{{b}}', change: '-1.50' } },
          ],
          notes: 'a\r\nb',
        },
      },
    ];
  },
  'collections.createFolder': async ({ collection, unique }) => [{ id: (await collection()).id, folder: 'f', name: unique() }],
  'collections.readFolder': async ({ collection }) => {
    const { id } = await collection();
    return [
      { id, path: '' },
      { id, path: 'f' },
    ];
  },
  'collections.saveFolder': async ({ collection }) => [
    {
      id: (await collection()).id,
      path: '',
      settings: { variables: { amount: '0.10' }, order: ['f', 'a.yaml'] },
      revision: null,
    },
    { id: (await collection()).id, path: 'f', settings: { notes: 'n' }, revision: null },
  ],
  'collections.rename': async ({ collection }) => [
    { id: (await collection()).id, path: 'a.yaml', name: 'c' },
    { id: (await collection()).id, path: 'f', name: 'g' },
  ],
  'collections.move': async ({ collection }) => [
    { id: (await collection()).id, path: 'a.yaml', folder: 'f' },
    { id: (await collection()).id, path: 'f', folder: '', before: 'a.yaml' },
    { id: (await collection()).id, path: 'f/b.yaml', folder: '', before: null },
  ],
  'collections.duplicate': async ({ collection }) => [
    { id: (await collection()).id, path: 'a.yaml' },
    { id: (await collection()).id, path: 'f' },
  ],
  'collections.remove': async ({ collection }) => [
    { id: (await collection()).id, path: 'a.yaml' },
    { id: (await collection()).id, path: 'f' },
  ],
  'collections.restore': async ({ collection, client }) => {
    const { id } = await collection();
    return [{ id, removal: (await client.call('collections.remove', { id, path: 'f' })).removal }];
  },
  'collections.reorder': async ({ collection }) => [{ id: (await collection()).id, folder: '', order: ['f', 'a.yaml'] }],
  'keys.status': async ({ sandbox, fresh }) => [{ environmentId: sandbox.id }, { environmentId: (await fresh()).id }],
  'keys.set': async ({ fresh }) => [{ environmentId: (await fresh()).id, key: ' k€y "quoted" \n' }],
  'keys.remove': async ({ fresh }) => [{ environmentId: (await fresh()).id }],
  'keys.digest': ({ sandbox }) => [
    { environmentId: sandbox.id, time: '20-11-2026 10:15:30', data: null },
    { environmentId: sandbox.id, time: '', data: '{"a":"ä\u2028"}' },
    { environmentId: sandbox.id, time: 't', data: 'x'.repeat(1_000_000) },
  ],
  'runs.start': async ({ collection, sandbox }) => [
    { collectionId: (await collection()).id, environmentId: sandbox.id },
    {
      directory: (await collection()).directory,
      path: 'f',
      environmentId: sandbox.id,
      options: {
        repeat: 2,
        parallel: 2,
        bail: true,
        delayMs: 1,
        unreadable: 'report',
        variables: { a: 'ä{{' },
        data: { format: 'csv', text: 'b\n1\n' },
      },
      confirmed: true,
    },
  ],
  'runs.cancel': async ({ ranOnce }) => [{ runId: await ranOnce() }],
  'runs.list': async ({ collection }) => [{}, { collectionId: (await collection()).id }],
  'runs.report': async ({ ranOnce }) => [{ runId: await ranOnce() }],
  'runs.export': async ({ ranOnce }) => [
    { runId: await ranOnce(), as: 'junit' },
    { runId: await ranOnce(), as: 'html' },
  ],
  'calls.send': ({ sandbox, unique }) => [
    { draft: gameList(sandbox.id), ticket: unique() },
    { draft: { ...gameList(sandbox.id), overrides: { hash: 'wrong', omit: ['time'] } }, ticket: unique(), confirmed: true },
    {
      draft: draftOf(sandbox.id, { operation: 'getGameRound', text: '{"roundId": 9007199254740993, "note": "ä😀"}' }),
      ticket: unique(),
    },
    { draft: draftOf(sandbox.id, { operation: 'playerInfo', text: '{"externalToken": "none"}' }), ticket: unique() },
  ],
  'calls.repeat': async ({ answered, unique }) => [
    { id: await answered(), ticket: unique() },
    { id: await answered(), ticket: unique(), confirmed: true },
  ],
  'calls.cancel': ({ unique }) => [{ ticket: unique() }],
  'calls.list': ({ callId }) => [
    {},
    { limit: 1 },
    { before: callId, limit: 500 },
    { text: '%_\\' },
    { text: 'gameList', limit: 1 },
    { text: '"9007199254740993" play', match: 'words' },
    { text: 'ä', filter: {} },
    {
      filter: {
        operations: ['gameList', 'bet'],
        environmentIds: ['sandbox'],
        codes: [0, -1],
        outcomes: ['accepted', 'refused', 'uncoded', 'unanswered', 'pending'],
        states: ['answered'],
        since: 0,
        until: 9_007_199_254_740_991,
        pinned: false,
        runs: ['none'],
      },
    },
  ],
  'calls.pin': async ({ answered }) => [
    { id: await answered(), pinned: true },
    { id: await answered(), pinned: false },
  ],
  'calls.note': async ({ answered }) => [
    { id: await answered(), note: 'ä\u2028 "quoted" \ud83d\ude00' },
    { id: await answered(), note: '' },
  ],
  'calls.delete': async ({ answered }) => [{ ids: [await answered()] }, { ids: [1_000_000] }],
  'calls.restore': async ({ answered }) => [{ ids: [await answered(), 1_000_000] }],
  'history.status': () => [{}],
  'history.retain': () => [
    { maxAgeDays: null, maxCalls: null, maxBytes: null },
    { maxAgeDays: 365, maxCalls: 1_000_000, maxBytes: 9_000_000_000 },
  ],
  'calls.get': ({ callId }) => [{ id: callId }],
  'exports.create': ({ callId }) => [
    { callIds: [callId], format: 'har' },
    { callIds: [callId, callId], format: 'php', form: 'resigning', keyVariable: 'PROVIDER_KEY' },
    { callIds: [callId], format: 'support', form: 'as-sent', keepTokens: true },
  ],
  'catalogue.fetch': ({ sandbox, unique }) => [
    { environmentId: sandbox.id, currency: 'EUR', ticket: unique() },
    { environmentId: sandbox.id, currency: 'no such currency "ä', ticket: unique(), confirmed: true },
  ],
  'catalogue.snapshots': ({ sandbox }) => [{}, { environmentId: sandbox.id }, { environmentId: 'nobody' }],
  'catalogue.games': ({ snapshots: [first] }) => [{ snapshotId: first }],
  'catalogue.compare': ({ snapshots: [first, second] }) => [
    { from: first, to: second },
    { from: second, to: second },
  ],
  'catalogue.thumbnail': ({ sandbox }) => [
    { environmentId: sandbox.id, url: `${sandbox.baseUrl}/thumbs/lucky-compass-1001.svg` },
    { environmentId: sandbox.id, url: 'https://127.0.0.1:1/x.png' },
    { environmentId: sandbox.id, url: 'file:///etc/passwd' },
  ],
  'catalogue.cancelThumbnails': ({ sandbox }) => [
    { environmentId: sandbox.id, urls: [] },
    { environmentId: sandbox.id, urls: ['https://a.example/1.png', 'x'] },
  ],
  'launches.prepare': ({ sandbox, unique }) => [
    launchOf(sandbox.id, unique()),
    {
      ...launchOf(sandbox.id, unique()),
      gameMode: 'real',
      gameName: 'Señor Fortuna 幸運',
      externalToken: 'tök en/+&=',
      exitURL: 'https://casino.example/lobby?a=1',
      confirmed: true,
    },
  ],
  'launches.fromCall': async ({ launch }) => [
    { callId: (await launch()).call.id },
    { callId: (await launch()).call.id, gameName: 'G' },
  ],
  'launches.open': async ({ launch }) => [
    { id: (await launch()).id, bounds },
    { id: (await launch()).id, bounds: { x: -10, y: 0, width: 0, height: 0 }, redirects: 'https' },
  ],
  'launches.setBounds': async ({ launch }) => [{ id: (await launch()).id, bounds }],
  'launches.setVisible': async ({ launch }) => [{ id: (await launch()).id, visible: false }],
  'launches.reload': async ({ launch }) => [{ id: (await launch()).id }],
  'launches.back': async ({ launch }) => [{ id: (await launch()).id }],
  'launches.setZoom': async ({ launch }) => [{ id: (await launch()).id, zoom: 0.78 }],
  'launches.close': async ({ launch }) => [{ id: (await launch()).id }],
  'launches.screenshot': async ({ launch }) => [{ id: (await launch()).id }],
  'launches.note': async ({ launch }) => [
    { id: (await launch()).id, observation: { event: 'loaded' } },
    { id: (await launch()).id, observation: { event: 'left', origin: 'https://casino.example' } },
  ],
  'launches.list': () => [{}, { limit: 1 }],
  'launches.get': async ({ launch }) => [{ id: (await launch()).id }],
  'launches.export': async ({ launch }) => [
    { id: (await launch()).id, as: 'html' },
    { id: (await launch()).id, as: 'folder' },
  ],
  'launches.renewToken': ({ sandbox, unique }) => [
    { environmentId: sandbox.id, token: 'none', newGameId: '1002', ticket: unique() },
    { environmentId: sandbox.id, token: 'ä"\\', newGameId: 'x', ticket: unique(), confirmed: true },
  ],
  'rounds.lookup': ({ sandbox, unique }) => [
    { environmentId: sandbox.id, roundId: '9007199254740993', date: '29-02-2024', ticket: unique() },
    { environmentId: sandbox.id, roundId: '0', date: '01-01-2000', ticket: unique(), confirmed: true },
  ],
  'settings.read': () => [{}],
  'settings.write': () => [
    { name: 'conformance', value: '' },
    { name: 'conformance', value: '{"text":"ä\\u0000\u2029"}' },
    { name: 'conformance', value: 'x', order: { page: 'p', number: 0 } },
  ],
};

/** What a call is refused for, reached through the contract alone. */
const refusals: [title: string, name: string, input: (ground: Ground & { client: Client }) => unknown, code: string][] = [
  ['a call that does not exist', 'calls.nothing', () => ({}), 'unsupported'],
  ['a name from the prototype', 'constructor', () => ({}), 'unsupported'],
  ['a missing call', 'calls.get', () => ({ id: 1_000_000 }), 'not_found'],
  ['to repeat a missing call', 'calls.repeat', ({ unique }) => ({ id: 1_000_000, ticket: unique() }), 'not_found'],
  ['to export a missing call', 'exports.create', () => ({ callIds: [1_000_000], format: 'har' }), 'not_found'],
  [
    'a document that should sign anew',
    'exports.create',
    ({ callId }) => ({ callIds: [callId], format: 'har', form: 'resigning' }),
    'invalid_input',
  ],
  ['to pin a missing call', 'calls.pin', () => ({ id: 1_000_000, pinned: true }), 'not_found'],
  ['a note for a missing call', 'calls.note', () => ({ id: 1_000_000, note: 'n' }), 'not_found'],
  ['a missing environment', 'environments.remove', () => ({ id: 'nobody' }), 'not_found'],
  ['a name that is taken', 'environments.create', ({ sandbox }) => ({ environment: draftFrom(sandbox) }), 'conflict'],
  [
    'an http address',
    'environments.create',
    ({ unique, sandbox }) => ({ environment: { ...draftFrom(sandbox), name: unique(), baseUrl: 'http://a.example' } }),
    'invalid_input',
  ],
  ['a collection that is not open', 'collections.tree', () => ({ id: 'nobody' }), 'not_found'],
  ['a directory that is not there', 'collections.open', () => ({ directory: '/no/such/directory' }), 'not_found'],
  ['a directory without its root', 'collections.open', () => ({ directory: 'requests' }), 'invalid_input'],
  [
    'a way out of a collection',
    'collections.read',
    async ({ collection }) => ({ id: (await collection()).id, path: '../a.yaml' }),
    'invalid_input',
  ],
  [
    'a request that is not there',
    'collections.read',
    async ({ collection }) => ({ id: (await collection()).id, path: 'f/x.yaml' }),
    'not_found',
  ],
  [
    'to save over what changed',
    'collections.save',
    async ({ collection }) => ({ id: (await collection()).id, path: 'a.yaml', request: { operation: 'win' }, revision: 'other' }),
    'conflict',
  ],
  [
    'a name that differs in its case alone',
    'collections.create',
    async ({ collection }) => ({ id: (await collection()).id, folder: '', name: 'A', request: { operation: 'win' } }),
    'conflict',
  ],
  ['a run that was not made', 'runs.report', () => ({ runId: 'a-b' }), 'not_found'],
  [
    'what was not removed',
    'collections.restore',
    async ({ collection }) => ({ id: (await collection()).id, removal: 'x' }),
    'not_found',
  ],
  ['a game list that is not there', 'catalogue.games', () => ({ snapshotId: 1_000_000 }), 'not_found'],
  ['a launch that is not there', 'launches.get', () => ({ id: '00000000-0000-4000-8000-000000000000' }), 'not_found'],
  [
    'a view of a launch that is not there',
    'launches.reload',
    () => ({ id: '00000000-0000-4000-8000-000000000000' }),
    'not_found',
  ],
  ['a launch from another operation', 'launches.fromCall', ({ callId }) => ({ callId }), 'invalid_input'],
  [
    'to open what the provider refused',
    'launches.open',
    async ({ sandbox, client, unique }) => {
      const { id } = await client.call('launches.prepare', { ...launchOf(sandbox.id, unique()), gameId: 'none' });
      return { id, bounds };
    },
    'refused',
  ],
  [
    'a round of a day that lies ahead',
    'rounds.lookup',
    ({ sandbox, unique }) => ({ environmentId: sandbox.id, roundId: '1', date: '01-01-9999', ticket: unique() }),
    'invalid_input',
  ],
  ['the environment of the running provider', 'environments.remove', ({ sandbox }) => ({ id: sandbox.id }), 'refused'],
  [
    'data that is not JSON',
    'calls.send',
    ({ sandbox, unique }) => ({ draft: draftOf(sandbox.id, { operation: 'getGameRound', text: '{' }), ticket: unique() }),
    'invalid_input',
  ],
];

/** Registers the tests that every transport must pass. `open` is called once. */
export function runConformance(title: string, open: () => Promise<ConformanceSubject>): void {
  describe(`${title}: conformance`, () => {
    let subject: ConformanceSubject;
    let client: Client;
    let ground: Ground;
    let number = 0;
    let folder: string;

    beforeAll(async () => {
      subject = await open();
      folder = await mkdtemp(join(tmpdir(), 'croupier-conformance-'));
      client = createClient(subject.transport);
      const { environments } = await client.call('environments.list', {});
      const sandbox = environments.find(({ kind }) => kind === 'sandbox');
      if (sandbox === undefined) throw new Error('The subject has no running built-in provider');
      const unique = () => `unique-${++number}`;
      const call = await client.call('calls.send', { draft: gameList(sandbox.id), ticket: unique() });
      const fresh = () =>
        client.call('environments.create', {
          environment: { name: unique(), baseUrl: 'https://f.example', platform: 1, partnerId: 1 },
        });
      const collection = async () => {
        const directory = await mkdtemp(join(folder, 'collection-'));
        await writeFile(join(directory, 'a.yaml'), 'operation: bet\n');
        await mkdir(join(directory, 'f'));
        await writeFile(join(directory, 'f', 'b.yaml'), 'operation: gameList\n');
        const { id } = await client.call('collections.open', { directory });
        return { id, directory, revision: (await client.call('collections.read', { id, path: 'a.yaml' })).revision };
      };
      const answered = async () => (await client.call('calls.send', { draft: gameList(sandbox.id), ticket: unique() })).id;
      const ranOnce = async () => {
        const { id } = await collection();
        return (await client.call('runs.start', { collectionId: id, path: 'f', environmentId: sandbox.id })).runId;
      };
      const launch = () => client.call('launches.prepare', launchOf(sandbox.id, unique()));
      const snapshots = await Promise.all(
        ['EUR', 'USD'].map((currency) =>
          client.call('catalogue.fetch', { environmentId: sandbox.id, currency, ticket: unique() }),
        ),
      );
      const [first = 0, second = 0] = snapshots.map(({ snapshot }) => snapshot?.id);
      ground = { sandbox, callId: call.id, snapshots: [first, second], answered, launch, collection, ranOnce, fresh, unique };
    });
    afterAll(async () => {
      await subject.close();
      await rm(folder, { recursive: true, force: true });
    });

    async function inputsOf(name: CallName): Promise<unknown[]> {
      return await conformanceCases[name]({ ...ground, client });
    }

    describe.each(Object.keys(calls) as CallName[])('%s', (name) => {
      it('takes every valid input and answers as the contract says, in plain JSON', async () => {
        for (const input of await inputsOf(name)) {
          const reply = await subject.transport.call(name, input);
          if (!reply.ok) throw new Error(`${JSON.stringify(input).slice(0, 300)}: ${JSON.stringify(reply.error)}`);
          expect(calls[name].output.safeParse(reply.value).error).toBeUndefined();
          expect(JSON.parse(JSON.stringify(reply.value))).toEqual(reply.value);
        }
      });

      it('refuses every malformed input with invalid_input, and nothing changes', async () => {
        const inputs = await inputsOf(name);
        const before = await stateOf(client);
        // What is long is malformed in no way that the short ones are not.
        const malformed = inputs
          .filter((input) => JSON.stringify(input).length < 10_000)
          .flatMap(malformations)
          // What the schema takes (an optional field that is left out) is no malformation of this call.
          .filter((input) => !calls[name].input.safeParse(input).success);
        expect(malformed.length).toBeGreaterThanOrEqual(40);
        // Some at a time, as a page would: a browser opens six connections to a host.
        while (malformed.length > 0) {
          await Promise.all(
            malformed.splice(0, 6).map(async (input) => {
              const reply = await subject.transport.call(name, input);
              expect(codeOf(reply), JSON.stringify(input)?.slice(0, 300)).toBe('invalid_input');
            }),
          );
        }
        expect(await stateOf(client)).toEqual(before);
      });
    });

    it.each(refusals)('refuses %s', async (_, name, input, code) => {
      const reply = await subject.transport.call(name, await input({ ...ground, client }));
      if (reply.ok) throw new Error('it was accepted');
      expect(reply.error.code).toBe(code);
      expect(reply.error.message).toMatch(/\S/);
      expect(Object.keys(reply.error).filter((key) => !['code', 'message', 'details'].includes(key))).toEqual([]);
    });

    it('says that the key is missing where it is', async () => {
      const { id } = await ground.fresh();
      const sending = client.call('calls.send', { draft: gameList(id), ticket: ground.unique() });
      await expect(sending).rejects.toMatchObject({ code: 'key_missing' });
      await expect(sending).rejects.toBeInstanceOf(AppError);
    });

    it('asks before the first call to a production environment', async () => {
      const { id } = await client.call('environments.save', { environment: { ...(await ground.fresh()), production: true } });
      const sending = client.call('calls.send', { draft: gameList(id), ticket: ground.unique() });
      await expect(sending).rejects.toMatchObject({ code: 'refused', details: { reason: 'production_unconfirmed' } });
    });

    it('gives the answer’s body byte for byte, and not_found for none', async () => {
      const bytes = await client.body(ground.callId);
      const { response } = await client.call('calls.get', { id: ground.callId });
      expect(bytes.length).toBe(response?.bodyBytes);
      expect(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))).toMatchObject({ code: 0 });
      await expect(client.body(1_000_000)).rejects.toMatchObject({ code: 'not_found' });
    });

    it('keeps every digit and every character on the way', async () => {
      const text = '{"roundId": 9007199254740993, "n": 1.50, "t": "\u2028\u0000 ä😀 \ud800"}';
      await client.call('settings.write', { name: 'conformance', value: text });
      expect((await client.call('settings.read', {})).values['conformance']).toBe(text);
    });

    it('answers many calls at once, each with its own reply', async () => {
      const digests = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          client.call('keys.digest', { environmentId: 'sandbox', time: `${n % 25}`, data: null }),
        ),
      );
      expect(new Set(digests.map(({ digest }) => digest)).size).toBe(25);
      expect(digests.slice(0, 25)).toEqual(digests.slice(25));
    });

    it('tells every listener each event, as the contract says, until it stops listening', async () => {
      const heard: [EventName, unknown][] = [];
      const second: EventName[] = [];
      const stop = subject.transport.subscribe((name, payload) => heard.push([name, payload]));
      // A game that another test opened has more to tell meanwhile.
      const stopSecond = subject.transport.subscribe((name) => {
        if (!name.startsWith('launches.')) second.push(name);
      });
      const { id } = await ground.fresh();
      await client.call('keys.set', { environmentId: id, key: 'k' });
      const call = await client.call('calls.send', { draft: gameList('sandbox'), ticket: ground.unique() });
      const names = ['environments.changed', 'keys.changed', 'calls.changed', 'sandbox.judged'];
      await vi.waitFor(() => expect([...new Set(second)].sort()).toEqual([...names].sort()));
      await vi.waitFor(() => expect(heard).toContainEqual(['calls.changed', { id: call.id }]));
      expect(heard).toContainEqual(['keys.changed', { environmentId: id }]);
      for (const [name, payload] of heard) expect(events[name].safeParse(payload).error, name).toBeUndefined();
      stop();
      const after = heard.length;
      const before = second.length;
      await client.call('keys.set', { environmentId: id, key: 'k2' });
      await vi.waitFor(() => expect(second.length).toBeGreaterThan(before));
      expect(heard.length).toBe(after);
      stopSecond();
    });
  });
}

function draftFrom({ name, baseUrl, platform, partnerId }: Environment) {
  return { name, baseUrl, platform, partnerId };
}

function codeOf(reply: Reply): string {
  return reply.ok ? 'accepted' : reply.error.code;
}

/** What a malformed call must not change. */
async function stateOf(client: Client): Promise<unknown> {
  return {
    environments: await client.call('environments.list', {}),
    total: (await client.call('calls.list', { limit: 1 })).total,
    collections: await client.call('collections.list', {}),
    settings: await client.call('settings.read', {}),
    kept: (await client.call('history.status', {})).retention,
    snapshots: await client.call('catalogue.snapshots', {}),
    // By id: a game that is open has more to tell meanwhile.
    launches: (await client.call('launches.list', {})).launches.map(({ id }) => id),
  };
}

/** Every way to spoil a valid input that we know of; some leave it valid where a field is optional. */
export function malformations(input: unknown): unknown[] {
  return [
    null,
    [],
    [input],
    '',
    'x',
    0,
    true,
    false,
    1.5,
    -1,
    1e300,
    '{}',
    '[object Object]',
    JSON.stringify(input),
    '\u0000',
    '\ud800',
    'x'.repeat(300_000),
    [null],
    [[]],
    [input, input],
    Array.from({ length: 1_000 }, () => 0),
    nest(100),
    { input },
    { 0: input },
    ...foreignNames.map((name) => withField(input, name, 1)),
    withField(input, 'constructor', { prototype: { polluted: true } }),
    withField(input, 'toString', null),
    withField(input, 'unknown', 'x'.repeat(300_000)),
    withField(input, 'unknown', nest(64)),
    JSON.parse(`{"__proto__": ${JSON.stringify(input)}}`) as unknown,
    ...spoiledFields(input, 0),
  ];
}

/** Names that no input has, among them those that mean something to JavaScript. */
const foreignNames = [
  'unknown',
  '',
  ' ',
  'ID',
  'length',
  'then',
  'toJSON',
  'valueOf',
  'hasOwnProperty',
  'prototype',
  '__defineGetter__',
  'name\u0000',
  '\u2028',
  'ünïcode',
  '0',
  'x'.repeat(10_000),
];

function spoiledFields(value: unknown, depth: number): unknown[] {
  if (depth > 3 || typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const fields = value as Record<string, unknown>;
  return Object.keys(fields).flatMap((name) => {
    const { [name]: field, ...others } = fields;
    const wrong = [
      null,
      [],
      {},
      [field],
      { value: field },
      1.5,
      -1,
      1e300,
      true,
      '',
      'x'.repeat(300_000),
      '\u0000',
      '../../etc/passwd',
      nest(64),
    ];
    return [
      others,
      withField(value, 'unknown', 1),
      ...wrong.map((spoiled) => ({ ...fields, [name]: spoiled })),
      ...spoiledFields(field, depth + 1).map((spoiled) => ({ ...fields, [name]: spoiled })),
    ];
  });
}

function withField(value: unknown, name: string, field: unknown): unknown {
  return typeof value === 'object' && value !== null ? { ...value, [name]: field } : { [name]: field };
}

function nest(depth: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < depth; level++) value = { a: value };
  return value;
}
