import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { afterAllArtifactBuild, beforePack } from './packing.mjs';

const root = path.resolve(import.meta.dirname, '..');
const read = (name: string) => readFileSync(path.join(root, name));

// What is in a package shows `npm run test:long -- install`, which makes each.
describe('a package', () => {
  const config = parse(read('electron-builder.yml').toString()) as Record<string, { files: unknown; extraResources: unknown }>;

  it.each([
    ['linux', 'linux', 'linux'],
    ['mac', 'darwin', 'darwin'],
    ['win', 'win32', 'win'],
  ])('for %s has the keychain library and the command line of that system, wherever it is made', (name, library, command) => {
    const place = `node_modules/keytar/prebuilds/${library}-\${arch}`;
    expect(config[name]?.files).toEqual([{ from: place, to: place }]);
    expect(config[name]?.extraResources).toEqual({ from: `.cache/command-line/${command}-\${arch}`, to: 'bin' });
    // electron-builder's word for the system on which it runs.
    expect(JSON.stringify(config)).not.toContain('${platform}');
  });

  it('for macOS is made on a Mac with its processor alone, except for a folder to look at', () => {
    const context = { electronPlatformName: 'darwin', arch: process.arch === 'arm64' ? 1 : 3 };
    expect(() => beforePack({ ...context, targets: [{ name: 'dir' }, { name: 'dmg' }] })).toThrow(/is made on a Mac/);
  });

  it('is listed with its checksum and that of its bill, and nothing else is', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'croupier-test-'));
    try {
      for (const name of ['a.deb', 'a.cdx.json', 'builder-debug.yml']) writeFileSync(path.join(folder, name), name);
      expect(afterAllArtifactBuild({ outDir: folder, artifactPaths: [path.join(folder, 'a.deb')] })).toEqual([]);
      expect(readFileSync(path.join(folder, 'SHA256SUMS'), 'utf8')).toMatch(
        /^[0-9a-f]{64} {2}a\.deb\n[0-9a-f]{64} {2}a\.cdx\.json\n$/,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('names only files that are there', () => {
    const named =
      read('electron-builder.yml')
        .toString()
        .match(/(?:resources|scripts)\/[\w./-]+/g) ?? [];
    expect(named.length).toBeGreaterThan(6);
    expect(named.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
  });
});

describe('the icons', () => {
  it('are there in the sizes that Windows and macOS ask for', () => {
    const ico = read('resources/icon.ico');
    expect(Array.from({ length: ico.readUInt16LE(4) }, (_, at) => ico[6 + 16 * at])).toEqual([16, 24, 32, 48, 64, 128, 0]);
    const icns = read('resources/icon.icns');
    const types = [];
    for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4)) types.push(icns.toString('latin1', at, at + 4));
    expect(types.sort()).toEqual(['ic07', 'ic08', 'ic09', 'ic10', 'ic11', 'ic12', 'ic13', 'ic14']);
  });
});
