import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Input } from '#shared/ipc/index.ts';
import { createTestApp, type TestApp } from '#testing/app.ts';

type SavedInput = Input<'collections.create'>['request'];

let test: TestApp;
let id: string;
let directory: string;
beforeAll(async () => {
  test = await createTestApp();
  directory = join(test.home, 'collection');
  ({ id } = await test.client.call('collections.open', { directory, create: true }));
  const environment = await test.environment({ baseUrl: 'https://api.example.com' });
  await test.client.call('tokens.add', { environmentId: environment.id, text: 'pooled-1' });
});
afterAll(() => test.close());

const asked = (...names: string[]) => ({
  code: 'refused',
  details: { reason: 'secrets_unconfirmed', secrets: names.map((name) => expect.objectContaining({ name })) },
});
const settings = (variables: Record<string, string>) => ({ variables, order: [], notes: '' });

it('a save asks once about values that look like secrets, in one list, and remembers what was kept', async () => {
  const { client } = test;
  const variables = { apiSecret: 'hunter2-x', salt: 'pepper', player: 'player-1', token: '{{externalToken}}' };
  const save = (more: object) =>
    client.call('collections.saveFolder', { id, path: '', settings: settings(variables), revision: null, ...more });
  const revision = (await client.call('collections.readFolder', { id, path: '' })).revision;
  await expect(save({ revision })).rejects.toMatchObject(asked('apiSecret', 'salt'));
  expect(await readFile(join(directory, 'collection.yaml'), 'utf8')).toBe('format: 1\n');
  const saved = await save({ revision, secrets: { apiSecret: 'keep', salt: 'keep' } });
  // Values in the file, and values that were kept once, cause no question; another value of that name does.
  const more = { ...variables, password: 'another-1', salt: 'changed-2' };
  const again = client.call('collections.saveFolder', { id, path: '', settings: settings(more), revision: saved.revision });
  await expect(again).rejects.toMatchObject(asked('salt', 'password'));
  await client.call('collections.createFolder', { id, folder: '', name: 'below' });
  const below = { id, path: 'below', settings: settings({ apiSecret: 'hunter2-x' }), revision: null };
  await client.call('collections.saveFolder', below);
  expect(JSON.stringify(await client.call('settings.read', {}))).not.toMatch(/hunter2|pepper/);
});

it('a yes about one secret in notes or examples is none about the next one', async () => {
  const { client } = test;
  const jwt = (end: string) => `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${end}`;
  const create = (name: string, texts: readonly string[], secrets = {}) => {
    const [notes = '', body = ''] = texts;
    const examples = [{ name: 'e', status: '200', body }];
    return client.call('collections.create', {
      id,
      folder: '',
      name,
      request: { operation: 'bet', notes, examples },
      secrets,
    });
  };
  await create('first', [`Use ${jwt('dozjgNryP4J3')}.`, jwt('VmNHl0w5Nxgl')], { notes: 'keep', examples: 'keep' });
  await create('second', [`Again ${jwt('dozjgNryP4J3')}.`, jwt('VmNHl0w5Nxgl')]);
  await expect(create('third', [`Use ${jwt('another0one')}.`, jwt('VmNHl0w5Nxgl')])).rejects.toMatchObject(asked('notes'));
  await expect(create('third', ['', jwt('another0one')])).rejects.toMatchObject(asked('examples'));
  // Under another name it was not asked about.
  await expect(create('third', ['', jwt('dozjgNryP4J3')])).rejects.toMatchObject(asked('examples'));
  expect(JSON.stringify(await client.call('settings.read', {}))).not.toMatch(/eyJ|dozjg/);
});

const uuid = '550e8400-e29b-41d4-a716-446655440000';

