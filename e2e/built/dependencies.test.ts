import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { afterPack } from '../../scripts/packing.mjs';
import { dependencyRows, readTables, shippedPackages } from '../../scripts/dependencies.mjs';
import { readFuses, wantedFuses } from '../../scripts/fuses.mjs';
import { root } from '../program.ts';

interface Shipped {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly integrity: string;
}
interface Bill {
  readonly components: readonly {
    readonly group?: string;
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly hashes: readonly { readonly content: string }[];
    readonly licenses: readonly unknown[];
  }[];
  readonly dependencies: readonly { readonly dependsOn: readonly string[] }[];
}

describe('the dependencies', () => {
  const written = readTables(readFileSync(path.join(root, 'docs/dependencies.md'), 'utf8')) as Record<string, string[][]>;
  const wanted = dependencyRows(root) as Record<string, string[][]>;

  it('are those that were decided on, with their licences and what they use of Node', () => {
    // `npm run dependencies-list` writes the rows; a person decides what a new one may do.
    for (const [heading, rows] of Object.entries(wanted)) {
      expect(written[heading]?.map((row) => row.slice(0, -1))).toEqual(rows);
      expect(written[heading]?.filter((row) => /^$|undecided/.test(row.at(-1) ?? ''))).toEqual([]);
    }
  });

  it('start no program, and only the line of the page asks for a network', () => {
    const asks = (modules: RegExp) =>
      (wanted['What ships'] ?? [])
        .filter((row) => row[3]?.split(', ').some((module) => modules.test(module)))
        .map(([name]) => name);
    expect(asks(/^(?:child_process|cluster|vm|inspector|repl)/)).toEqual([]);
    expect(asks(/^(?:net|tls|dgram|http|https|http2|dns)/)).toEqual(['ws']);
  });
});

/** A program with its fuses as Electron is delivered. */
const unfused = Buffer.concat([Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'), Buffer.from([1, 9]), Buffer.from('101100011')]);
/** Returns electron-builder's facts about a package that it put into a folder. */
const context = (folder: string) => ({
  appOutDir: folder,
  outDir: folder,
  electronPlatformName: 'linux',
  arch: 1,
  packager: { appInfo: { productFilename: 'Croupier', version: '1.2.3' }, executableName: 'croupier-desktop' },
});

describe('packaging', () => {
  it('gives along the licence texts of everything that ships', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'croupier-test-'));
    try {
      writeFileSync(path.join(folder, 'croupier-desktop'), unfused);
      afterPack(context(folder));
      const notices = readFileSync(path.join(folder, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
      expect(readFileSync(path.join(folder, 'LICENSE.croupier.txt'), 'utf8')).toMatch(/^Croupier\n\nCopyright/);
      // The workbench shows the same.
      expect(readFileSync(path.join(root, 'out/licences.txt'), 'utf8')).toContain(notices);
      const shipped = shippedPackages(root) as Shipped[];
      for (const { name, version, licence } of shipped) {
        expect(notices).toContain(`\n${name} ${version} (${licence})`);
        // Above a text.
        expect(notices).toMatch(new RegExp(`\n${name} ${version}\n(?:.+\n)*={80}\n\n.{10}`));
      }
      for (const words of [
        // The fonts, the icons, Monaco's own notices, and Electron.
        'SIL OPEN FONT LICENSE Version 1.1',
        'Copyright (c) 2013-present Cole Bemis',
        'THIRD-PARTY SOFTWARE NOTICES AND INFORMATION',
        'Copyright (c) Electron contributors',
        'Apache License',
      ])
        expect(notices).toContain(words);
      expect(Buffer.byteLength(notices)).toBeLessThan(200_000);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('writes the bill of what ships beside the package, and sets the fuses', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'croupier-test-'));
    try {
      writeFileSync(path.join(folder, 'croupier-desktop'), unfused);
      afterPack(context(folder));
      expect(readFuses(path.join(folder, 'croupier-desktop'))).toEqual(wantedFuses);
      expect(readdirSync(folder)).toContain('croupier-1.2.3-desktop-linux-x64.cdx.json');
      const bill = JSON.parse(readFileSync(path.join(folder, 'croupier-1.2.3-desktop-linux-x64.cdx.json'), 'utf8')) as Bill;
      expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', metadata: { component: { name: 'croupier' } } });
      const shipped = shippedPackages(root) as Shipped[];
      expect(
        bill.components.map(({ group, name, version }) => [group === undefined ? name : `${group}/${name}`, version]),
      ).toEqual([...shipped.map(({ name, version }) => [name, version]), ['node', expect.any(String)]]);
      for (const { name, purl, hashes, licenses } of bill.components) {
        expect(purl, name).toMatch(/^pkg:npm\/(?:%40[^/@]+\/)?[^/@]+@\d+\.\d+\.\d+/);
        expect(hashes[0]?.content, name).toMatch(/^[0-9a-f]{128}$/);
        expect(licenses, name).toHaveLength(1);
      }
      expect(bill.dependencies[0]?.dependsOn).toEqual(bill.components.map(({ purl }) => purl));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
