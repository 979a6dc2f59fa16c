import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CollectionRequest } from '#shared/collections/model.ts';
import { refusedName } from '#shared/collections/file-names.ts';
import { createTestApp } from '#testing/app.ts';
import type { CollectionDriverInput } from '#testing/collection-driver.ts';
import { runHeldToModes } from '#testing/held-to-modes.ts';
import { killSaves } from '#testing/kill-saves.ts';
import { inPlaceReader, inPlaceReading } from '#testing/in-place-reader.ts';
import { keyOf } from '#testing/key-of.ts';
import { createSessionLock } from '../files/session-lock.ts';
import { createCollections } from './collections.ts';
import type { Collections } from './collections.ts';

let folder: string;
let directory: string;
let changes: { id: string; paths: string[] }[];
let kept: { id: string; path: string; copy: string }[];
let heard: () => void;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'croupier-collections-'));
  directory = join(folder, 'team');
  mkdirSync(directory);
  mkdirSync(join(folder, 'home'));
  changes = [];
  kept = [];
  heard = () => undefined;
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  rmSync(folder, { recursive: true, force: true });
});

function service(home = 'home', platform = process.platform): Collections {
  mkdirSync(join(folder, home), { recursive: true });
  const run = createSessionLock(join(folder, home, 'runs'));
  const collections = createCollections({
    run,
    reader: inPlaceReader,
    reading: inPlaceReading,
    home: join(folder, home),
    pass: keyOf('the-private-key'),
    onChange(change) {
      changes.push(change);
      heard();
    },
    onCommit: () => undefined,
    onKept: (one) => void kept.push(one),
    onFault(error) {
      throw error;
    },
    now: Date.now,
    platform,
    env: {},
  });
  closing.push(
    () => collections.close(),
    async () => run.close(),
  );
  return collections;
}

function put(path: string, text = 'operation: bet\n'): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), text);
}
const get = (path: string) => readFileSync(join(directory, path), 'utf8');
const requestOf = (fields: Partial<CollectionRequest> = {}) => CollectionRequest.parse({ operation: 'bet', ...fields });

async function opened(collections = service()) {
  const { id } = await collections.open({ directory });
  changes = [];
  const paths = async () => (await collections.tree(id)).nodes.map(({ path }) => path);
  return { collections, id, paths };
}

