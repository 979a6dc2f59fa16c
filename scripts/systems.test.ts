import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { programOf } from './program-of.mjs';

const root = path.resolve(import.meta.dirname, '..');
const listed = (...words: readonly string[]) =>
  spawnSync('git', ['ls-files', '-z', ...words], { cwd: root, encoding: 'utf8' })
    .stdout.split('\0')
    .filter(Boolean);

// A copy that tests make of the tree is no clone.
describe.skipIf(!existsSync(path.join(root, '.git')))('a clone', () => {
  it('has the same bytes where Git converts the ends of lines', () => {
    const rules = listed('--eol').map((line) => /^i\/(\S+) +w\/\S+ +attr\/([^\t]*)\t(.*)$/.exec(line)?.slice(1) ?? [line]);
    expect(rules.length).toBeGreaterThan(1_000);
    const strange = rules.filter(
      ([found, rule = '']) =>
        !(found === '-text' ? rule.startsWith('-text') : found === 'lf' && /^text\S* eol=lf/.test(rule.trim())),
    );
    expect(strange).toEqual([]);
  });

  it('has each file where names differ in more than case and form, and have no character that Windows refuses', () => {
    const files = listed();
    const folders = new Set(files.flatMap((file) => file.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'))));
    expect(new Set([...folders].map((name) => name.normalize('NFC').toLowerCase())).size).toBe(folders.size);
    const refused = /[<>:"\\|?*\p{Cc}]|[. ](?:\/|$)|(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\/|$)/iu;
    expect(files.filter((file) => refused.test(file) || file.length > 150)).toEqual([]);
  });
});

describe('a program of a package', () => {
  it.each(['electron-vite', 'oxfmt', 'oxlint', 'playwright', 'tsc', 'vitest'])('is started by Node: %s', (name) => {
    const [command, [file = '', ...rest]] = programOf(name, ['a b', '&']);
    expect([command, rest]).toEqual([process.execPath, ['a b', '&']]);
    expect(readFileSync(file, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('is the npm that started this', () => {
    expect(programOf('npm', ['ci'], { npm_execpath: '/npm cli.js' })).toEqual([process.execPath, ['/npm cli.js', 'ci']]);
    expect(programOf('npm', ['ci'], {})).toEqual(['npm', ['ci']]);
    expect(programOf('git', ['log'])).toEqual(['git', ['log']]);
  });
});
