import { appendFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newerFormatText } from '#shared/collections/format.ts';
import { CollectionRequest } from '#shared/collections/model.ts';
import { createTestApp, draftOf, temporaryFolder, type TestApp } from '#testing/app.ts';
import { copyOldData, digestsOf, type OldData } from '#testing/old-data.ts';

// Data as a newer version could write it: it is kept as it is, and the user hears of it.
let folder: string;
let old: OldData;
let app: TestApp | null = null;
beforeEach(async () => {
  folder = await temporaryFolder();
  old = copyOldData(folder);
});
afterEach(async () => {
  await app?.close();
  app = null;
  await rm(folder, { recursive: true, force: true });
});

async function start() {
  app = await createTestApp({ home: old.home });
  return app.client;
}

const inTeam = (name: string) => join(old.directory, name);
const settingsText = () => readFileSync(inTeam('collection.yaml'), 'utf8');
const bet = CollectionRequest.parse({ operation: 'bet' });

describe('the format of a collection', () => {
  it('comes with its next save, at the head of its file, and not with what follows from another change', async () => {
    const client = await start();
    const id = old.collectionId;
    const before = settingsText();
    await client.call('collections.tree', { id });
    const { settings, revision } = await client.call('collections.readFolder', { id, path: '' });
    expect((await client.call('collections.saveFolder', { id, path: '', settings, revision })).revision).toBe(revision);
    await client.call('collections.rename', { id, path: 'launch.yaml', name: 'start' });
    expect(settingsText()).toBe(before.replace('launch.yaml', 'start.yaml'));
    const read = await client.call('collections.readFolder', { id, path: '' });
    const more = { ...read.settings, variables: { ...read.settings.variables, player: 'player-2' } };
    await client.call('collections.saveFolder', { id, path: '', settings: more, revision: read.revision });
    const expected = `format: 1\n${before.replace('launch.yaml', 'start.yaml').replace('player-1', 'player-2')}`;
    expect(settingsText()).toBe(expected);
    // A folder has none, and a request neither.
    const below = await client.call('collections.readFolder', { id, path: 'wallet' });
    const changed = { ...below.settings, notes: 'new' };
    await client.call('collections.saveFolder', { id, path: 'wallet', settings: changed, revision: below.revision });
    expect(readFileSync(inTeam('wallet/folder.yaml'), 'utf8')).not.toContain('format');
    expect(await client.call('collections.tree', { id })).toMatchObject({ readOnly: null, problem: null, notices: [] });
  });

  it('stands in a new collection, and in an order that is meant', async () => {
    const client = await start();
    const directory = join(folder, 'new');
    const { id } = await client.call('collections.open', { directory, create: true });
    expect(readFileSync(join(directory, 'collection.yaml'), 'utf8')).toBe('format: 1\n');
    await client.call('collections.create', { id, folder: '', name: 'b', request: bet });
    await client.call('collections.reorder', { id, folder: '', order: ['b.yaml'] });
    expect(readFileSync(join(directory, 'collection.yaml'), 'utf8')).toBe('format: 1\norder:\n  - b.yaml\n');
    await client.call('collections.reorder', { id: old.collectionId, folder: '', order: ['wallet'] });
    expect(settingsText()).toMatch(/^format: 1\n/);
  });

  it.each(['next', '0', '1.5', '[1]', '-2'])('that is %s is a fault with its place, and stays as it is', async (format) => {
    const client = await start();
    writeFileSync(inTeam('collection.yaml'), `# ours\nformat: ${format}\n`);
    const { problem } = await client.call('collections.tree', { id: old.collectionId });
    expect(problem).toMatchObject({ line: 2, column: 9, message: 'format must be a whole number, such as 1.' });
  });

  it.each([
    ['with names of its own', 'format: 2\nvariables:\n  player: player-1\nservers:\n  variables: {}\n'],
    ['whose values have another shape', 'format: 12\nvariables:\n  - name: player\n    value: player-1\n'],
  ])('that is newer, %s, is shown, and nothing is saved or run', async (_what, text) => {
    writeFileSync(inTeam('collection.yaml'), text);
    const client = await start();
    const id = old.collectionId;
    const before = digestsOf(old.directory);
    const why = newerFormatText(Number(/\d+/.exec(text)));
    const tree = await client.call('collections.tree', { id });
    expect([tree.readOnly, tree.problem]).toEqual([why, null]);
    expect(tree.nodes).toHaveLength(7);
    const { request, revision } = await client.call('collections.read', { id, path: 'games.yaml' });
    expect(request.operation).toBe('gameList');
    const settings = await client.call('collections.readFolder', { id, path: '' });
    const { id: other } = await client.call('collections.open', { directory: join(folder, 'other'), create: true });
    await client.call('collections.create', { id: other, folder: '', name: 'x', request: bet });
    const outside = digestsOf(join(folder, 'other'));

    const saves: readonly (() => Promise<unknown>)[] = [
      () => client.call('collections.save', { id, path: 'games.yaml', request: bet, revision }),
      () => client.call('collections.create', { id, folder: '', name: 'new', request: bet }),
      () => client.call('collections.createFolder', { id, folder: '', name: 'new' }),
      () =>
        client.call('collections.saveFolder', {
          id,
          path: '',
          settings: { ...settings.settings, notes: 'mine' },
          revision: settings.revision,
        }),
      () => client.call('collections.rename', { id, path: 'games.yaml', name: 'new' }),
      () => client.call('collections.move', { id, path: 'games.yaml', folder: 'wallet' }),
      () => client.call('collections.duplicate', { id, path: 'games.yaml' }),
      () => client.call('collections.remove', { id, path: 'games.yaml' }),
      () => client.call('collections.reorder', { id, folder: '', order: ['wallet'] }),
      () => client.call('collections.addExample', { id, path: 'games.yaml', revision, callId: 1, name: 'one' }),
      () => client.call('collections.transfer', { id, path: 'games.yaml', toId: other, folder: '' }),
      () => client.call('collections.transfer', { id: other, path: 'x.yaml', toId: id, folder: '' }),
      () =>
        client.call('collections.import', {
          id,
          folder: '',
          files: [{ name: 'c', text: 'curl https://p.example/serviceApi.php' }],
        }),
    ];
    for (const save of saves) {
      const refused = await save().then(
        () => 'saved',
        (error: unknown) => error,
      );
      expect([save.toString(), refused]).toMatchObject([save.toString(), { code: 'refused', message: why }]);
    }
    for (const path of ['', 'wallet', 'games.yaml']) {
      const run = client.call('runs.start', { collectionId: id, path, environmentId: 'sandbox' });
      await expect(run).rejects.toMatchObject({ code: 'refused', message: why });
    }
    expect(digestsOf(old.directory)).toEqual(before);
    expect(digestsOf(join(folder, 'other'))).toEqual(outside);
  });
});

