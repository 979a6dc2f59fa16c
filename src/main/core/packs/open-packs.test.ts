import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inputs, type Call, type CallName, type ListedPack } from '#shared/ipc/index.ts';
import { exportWhole } from '#shared/ipc/read-export.ts';
import { createTestApp, draftOf, temporaryFolder, type TestApp } from '#testing/app.ts';
import { openPackIn, supportPackText } from '#testing/support-pack.ts';

let test: TestApp;
const calls: Call[] = [];
let page = '';
let json = '';

beforeAll(async () => {
  test = await createTestApp({ sandbox: true });
  for (const text of ['{"currency":"EUR"}', '{"currency":"USD"}', '{"currency":"GBP"}'])
    calls.push(await test.send(draftOf('sandbox', { operation: 'gameList', text })));
  const request = { callIds: calls.map(({ id }) => id), format: 'support' } as const;
  [page = '', json = ''] = (await exportWhole(test.client, request)).files.map(({ text }) => text);
});
afterAll(() => test.close());

async function withPack(work: (pack: ListedPack) => Promise<void>): Promise<void> {
  const digest = createHash('sha256').update(page).digest('hex');
  const pack = await openPackIn(test.client, json, 'theirs.json', digest);
  try {
    await work(pack);
  } finally {
    await test.client.call('packs.close', { id: pack.id });
  }
}

const made = (second: number) => new Date(1_764_000_000_000 + second * 1_000);

