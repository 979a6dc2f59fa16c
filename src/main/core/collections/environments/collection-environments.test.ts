import { mkdir, readFile, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { CollectionEnvironment, Environment } from '#shared/ipc/index.ts';
import { createTestApp, temporaryFolder, type TestApp } from '../../../../testing/app.ts';
import { makeCertificate } from '../../../../testing/https-server.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

const draft = { name: 'Staging', baseUrl: 'https://api.example.com', platform: 1, partnerId: 42, production: false };
const staging = [
  '# for everybody',
  'baseUrl: https://api.example.com # the test system',
  'platform: 1',
  'partnerId: 42',
  'production: false',
  '',
].join('\n');

interface Person extends TestApp {
  /** Lists the environments of the directory. */
  readonly look: () => Promise<readonly CollectionEnvironment[]>;
  /** Uses the only one as it is listed. */
  readonly accept: () => Promise<Environment>;
  readonly find: () => Promise<Environment | undefined>;
}

async function person(directory: string): Promise<Person> {
  const test = await createTestApp();
  ended.push(test.close);
  const look = async () => (await test.client.call('collections.environments', { directory })).environments;
  return {
    ...test,
    look,
    async accept() {
      const [one] = await look();
      return test.client.call('collections.useEnvironment', { directory, name: one?.name ?? '', revision: one?.revision ?? '' });
    },
    find: async () => (await test.client.call('environments.list', {})).environments[0],
  };
}

/** Creates a collection with one environment, and a person who has it. */
async function withFile(text = staging) {
  const directory = await temporaryFolder();
  const path = join(directory, 'environments', 'Staging.yaml');
  await mkdir(join(directory, 'environments'));
  await writeFile(join(directory, 'collection.yaml'), 'format: 1\n');
  await writeFile(path, text);
  const one = await person(directory);
  const change = async (edit: (text: string) => string) => writeFile(path, edit(await readFile(path, 'utf8')));
  return { ...one, directory, path, change, text: () => readFile(path, 'utf8') };
}

describe('an environment of a collection', () => {
  it('is not in the home before somebody uses it as it was shown, and is no request of the collection', async () => {
    const { client, look, accept, find, change, directory } = await withFile();
    const [shown] = await look();
    expect(shown).toMatchObject({ name: 'Staging', state: 'new', environmentId: null });
    expect(shown?.differences).toContainEqual({ field: 'production', home: '', file: 'false', asks: true });
    expect(await find()).toBeUndefined();
    const { id } = await client.call('collections.open', { directory });
    expect((await client.call('collections.tree', { id })).nodes).toEqual([]);

    await change((text) => text.replace('api.example', 'evil.example'));
    const stale = client.call('collections.useEnvironment', { directory, name: 'Staging', revision: shown?.revision ?? '' });
    await expect(stale).rejects.toMatchObject({ code: 'conflict' });
    expect(await find()).toBeUndefined();

    expect(await accept()).toMatchObject({ name: 'Staging', baseUrl: 'https://evil.example.com', production: false });
    expect((await look())[0]).toMatchObject({ state: 'followed', differences: [] });
  });

  it.each<[what: string, edit: (text: string) => string, field: string]>([
    ['base URL', (text) => text.replace('api.example', 'evil.example'), 'baseUrl'],
    ['wallet URL', (text) => `${text}walletUrl: https://evil.example\n`, 'walletUrl'],
    ['mark of production', (text) => text.replace('production: true', 'production: false'), 'production'],
  ])('that changes its %s is asked about again, and stays as it was in everything', async (_what, edit, field) => {
    const { look, accept, find, change } = await withFile(staging.replace('production: false', 'production: true'));
    const before = await accept();
    await change((text) => `${edit(text)}timeZone: Europe/Berlin\n`);
    const [shown] = await look();
    expect(shown?.state).toBe('asks');
    expect(shown?.differences.filter(({ asks }) => asks).map((one) => one.field)).toEqual([field]);
    expect(await find()).toEqual(before);
    expect(await accept()).toMatchObject({ id: before.id, timeZone: 'Europe/Berlin' });
    expect((await look())[0]?.state).toBe('followed');
  });

  it('takes over everything else without a question, and keeps what is of this home alone', async () => {
    const { client, look, accept, find, change } = await withFile();
    const used = await accept();
    await client.call('environments.save', {
      environment: { ...used, color: 'violet', defaults: { ...used.defaults, playerId: 'mine' } },
    });
    await change(
      (text) => `${text}defaults:\n  currency: SEK\nanswers:\n  amounts.unit:\n    value: minor\n    date: 2026-01-31\n`,
    );
    expect((await look())[0]?.state).toBe('followed');
    expect(await find()).toMatchObject({
      color: 'violet',
      defaults: { currency: 'SEK', playerId: 'mine' },
      answers: { 'amounts.unit': { value: 'minor', date: '2026-01-31' } },
    });
  });

  it('gets the lines that an edit in the workbench changes, and no others', async () => {
    const { client, accept, text, path } = await withFile();
    const used = await accept();
    await client.call('environments.save', {
      environment: {
        ...used,
        color: 'green',
        baseUrl: 'https://b.example.com',
        defaults: { ...used.defaults, playerId: 'mine' },
      },
    });
    expect(await text()).toBe(staging.replace('https://api.example.com', 'https://b.example.com'));
    await writeFile(path, staging.replace('partnerId: 42', 'partnerId: 43'));
    const changed = { ...used, color: 'green' as const, partnerId: 44, baseUrl: 'https://b.example.com' };
    const both = client.call('environments.save', { environment: changed });
    await expect(both).rejects.toMatchObject({ code: 'conflict', details: { field: 'partnerId' } });
    expect(await text()).toContain('partnerId: 43');
  });

  it('leaves the home as it was if the file cannot be written', async () => {
    const { client, accept, find, path } = await withFile();
    const used = await accept();
    await writeFile(path, 'baseUrl: [\n');
    const save = client.call('environments.save', { environment: { ...used, partnerId: 7 } });
    await expect(save).rejects.toMatchObject({
      message: expect.stringMatching(/^Not saved\. environments\/Staging\.yaml, line/),
    });
    expect(await find()).toEqual(used);
    await unlink(path);
    await client.call('environments.save', { environment: { ...used, partnerId: 7 } });
    expect((await find())?.partnerId).toBe(7);
  });

  it('of a name that the home has is not used, and differs visibly', async () => {
    const { client, look, find } = await withFile();
    await client.call('environments.create', { environment: { ...draft, name: 'STAGING', partnerId: 1 } });
    const [shown] = await look();
    expect(shown?.state).toBe('own');
    expect(shown?.differences).toContainEqual({ field: 'partnerId', home: '1', file: '42', asks: false });
    expect((await find())?.partnerId).toBe(1);
  });

  it('is written by an export with its certificate authority, and without a key', async () => {
    const directory = await temporaryFolder();
    const { client, look } = await person(directory);
    const { ca } = await makeCertificate();
    const { id } = await client.call('environments.create', {
      environment: {
        ...draft,
        ca,
        proxy: 'http://proxy.test',
        answers: { 'amounts.unit': { value: 'minor', note: 'mail of May', date: '2026-01-31' } },
      },
    });
    const key = 'k3y-of-this-environment';
    await client.call('keys.set', { environmentId: id, key });
    const share = () => client.call('collections.shareEnvironment', { directory, environmentId: id });
    expect(await share()).toEqual({ path: 'environments/Staging.yaml', isNew: true });
    const text = await readFile(join(directory, 'environments/Staging.yaml'), 'utf8');
    expect(text).toMatch(/^baseUrl: https:\/\/api\.example\.com\nplatform: 1\npartnerId: 42\nproduction: false\n/);
    expect(text).toMatch(
      /ca: Staging\.pem\n[\s\S]*amounts\.unit:\n {4}value: minor\n {4}date: "?\d{4}-\d\d-\d\d"?\n {4}evidence: mail of May\n/,
    );
    expect(text).not.toMatch(/playerId|k3y|color|proxy/);
    expect((await look())[0]?.state).toBe('followed');
    expect(await share()).toEqual({ path: 'environments/Staging.yaml', isNew: false });
    expect(await readFile(join(directory, 'environments/Staging.yaml'), 'utf8')).toBe(text);

    // Git may change line breaks; another certificate is asked about.
    const pem = join(directory, 'environments/Staging.pem');
    await writeFile(pem, (await readFile(pem, 'utf8')).replaceAll('\n', '\r\n'));
    expect((await look())[0]?.state).toBe('followed');
    await writeFile(pem, (await makeCertificate({ selfSigned: true })).ca);
    expect((await look())[0]).toMatchObject({ state: 'asks', differences: [{ field: 'ca', asks: true }] });
  });

  it.each<[what: string, prepare: (directory: string) => Promise<unknown>, message: RegExp]>([
    ['a link as its file', (directory) => symlink('/etc/hostname', join(directory, 'environments/B.yaml')), /B\.yaml/],
    [
      'a link as its certificate authority',
      async (directory) => {
        await symlink('/etc/hostname', join(directory, 'environments/b.pem'));
        await writeFile(join(directory, 'environments/B.yaml'), `${staging}ca: b.pem\n`);
      },
      /link/,
    ],
    [
      'a certificate authority that is missing',
      (directory) => writeFile(join(directory, 'environments/B.yaml'), `${staging}ca: none.pem\n`),
      /missing/,
    ],
    [
      'a private key beside its certificate',
      async (directory) => {
        const { ca, key } = await makeCertificate();
        await writeFile(join(directory, 'environments/b.pem'), `${ca}\n${key}`);
        await writeFile(join(directory, 'environments/B.yaml'), `${staging}ca: b.pem\n`);
      },
      /more than certificates/,
    ],
    [
      'more than a megabyte',
      (directory) => writeFile(join(directory, 'environments/B.yaml'), staging + '#\n'.repeat(600_000)),
      /at most 1,000,000/,
    ],
    [
      'the key of an environment of this home',
      (directory) => writeFile(join(directory, 'environments/B.yaml'), `${staging}# k3y/of ours\n`),
      /private key/,
    ],
  ])('with %s is not read, and says why', async (_what, prepare, message) => {
    const { client, directory, environment, look } = await withFile();
    await environment({ baseUrl: 'https://other.example' }, {}, 'k3y/of ours');
    await prepare(directory);
    const [bad, good] = await look();
    expect(bad).toMatchObject({ name: 'B', state: 'unreadable', revision: '' });
    expect(bad?.problem?.message).toMatch(message);
    expect(good?.state).toBe('new');
    await expect(client.call('collections.useEnvironment', { directory, name: 'B', revision: '' })).rejects.toThrow();
    await expect(client.call('collections.useEnvironment', { directory, name: '../Staging', revision: '' })).rejects.toThrow();
  });

  it('in a folder that is a link is not read', async () => {
    const { directory } = await withFile();
    const other = await temporaryFolder();
    await symlink(join(directory, 'environments'), join(other, 'environments'));
    await expect((await person(other)).look()).rejects.toMatchObject({ code: 'refused' });
  });
});

describe('an environment of the same provider as another', () => {
  const brands = {
    'A.yaml': `${staging}answers:\n  amounts.unit:\n    value: minor\n`,
    'B.yaml': staging.replace('42', '43') + 'sameProviderAs: A\n',
  };

  async function withBrands() {
    const directory = await temporaryFolder();
    await mkdir(join(directory, 'environments'));
    await writeFile(join(directory, 'collection.yaml'), 'format: 1\n');
    for (const [name, text] of Object.entries(brands)) await writeFile(join(directory, 'environments', name), text);
    const one = await person(directory);
    const use = async (name: string) => {
      const shown = (await one.look()).find((file) => file.name === name);
      return one.client.call('collections.useEnvironment', { directory, name, revision: shown?.revision ?? '' });
    };
    return { ...one, directory, use, text: (name: string) => readFile(join(directory, 'environments', `${name}.yaml`), 'utf8') };
  }

  it('is used after that one, and what is recorded in it goes into the file of the other', async () => {
    const { client, use, look, text } = await withBrands();
    await expect(use('B')).rejects.toMatchObject({
      code: 'refused',
      message: 'environments/B.yaml shares the recorded answers of A, which is not in this home. Use A first.',
    });
    const a = await use('A');
    const b = await use('B');
    expect(b).toMatchObject({ partnerId: 43, sameProviderAs: a.id, answers: { 'amounts.unit': { value: 'minor' } } });
    expect((await look()).map(({ state }) => state)).toEqual(['followed', 'followed']);

    const answers = { ...b.answers, 'time.zone': { value: 'Europe/Malta', note: '', date: '2026-01-31' } };
    await client.call('environments.save', { environment: { ...b, answers } });
    expect(await text('A')).toContain('time.zone:\n    value: Europe/Malta\n');
    expect(await text('B')).toBe(brands['B.yaml']);
    expect((await look()).map(({ state }) => state)).toEqual(['followed', 'followed']);
  });

  it('has no answers of its own in its file, and follows a change of it', async () => {
    const { client, directory, use, look, text } = await withBrands();
    const path = join(directory, 'environments', 'B.yaml');
    await writeFile(path, `${brands['B.yaml']}answers:\n  amounts.unit:\n    value: whole\n`);
    expect((await look())[1]?.problem?.message).toContain('With sameProviderAs, recorded answers come from that environment.');

    // The line comes with a pull; its own answers go with it.
    await writeFile(path, staging.replace('42', '43') + 'answers:\n  amounts.unit:\n    value: whole\n');
    await use('A');
    const before = await use('B');
    expect(before.answers['amounts.unit']?.value).toBe('whole');
    await writeFile(path, brands['B.yaml']);
    await look();
    const { environments } = await client.call('environments.list', {});
    expect(environments.map(({ answers }) => answers['amounts.unit']?.value)).toEqual(['minor', 'minor']);
    expect(await text('A')).toBe(brands['A.yaml']);
  });

  it('is written with the name of the other, which comes first', async () => {
    const { client, directory, text } = await withBrands();
    const make = (name: string, partnerId: number, sameProviderAs?: string) =>
      client.call('environments.create', {
        environment: { ...draft, name, partnerId, ...(sameProviderAs === undefined ? {} : { sameProviderAs }) },
      });
    const c = await make('C', 1);
    const d = await make('D', 2, c.id);
    await expect(client.call('collections.shareEnvironment', { directory, environmentId: d.id })).rejects.toMatchObject({
      code: 'refused',
      message: 'D shares the recorded answers of C. Export C first.',
    });
    await client.call('collections.shareEnvironment', { directory, environmentId: c.id });
    await client.call('collections.shareEnvironment', { directory, environmentId: d.id });
    expect(await text('D')).toContain('sameProviderAs: C\n');
  });
});
