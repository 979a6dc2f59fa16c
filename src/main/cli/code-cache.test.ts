import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeCacheFolder } from './code-cache.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'croupier-code-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe.skipIf(process.platform !== 'linux')('the folder of compiled code', () => {
  const find = () => codeCacheFolder({ XDG_CACHE_HOME: root });
  const modeOf = (path: string) => statSync(path).mode & 0o777;

  it('is for its owner alone, whatever the umask', () => {
    const before = process.umask(0);
    try {
      expect(find()).toBe(join(root, 'croupier', 'compiled'));
    } finally {
      process.umask(before);
    }
    expect(modeOf(join(root, 'croupier'))).toBe(0o700);
    expect(modeOf(join(root, 'croupier', 'compiled'))).toBe(0o700);
  });

  it('is where the command line keeps its own', () => {
    const env = { PATH: process.env['PATH'], HOME: root, XDG_CACHE_HOME: root };
    const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), '--version'], { env });
    expect(status).toBe(0);
    expect(readdirSync(join(root, 'croupier', 'compiled'), { recursive: true }).length).toBeGreaterThan(5);
  });

  it.each(['croupier', 'croupier/compiled'])('is emptied and left out once where others could write into %s', (writable) => {
    const folder = join(root, 'croupier', 'compiled');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'planted'), '');
    chmodSync(join(root, writable), 0o775);
    expect(find()).toBeNull();
    expect(existsSync(join(folder, 'planted'))).toBe(false);
    expect(find()).toBe(folder);
    expect(modeOf(join(root, 'croupier'))).toBe(0o700);
  });

  it('is never one of the folder in which the command is typed', () => {
    for (const XDG_CACHE_HOME of ['', 'here', './.cache'])
      expect(codeCacheFolder({ XDG_CACHE_HOME })).toBe(join(homedir(), '.cache', 'croupier', 'compiled'));
  });

  it('is none where it cannot be made', () => {
    writeFileSync(join(root, 'croupier'), '');
    expect(find()).toBeNull();
  });
});