describe('a pack in the workbench', () => {
  it('is listed with its facts, and its calls read as own ones under IDs below 0', () =>
    withPack(async (pack) => {
      const { client } = test;
      expect((await client.call('packs.list', {})).packs).toEqual([pack]);
      expect(pack).toMatchObject({ name: 'theirs.json', calls: 3, page: 'same', maskedCalls: 0, maskedParts: [] });
      const { calls: listed, total } = await client.call('calls.list', { pack: pack.id });
      expect(total).toBe(3);
      expect(listed.map((call) => call.pack?.number)).toEqual(calls.map(({ id }) => id).toReversed());
      for (const [at, { id, pack: of }] of listed.toReversed().entries()) {
        expect(id).toBeLessThan(0);
        expect(of).toMatchObject({ id: pack.id, name: 'theirs.json' });
        const { request } = await client.call('calls.get', { id });
        expect(request.bodyText).toBe(calls[at]?.request.bodyText);
        expect(await client.body(id)).toEqual(await client.body(calls[at]?.id ?? 0));
      }
    }));

  it('is searched, filtered and paged by those IDs', () =>
    withPack(async ({ id: pack }) => {
      const { client } = test;
      const found = async (query: object) =>
        (await client.call('calls.list', { pack, ...query })).calls.map((call) => (call.pack?.number ?? 0) - (calls[0]?.id ?? 0));
      expect(await found({ text: 'USD' })).toEqual([1]);
      expect(await found({ filter: { operations: ['bet'] } })).toEqual([]);
      const [newest] = (await client.call('calls.list', { pack, limit: 1 })).calls;
      expect(await found({ before: newest?.id })).toEqual([1, 0]);
      expect(await found({ before: (newest?.id ?? 0) + 1 })).toEqual([2, 1, 0]);
      expect(await found({ before: (newest?.id ?? 0) - 2 })).toEqual([]);
    }));

  it('is searched beside the thread that answers, with the same results', async () => {
    const folder = await temporaryFolder();
    const [program, heard] = [join(folder, 'thread.mjs'), join(folder, 'heard')];
    writeFileSync(
      program,
      `import ${JSON.stringify(new URL('../history/search-worker.ts', import.meta.url))};
      import { appendFileSync } from 'node:fs';
      import { parentPort, workerData } from 'node:worker_threads';
      const hear = ({ name = 'close' }) => appendFileSync(${JSON.stringify(heard)}, \`\${name} \${workerData.historyPath}\\n\`);
      parentPort.on('message', hear);`,
    );
    const beside = await createTestApp({ host: { searchWorker: program } });
    const pages = async ({ client }: TestApp) => {
      const { id: pack } = await openPackIn(client, json);
      const found: unknown[] = [];
      for (const query of [
        { text: 'USD' },
        { text: 'gamel', match: 'words' },
        { text: 'G' },
        { text: 'no', limit: 1 },
        {},
      ] as const) {
        const { calls: listed, ...numbers } = await client.call('calls.list', { pack, ...query });
        found.push([listed.map((call) => call.pack?.number), numbers]);
      }
      await client.call('packs.close', { id: pack });
      return found;
    };
    try {
      expect(await pages(beside)).toEqual(await pages(test));
      const asked = readFileSync(heard, 'utf8').match(/^\w+(?= file:.*memdb$)/gm);
      expect(asked).toEqual([...Array.from({ length: 5 }, () => 'search'), 'close']);
    } finally {
      await beside.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('is gone when it closes, with every call of it', async () => {
    let id = 0;
    await withPack(async (pack) => {
      id = (await test.client.call('calls.list', { pack: pack.id })).calls[0]?.id ?? 0;
    });
    await expect(test.client.call('calls.get', { id })).rejects.toMatchObject({ code: 'not_found' });
    await expect(test.client.body(id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await test.client.call('packs.list', {})).packs).toEqual([]);
  });

  it('is opened once, and others beside it share neither name nor IDs', async () => {
    const { client } = test;
    const changes: unknown[] = [];
    const stop = client.on('packs.changed', (change) => changes.push(change));
    const [one, two] = [supportPackText(2, made(1)), supportPackText(3, made(2))];
    const first = await openPackIn(client, one, 'a.json');
    expect(await openPackIn(client, one, 'b.json')).toEqual(first);
    const second = await openPackIn(client, two, 'a.json');
    expect([first.name, second.name, changes.length]).toEqual(['a.json', 'a.json (2)', 2]);
    const ids = await Promise.all(
      [first, second].map(async ({ id }) => (await client.call('calls.list', { pack: id })).calls.map((call) => call.id)),
    );
    expect(new Set(ids.flat()).size).toBe(5);
    for (const { id } of [first, second]) await client.call('packs.close', { id });
    stop();
  });

  it('is refused beyond the number that may be open, and opens again when one is closed', async () => {
    const { client } = test;
    const packs: ListedPack[] = [];
    for (let at = 0; at < 8; at++) packs.push(await openPackIn(client, supportPackText(1, made(at))));
    const more = supportPackText(1, made(99));
    await expect(openPackIn(client, more)).rejects.toMatchObject({ code: 'conflict' });
    await client.call('packs.close', { id: packs[0]?.id ?? '' });
    packs.push(await openPackIn(client, more));
    for (const { id } of packs) await client.call('packs.close', { id });
  });
});

describe('a file that is not a pack', () => {
  it.each([
    ['other JSON', '[]', 'It is other JSON'],
    ['a page', '<!doctype html>', 'open the JSON beside it'],
    ['changed', () => json.replace('gameList', 'gameLisT'), 'not opened'],
  ])('%s: is refused as on the command line, and nothing is open', async (_, text, says) => {
    await expect(openPackIn(test.client, typeof text === 'string' ? text : text())).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(says) as string,
    });
    expect((await test.client.call('packs.list', {})).packs).toEqual([]);
  });

  it('with a private key of this home: is refused, and the key is not said', async () => {
    const key = 'a-private-key-of-this-test';
    const { id } = await test.client.call('environments.create', {
      environment: { name: 'Theirs', baseUrl: 'https://127.0.0.1:1', platform: 1, partnerId: 1, production: false },
    });
    const text = supportPackText(1, made(5), key);
    await test.client.call('packs.close', { id: (await openPackIn(test.client, text)).id });
    await test.client.call('keys.set', { environmentId: id, key });
    const error = await openPackIn(test.client, text).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'refused', message: expect.stringContaining('the private key of Theirs') as string });
    expect(JSON.stringify(error)).not.toContain(key);
    expect((await test.client.call('packs.list', {})).packs).toEqual([]);
  });

  it('too large: is refused while it arrives, and its pieces are gone', async () => {
    const piece = Buffer.alloc(700_000).toString('base64');
    const send = async () => {
      for (let at = 0; at < 31; at++) await test.client.call('packs.upload', { ticket: 'large', piece });
    };
    await expect(send()).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('reads at most 20,971,520') as string,
    });
    await expect(test.client.call('packs.open', { ticket: 'large', name: 'x' })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a call of a pack', () => {
  /** Inputs of the contract calls that take the ID of a call. One that is not here may not take any. */
  const takers: Partial<Record<CallName, (id: number) => unknown>> = {
    'answers.check': (callId) => ({ collectionId: 'c', path: 'a.yaml', callId }),
    'calls.repeat': (id) => ({ id, ticket: 't', confirmed: false }),
    'calls.pin': (id) => ({ id, pinned: true }),
    'calls.note': (id) => ({ id, note: 'x' }),
    'calls.delete': (id) => ({ ids: [id] }),
    'calls.restore': (id) => ({ ids: [id] }),
    'collections.previewExample': (callId) => ({ callId }),
    'collections.addExample': (callId) => ({ id: 'c', path: 'a.yaml', revision: 'r', callId, name: 'x' }),
    'exports.create': (id) => ({ callIds: [id], format: 'har' }),
    'launches.fromCall': (callId) => ({ callId }),
  };
  /** Numbers that are not IDs of calls. */
  const others = /^(calls\.get|catalogue\.|tokens\.)/;

  it('is refused by all that sends, writes, exports or launches, and nothing of the history changes', () =>
    withPack(async (pack) => {
      const { client } = test;
      const [{ id }] = (await client.call('calls.list', { pack: pack.id })).calls as [Call];
      const before = await client.call('calls.list', {});
      for (const [name, input] of Object.entries(takers)) {
        const reply = await test.app.dispatch(name, input(id));
        expect(reply, name).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
        expect(JSON.stringify(reply), name).toMatch(/[iI]ds?(\.0)?: /);
      }
      expect(await client.call('calls.list', {})).toEqual(before);
      expect((await client.call('calls.list', { pack: pack.id })).calls).toHaveLength(3);
    }));

  interface Schema {
    readonly _zod: { readonly def: { type: string; shape?: Record<string, Schema>; innerType?: Schema; element?: Schema } };
  }

  /** Returns whether a schema has a number, or a list of numbers, in a field with the name of an ID. */
  function takesNumber({ _zod: { def } }: Schema, field: string): boolean {
    if (def.type === 'number') return /^(?:callId|id)s?$/.test(field);
    const inner = def.innerType ?? def.element;
    if (inner !== undefined) return takesNumber(inner, field);
    return Object.entries(def.shape ?? {}).some(([name, schema]) => takesNumber(schema, name));
  }

  it('is named by no other contract call', () => {
    const named = (Object.keys(inputs) as CallName[]).filter((name) => takesNumber(inputs[name] as unknown as Schema, ''));
    expect(named.filter((name) => !others.test(name)).sort()).toEqual(Object.keys(takers).sort());
  });
});
