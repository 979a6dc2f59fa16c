import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#testing/app.ts';

let test: TestApp;
let id: string;
let directory: string;
beforeAll(async () => {
  test = await createTestApp();
  directory = join(test.home, 'collection');
  ({ id } = await test.client.call('collections.open', { directory, create: true }));
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

it('a request is asked about by its payload; a session token of an ordinary kind is none', async () => {
  const { client } = test;
  const create = (name: string, payload: object, secrets = {}) =>
    client.call('collections.create', {
      id,
      folder: '',
      name,
      request: { operation: 'bet', data: JSON.stringify(payload) },
      secrets,
    });
  await create('plain', { externalToken: '550e8400-e29b-41d4-a716-446655440000', amount: 1, playerId: 'player-1' });
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
