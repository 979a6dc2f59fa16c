import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockFaults, undecidedScripts } from './lock-file.mjs';

const root = path.resolve(import.meta.dirname, '..');
type Entry = Record<string, unknown>;
interface Lock {
  lockfileVersion: number;
  packages: Record<string, Entry>;
}
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Record<string, Record<string, string>>;
const text = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
const lockWith = (change: (packages: Record<string, Entry>, lock: Lock) => void) => {
  const lock = JSON.parse(text) as Lock;
  change(lock.packages, lock);
  return lock;
};
const undici = 'node_modules/undici';

describe('the lock file', () => {
  it('has a digest for each package, and no package from elsewhere', () => {
    const lock = lockWith(() => undefined);
    expect(Object.keys(lock.packages).length).toBeGreaterThan(100);
    expect(lockFaults(manifest, lock)).toEqual([]);
  });

  it.each<[string, (packages: Record<string, Entry>, lock: Lock) => void, RegExp]>([
    ['a package without a digest', (all) => delete all[undici]?.['integrity'], /undici has no SHA-512/],
    [
      'a weak digest',
      (all) => Object.assign(all[undici] ?? {}, { integrity: `sha1-${'a'.repeat(27)}=` }),
      /undici has no SHA-512/,
    ],
    [
      'two digests, of which one is enough',
      (all) => Object.assign(all[undici] ?? {}, { integrity: `${String(all[undici]?.['integrity'])} sha1-x` }),
      /undici has no SHA-512/,
    ],
    [
      'another host',
      (all) => Object.assign(all[undici] ?? {}, { resolved: 'https://registry.evil.example/undici/-/undici-7.30.2.tgz' }),
      /undici comes from https:\/\/registry\.evil/,
    ],
    [
      'a host that begins alike',
      (all) =>
        Object.assign(all[undici] ?? {}, { resolved: 'https://registry.npmjs.org.evil.example/undici/-/undici-7.30.2.tgz' }),
      /undici comes from/,
    ],
    [
      'http',
      (all) => Object.assign(all[undici] ?? {}, { resolved: 'http://registry.npmjs.org/undici/-/undici-7.30.2.tgz' }),
      /undici comes from http:/,
    ],
    [
      'another package of the registry',
      (all) => Object.assign(all[undici] ?? {}, { resolved: 'https://registry.npmjs.org/undid/-/undid-7.30.2.tgz' }),
      /undici comes from .*undid/,
    ],
    [
      'git',
      (all) => Object.assign(all[undici] ?? {}, { resolved: 'git+ssh://git@github.com/nodejs/undici.git#abc' }),
      /undici comes from git/,
    ],
    [
      'a folder of the machine',
      (all) => Object.assign(all, { 'node_modules/x': { link: true, resolved: '../x' } }),
      /x comes from/,
    ],
    ['a package elsewhere', (all) => Object.assign(all, { '../x': all[undici] }), /\.\.\/x is not in node_modules/],
    ['a package under the name of another', (all) => Object.assign(all[undici] ?? {}, { name: 'undid' }), /is undid under/],
    ['a package in another one', (all) => Object.assign(all[undici] ?? {}, { inBundle: true }), /another place/],
    [
      'a package that asks for git',
      (all) => Object.assign(all[undici] ?? {}, { dependencies: { a: 'user/repo' } }),
      /undici asks for a from user\/repo/,
    ],
    [
      'a version that package.json does not ask for',
      (all) => Object.assign(all[''] ?? {}, { dependencies: {} }),
      /not those of package/,
    ],
    ['another format', (_, lock) => Object.assign(lock, { lockfileVersion: 2 }), /version 2/],
  ])('is refused with %s', (_, change, words) => {
    expect(lockFaults(manifest, lockWith(change)).join('\n')).toMatch(words);
  });

  it('is refused with a range in package.json', () => {
    const loose = { ...manifest, devDependencies: { ...manifest['devDependencies'], undici: '^7.30.2' } };
    expect(
      lockFaults(
        loose,
        lockWith(() => undefined),
      ).join('\n'),
    ).toMatch(/undici \^7\.30\.2, which is not an exact version/);
  });

  it('has no install script that nobody decided on', () => {
    expect(
      undecidedScripts(
        manifest,
        lockWith(() => undefined),
      ),
    ).toEqual([]);
    const more = lockWith((all) => Object.assign(all[undici] ?? {}, { hasInstallScript: true }));
    expect(undecidedScripts(manifest, more)).toEqual(['undici']);
  });

  it('is read by an npm that asks no other registry', () => {
    const settings = readFileSync(path.join(root, '.npmrc'), 'utf8').split('\n').filter(Boolean);
    expect(settings.filter((line) => /registry\s*=/.test(line) && !line.startsWith('omit-lockfile-registry-resolved='))).toEqual(
      [],
    );
  });
});
