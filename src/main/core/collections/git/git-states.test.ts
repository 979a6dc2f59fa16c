import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApp, temporaryFolder } from '#testing/app.ts';
import { describeWithTool } from '#testing/external-tools.ts';
import { findGit } from './run-git.ts';

describeWithTool('git', 'a collection in a git repository', (program) => {
  let test: Awaited<ReturnType<typeof createTestApp>>;
  let repository: string;
  let directory: string;

  beforeEach(async () => {
    repository = await temporaryFolder();
    directory = join(repository, 'requests');
    mkdirSync(directory);
    test = await createTestApp();
  });
  afterEach(() => test.close());

  function git(...args: string[]): string {
    const settings = ['user.name=t', 'user.email=t@example.com', 'commit.gpgSign=false'].flatMap((one) => ['-c', one]);
    return execFileSync(program, ['-C', repository, ...settings, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
  function put(path: string, text = 'operation: bet\n'): void {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  function commit(message = 'm'): void {
    git('add', '-A');
    git('commit', '-qm', message);
  }
  async function opened() {
    const { id } = await test.client.call('collections.open', { directory });
    // As a page does: it reads the tree, then the marks of what it shows.
    const look = async () => {
      await test.client.call('collections.tree', { id });
      return test.client.call('collections.gitMarks', { id });
    };
    const marks = async () => {
      const found = await look();
      expect(found.notices).toEqual([]);
      return Object.fromEntries(found.marks.map(({ path, mark }) => [path, mark]));
    };
    return { id, look, marks, versions: (path: string) => test.client.call('collections.versions', { id, path }) };
  }

  it('has a mark on each file that differs from the last commit', async () => {
    git('init', '-q', '-b', 'main');
    put('ä b.yaml');
    put('changed.yaml');
    put('deep/folder.yaml', "variables:\n  a: '1'\n");
    put('deep/same.yaml');
    const { marks } = await opened();
    // There is no commit yet.
    expect(await marks()).toEqual({
      'deep/folder.yaml': 'new',
      'changed.yaml': 'new',
      'deep/same.yaml': 'new',
      'ä b.yaml': 'new',
    });
    commit();
    expect(await marks()).toEqual({});

    put('changed.yaml', 'operation: win\n');
    put('deep/folder.yaml', "variables:\n  a: '2'\n");
    put('new.yaml');
    put('staged.yaml');
    put('ignored.yaml');
    writeFileSync(join(repository, '.gitignore'), 'ignored.yaml\n');
    // The same bytes again are no change.
    put('deep/same.yaml');
    git('add', 'requests/staged.yaml');
    expect(await marks()).toEqual({
      'changed.yaml': 'changed',
      'deep/folder.yaml': 'changed',
      'new.yaml': 'new',
      'staged.yaml': 'new',
    });
    expect(git('status', '--porcelain', '--', 'requests').split('\n').filter(Boolean).sort()).toEqual([
      ' M requests/changed.yaml',
      ' M requests/deep/folder.yaml',
      '?? requests/new.yaml',
      'A  requests/staged.yaml',
    ]);
  });

  it('compares a file with that of the last commit', async () => {
    git('init', '-q');
    put('a/b.yaml', 'operation: bet\nnotes: ä\n');
    put('a/same.yaml');
    commit();
    put('a/b.yaml', 'operation: win\n');
    put('new.yaml');
    const { versions } = await opened();
    const head = git('rev-parse', 'HEAD').slice(0, 7);
    expect(await versions('a/b.yaml')).toEqual({
      of: 'commit',
      left: { label: `Committed, ${head}`, text: 'operation: bet\nnotes: ä\n' },
      right: { label: 'In the file', text: 'operation: win\n' },
    });
    await expect(versions('new.yaml')).rejects.toMatchObject({ code: 'not_found' });
    await expect(versions('gone.yaml')).rejects.toMatchObject({ code: 'not_found' });
    await expect(versions('../.gitignore')).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('names a conflict in the tree, marks it, and shows both versions', async () => {
    git('init', '-q', '-b', 'main');
    put('a.yaml', 'operation: bet\nnotes: one\n');
    commit();
    git('checkout', '-qb', 'other');
    put('a.yaml', 'operation: bet\nnotes: two\n');
    commit();
    git('checkout', '-q', 'main');
    put('a.yaml', 'operation: bet\nnotes: three\n');
    commit();
    expect(() => git('merge', 'other')).toThrow();

    const { id, marks, versions } = await opened();
    expect(await marks()).toEqual({ 'a.yaml': 'conflicted' });
    const { nodes } = await test.client.call('collections.tree', { id });
    expect(nodes[0]?.problem).toMatchObject({ conflict: true, line: 2 });
    expect(await versions('a.yaml')).toEqual({
      of: 'conflict',
      left: { label: 'Ours, HEAD', text: 'operation: bet\nnotes: three\n' },
      right: { label: 'Theirs, other', text: 'operation: bet\nnotes: two\n' },
    });
    // A mended file is in conflict until it is added.
    put('a.yaml', 'operation: bet\nnotes: four\n');
    expect(await marks()).toEqual({ 'a.yaml': 'conflicted' });
    git('add', '-A');
    expect(await marks()).toEqual({ 'a.yaml': 'changed' });
  });

  it('has no marks in a repository inside of it', async () => {
    git('init', '-q');
    put('inner/a.yaml');
    execFileSync(program, ['-C', join(directory, 'inner'), 'init', '-q']);
    const settings = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgSign=false'];
    execFileSync(program, ['-C', join(directory, 'inner'), 'add', '-A']);
    execFileSync(program, ['-C', join(directory, 'inner'), ...settings, 'commit', '-qm', 'm']);
    put('b.yaml');
    git('add', '-A');
    put('inner/a.yaml', 'operation: win\n');
    const { marks } = await opened();
    expect(await marks()).toEqual({ 'b.yaml': 'new' });
  });

  it('is told about a commit, and so is whoever listens', async () => {
    git('init', '-q');
    put('a.yaml');
    const { id, marks } = await opened();
    expect(await marks()).toEqual({ 'a.yaml': 'new' });
    const told = new Promise((resolve) => test.client.on('collections.committed', resolve));
    commit();
    expect(await told).toEqual({ id });
    expect(await marks()).toEqual({});
  });

  it('leaves out what git writes with other bytes than it keeps, and says so; line ends alone are no change', async () => {
    git('init', '-q');
    put('ends.yaml', 'operation: bet\nnotes: x\n');
    put('plain.yaml');
    put('coded.yaml');
    commit();
    writeFileSync(join(directory, '.gitattributes'), 'coded.yaml filter=secret\n');
    put('ends.yaml', 'operation: bet\r\nnotes: x\r\n');
    put('coded.yaml', 'operation: win\n');
    const { look } = await opened();
    expect(await look()).toEqual({
      marks: [],
      notices: [expect.stringMatching(/^Croupier can't tell whether coded\.yaml changed since the last commit/)],
    });
  });

  it('has no mark on a file that it cannot read', async () => {
    git('init', '-q');
    put('large.yaml', `operation: bet\nnotes: ${'x'.repeat(5_000_000)}\n`);
    put('a.yaml');
    commit();
    put('a.yaml', 'operation: win\n');
    const { marks } = await opened();
    expect(await marks()).toEqual({ 'a.yaml': 'changed' });
  });

  it('does not show a version that holds a private key', async () => {
    git('init', '-q');
    const key = 'a-private-key-of-this-test';
    put('a.yaml', `operation: bet\nnotes: ${key}\n`);
    commit();
    put('a.yaml');
    const { id: environmentId } = await test.client.call('environments.create', {
      environment: { name: 'E', baseUrl: 'https://127.0.0.1:1', platform: 1, partnerId: 1, production: false },
    });
    await test.client.call('keys.set', { environmentId, key });
    const { versions } = await opened();
    const error = await versions('a.yaml').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'refused' });
    expect(JSON.stringify(error)).not.toContain(key);
  });

  it('starts none of the programs that the settings of a repository name', async () => {
    git('init', '-q', '-b', 'main');
    put('a.yaml');
    put('b.yaml', 'operation: gameList\n');
    commit();
    const trap = join(repository, 'trap.sh');
    const sprung = join(repository, 'sprung');
    writeFileSync(trap, `#!/bin/sh\ntouch "${sprung}"\ncat\n`);
    chmodSync(trap, 0o755);
    writeFileSync(join(repository, '.gitattributes'), '* filter=trap diff=trap\n');
    for (const [name, value] of [
      ['core.fsmonitor', trap],
      ['core.pager', trap],
      ['core.sshCommand', trap],
      ['core.hooksPath', repository],
      ['filter.trap.clean', trap],
      ['filter.trap.smudge', trap],
      ['filter.trap.process', trap],
      ['diff.trap.textconv', trap],
      ['diff.external', trap],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.url', `ext::${trap}`],
      ['protocol.ext.allow', 'always'],
    ] as const)
      git('config', name, value);
    put('a.yaml', 'operation: win\n');
    // Git would fetch the missing object of a promise.
    const blob = git('rev-parse', 'HEAD:requests/b.yaml').trim();
    rmSync(join(repository, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
    put('b.yaml', 'operation: win\nnotes: x\n');
    const { look, versions } = await opened();
    expect((await look()).notices).toHaveLength(1);
    expect((await versions('a.yaml')).left.text).toBe('operation: bet\n');
    await expect(versions('b.yaml')).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining('git says:') });
    expect(existsSync(sprung)).toBe(false);
    // It is a trap.
    execFileSync(program, ['-C', repository, 'status'], { stdio: 'ignore' });
    expect(existsSync(sprung)).toBe(true);
  });

  it('asks for the size of a committed file first, and reads none that a collection would not', async () => {
    git('init', '-q');
    put('bomb.yaml', `${'['.repeat(1_000_000)}\n`);
    put('huge.yaml');
    commit();
    // Whoever reads it finds no 200 MB in it.
    const id = 'ab'.repeat(20);
    mkdirSync(join(repository, '.git', 'objects', 'ab'), { recursive: true });
    writeFileSync(join(repository, '.git', 'objects', 'ab', id.slice(2)), deflateSync('blob 200000000\0operation: bet\n'));
    const tree = (lines: string) =>
      execFileSync(program, ['-C', repository, 'mktree', '--missing'], { input: lines, encoding: 'utf8' }).trim();
    const bomb = git('rev-parse', 'HEAD:requests/bomb.yaml').trim();
    const inside = tree(`100644 blob ${bomb}\tbomb.yaml\n100644 blob ${id}\thuge.yaml\n`);
    git('reset', '--soft', git('commit-tree', '-m', 'huge', tree(`040000 tree ${inside}\trequests\n`)).trim());
    const { versions } = await opened();
    await expect(versions('huge.yaml')).rejects.toMatchObject({
      code: 'not_found',
      message:
        'No other version of huge.yaml: the committed one has 200,000,000 bytes; Croupier reads at most 5,000,000. Shorten its data or its examples in an editor.',
    });
    expect(await versions('bomb.yaml')).toMatchObject({ of: 'commit', left: { text: `${'['.repeat(1_000_000)}\n` } });
  });

  it('marks its files among 30,000 others of the last commit', async () => {
    git('init', '-q');
    put('a.yaml');
    commit();
    const blob = git('rev-parse', 'HEAD:requests/a.yaml').trim();
    const tree = (lines: string) =>
      execFileSync(program, ['-C', repository, 'mktree'], { input: lines, encoding: 'utf8' }).trim();
    const others = Array.from({ length: 30_000 }, (_, at) => `100644 blob ${blob}\tname ${at}.txt\n`).join('');
    const inside = tree(`100644 blob ${blob}\ta.yaml\n100644 blob ${blob}\tb.yaml\n${others}`);
    git('reset', '--soft', git('commit-tree', '-m', 'many', tree(`040000 tree ${inside}\trequests\n`)).trim());
    put('b.yaml', 'operation: win\n');
    put('c.yaml');
    const { marks } = await opened();
    expect(await marks()).toEqual({ 'b.yaml': 'changed', 'c.yaml': 'new' });
  });

  it('has no marks and no notices outside of a repository, and without git', async () => {
    put('a.yaml');
    const { marks, versions } = await opened();
    expect(await marks()).toEqual({});
    await expect(versions('a.yaml')).rejects.toMatchObject({ code: 'not_found' });
    expect(await findGit({ PATH: `relative:${directory}` }, 'linux')).toBeNull();
    expect(await findGit({}, 'win32')).toBeNull();
  });

  it.each([
    ['hangs', 'sh\nsleep 60 & wait', 'git did not respond within 0.2 seconds', 200],
    ['is ended', 'sh\nkill -9 $$', 'git was killed by SIGKILL', 10_000],
    ['complains', 'sh\necho "warning: x" >&2; echo "fatal: out of order" >&2; exit 128', 'git says: out of order', 10_000],
    ['cannot be started', 'nothing', 'git could not be started (ENOENT)', 10_000],
  ])('gives up a git that %s', async (_, script, message, limit) => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, 'git'), `#!/bin/${script}\n`, { mode: 0o755 });
    const found = await findGit({ PATH: `${folder}:${process.env['PATH']}` }, 'linux', limit);
    await expect(found?.ask(folder, 'git.lists', ['rev-parse'])).rejects.toThrow(message);
  });

  it('says why git shows nothing of a damaged repository', async () => {
    mkdirSync(join(repository, '.git'));
    put('a.yaml');
    const { look } = await opened();
    expect(await look()).toEqual({
      marks: [],
      notices: [expect.stringMatching(/^Changes since the last commit are not marked: git says: not a git repository/)],
    });
  });
});