it.each<[what: string, request: Partial<SavedInput>, saved: object, standIns: string[]]>([
  [
    'a token in any form, by its name in any field',
    { data: JSON.stringify({ externalToken: uuid, token: uuid, wallet: { sessionToken: 'plain' } }) },
    {
      data: JSON.stringify({
        externalToken: '{{externalToken}}',
        token: '{{externalToken}}',
        wallet: { sessionToken: '{{sessionToken}}' },
      }),
    },
    ['externalToken {{externalToken}}', 'token {{externalToken}}', 'sessionToken {{sessionToken}}'],
  ],
  [
    'two tokens, each by its own variable',
    { data: JSON.stringify({ externalToken: uuid, list: [{ externalToken: 'other' }] }) },
    { data: JSON.stringify({ externalToken: '{{externalToken}}', list: [{ externalToken: '{{externalToken_2}}' }] }) },
    ['externalToken {{externalToken}}', 'externalToken {{externalToken_2}}'],
  ],
  [
    'a token wherever it stands again',
    {
      data: JSON.stringify({ externalToken: uuid, ref: uuid, exitURL: `https://x.example/?a=${uuid}` }),
      expect: [{ path: '/echo', equals: uuid }],
      notes: `With ${uuid}.`,
    },
    {
      data: JSON.stringify({
        externalToken: '{{externalToken}}',
        ref: '{{externalToken}}',
        exitURL: 'https://x.example/?a={{externalToken}}',
      }),
      expect: [{ path: '/echo', equals: '{{externalToken}}' }],
      notes: 'With [token].',
    },
    ['externalToken', 'ref', 'exitURL', 'echo'].map((name) => `${name} {{externalToken}}`).concat('notes [token]'),
  ],
  [
    'a token in a URL, and one that a check names',
    { data: JSON.stringify({ exitURL: 'https://x.example/?token=short' }), expect: [{ path: '/data/token', not: 'gone-1' }] },
    {
      data: JSON.stringify({ exitURL: 'https://x.example/?token={{externalToken}}' }),
      expect: [{ path: '/data/token', not: '{{externalToken_2}}' }],
    },
    ['exitURL {{externalToken}}', 'token {{externalToken_2}}'],
  ],
  [
    'a token in a payload that is not JSON',
    { data: `{"externalToken": "${uuid}", "amount": 1,}` },
    { data: '{"externalToken": "{{externalToken}}", "amount": 1,}' },
    ['externalToken {{externalToken}}'],
  ],
  [
    'what the home knows as a token, under any name',
    { data: JSON.stringify({ trace: 'pooled-1' }) },
    { data: JSON.stringify({ trace: '{{externalToken}}' }) },
    ['trace {{externalToken}}'],
  ],
  [
    'a transaction and a reference of a new file',
    { operation: 'promoWin', data: JSON.stringify({ transactionId: 't', externalReferenceId: 'r', gameId: '1' }) },
    { data: JSON.stringify({ transactionId: '{{$uniqueId}}', externalReferenceId: '{{$uniqueId}}', gameId: '1' }) },
    ['transactionId {{$uniqueId}}', 'externalReferenceId {{$uniqueId}}'],
  ],
  [
    'each reference of a list',
    { operation: 'freeRounds', data: JSON.stringify({ playerIds: ['p', 'q'], externalReferenceIds: ['r', 's'] }) },
    { data: JSON.stringify({ playerIds: ['p', 'q'], externalReferenceIds: ['{{$uniqueId}}', '{{$uniqueId}}'] }) },
    ['externalReferenceIds {{$uniqueId}}'],
  ],
])('a save writes a variable in place of %s', async (_, request, saved, standIns) => {
  const { client } = test;
  const made = await client.call('collections.create', { id, folder: '', name: _, request: { operation: 'bet', ...request } });
  expect(made.request).toMatchObject(saved);
  expect(made.replaced?.standIns.map(({ name, variable }) => `${name} ${variable}`)).toEqual(standIns);
  expect(made.replaced?.request).toEqual(made.request);
});

it('a save leaves what is no token, what a file has, what was kept, and lists that IDs would make too long', async () => {
  const { client } = test;
  const create = (name: string, request: SavedInput, secrets = {}) =>
    client.call('collections.create', { id, folder: '', name, request, secrets });
  const plain = {
    data: JSON.stringify({ externalToken: '{{externalToken}}', token: '', transactionId: '{{$uniqueId:bet}}', amount: 1 }),
    expect: [{ path: '/token', matches: '^.{1,255}$' }],
  };
  const many = JSON.stringify({ externalReferenceIds: Array.from({ length: 600 }, (_, at) => `r${at}`) });
  for (const [name, request] of Object.entries({
    plain: { operation: 'bet', ...plain },
    cancel: { operation: 'cancel', data: JSON.stringify({ transactionId: 'the-bet' }) },
    number: { operation: 'bet', data: JSON.stringify({ transactionId: 7 }) },
    many: { operation: 'freeRounds', data: many },
  } as const)) {
    const { replaced, request: made } = await create(name, request);
    expect([name, replaced, made.data]).toEqual([name, null, request.data]);
  }
  const kept = await create(
    'kept',
    { operation: 'bet', data: JSON.stringify({ externalToken: uuid }) },
    { externalToken: 'keep' },
  );
  expect(kept).toMatchObject({ replaced: null, request: { data: JSON.stringify({ externalToken: uuid }) } });
  // A file keeps its token and gets no other; its transaction is what somebody wrote.
  const save = (data: object) =>
    client.call('collections.save', {
      id,
      path: kept.path,
      request: { operation: 'bet', data: JSON.stringify(data) },
      revision: kept.revision,
    });
  const saved = await save({ externalToken: uuid, token: 'another', transactionId: 't-1' });
  expect(saved.request.data).toBe(JSON.stringify({ externalToken: uuid, token: '{{externalToken}}', transactionId: 't-1' }));
});