describe('opening', () => {
  it('remembers any directory, writes nothing into it, and forgets it again', async () => {
    put('a.yaml');
    const { collections, id } = await opened();
    expect(await service().list()).toEqual([{ id, directory, name: 'team', problem: null }]);
    expect(await collections.open({ directory: `${directory}/` })).toMatchObject({ id });
    // Other pages of the program are to show it.
    expect(changes.splice(0)).toEqual([{ id, paths: [] }]);
    symlinkSync(directory, join(folder, 'link'));
    expect(await collections.open({ directory: join(folder, 'link') })).toMatchObject({ id, directory });
    expect(readdirSync(directory)).toEqual(['a.yaml']);
    renameSync(directory, `${directory}-away`);
    expect((await collections.list())[0]?.problem).toContain('is missing');
    await expect(collections.tree(id)).rejects.toMatchObject({ code: 'not_found' });
    renameSync(`${directory}-away`, directory);
    expect((await collections.tree(id)).nodes).toHaveLength(1);
    changes = [];
    await collections.forget(id);
    expect(changes).toEqual([{ id, paths: [] }]);
    expect(await collections.list()).toEqual([]);
    await expect(collections.tree(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('makes a new one where that is asked for, and leaves one that is there as it is', async () => {
    const collections = service();
    const fresh = join(folder, 'deep', 'new');
    await expect(collections.open({ directory: fresh })).rejects.toMatchObject({ code: 'not_found' });
    await collections.open({ directory: fresh, create: true });
    expect(readdirSync(fresh)).toEqual(['collection.yaml']);
    writeFileSync(join(fresh, 'collection.yaml'), 'notes: kept\n');
    await collections.open({ directory: fresh, create: true });
    expect(readFileSync(join(fresh, 'collection.yaml'), 'utf8')).toBe('notes: kept\n');
    await expect(collections.open({ directory: 'relative' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(collections.open({ directory: '/' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(collections.open({ directory: join(fresh, 'collection.yaml') })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});

describe('a tree', () => {
  it('shows requests and folders in the order that is written, the others by name, and nothing else', async () => {
    for (const path of [
      'b10.yaml',
      'b2.yaml',
      'a.yaml',
      'w/z.yaml',
      'w/y.yaml',
      '.git/x.yaml',
      'node_modules/x.yaml',
      'docs/README.md',
    ])
      put(path);
    mkdirSync(join(directory, 'empty'));
    put('collection.yaml', 'order: [w, b10.yaml, gone.yaml]\n');
    put('w/folder.yaml', 'order:\n- z.yaml\nvariables:\n  a: 1\n  b: 2\n');
    put('w/z.yaml', 'operation: bet\ntake:\n  round: /round\n');
    const { collections, id, paths } = await opened();
    expect(await paths()).toEqual(['w', 'w/z.yaml', 'w/y.yaml', 'b10.yaml', 'a.yaml', 'b2.yaml', 'empty']);
    const { nodes, problem, notices, variables } = await collections.tree(id);
    expect([variables, nodes[0]?.variables, nodes[0]?.takes]).toEqual([0, 2, []]);
    expect(nodes[1]).toEqual({
      kind: 'request',
      path: 'w/z.yaml',
      name: 'z',
      operation: 'bet',
      problem: null,
      warnings: [],
      takes: ['round'],
      variables: 0,
      unchecked: true,
    });
    expect([problem, notices]).toEqual([null, []]);
  });

  it('shows a broken file with its place and hides no other, and follows no link', async () => {
    put('a.yaml', 'operation: bet\nform: [\n');
    put('b.yaml');
    put('f/folder.yaml', 'order: x\n');
    put('collection.yaml', 'notes: [\n');
    writeFileSync(join(directory, 'bytes.yaml'), Buffer.from([0x6f, 0x0a, 0xff, 0x0a]));
    writeFileSync(join(directory, 'wide.yaml'), Buffer.from('\ufeffoperation: bet\n', 'utf16le'));
    writeFileSync(join(folder, 'outside.yaml'), 'operation: win\n');
    symlinkSync(join(folder, 'outside.yaml'), join(directory, 'link.yaml'));
    symlinkSync(folder, join(directory, 'up'));
    symlinkSync('nowhere', join(directory, 'dangling.yaml'));
    execFileSync('mkfifo', [join(directory, 'pipe.yaml')]);
    const { collections, id } = await opened();
    const { nodes, problem } = await collections.tree(id);
    const problems = Object.fromEntries(nodes.map((node) => [node.path, node.problem]));
    expect(problems['b.yaml']).toBeNull();
    expect(problems['a.yaml']).toMatchObject({ line: 3, column: 1 });
    expect(problems['f']).toMatchObject({ line: 1, column: 8, excerpt: 'order: x' });
    expect(problems['bytes.yaml']).toMatchObject({ line: 2, column: 1, message: expect.stringContaining('UTF-8') as string });
    expect(problems['wide.yaml']?.message).toContain('UTF-16');
    expect(problems['link.yaml']?.message).toContain('link');
    expect(problems['dangling.yaml']?.message).toContain('link');
    expect(problems['pipe.yaml']?.message).toContain('not a file');
    expect(problems).not.toHaveProperty('up');
    expect(problem).toMatchObject({ line: 2, column: 1 });
    for (const path of ['link.yaml', 'up/outside.yaml', 'up/team/b.yaml', 'dangling.yaml']) {
      await expect(collections.read(id, path)).rejects.toMatchObject({
        code: expect.stringMatching(/refused|not_found/) as string,
      });
      const saving = collections.save({ id, path, request: requestOf(), revision: 'x' });
      await expect(saving).rejects.toMatchObject({ code: expect.stringMatching(/refused|not_found/) as string });
    }
    await expect(collections.create({ id, folder: 'up', name: 'n', request: requestOf() })).rejects.toMatchObject({
      code: 'refused',
    });
    await expect(collections.move({ id, path: 'b.yaml', folder: 'up' })).rejects.toMatchObject({ code: 'refused' });
    expect(readFileSync(join(folder, 'outside.yaml'), 'utf8')).toBe('operation: win\n');
    await expect(collections.read(id, 'a.yaml')).rejects.toThrow('a.yaml, line 3, column 1: ');
  });
});

const git = (...args: string[]) =>
  execFileSync('git', ['-C', directory, '-c', 'user.name=t', '-c', 'user.email=t', ...args], { encoding: 'utf8' });

it('a file with a conflict of git is named as that, and one whose data has such marks is read', async () => {
  git('init', '-q', '-b', 'ours');
  const write = (amount: number) => {
    put('a.yaml', `operation: bet\ndata: |\n  {"amount": ${amount}}\n`);
    git('add', '.');
    git('commit', '-qm', String(amount));
  };
  write(1);
  git('checkout', '-qb', 'theirs');
  write(2);
  git('checkout', '-q', 'ours');
  write(3);
  expect(() => git('merge', '-q', 'theirs')).toThrow();
  const data = '<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> theirs\n';
  put('b.yaml', `operation: bet\ndata: |\n${data.replaceAll(/^(?=.)/gm, '  ')}`);
  const { collections, id } = await opened();
  await expect(collections.read(id, 'a.yaml')).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(/^a\.yaml, line 3, column 1: This is an unresolved Git merge conflict/) as string,
  });
  expect((await collections.read(id, 'b.yaml')).request.data).toBe(data);
});

describe('saving', () => {
  it('changes one line for git, keeps the mode, and says what the file is now', async () => {
    put('a.yaml', '# first\r\noperation: bet\r\nowner: me\r\n');
    chmodSync(join(directory, 'a.yaml'), 0o664);
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'a');
    const { collections, id } = await opened();
    const read = await collections.read(id, 'a.yaml');
    expect(read).toMatchObject({ name: 'a', unknown: ['owner'] });
    const saved = await collections.save({
      id,
      path: 'a.yaml',
      revision: read.revision,
      request: requestOf({ data: '{\n  "n": 0.10\n}' }),
    });
    expect(git('diff', '--numstat').trim()).toBe('4\t0\ta.yaml');
    expect(statSync(join(directory, 'a.yaml')).mode & 0o777).toBe(0o664);
    expect(saved).toEqual(await collections.read(id, 'a.yaml'));
    await collections.save({ id, path: 'a.yaml', revision: saved.revision, request: read.request });
    expect(git('status', '--porcelain')).toBe('');
    expect(readdirSync(directory).sort()).toEqual(['.git', 'a.yaml']);
    expect(changes).toEqual(
      [
        { id, paths: ['a.yaml'] },
        { id, paths: ['a.yaml'] },
      ].slice(0, changes.length),
    );
  });

  it('refuses where the file changed or went since, with the revision that is there now', async () => {
    put('a.yaml');
    const { collections, id } = await opened();
    const { revision } = await collections.read(id, 'a.yaml');
    put('a.yaml', 'operation: win\n');
    const now = (await collections.read(id, 'a.yaml')).revision;
    const saving = (on: string) => collections.save({ id, path: 'a.yaml', revision: on, request: requestOf({ form: 'x' }) });
    await expect(saving(revision)).rejects.toMatchObject({ code: 'conflict', details: { revision: now } });
    expect(get('a.yaml')).toBe('operation: win\n');
    await saving(now);
    rmSync(join(directory, 'a.yaml'));
    await expect(saving(now)).rejects.toMatchObject({ code: 'conflict', details: { revision: null } });
    expect(readdirSync(directory)).toEqual([]);
  });

  it('names the files that end with .yml where a part of the collection would end with .yaml', async () => {
    put('f/a.yaml');
    put('f/b.yml');
    for (const path of ['collection.yml', 'f/folder.yml', 'environments/Staging.yml', 'compose.yml', 'f/collection.yml'])
      put(path, 'services: {}\n');
    const { collections, id } = await opened();
    expect((await collections.tree(id)).notices.toSorted()).toEqual([
      'collection.yml is not read: settings are in collection.yaml. Rename it if it contains them.',
      'environments/Staging.yml is not read: environment files end with .yaml. Rename it if it is one.',
      'f/b.yml is not read: request files end with .yaml. Rename it.',
      'f/folder.yml is not read: settings are in folder.yaml. Rename it if it contains them.',
    ]);
  });

  it('tells what another program wrote meanwhile, and shows it as no request', async () => {
    put('f/a.yaml');
    const { collections, id } = await opened();
    const { revision } = await collections.read(id, 'f/a.yaml');
    // It had opened the file before.
    const theirs = openSync(join(directory, 'f/a.yaml'), 'r+');
    await collections.save({ id, path: 'f/a.yaml', revision, request: requestOf({ form: 'x' }) });
    writeSync(theirs, 'operation: win\n');
    closeSync(theirs);
    // It looks a last time.
    await collections.close();
    expect(kept).toEqual([{ id, path: 'f/a.yaml', copy: 'f/a.yaml.other-version' }]);
    expect(get('f/a.yaml.other-version')).toBe('operation: win\n');
    expect(get('f/a.yaml')).toBe('operation: bet\nform: x\n');
    const again = service();
    const { nodes, notices } = await again.tree(id);
    expect(nodes.map(({ path }) => path)).toEqual(['f', 'f/a.yaml']);
    expect(notices).toEqual([
      "Another program changed f/a.yaml while Croupier saved it. The other program's version is in f/a.yaml.other-version. Copy what you need from it, then delete it.",
    ]);
    const copy = await again.duplicate(id, 'f');
    expect(readdirSync(join(directory, copy.path))).toEqual(['a.yaml']);
    changes = [];
    rmSync(join(directory, 'f/a.yaml.other-version'));
    expect((await again.tree(id)).notices).toEqual([]);
    expect(changes).toEqual([{ id, paths: ['f/a.yaml.other-version'] }]);
  });

  it('by many at once, of one home and of two, lets one of those in that saw the same file', async () => {
    put('a.yaml');
    const both = [service(), service(), service('other')];
    const { id } = await both[0]!.open({ directory });
    await both[2]!.open({ directory });
    const { revision } = await both[0]!.read(id, 'a.yaml');
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, at) =>
        both[at % 2]!.save({ id, path: 'a.yaml', revision, request: requestOf({ form: `f${at}` }) }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'conflict' });
    await Promise.allSettled(both.map((one, at) => one.create({ id, folder: '', name: `n${at}`, request: requestOf() })));
    const names = await Promise.allSettled(both.map((one) => one.create({ id, folder: '', name: 'same', request: requestOf() })));
    expect(names.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(readdirSync(directory).sort()).toEqual(['a.yaml', 'n0.yaml', 'n1.yaml', 'n2.yaml', 'same.yaml']);
  });

  it('never writes a private key, nor over a broken file', async () => {
    put('a.yaml');
    put('broken.yaml', 'operation: [\n');
    const { collections, id } = await opened();
    const { revision } = await collections.read(id, 'a.yaml');
    const request = requestOf({ data: '"the-private-key"' });
    await expect(collections.save({ id, path: 'a.yaml', revision, request })).rejects.toMatchObject({ code: 'refused' });
    await expect(collections.create({ id, folder: '', name: 'n', request })).rejects.toMatchObject({ code: 'refused' });
    const settings = { variables: { k: 'the-private-key' }, order: [], notes: '' };
    await expect(collections.saveFolder({ id, path: '', settings, revision: null })).rejects.toMatchObject({ code: 'refused' });
    const broken = await collections
      .save({ id, path: 'broken.yaml', revision: '', request: requestOf() })
      .catch((error: unknown) => error);
    const { details } = broken as { details: { revision: string } };
    const again = collections.save({ id, path: 'broken.yaml', revision: details.revision, request: requestOf() });
    await expect(again).rejects.toMatchObject({ code: 'invalid_input', details: { line: 2 } });
    expect([get('a.yaml'), get('broken.yaml')]).toEqual(['operation: bet\n', 'operation: [\n']);
    expect(readdirSync(directory).sort()).toEqual(['a.yaml', 'broken.yaml']);
  });

  it.skipIf(process.platform === 'win32')('where that is not allowed says so and changes nothing', async () => {
    put('a.yaml');
    chmodSync(join(directory, 'a.yaml'), 0o444);
    chmodSync(directory, 0o555);
    const input: CollectionDriverInput = { home: join(folder, 'home'), directory, does: 'once' };
    const said = runHeldToModes('collection-driver.ts', input);
    chmodSync(directory, 0o755);
    expect(said).toMatchObject({
      code: 'storage',
      message: expect.stringContaining('is read-only') as string,
    });
    expect([readdirSync(directory), get('a.yaml')]).toEqual([['a.yaml'], 'operation: bet\n']);
  });

  it.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
    'on a full disk says so and keeps the old file',
    async (context) => {
      const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', directory]).status === 0;
      if (!mounted) return context.skip('This machine lets nobody mount a small disk.');
      try {
        put('a.yaml');
        const { collections, id } = await opened();
        const { revision } = await collections.read(id, 'a.yaml');
        const saving = collections.save({ id, path: 'a.yaml', revision, request: requestOf({ data: 'x'.repeat(200_000) }) });
        await expect(saving).rejects.toMatchObject({
          code: 'storage',
          message: expect.stringContaining('the disk is full') as string,
        });
        const making = collections.create({ id, folder: '', name: 'n', request: requestOf({ data: 'x'.repeat(200_000) }) });
        await expect(making).rejects.toMatchObject({ code: 'storage' });
        expect([readdirSync(directory), get('a.yaml')]).toEqual([['a.yaml'], 'operation: bet\n']);
        await collections.save({ id, path: 'a.yaml', revision, request: requestOf({ form: 'x' }) });
        // From another disk than the home's: set aside and restored whole.
        put('f/b.yaml');
        const { removal } = await collections.remove(id, 'f');
        expect(readdirSync(directory)).toEqual(['a.yaml']);
        await collections.restore(id, removal);
        expect(get('f/b.yaml')).toBe('operation: bet\n');
      } finally {
        // A file that was replaced is held open for a second.
        for (const close of closing.splice(0)) await close();
        execFileSync('umount', [directory]);
      }
    },
  );

  it('does not tear a file when it is killed', async () => {
    const { torn, lost, leftovers, acknowledged } = await killSaves(folder, 20);
    expect({ torn, lost, leftovers }).toEqual({ torn: [], lost: [], leftovers: [] });
    expect(acknowledged).toBeGreaterThan(20);
  }, 180_000);
});

describe('a name', () => {
  it.each([
    '',
    ' ',
    '.',
    '..',
    '.hidden',
    'a/b',
    'a\\b',
    'a:b',
    'a*',
    'a?',
    'a"',
    '<a>',
    'a|b',
    'a\u0000',
    'a\n',
    'a.',
    'a ',
    ' a',
    'CON',
    'con',
    'nul.txt',
    'Com1',
    'lpt9.a',
    'collection',
    'Folder',
    'x'.repeat(251),
    '幸'.repeat(84),
    '\ud800',
    'a\u202eb',
    'a\u200b',
    '../../etc/passwd',
  ])('%j is refused in words', async (name) => {
    const { collections, id } = await opened();
    const creating = collections.create({ id, folder: '', name, request: requestOf() });
    await expect(creating).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringMatching(/\w.*\./) as string });
    expect(readdirSync(directory)).toEqual([]);
  });

  it.each([
    'a',
    'Bet & win',
    'ünïcode 幸運 😀',
    '{{x}}',
    '100%',
    "it's",
    'x'.repeat(250),
    'console',
    'com10',
    'a.b',
    '- a',
    '#1',
  ])('%j is taken', async (name) => {
    const { collections, id, paths } = await opened();
    expect(await collections.create({ id, folder: '', name, request: requestOf() })).toMatchObject({
      name: name.normalize('NFC'),
    });
    expect(await paths()).toEqual([`${name}.yaml`]);
    const { revision } = await collections.read(id, `${name}.yaml`);
    await collections.save({ id, path: `${name}.yaml`, revision, request: requestOf({ notes: 'n' }) });
  });

  it('that some system takes for one that is there is refused, also spelled with other code points', async () => {
    const { collections, id } = await opened();
    await collections.create({ id, folder: '', name: 'Zoë', request: requestOf() });
    for (const name of ['zoë', 'Zoe\u0308', 'ZOË']) {
      await expect(collections.create({ id, folder: '', name, request: requestOf() })).rejects.toMatchObject({
        code: 'conflict',
      });
    }
    await expect(collections.rename({ id, path: 'Zoë.yaml', name: 'zoë' })).resolves.toEqual({ path: 'zoë.yaml' });
    expect(refusedName('node_modules', 'folder')).toContain('not read');
  });

  it('in a path leads nowhere else', async () => {
    put('a.yaml');
    writeFileSync(join(folder, 'secret.yaml'), 'operation: bet\n');
    const { collections, id } = await opened();
    for (const path of [
      '../secret.yaml',
      '/etc/passwd.yaml',
      'f/../../secret.yaml',
      '..\\secret.yaml',
      './a.yaml',
      '.git/a.yaml',
      'a.yaml/',
      'C:a.yaml',
      'a\u0000.yaml',
    ]) {
      for (const work of [
        () => collections.read(id, path),
        () => collections.remove(id, path),
        () => collections.rename({ id, path, name: 'n' }),
        () => collections.create({ id, folder: path, name: 'n', request: requestOf() }),
      ]) {
        await expect(work()).rejects.toMatchObject({ code: expect.stringMatching(/invalid_input|not_found/) as string });
      }
    }
    expect(get('a.yaml')).toBe('operation: bet\n');
  });
});

describe('arranging', () => {
  it('renames, moves, duplicates and orders files and folders, and the order goes along', async () => {
    for (const path of ['a.yaml', 'b.yaml', 'f/c.yaml']) put(path);
    put('collection.yaml', 'order: # of the team\n  - b.yaml # first\n  - f\n  - a.yaml\n');
    const { collections, id, paths } = await opened();
    expect(await collections.rename({ id, path: 'f', name: 'wallet' })).toEqual({ path: 'wallet' });
    expect(await collections.duplicate(id, 'b.yaml')).toEqual({ path: 'b copy.yaml' });
    expect(await collections.duplicate(id, 'wallet')).toEqual({ path: 'wallet copy' });
    expect(await paths()).toEqual([
      'b.yaml',
      'b copy.yaml',
      'wallet',
      'wallet/c.yaml',
      'wallet copy',
      'wallet copy/c.yaml',
      'a.yaml',
    ]);
    expect(get('collection.yaml')).toBe(
      'order: # of the team\n  - b.yaml # first\n  - b copy.yaml\n  - wallet\n  - wallet copy\n  - a.yaml\n',
    );
    await collections.move({ id, path: 'a.yaml', folder: 'wallet', before: 'c.yaml' });
    await collections.move({ id, path: 'wallet copy', folder: 'wallet', before: null });
    expect(await paths()).toEqual([
      'b.yaml',
      'b copy.yaml',
      'wallet',
      'wallet/a.yaml',
      'wallet/c.yaml',
      'wallet/wallet copy',
      'wallet/wallet copy/c.yaml',
    ]);
    await expect(collections.move({ id, path: 'wallet', folder: 'wallet/wallet copy' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await collections.createFolder({ id, folder: 'wallet', name: 'x' });
    await expect(collections.move({ id, path: 'b.yaml', folder: 'no' })).rejects.toMatchObject({ code: 'not_found' });
    await collections.reorder({ id, folder: 'wallet', order: ['x', 'c.yaml'] });
    expect(get('wallet/folder.yaml')).toBe('order:\n  - x\n  - c.yaml\n');
    put('collection.yaml', 'order: {\n');
    await expect(collections.reorder({ id, folder: '', order: [] })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(collections.rename({ id, path: 'b.yaml', name: 'z' })).resolves.toEqual({ path: 'z.yaml' });
    expect(get('collection.yaml')).toBe('order: {\n');
  });

  it('removes and brings back, byte for byte and at its place, until the program ends', async () => {
    put('f/a.yaml', 'operation: bet # kept\r\n');
    put('f/deep/b.yaml');
    put('collection.yaml', 'order:\n- x\n- f\n- y\n');
    const collections = service();
    const { id, paths } = await opened(collections);
    const { removal } = await collections.remove(id, 'f');
    expect([await paths(), get('collection.yaml')]).toEqual([[], 'order:\n- x\n- y\n']);
    expect(readdirSync(directory)).toEqual(['collection.yaml']);
    await collections.createFolder({ id, folder: '', name: 'F' });
    await expect(collections.restore(id, removal)).rejects.toMatchObject({ code: 'conflict' });
    await collections.remove(id, 'F');
    expect(await collections.restore(id, removal)).toEqual({ path: 'f' });
    expect([await paths(), get('collection.yaml'), get('f/a.yaml')]).toEqual([
      ['f', 'f/a.yaml', 'f/deep', 'f/deep/b.yaml'],
      'order:\n- x\n- f\n- y\n',
      'operation: bet # kept\r\n',
    ]);
    await expect(collections.restore(id, removal)).rejects.toMatchObject({ code: 'not_found' });
    await expect(collections.remove(id, '')).rejects.toMatchObject({ code: 'invalid_input' });
    await collections.close();
    expect(readdirSync(join(folder, 'home', 'removed'))).toEqual([]);
  });
});

describe('changes by another program', () => {
  /** Waits for an event that names the path; without paths, for one without any. */
  function change(path?: string): Promise<void> {
    return new Promise((resolve) => {
      heard = () => {
        if (changes.some(({ paths }) => (path === undefined ? paths.length === 0 : paths.includes(path)))) resolve();
      };
    });
  }

  it.each(['linux', 'darwin'] as const)(
    'are told as they happen, also in folders that are new, watched as on %s',
    async (platform) => {
      put('a.yaml');
      put('f/b.yaml');
      const { collections, id } = await opened(service('home', platform));
      collections.watch();
      expect((await collections.tree(id)).notices).toEqual([]);
      const steps: [path: string, work: () => void][] = [
        ['a.yaml', () => put('a.yaml', 'operation: win\n')],
        ['f/b.yaml', () => rmSync(join(directory, 'f/b.yaml'))],
        ['new/deep/c.yaml', () => put('new/deep/c.yaml')],
        ['new/deep/d.yaml', () => put('new/deep/d.yaml')],
        ['collection.yaml', () => put('collection.yaml', 'order: [new]\n')],
        ['moved/deep/c.yaml', () => renameSync(join(directory, 'new'), join(directory, 'moved'))],
        ['moved/deep/e.yaml', () => put('moved/deep/e.yaml')],
      ];
      for (const [path, work] of steps) {
        changes = [];
        const told = change(path);
        work();
        await told;
      }
      for (const { id: about } of changes) expect(about).toBe(id);
    },
  );

  it('are told once, by their content: a touch is none, nor is what we saved ourselves twice', async () => {
    put('a.yaml');
    const { collections, id } = await opened();
    collections.watch();
    const { revision } = await collections.read(id, 'a.yaml');
    await collections.tree(id);
    await collections.save({ id, path: 'a.yaml', revision, request: requestOf({ form: 'x' }) });
    put('a.yaml', get('a.yaml'));
    const told = change('end.yaml');
    put('end.yaml');
    await told;
    expect(changes).toEqual([
      { id, paths: ['a.yaml'] },
      { id, paths: ['end.yaml'] },
    ]);
  });

  it('that take the whole directory away and bring it back are told', async () => {
    put('a.yaml');
    const { collections, id } = await opened();
    collections.watch();
    await collections.tree(id);
    const gone = change();
    renameSync(directory, `${directory}-away`);
    await gone;
    renameSync(`${directory}-away`, directory);
    changes = [];
    expect((await collections.tree(id)).nodes).toHaveLength(1);
    expect(changes).toEqual([{ id, paths: [] }]);
    changes = [];
    const told = change('a.yaml');
    put('a.yaml', 'operation: win\n');
    await told;
  });

  it('are told to whoever listens to the application', async () => {
    put('a.yaml');
    const test = await createTestApp();
    closing.push(() => test.close());
    const { id } = await test.client.call('collections.open', { directory });
    const told = new Promise((resolve) => test.client.on('collections.changed', resolve));
    await test.client.call('collections.tree', { id });
    put('b.yaml');
    expect(await told).toEqual({ id, paths: ['b.yaml'] });
    expect(existsSync(join(test.home, 'collections.json'))).toBe(true);
    expect(test.faults).toEqual([]);
  });
});
