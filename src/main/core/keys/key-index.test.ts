import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKeyIndex } from './key-index.ts';

let home: string;
let path: string;
const reports: string[] = [];
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'croupier-keys-'));
  path = join(home, 'keys.json');
  reports.length = 0;
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

const open = () => createKeyIndex({ path, report: (message) => reports.push(message), now: () => 42 });
const entry = (version: string) => ({ fingerprint: '7f3e-91', bytes: 32, version });

describe('createKeyIndex', () => {
  it('is empty without a file, and makes none by being asked', async () => {
    expect(open().entry('croupier/a')).toBeNull();
    expect(open().accounts()).toEqual([]);
    expect(await readdir(home)).toEqual([]);
  });

  it('keeps entries for the next program, in a file for the owner alone and in a stable order', async () => {
    const index = open();
    await index.put('croupier/b', entry('1'));
    await index.put('croupier/a', entry('2'));
    expect(open().accounts()).toEqual(['croupier/a', 'croupier/b']);
    await index.remove('croupier/b');
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ format: 1, accounts: { 'croupier/a': entry('2') } });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(home)).toEqual(['keys.json', 'locks']);
  });

  it('notices at once what another program wrote or removed', async () => {
    const [one, other] = [open(), open()];
    for (let at = 0; at < 50; at++) {
      await one.put('croupier/a', entry(String(at)));
      expect(other.entry('croupier/a')?.version).toBe(String(at));
    }
    await rm(path);
    expect(other.entry('croupier/a')).toBeNull();
  });

  it('does not take a name that every object has for an account', () => {
    expect(open().entry('constructor')).toBeNull();
    expect(open().entry('__proto__')).toBeNull();
  });

  it('loses nothing when several processes write at once', async () => {
    const program = `
      const { createKeyIndex } = await import(${JSON.stringify(join(import.meta.dirname, 'key-index.ts'))});
      const index = createKeyIndex({ path: process.argv[1], report: (message) => { throw new Error(message); } });
      for (let at = 0; at < 15; at++) await index.put(process.argv[2] + at, { fingerprint: null, bytes: 1, version: '1' });`;
    const run = promisify(execFile);
    await Promise.all(['p', 'q', 'r'].map((name) => run(process.execPath, ['--input-type=module', '-e', program, path, name])));
    expect(open().accounts()).toHaveLength(45);
    expect(await readdir(home)).toEqual(['keys.json', 'locks']);
  });

  it.each(['{"format":1,"accounts":{', ''])('sets a damaged file aside, says so and goes on: %s', async (text) => {
    await writeFile(path, text);
    const index = open();
    expect(index.entry('croupier/a')).toBeNull();
    expect(reports).toHaveLength(1);
    expect(reports[0]).toContain('keys.json.broken-42');
    expect(await readFile(`${path}.broken-42`, 'utf8')).toBe(text);
    await index.put('croupier/a', entry('1'));
    expect(open().entry('croupier/a')).toEqual(entry('1'));
    expect(reports).toHaveLength(1);
  });

  it.skipIf(process.getuid?.() === 0)('says what to do about a file it may not read', async () => {
    await open().put('croupier/a', entry('1'));
    await chmod(path, 0);
    expect(() => open().entry('croupier/a')).toThrow('permissions');
  });

  it('says why it cannot read what is in the place of the file, as often as it is asked', async () => {
    const index = open();
    const refuses = (why: string) =>
      expect(() => index.entry('croupier/a')).toThrow(
        expect.objectContaining({ code: 'storage', message: `${path} cannot be read. ${why}` }),
      );
    await mkdir(path);
    refuses('It is not a file.');
    refuses('It is not a file.');
    await rm(path, { recursive: true });
    expect(index.entry('croupier/a')).toBeNull();
    await writeFile(path, ' '.repeat(4_000_001));
    refuses('It has 4,000,001 bytes; Croupier reads at most 4,000,000. Croupier never writes one this large: move it away.');
  });

  it('leaves the word about a damaged file to the program that moved it first, and says where none can move it', async () => {
    await writeFile(path, 'damaged');
    const late = createKeyIndex({
      path,
      report: (message) => reports.push(message),
      now() {
        // The other one is faster.
        rmSync(path);
        return 42;
      },
    });
    expect(late.accounts()).toEqual([]);
    expect(reports).toEqual([]);
    await writeFile(path, 'damaged');
    await mkdir(join(`${path}.broken-42`, 'in the way'), { recursive: true });
    expect(() => open().accounts()).toThrow(
      expect.objectContaining({ code: 'storage', message: expect.stringContaining('cannot be moved aside') }),
    );
    expect(reports).toEqual([]);
    expect(await readFile(path, 'utf8')).toBe('damaged');
  });
});
