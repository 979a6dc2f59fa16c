import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { needsBuild } from './build-state.mjs';
import { findElectron, noElectronReason } from './electron-binary.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'croupier-start-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Writes a file that was last changed at that second. */
function put(name: string, second: number, content = ''): void {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  utimesSync(file, second, second);
}

const built = [
  'main/desktop.cjs',
  'main/cli.cjs',
  'main/key-agent.cjs',
  'main/search-worker.cjs',
  'main/reading-worker.cjs',
  'main/export-worker.cjs',
  'preload/preload.cjs',
  'renderer/index.html',
  'licences.txt',
];

describe('whether to build', () => {
  beforeEach(() => {
    put('src/main/a.ts', 100);
    put('package.json', 100);
    for (const name of built) put(`out/${name}`, 200);
  });

  it('does not where everything is newer than its sources', () => {
    expect(needsBuild(root)).toBe(false);
  });

  it.each(built)('does where %s is missing or old', (name) => {
    put(`out/${name}`, 50);
    expect(needsBuild(root)).toBe(true);
    rmSync(path.join(root, 'out', name));
    expect(needsBuild(root)).toBe(true);
  });

  it('does where a page of the help changed', () => {
    put('docs/a.md', 300);
    expect(needsBuild(root)).toBe(true);
  });

  it('does where a source deep down or the manifest changed, and not for a test', () => {
    put('src/renderer/a/b/c.test.tsx', 300);
    put('src/testing/driver.ts', 300);
    expect(needsBuild(root)).toBe(false);
    put('src/renderer/a/b/c.tsx', 300);
    expect(needsBuild(root)).toBe(true);
    put('src/renderer/a/b/c.tsx', 100);
    put('package.json', 300);
    expect(needsBuild(root)).toBe(true);
  });
});

describe('Electron’s binary', () => {
  const electron = 'node_modules/electron';
  beforeEach(() => {
    put(`${electron}/package.json`, 1, '{"version":"45.4.1"}');
    put(`${electron}/path.txt`, 1, 'electron');
    put(`${electron}/dist/version`, 1, '45.4.1');
    put(`${electron}/dist/electron`, 1);
  });

  it('is found where package, version and path agree', () => {
    expect(findElectron(root, {})).toBe(path.join(root, electron, 'dist', 'electron'));
    put(`${electron}/dist/version`, 1, 'v45.4.1\n');
    expect(findElectron(root, {})).not.toBeNull();
  });

  it.each([
    ['path.txt', null],
    ['dist/version', null],
    ['dist/electron', null],
    ['package.json', null],
    ['dist/version', '44.0.0'],
    ['package.json', 'not json'],
  ])('is not where %s is %j', (name, content) => {
    if (content === null) rmSync(path.join(root, electron, name));
    else put(`${electron}/${name}`, 1, content);
    expect(findElectron(root, {})).toBeNull();
  });

  it('is looked for elsewhere where ELECTRON_OVERRIDE_DIST_PATH says so', () => {
    put('other/electron', 1);
    expect(findElectron(root, { ELECTRON_OVERRIDE_DIST_PATH: path.join(root, 'other') })).toBe(
      path.join(root, 'other', 'electron'),
    );
    expect(findElectron(root, { ELECTRON_OVERRIDE_DIST_PATH: path.join(root, 'none') })).toBeNull();
    // Nothing was ever unpacked here.
    rmSync(path.join(root, electron, 'path.txt'));
    expect(findElectron(root, { ELECTRON_OVERRIDE_DIST_PATH: path.join(root, 'other') })).not.toBeNull();
  });

  it.each([
    [{ DISPLAY: ':0' }, 'linux', 1000, null],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', 1000, null],
    [{}, 'linux', 1000, 'there is no display'],
    [{ DISPLAY: ':0' }, 'linux', 0, 'it refuses to run as root with its sandbox on'],
    [{}, 'darwin', 501, null],
    [{}, 'win32', null, null],
    [{ CROUPIER_HOST: 'browser' }, 'darwin', 501, 'CROUPIER_HOST=browser asks for the browser'],
  ] as const)('is of use with %j on %s as %s: %s', (env, platform, uid, reason) => {
    expect(noElectronReason(env, platform, uid)).toBe(reason);
  });
});
