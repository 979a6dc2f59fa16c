import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CollectionRequest, FolderSettings } from '#shared/collections/model.ts';
import { fileSchemas } from '#shared/collections/file-schemas.ts';
import { builtInDevices } from '#shared/launches/devices.ts';
import { createTestApp, type TestApp } from '#testing/app.ts';
import { createCli } from '#testing/cli-driver.ts';
import { editorProblems } from '#testing/file-validator.ts';

let folder: string;
let test: TestApp;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'croupier-schemas-'));
  test = await createTestApp();
});
afterEach(async () => {
  await test.close();
  await rm(folder, { recursive: true });
});

const text = (...path: string[]) => readFile(join(folder, ...path), 'utf8');
const request = CollectionRequest.parse({ operation: 'gameList', notes: 'One.' });

it('croupier schemas writes the schema of every kind of file, and prints how an editor uses them', async () => {
  const cli = await createCli();
  try {
    const { code, out, err } = await cli.run(['schemas', folder]);
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('.vscode/settings.json') });
    const files = await readdir(join(folder, '.schemas'));
    expect(files.sort()).toEqual(
      Object.keys(fileSchemas())
        .map((name) => `${name}.json`)
        .sort(),
    );
    for (const [name, schema] of Object.entries(fileSchemas()))
      expect(JSON.parse(await text('.schemas', `${name}.json`))).toEqual(schema);
    const settings = JSON.parse(out) as { 'yaml.schemas': object };
    expect(Object.keys(settings['yaml.schemas'])).toContain('./.schemas/request.json');
    // Again, over those of an earlier version.
    await writeFile(join(folder, '.schemas', 'request.json'), '{}');
    expect((await cli.run(['schemas', folder])).code).toBe(0);
    expect(JSON.parse(await text('.schemas', 'request.json'))).toEqual(fileSchemas().request);
    expect(await cli.run(['schemas', join(folder, 'none')])).toMatchObject({
      code: 2,
      err: expect.stringContaining('No folder'),
    });
  } finally {
    await cli.close();
  }
});

it('new files of a collection with schemas name theirs, and keep the line in every save', async () => {
  const { client } = test;
  await mkdir(join(folder, '.schemas'));
  for (const name of Object.keys(fileSchemas())) await writeFile(join(folder, '.schemas', `${name}.json`), '{}');
  const { id } = await client.call('collections.open', { directory: folder });
  await client.call('collections.createFolder', { id, folder: '', name: 'a' });
  const made = await client.call('collections.create', { id, folder: 'a', name: 'one', request });
  const line = '# yaml-language-server: $schema=../.schemas/request.json\n';
  expect(await text('a', 'one.yaml')).toBe(`${line}operation: gameList\nnotes: One.\n`);
  const saved = { id, path: 'a/one.yaml', request: { ...request, notes: 'Two.' }, revision: made.revision };
  await client.call('collections.save', saved);
  expect(await text('a', 'one.yaml')).toBe(`${line}operation: gameList\nnotes: Two.\n`);
  const settings = FolderSettings.parse({ variables: { player: 'p' } });
  await client.call('collections.saveFolder', { id, path: 'a', settings, revision: null });
  expect(await text('a', 'folder.yaml')).toMatch(/^# yaml-language-server: \$schema=\.\.\/\.schemas\/folder\.json\nvariables:/);
  const { id: environmentId } = await test.environment({ baseUrl: 'https://a.example' }, { name: 'Staging' });
  await client.call('collections.shareEnvironment', { collectionId: id, environmentId });
  const environment = await text('environments', 'Staging.yaml');
  expect(environment).toMatch(/^# yaml-language-server: \$schema=\.\.\/\.schemas\/environment\.json\nbaseUrl:/);
  expect(editorProblems('environment', environment)).toEqual([]);
  // The line is no note of the user's.
  const exported = await client.call('collections.export', { id, path: '', format: 'opencollection', environmentId: null });
  const all = JSON.stringify(exported);
  expect(all).toContain('Two.');
  expect(all).not.toContain('yaml-language-server');
});

it('settings of which only that line is left go with what they were made for', async () => {
  const { client } = test;
  for (const path of ['from', 'to/.schemas', 'to/a']) await mkdir(join(folder, path), { recursive: true });
  await writeFile(join(folder, 'to/.schemas/folder.json'), '{}');
  await writeFile(join(folder, 'from/one.yaml'), 'operation: gameList\n');
  const { id } = await client.call('collections.open', { directory: join(folder, 'from') });
  const { id: toId } = await client.call('collections.open', { directory: join(folder, 'to') });
  const { undo } = await client.call('collections.transfer', { id, path: 'one.yaml', toId, folder: 'a', before: null });
  expect(await text('to/a/folder.yaml')).toContain('.schemas/folder.json\norder:');
  await client.call('collections.undoTransfer', { undo });
  expect(await readdir(join(folder, 'to/a'))).toEqual([]);
});

it('a list of devices may name its schema, which knows the devices that come with Croupier', async () => {
  const list = JSON.stringify({ $schema: './.schemas/devices.json', devices: builtInDevices });
  expect(editorProblems('devices', list)).toEqual([]);
  expect(editorProblems('devices', '{"devices":[{"name":"x","width":1,"height":100}]}')).not.toEqual([]);
  await writeFile(join(folder, 'devices.json'), list);
  await test.client.call('collections.open', { directory: folder });
  const { lists } = await test.client.call('launches.devices', {});
  expect(lists.map(({ problem }) => problem)).toEqual(lists.map(() => null));
});