it('a tab goes on with a token that its file does not get, in its environment alone', async () => {
  const { client } = test;
  const create = (name: string, environmentId: string) =>
    client.call('collections.create', {
      id,
      folder: '',
      name,
      request: { operation: 'bet', data: JSON.stringify({ externalToken: uuid }) },
      environmentId,
    });
  const made = await create('mine', 'staging');
  const taken = (environmentId: string) => client.call('answers.taken', { collectionId: id, environmentId });
  expect(await taken('staging')).toEqual({ values: [{ name: 'externalToken', value: uuid, path: made.path, callId: null }] });
  expect(await taken('sandbox')).toEqual({ values: [] });
});

it('a request is asked about by its payload', async () => {
  const { client } = test;
  const create = (name: string, payload: object, secrets = {}) =>
    client.call('collections.create', {
      id,
      folder: '',
      name,
      request: { operation: 'bet', data: JSON.stringify(payload) },
      secrets,
    });
  await expect(create('one', { client_secret: 'x-y-z-1' })).rejects.toMatchObject(asked('client_secret'));
  await expect(create('two', { trace: '9f86d081884c7d659a2feaa0c55ad015' })).rejects.toMatchObject(asked('trace'));
  const made = await create('two', { trace: '9f86d081884c7d659a2feaa0c55ad015' }, { trace: 'keep' });
  const request = { ...made.request, notes: 'Only the notes.' };
  await client.call('collections.save', { id, path: made.path, request, revision: made.revision });
  expect(JSON.stringify(await client.call('settings.read', {}))).not.toContain('9f86d081');
});

it('checks, notes and examples are looked through by the same list', async () => {
  const { client } = test;
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';
  const create = (request: object, secrets = {}) =>
    client.call('collections.create', { id, folder: '', name: 'texts', request: { operation: 'bet', ...request }, secrets });
  const example = (body: object) => ({ examples: [{ name: 'e', status: '200', body: JSON.stringify(body) }] });
  await expect(create({ expect: [{ path: '/data/clientSecret', equals: 'x-y-z-1' }] })).rejects.toMatchObject(
    asked('clientSecret'),
  );
  await expect(create({ expect: [{ path: "$.data['apiKey']", not: 'x-y-z-1' }] })).rejects.toMatchObject(asked('apiKey'));
  for (const [field, request] of Object.entries({
    form: { form: jwt.slice(0, 90) },
    hash: { overrides: { hash: jwt } },
    take: { take: { a: `/${jwt}` } },
    expect: { expect: [{ code: jwt }] },
    data: { data: jwt },
  }))
    await expect(create(request), field).rejects.toMatchObject(asked(field));
  await expect(create({ notes: JSON.stringify({ a: JSON.stringify({ externalToken: uuid }) }) })).rejects.toMatchObject(
    asked('externalToken'),
  );
  await expect(create({ expect: [{ path: '/x', matches: jwt }] })).rejects.toMatchObject(asked('x'));
  await expect(create({ notes: `Use ${jwt} for now.` })).rejects.toMatchObject(asked('notes'));
  await expect(create(example({ password: 'hunter2', id: '9f86d081884c7d659a2feaa0c55ad015' }))).rejects.toMatchObject(
    asked('password'),
  );
  await expect(create(example({ message: `see ${jwt}` }))).rejects.toMatchObject(asked('examples'));
  const { revision } = await client.call('collections.readFolder', { id, path: '' });
  const folder = { variables: {}, order: [], notes: jwt };
  await expect(client.call('collections.saveFolder', { id, path: '', settings: folder, revision })).rejects.toMatchObject(
    asked('notes'),
  );
  // Values in the file cause no question, and marks of a mask do not either.
  const made = await create(
    {
      expect: [{ path: '/data/token', equals: '{{token}}' }],
      notes: 'A token: [token].',
      ...example({ token: '[token]', password: 'hunter2' }),
    },
    { password: 'keep' },
  );
  const request = { ...made.request, notes: `${made.request.notes} More.` };
  await client.call('collections.save', { id, path: made.path, request, revision: made.revision });
});
