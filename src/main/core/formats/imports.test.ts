import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#testing/app.ts';

const key = 'K3y/with "quotes" é';

let test: TestApp;
let made = 0;

beforeAll(async () => {
  test = await createTestApp({ sandbox: { key } });
});
afterAll(() => test.close());

async function collection(): Promise<{ id: string; directory: string }> {
  return test.client.call('collections.open', { directory: join(test.home, `collection-${++made}`), create: true });
}

const request = (name: string, operation: string, data: string) => ({
  name,
  request: { method: 'POST', url: `https://w.example/${operation}`, body: { mode: 'raw', raw: data } },
});
const postman = {
  info: { name: 'a', description: 'Words.', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
  variable: [
    { key: 'token', value: 't' },
    { key: 'own', value: 'theirs' },
  ],
  item: [
    request('z', 'bet', '{"externalToken": "{{token}}", "amount": 0.10}'),
    {
      name: 'folder',
      variable: [{ key: 'x', value: '1' }],
      item: [request('b', 'win', '{"amount": 1}'), request('a', 'cancel', '{"amount": 2}')],
    },
    request('a', 'playerInfo', '{"externalToken": "{{token}}"}'),
  ],
};
const files = [{ name: 'a.json', text: JSON.stringify(postman) }];

describe('an import', () => {
  it('writes files in the order of the input, and overwrites none', async () => {
    const { id, directory } = await collection();
    const own = 'operation: gameList\n# mine\n';
    await writeFile(join(directory, 'a.yaml'), own);
    await writeFile(join(directory, 'collection.yaml'), 'variables:\n  own: mine # kept\n');
    const preview = await test.client.call('collections.importPreview', { files, into: { id, folder: '' } });
    expect(await readdir(directory)).toEqual(['a.yaml', 'collection.yaml']);
    const plan = await test.client.call('collections.import', { files, id, folder: '' });
    expect(plan.requests).toEqual(preview.requests);
    expect(await readFile(join(directory, 'a.yaml'), 'utf8')).toBe(own);
    const { nodes } = await test.client.call('collections.tree', { id });
    expect(nodes.map(({ path, problem }) => [path, problem])).toEqual(
      ['a.yaml', 'z.yaml', 'folder', 'folder/b.yaml', 'folder/a.yaml', 'a 2.yaml'].map((path) => [path, null]),
    );
    const settings = await readFile(join(directory, 'collection.yaml'), 'utf8');
    expect(settings).toContain('own: mine # kept');
    expect(settings).toContain('token: t');
    expect(plan.notCarried).toContainEqual({
      where: 'the collection',
      what: 'the variable own',
      why: expect.any(String),
      at: [],
    });
    const { request: bet } = await test.client.call('collections.read', { id, path: 'z.yaml' });
    expect(bet.data).toBe('{"externalToken": "{{token}}", "amount": 0.10}');
    expect((await test.client.call('collections.readFolder', { id, path: 'folder' })).settings).toMatchObject({
      variables: { x: '1' },
      order: ['b.yaml', 'a.yaml'],
    });
    // Once more: beside the first.
    await test.client.call('collections.import', { files, id, folder: 'folder' });
    const again = await test.client.call('collections.tree', { id });
    expect(again.nodes.filter(({ path }) => path.startsWith('folder/')).map(({ path }) => path)).toEqual([
      'folder/b.yaml',
      'folder/a.yaml',
      'folder/z.yaml',
      'folder/folder',
      'folder/folder/b.yaml',
      'folder/folder/a.yaml',
      'folder/a 2.yaml',
    ]);
    expect(test.faults).toEqual([]);
  });

  it('leaves nothing behind where something cannot be written', async () => {
    const { id, directory } = await collection();
    await writeFile(join(directory, 'collection.yaml'), 'variables: [broken\n');
    await expect(test.client.call('collections.import', { files, id, folder: '' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect(await readdir(directory)).toEqual(['collection.yaml']);
    await expect(test.client.call('collections.import', { files, id, folder: 'nobody' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(
      test.client.call('collections.import', { files: [{ name: 'a', text: 'words' }], id, folder: '' }),
    ).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await readdir(directory)).toEqual(['collection.yaml']);
  });

  it.each(['read', 'hashes', 'secrets', 'write'] as const)(
    'is cancelled at the step %s, and leaves nothing behind',
    async (at) => {
      const { id, directory } = await collection();
      const curl = (index: number) =>
        `curl https://a.example/serviceApi.php -d '{"action":"gameList","platform":1,"partnerId":2,"time":"t","hash":"${index}"}'\n`;
      const many = [{ name: 'a.sh', text: Array.from({ length: 300 }, (_, index) => curl(index)).join('') }];
      const ticket = `cancel at ${at}`;
      const told: string[] = [];
      const quiet = test.client.on('collections.importing', (progress) => {
        told.push(progress.step);
        if (progress.ticket === ticket && progress.step === at) void test.client.call('collections.cancelImport', { ticket });
      });
      const stopped = { code: 'cancelled', message: 'The import was cancelled. Nothing was imported.' };
      await expect(test.client.call('collections.import', { files: many, id, folder: '', ticket })).rejects.toMatchObject(
        stopped,
      );
      expect(told.at(-1)).toBe(at);
      expect(await readdir(directory)).toEqual(['collection.yaml']);
      if (at !== 'write')
        await expect(test.client.call('collections.importPreview', { files: many, ticket })).rejects.toMatchObject(stopped);
      quiet();
      expect(await test.client.call('collections.cancelImport', { ticket })).toEqual({ cancelled: false });
      expect(test.faults).toEqual([]);
    },
  );

  it('writes no stored key, and checks hashes with it', async () => {
    const { id, directory } = await collection();
    const body = {
      action: 'getGameRound',
      platform: 1,
      partnerId: 42,
      time: '20-11-2026 10:15:30',
      data: { roundId: 1, note: `see ${key}` },
      hash: '',
    };
    const { digest } = await test.client.call('keys.digest', {
      environmentId: 'sandbox',
      time: body.time,
      data: JSON.stringify(body.data).replace('é', '\\u00e9'),
    });
    const text = `curl https://api.example/serviceApi.php -d ${`'${JSON.stringify({ ...body, hash: digest })}'`}`;
    const plan = await test.client.call('collections.import', { files: [{ name: '', text }], id, folder: '' });
    expect(plan.signing).toMatchObject([{ outcome: 'match', environmentId: 'sandbox', form: 'php' }]);
    expect(plan.notCarried).toContainEqual({
      where: 'getGameRound.yaml',
      what: 'a text in its data',
      why: expect.stringContaining('private key'),
      at: [],
    });
    expect(JSON.stringify(plan)).not.toContain('K3y');
    for (const file of await readdir(directory)) expect(await readFile(join(directory, file), 'utf8')).not.toContain('K3y');
  });

  it('is sent from here as the other tool meant it', async () => {
    const { id } = await collection();
    const text = `curl https://api.example/serviceApi.php -d '{"action":"getGameRound","platform":1,"partnerId":42,"time":"x","data":{"roundId":9007199254740993,"logMonth":0},"hash":"y"}'`;
    const plan = await test.client.call('collections.import', { files: [{ name: '', text }], id, folder: '' });
    const request = plan.requests[0]?.request;
    if (request === undefined) throw new Error('No request');
    const call = await test.send({
      environmentId: 'sandbox',
      operation: request.operation,
      form: request.form,
      text: request.data,
      overrides: request.overrides,
    });
    expect(call).toMatchObject({ code: 0 });
    expect(call.request.bodyText).toContain('"data":{"roundId":9007199254740993,"logMonth":0}');
  });
});

describe('secrets in what is imported', () => {
  const names = ['apiSecret', 'client_secret', 'password', 'bearerToken', 'merchantKey', 'salt', 'externalToken'];
  const secret = (name: string) => `${name}-9f3Kx0Vn5R`;
  const environmentFile = {
    name: 'Staging',
    values: [
      ...names.map((name) => ({ key: name, value: secret(name), enabled: true })),
      { key: 'trace', value: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N', enabled: true },
      { key: 'player', value: 'player-1', enabled: true },
    ],
    _postman_variable_scope: 'environment',
  };
  const environmentFiles = [{ name: 'staging.postman_environment.json', text: JSON.stringify(environmentFile) }];

  it('stay out of the files, and the import says which', async () => {
    const { id, directory } = await collection();
    const plan = await test.client.call('collections.import', { files: environmentFiles, id, folder: '' });
    expect(plan.variables).toEqual({ player: 'player-1' });
    expect(plan.secrets.map(({ name, by, kept, asked }) => [name, by, kept, asked])).toEqual([
      ...names.map((name) => [name, 'name', false, true]),
      ['trace', 'value', false, true],
    ]);
    for (const name of [...names, 'trace'])
      expect(plan.notCarried.map(({ what }) => what)).toContain(`the value of the variable ${name}`);
    const written = await readFile(join(directory, 'collection.yaml'), 'utf8');
    expect(written).toContain('player: player-1');
    expect(written).not.toMatch(/9f3Kx0Vn5R|eyJ/);
    expect(JSON.stringify(plan)).not.toMatch(/9f3Kx0Vn5R|eyJ/);
  });

  it('are written where somebody said that they are none, and not asked about again', async () => {
    const { id } = await collection();
    const secrets = { salt: 'keep', password: 'out' } as const;
    const plan = await test.client.call('collections.import', { files: environmentFiles, id, folder: '', secrets });
    expect(plan.variables).toEqual({ salt: secret('salt'), player: 'player-1' });
    const again = await test.client.call('collections.importPreview', { files: environmentFiles });
    expect(again.variables).toEqual(plan.variables);
    expect(again.secrets.find(({ name }) => name === 'salt')).toMatchObject({ kept: true, asked: false });
    expect(again.secrets.find(({ name }) => name === 'password')).toMatchObject({ kept: false, asked: false });
    // Another value under such a name is another secret.
    const other = [{ name: 'other.json', text: JSON.stringify(environmentFile).replaceAll('9f3Kx0Vn5R', 'Another-9f3Kx0') }];
    const changed = await test.client.call('collections.importPreview', { files: other });
    expect(changed.variables).toEqual({ player: 'player-1' });
    for (const name of ['salt', 'password'])
      expect(changed.secrets.find((one) => one.name === name)).toMatchObject({ kept: false, asked: true });
    // A no by name leaves out the values that nobody chose for, and not those that were kept.
    const both = { files: [...environmentFiles, ...other], secrets: { salt: 'out' as const } };
    const { secrets: said } = await test.client.call('collections.importPreview', both);
    expect(said.filter(({ name }) => name === 'salt').map(({ kept, asked }) => [kept, asked])).toEqual([[true, false]]);
    expect(JSON.stringify(await test.client.call('settings.read', {}))).not.toMatch(/9f3Kx0/);
  });

  it('as literal session tokens of cURL and HAR become variables, one for each value', async () => {
    const bet = (token: string) => `{"externalToken": "${token}", "amount": 0.10}`;
    const curl = ['aaaa-1', 'bbbb-2', 'aaaa-1'].map((token) => `curl https://w.example/bet -d '${bet(token)}'`).join('\n');
    const entry = {
      request: { method: 'POST', url: 'https://w.example/win', postData: { mimeType: 'application/json', text: bet('cccc-3') } },
    };
    const har = JSON.stringify({ log: { version: '1.2', entries: [entry] } });
    const plan = await test.client.call('collections.importPreview', {
      files: [
        { name: 'a.sh', text: curl },
        { name: 'b.har', text: har },
      ],
    });
    expect(plan.requests.map(({ request }) => request.data)).toEqual(
      ['externalToken', 'externalToken_2', 'externalToken', 'externalToken_3'].map((name) => bet(`{{${name}}}`)),
    );
    expect(plan.notCarried).toContainEqual(expect.objectContaining({ what: 'the value of externalToken in its data' }));
    expect(JSON.stringify(plan)).not.toMatch(/aaaa-1|bbbb-2|cccc-3/);
  });

  it('are masked in notes and saved responses', async () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N';
    const file = {
      ...postman,
      item: [
        {
          name: 'noted',
          request: { ...request('z', 'bet', '{"amount": 1}').request, description: `Use Bearer ${token} here.` },
          response: [{ name: 'ok', code: 200, body: `{"code": 0, "apiSecret": "s3cret-text", "link": "${token}"}` }],
        },
      ],
    };
    const plan = await test.client.call('collections.importPreview', { files: [{ name: 'a.json', text: JSON.stringify(file) }] });
    expect(plan.requests[0]?.request.notes).toBe('Use [secret] here.');
    expect(JSON.stringify(plan)).not.toMatch(/eyJ|s3cret/);
  });
});
