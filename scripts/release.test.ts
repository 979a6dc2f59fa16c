import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { release } from './release.mjs';

const changelog =
  '# Changelog\n\n## 1.1.0-rc.2, not released\n\n- **More** of it\n\n## 1.0.0, 2026-11-30\n\nThe first version.\n';
let first: string;
let root: string;
let said: string[];

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
const put = (name: string, text: string) => writeFileSync(path.join(root, name), text);
const read = (name: string) => readFileSync(path.join(root, name), 'utf8');
const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
/** The branches and tags, and the files that differ from the last commit. */
const state = () => [git('for-each-ref'), git('status', '--porcelain')];

/** Releases with scripts that succeed but for the one named; `ran` are those that were run. */
function releaseAs(version: string, given: { isDry?: boolean; fails?: string; hasElectron?: boolean; ran?: string[] } = {}) {
  const { isDry = false, fails, hasElectron = false, ran = [] } = given;
  const npm = (script: string) => ran.push(script) > 0 && script !== fails;
  release({ root, version, isDry, today: '2026-12-24', hasElectron, npm, say: (line: string) => void said.push(line) });
}

beforeAll(() => {
  first = root = mkdtempSync(path.join(tmpdir(), 'croupier release-'));
  git('init', '--quiet', '--initial-branch=main');
  put(
    '.git/config',
    '[user]\nname = t\nemail = t@example.com\n[commit]\ngpgSign = false\n[tag]\ngpgSign = false\n[core]\nautocrlf = false\n',
  );
  put('package.json', json({ name: 'croupier', version: '1.1.0-rc.1', main: 'a' }));
  const packages = { '': { version: '1.1.0-rc.1' }, a: { version: '1.1.0-rc.1' } };
  put('package-lock.json', json({ version: '1.1.0-rc.1', packages }));
  put('CHANGELOG.md', changelog);
  git('add', '.');
  git('commit', '--quiet', '--message=first');
});
afterAll(() => rmSync(first, { recursive: true }));
beforeEach(() => {
  said = [];
  root = mkdtempSync(path.join(tmpdir(), 'croupier release-'));
  cpSync(first, root, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

describe('a release is refused', () => {
  const next = '1.1.0-rc.2';
  it.each<[what: string, version: string, prepare: () => void, says: RegExp]>([
    ['of no version', 'v1.1.0', () => {}, /^v1\.1\.0 is no version/],
    ['of three numbers with a zero in front', '1.01.0', () => {}, /is no version/],
    ['of a lower version', '1.1.0-alpha', () => {}, /^1\.1\.0-alpha is lower than 1\.1\.0-rc\.1 in package\.json\./],
    ['of a version with a tag', next, () => git('tag', `v${next}`), /^There is a tag v1\.1\.0-rc\.2 already\.$/],
    ['on another branch', next, () => git('switch', '--quiet', '--create', 'mine'), /^The branch is mine/],
    ['on none', next, () => git('switch', '--quiet', '--detach'), /^The branch is none/],
    ['with a change in no commit', next, () => put('CHANGELOG.md', `${changelog}\n`), /no commit:\nM CHANGELOG\.md$/],
    ['with a file that git does not know', next, () => put('new', ''), /no commit:\n\?\? new$/],
    ['without its changes', '1.1.0', () => {}, /^CHANGELOG\.md has to begin with "## 1\.1\.0, not released"/],
    [
      'with nothing below its heading',
      next,
      () => {
        put('CHANGELOG.md', changelog.replace('- **More** of it\n', ''));
        git('commit', '--quiet', '--all', '--message=empty');
      },
      /^CHANGELOG\.md has to begin/,
    ],
  ])('%s', (_, version, prepare, says) => {
    prepare();
    const before = state();
    expect(() => releaseAs(version)).toThrow(says);
    expect(state()).toEqual(before);
    expect(said).toEqual([]);
  });

  it('for everything that speaks against it at once', () => {
    put('new', '');
    expect(() => releaseAs('1.0.0')).toThrow(/lower than[^]*no commit[^]*CHANGELOG/);
  });
});

it('a dry run says each step and changes nothing', () => {
  const before = state();
  const ran: string[] = [];
  releaseAs('1.1.0-rc.2', { isDry: true, hasElectron: true, ran });
  expect(said).toEqual([
    'would: write 1.1.0-rc.2 and its date into package.json, package-lock.json, CHANGELOG.md',
    'would: run all tests',
    'would: commit "release 1.1.0-rc.2"',
    'would: make the npm package, the single files and the container in dist',
    'would: make the desktop package in release',
    'would: tag the commit as v1.1.0-rc.2',
    'Nothing was changed.',
  ]);
  expect(ran).toEqual([]);
  expect(state()).toEqual(before);
  expect(read('CHANGELOG.md')).toBe(changelog);
});

it('a release is a commit with the version and its date, and a tag with what is new', () => {
  const ran: string[] = [];
  releaseAs('1.1.0-rc.2', { ran });
  expect(ran).toEqual(['test', 'dist']);
  expect(JSON.parse(read('package.json'))).toEqual({ name: 'croupier', version: '1.1.0-rc.2', main: 'a' });
  const { version, packages } = JSON.parse(read('package-lock.json')) as { version: string; packages: object };
  expect({ version, packages }).toEqual({
    version: '1.1.0-rc.2',
    packages: { '': { version: '1.1.0-rc.2' }, a: { version: '1.1.0-rc.1' } },
  });
  expect(read('CHANGELOG.md')).toBe(changelog.replace('not released', '2026-12-24'));
  expect(git('log', '--format=%s')).toBe('release 1.1.0-rc.2\nfirst');
  expect(git('status', '--porcelain')).toBe('');
  expect(git('cat-file', '-t', 'v1.1.0-rc.2')).toBe('tag');
  expect(git('tag', '--list', '--format=%(contents)')).toBe('1.1.0-rc.2\n\n- **More** of it');
  expect(said.join('\n')).toMatch(/npm publish dist\/croupier-workbench-cli-1\.1\.0-rc\.2\.tgz --tag next\n/);
  // The version that was released is not released again.
  expect(() => releaseAs('1.1.0-rc.2')).toThrow(/There is a tag/);
});

it.each(['test', 'dist', 'package'])('everything is as it was if the step "%s" fails', (fails) => {
  const before = state();
  expect(() => releaseAs('1.1.0-rc.2', { fails, hasElectron: true })).toThrow(
    `"npm run ${fails}" failed. Everything is as it was.`,
  );
  // The commit that was made stays in git's own record of the branch alone.
  expect(state()).toEqual(before);
  expect(read('CHANGELOG.md')).toBe(changelog);
});
