import { execFileSync } from 'node:child_process';
import { link, mkdtemp, mkdir, readFile, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readText, removeStaleTemporaries, writeFileDurably, writeNewFileDurably } from './files.ts';
import { vouched } from './passed.ts';

const own = <Content extends string | Uint8Array>(content: Content) => vouched('home', 'own', content);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'croupier-files-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('writeNewFileDurably', () => {
  it('writes a file that is not there, and leaves one that is as it is', async () => {
    const path = join(folder, 'a.har');
    const contents = Array.from({ length: 20 }, (_, index) => `content ${index}`);
    const written = await Promise.allSettled(contents.map((content) => writeNewFileDurably(path, own(content))));
    const done = written.flatMap(({ status }, index) => (status === 'fulfilled' ? [contents[index]] : []));
    expect(done).toEqual([await readFile(path, 'utf8')]);
    for (const result of written) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'conflict' });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['a.har']);
    await expect(writeNewFileDurably(join(folder, 'missing', 'a'), own('x'))).rejects.toMatchObject({ code: 'storage' });
  });
});

describe('writeFileDurably', () => {
  it('writes every byte, readable by the owner alone, and leaves nothing else behind', async () => {
    const path = join(folder, 'a.json');
    const bytes = Buffer.alloc(3_000_000, 'ä');
    await writeFileDurably(path, own(bytes));
    expect((await readFile(path)).equals(bytes)).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['a.json']);
  });

  it('replaces a link instead of writing through it', async () => {
    const other = join(folder, 'other');
    await writeFile(other, 'untouched');
    await symlink(other, join(folder, 'a.json'));
    await writeFileDurably(join(folder, 'a.json'), own('new'));
    expect(await readFile(other, 'utf8')).toBe('untouched');
    expect(await readFile(join(folder, 'a.json'), 'utf8')).toBe('new');
  });

  it('reports a failure with what to do, keeps what was there and removes its temporary file', async () => {
    const path = join(folder, 'taken');
    await mkdir(path);
    await writeFile(join(path, 'inside'), 'kept');
    await expect(writeFileDurably(path, own('x'))).rejects.toMatchObject({ code: 'storage' });
    expect(await readdir(folder)).toEqual(['taken']);
    expect(await readFile(join(path, 'inside'), 'utf8')).toBe('kept');
    await expect(writeFileDurably(join(folder, 'missing', 'a'), own('x'))).rejects.toThrow(
      'missing could not be written: it no longer exists.',
    );
  });

  it('leaves one whole content when many write at once', async () => {
    const path = join(folder, 'a');
    const contents = Array.from({ length: 20 }, (_, at) => String(at).repeat(50_000));
    await Promise.all(contents.map((content) => writeFileDurably(path, own(content))));
    expect(contents).toContain(await readFile(path, 'utf8'));
    expect(await readdir(folder)).toEqual(['a']);
  });
});

describe('removeStaleTemporaries', () => {
  it('removes old temporary files of ours and nothing else', async () => {
    const old = new Date(Date.now() - 120_000);
    for (const name of ['.a.json.0123456789abcdef.tmp', 'b.tmp', '.c.json', '.d.json.fedcba9876543210.tmp']) {
      await writeFile(join(folder, name), '');
      if (!name.startsWith('.d')) await utimes(join(folder, name), old, old);
    }
    expect(await removeStaleTemporaries(folder)).toBe(true);
    expect((await readdir(folder)).sort()).toEqual(['.c.json', '.d.json.fedcba9876543210.tmp', 'b.tmp']);
    expect(await removeStaleTemporaries(folder, Date.now() + 120_000)).toBe(false);
    expect((await readdir(folder)).sort()).toEqual(['.c.json', 'b.tmp']);
    expect(await removeStaleTemporaries(join(folder, 'missing'))).toBe(false);
  });

  it('removes the second name of a finished file at once, a link, and half a copy of a folder after an hour', async () => {
    const left = (name: string) => join(folder, `.${name}.0123456789abcdef.tmp`);
    await writeFile(join(folder, 'a.yaml'), 'whole');
    await link(join(folder, 'a.yaml'), left('a.yaml'));
    expect(await removeStaleTemporaries(folder)).toBe(false);
    expect(await readdir(folder)).toEqual(['a.yaml']);
    await symlink('nowhere', left('b'));
    await mkdir(join(left('c'), 'inside'), { recursive: true });
    expect(await removeStaleTemporaries(folder, Date.now() + 120_000)).toBe(true);
    expect((await readdir(folder)).sort()).toEqual(['.c.0123456789abcdef.tmp', 'a.yaml']);
    expect(await removeStaleTemporaries(folder, Date.now() + 3_700_000)).toBe(false);
    expect(await readdir(folder)).toEqual(['a.yaml']);
    expect(await readFile(join(folder, 'a.yaml'), 'utf8')).toBe('whole');
  });
});

describe('readText', () => {
  it('reads files alone, and waits for nobody to write into a pipe', async () => {
    await writeFile(join(folder, 'a'), 'text');
    expect(readText('home.ports', join(folder, 'a'))).toBe('text');
    expect(() => readText('home.ports', folder)).toThrow('not a file');
    if (process.platform === 'win32') return;
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(() => readText('home.ports', join(folder, 'pipe'))).toThrow('not a file');
  });
});
