import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findElectron } from './electron-binary.mjs';
import { readFuses, wantedFuses, writeFuses } from './fuses.mjs';

const root = path.resolve(import.meta.dirname, '..');
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'croupier-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a file with fuses in the middle of other bytes. */
function executable(...wires: string[]): string {
  const file = path.join(folder, `file-${Math.random()}`);
  const other = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 255, 48, 49]);
  const parts = wires.flatMap((wire) => [other, Buffer.from(sentinel), Buffer.from([1, wire.length]), Buffer.from(wire)]);
  writeFileSync(file, Buffer.concat([...parts, other]));
  return file;
}

describe('fuses', () => {
  it('sets all nine and leaves every other byte alone', () => {
    // The fuses of Electron as delivered.
    const file = executable('101100011');
    const before = readFileSync(file);
    writeFuses(file);
    expect(readFuses(file)).toEqual(wantedFuses);
    const after = readFileSync(file);
    const changed = [...before.keys()].filter((index) => before[index] !== after[index]);
    expect(changed).toHaveLength(7);
    expect(after.length).toBe(before.length);
  });

  it('sets those of both architectures in one file', () => {
    const file = executable('101100011', '101100011');
    writeFuses(file);
    expect(readFuses(file)).toEqual(wantedFuses);
  });

  it.each([
    ['no fuses', [], /no fuses/],
    ['a fuse that nobody decided on', ['1011000110'], /10 fuses and 9 are known/],
    ['fewer fuses', ['10110001'], /8 fuses/],
    ['a fuse that was removed', ['r01100011'], /removed/],
    ['sets that differ', ['101100011', '001100011'], /differ/],
  ])('refuses a file with %s', (_, wires, message) => {
    expect(() => readFuses(executable(...wires))).toThrow(message);
  });

  it('are those that the packaging sets', () => {
    const config = readFileSync(path.join(root, 'electron-builder.yml'), 'utf8');
    expect(config).toMatch(/^afterPack: scripts\/packing\.mjs$/m);
    expect(config).not.toContain('electronFuses');
    expect(readFileSync(path.join(root, 'scripts/packing.mjs'), 'utf8')).toContain('writeFuses(');
  });

  const delivered = findElectron(root);
  it.skipIf(delivered === null)('are the nine that the installed Electron has (needs Electron’s binary)', () => {
    expect(Object.keys(readFuses(delivered ?? '') ?? {})).toEqual(Object.keys(wantedFuses));
  });

  const packaged = packagedFile();
  it.skipIf(packaged === null)('are set in the packaged application (needs `npm run package`)', () => {
    expect(readFuses(packaged ?? '')).toEqual(wantedFuses);
  });
});

/** Returns the executable that packaging for this system left in `release`; null if there is none. */
function packagedFile(): string | null {
  const release = path.join(root, 'release');
  if (!existsSync(release)) return null;
  const names = [
    'croupier-desktop',
    'Croupier.exe',
    'Croupier.app/Contents/Frameworks/Electron Framework.framework/Versions/A/Electron Framework',
  ];
  const found = readdirSync(release).flatMap((name) => names.map((file) => path.join(release, name, file)));
  return found.find((file) => existsSync(file)) ?? null;
}
