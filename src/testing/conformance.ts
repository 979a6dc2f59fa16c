import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { createClient } from '#shared/ipc/client.ts';
import { inputs } from '#shared/ipc/index.ts';
import { events, outputs } from '#shared/ipc/outputs/index.ts';
import type { CallName, Client, Environment, EventName, Reply, Transport } from '#shared/ipc/index.ts';
import { draftOf } from './app.ts';
import { bounds, conformanceCases, createGround, gameList, launchOf, type Ground } from './conformance-cases.ts';
import { malformations } from './malformations.ts';

/**
 * A transport to a core of its own whose built-in provider runs with its environment `sandbox`, and which keeps keys for its
 * session only.
 */
export interface ConformanceSubject {
  readonly transport: Transport;
  close(): Promise<void>;
}

/** Calls that are refused, each with its error code; reached through the contract alone. */
const refusals: [title: string, name: string, input: (ground: Ground & { client: Client }) => unknown, code: string][] = [
  ['a call that does not exist', 'calls.nothing', () => ({}), 'unsupported'],
  ['a name from the prototype', 'constructor', () => ({}), 'unsupported'],
  ['a missing call', 'calls.get', () => ({ id: 1_000_000 }), 'not_found'],
  ['to repeat a missing call', 'calls.repeat', ({ unique }) => ({ id: 1_000_000, ticket: unique() }), 'not_found'],
  ['to export a missing call', 'exports.create', () => ({ callIds: [1_000_000], format: 'har' }), 'not_found'],
  ['to read an export that is over', 'exports.read', ({ unique }) => ({ id: unique() }), 'not_found'],
  [
    'a document that should re-sign',
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
    'a starter that does not ship',
    'collections.createFromStarter',
    async ({ collection }) => ({ starter: '../src', directory: join((await collection()).directory, 'new') }),
    'not_found',
  ],
  [
    'to copy a starter over what is there',
    'collections.createFromStarter',
    async ({ collection }) => ({ starter: 'first-call', directory: (await collection()).directory }),
    'conflict',
  ],
  [
    'to move into a collection that has it',
    'collections.transfer',
    async ({ collection }) => ({ id: (await collection()).id, path: 'a.yaml', toId: (await collection()).id, folder: '' }),
    'conflict',
  ],
  ['what was not moved', 'collections.undoTransfer', () => ({ undo: 'x' }), 'not_found'],
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
  ['a run that was not made', 'runs.requests', () => ({ runId: 'a-b' }), 'not_found'],
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

/**
 * Registers the tests that every transport must pass. `open` is called once. `nth`: each call gets every nth malformed input, each
 * beginning with another: all kinds cross the transport, and the conformance in process proves what each call refuses.
 */
export function runConformance(title: string, open: () => Promise<ConformanceSubject>, nth = 1): void {
  describe(`${title}: conformance`, () => {
    let subject: ConformanceSubject;
    let client: Client;
    let ground: Ground;
    let folder: string;

    beforeAll(async () => {
      subject = await open();
      folder = await mkdtemp(join(tmpdir(), 'croupier-conformance-'));
      client = createClient(subject.transport);
      ground = await createGround(client, folder);
    });
    afterAll(async () => {
      await subject.close();
      await rm(folder, { recursive: true, force: true });
    });

    async function inputsOf(name: CallName): Promise<unknown[]> {
      return await conformanceCases[name]({ ...ground, client });
    }

    async function refusesMalformed(calls: readonly CallName[]): Promise<void> {
      const malformed: [CallName, unknown][] = [];
      for (const [at, name] of calls.entries()) {
        // A long input is malformed in no other way than the short ones.
        const all = (await inputsOf(name))
          .filter((input) => JSON.stringify(input).length < 10_000)
          .flatMap(malformations)
          // An input that the schema accepts (an optional field left out) is not a malformation of this call.
          .filter((input) => !inputs[name].safeParse(input).success);
        expect(all.length, name).toBeGreaterThanOrEqual(40);
        for (const [index, input] of all.entries()) if ((at + index) % nth === 0) malformed.push([name, input]);
      }
      const before = await stateOf(client);
      // Some at a time, as a page would: a browser opens six connections to a host.
      while (malformed.length > 0) {
        await Promise.all(
          malformed.splice(0, 6).map(async ([name, input]) => {
            const reply = await subject.transport.call(name, input);
            expect(codeOf(reply), `${name} ${JSON.stringify(input)?.slice(0, 300)}`).toBe('invalid_input');
          }),
        );
      }
      expect(await stateOf(client)).toEqual(before);
    }

    const names = Object.keys(inputs) as CallName[];

    describe.each(names)('%s', (name) => {
      it('takes every valid input and answers as the contract says, in plain JSON', async () => {
        for (const input of await inputsOf(name)) {
          const reply = await subject.transport.call(name, input);
          if (!reply.ok) throw new Error(`${JSON.stringify(input).slice(0, 300)}: ${JSON.stringify(reply.error)}`);
          expect(outputs[name].safeParse(reply.value).error).toBeUndefined();
          expect(JSON.parse(JSON.stringify(reply.value))).toEqual(reply.value);
        }
      });

      if (nth === 1) it('refuses every malformed input with invalid_input, and nothing changes', () => refusesMalformed([name]));
    });

    if (nth > 1)
      it('refuses malformed inputs of every call with invalid_input, and nothing changes', () => refusesMalformed(names));

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
      // It asks about a call that can be signed.
      await client.call('keys.set', { environmentId: id, key: 'k' });
      const sending = client.call('calls.send', { draft: gameList(id), ticket: ground.unique() });
      await expect(sending).rejects.toMatchObject({ code: 'refused', details: { reason: 'production_unconfirmed' } });
    });

    it("gives the response's body byte for byte, and not_found for none", async () => {
      const bytes = await client.body(ground.callId);
      const { response } = await client.call('calls.get', { id: ground.callId });
      expect(bytes.length).toBe(response?.bodyBytes);
      expect(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))).toMatchObject({ code: 0 });
      await expect(client.body(1_000_000)).rejects.toMatchObject({ code: 'not_found' });
    });

    it('gives the bytes as they came by the same way: none for a call that needs none, and not_found for no call', async () => {
      for (const part of ['raw', 'sentRaw'] as const) expect(await client.body(ground.callId, part)).toHaveLength(0);
      await expect(client.body(1_000_000, 'raw')).rejects.toMatchObject({ code: 'not_found' });
    });

    it('gives a picture byte for byte by the ID that it was named with, and not_found for none', async () => {
      const { baseUrl } = ground.sandbox;
      const url = `${baseUrl}/thumbs/lucky-compass-1001.svg`;
      const thumbnail = await client.call('catalogue.thumbnail', { environmentId: ground.sandbox.id, url });
      if (!('picture' in thumbnail)) throw new Error(thumbnail.problem);
      expect(thumbnail.mediaType).toBe('image/svg+xml');
      expect(new TextDecoder('utf-8', { fatal: true }).decode(await client.picture(thumbnail.picture))).toMatch(/<svg[\s>]/);
      await expect(client.picture('0'.repeat(64))).rejects.toMatchObject({ code: 'not_found' });
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
      // A game that another test opened reports more meanwhile, and the history of a run's calls changes a moment after its end.
      const stopSecond = subject.transport.subscribe((name) => {
        // A line in process begins with each listener.
        if (name !== 'app.joined' && !name.startsWith('launches.') && name !== 'history.changed') second.push(name);
      });
      const { id } = await ground.fresh();
      await client.call('keys.set', { environmentId: id, key: 'k' });
      const call = await client.call('calls.send', { draft: gameList('sandbox'), ticket: ground.unique() });
      const names = ['environments.changed', 'keys.changed', 'calls.changed', 'catalogue.changed', 'sandbox.judged'];
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

function draftFrom({ name, baseUrl, platform, partnerId, production }: Environment) {
  return { name, baseUrl, platform, partnerId, production };
}

function codeOf(reply: Reply): string {
  return reply.ok ? 'accepted' : reply.error.code;
}

/** Waits until no run goes on. */
async function runsEnded(client: Client): Promise<void> {
  let tell: () => void = () => undefined;
  const stop = client.on('runs.progressed', ({ state }) => {
    if (state !== 'running') tell();
  });
  try {
    for (;;) {
      const next = new Promise<void>((resolve) => (tell = resolve));
      if ((await client.call('runs.list', {})).runs.every(({ state }) => state !== 'running')) return;
      await next;
    }
  } finally {
    stop();
  }
}

/** Reads everything that a malformed call must not change. */
async function stateOf(client: Client): Promise<unknown> {
  await runsEnded(client);
  return {
    environments: await client.call('environments.list', {}),
    total: (await client.call('calls.list', { limit: 1 })).total,
    collections: await client.call('collections.list', {}),
    settings: await client.call('settings.read', {}),
    kept: (await client.call('history.status', {})).retention,
    snapshots: await client.call('catalogue.snapshots', {}),
    // By ID: the record of an open game grows meanwhile.
    launches: (await client.call('launches.list', {})).launches.map(({ id }) => id),
  };
}