describe('a home that a newer version wrote', () => {
  it('keeps a newer history as it is: nothing is read or sent, and the message says what to do', async () => {
    const path = join(old.home, 'history.sqlite');
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 9999; PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    const before = readFileSync(path);
    const client = await start();
    const message = `The history ${path} was written by a newer version of Croupier. Use that version, or another home.`;
    expect(await client.call('history.status', {})).toMatchObject({ state: 'newer', message, setAside: [] });
    await expect(client.call('calls.list', {})).rejects.toMatchObject({ code: 'storage', message });
    const { environments } = await client.call('environments.list', {});
    await app?.app.useKey('closed-port-9f7df8', 'a-test-key');
    expect(environments.map(({ id }) => id)).toContain('closed-port-9f7df8');
    const draft = draftOf('closed-port-9f7df8', { operation: 'gameList', text: '{"currency":"EUR"}' });
    await expect(app?.send(draft, true)).rejects.toMatchObject({ code: 'storage', message });
    await app?.close();
    app = null;
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(old.home).filter((name) => name.startsWith('history.sqlite.'))).toEqual([]);
  });

  it('keeps settings that nobody here knows, and names their file', async () => {
    const path = join(old.home, 'settings.json');
    const settings = { ...(JSON.parse(readFileSync(path, 'utf8')) as object), soundOfCoins: { loud: true } };
    writeFileSync(path, JSON.stringify(settings));
    const client = await start();
    expect((await client.call('settings.read', {})).unknown).toEqual(['settings.json']);
    await client.call('settings.write', { name: 'layout', value: '{"area":"history"}' });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ ...settings, layout: '{"area":"history"}' });
  });

  it('keeps open tabs of another form, in the settings and in a workspace, and names where they are', async () => {
    const path = join(old.home, 'settings.json');
    const workspace = JSON.stringify({ version: 2, windows: [] });
    writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), workspace }));
    const newer = join(old.home, 'workspaces', 'a'.repeat(24));
    mkdirSync(newer, { recursive: true });
    writeFileSync(join(newer, 'list.json'), workspace);
    writeFileSync(join(newer, 'tab-1.tab.json'), '{"of":"another"}');
    const before = digestsOf(newer);
    const client = await start();
    const opened = await client.call('workspaces.open', { page: 'p', line: null, mine: null, begin: false });
    expect([opened.newer, opened.tabs, opened.left]).toEqual([[`${path} (workspace)`, newer], [], []]);
    expect(digestsOf(newer)).toEqual(before);
    expect((JSON.parse(readFileSync(path, 'utf8')) as { workspace: string }).workspace).toBe(workspace);
  });

  it('keeps what it does not know of a report, shows the rest and says so', async () => {
    const [name = ''] = readdirSync(join(old.home, 'collection-runs')).sort();
    const path = join(old.home, 'collection-runs', name);
    appendFileSync(path, '{"measured":{"joules":3}}\n');
    const before = readFileSync(path);
    const client = await start();
    const { runs } = await client.call('runs.list', {});
    const runId = name.replace(/\.jsonl$/, '');
    expect(runs.find((run) => run.runId === runId)).toMatchObject({ state: 'unknown', totals: { requests: 10 } });
    const part = await client.call('runs.requests', { runId, from: 0, limit: 500 });
    expect([part.requests.length, part.unknown]).toEqual([10, true]);
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});
