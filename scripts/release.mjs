// `npm run release -- VERSION [--dry-run]`: makes a release of the branch `main` on this computer, whole or not at all. It sends nothing anywhere: its
// last lines say what a person does then. With `--dry-run` it looks at everything, says each step and changes nothing.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { compare, valid } from 'semver';
import { findElectron } from './electron-binary.mjs';
import { programOf } from './program-of.mjs';

const changed = ['package.json', 'package-lock.json', 'CHANGELOG.md'];

/**
 * Makes the release, or throws an error with what speaks against it, a line each; nothing is changed then. `npm` runs a script of package.json and
 * returns whether it succeeds; `say` prints a line.
 */
export function release({ root, version, isDry, today, hasElectron, npm, say }) {
  const git = (...args) => execFileSync(...programOf('git', args), { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  const read = (name) => readFileSync(path.join(root, name), 'utf8');
  const write = (name, text) => writeFileSync(path.join(root, name), text);
  const tag = `v${version}`;
  const manifest = JSON.parse(read('package.json'));
  const [, newest = ''] = read('CHANGELOG.md').split(/^(?=## )/m);
  const [heading, ...text] = newest.split('\n');
  const [, named, date] = /^## (\S+), (not released|\d{4}-\d\d-\d\d)$/.exec(heading) ?? [];
  const notes = text.join('\n').trim();

  const faults = [];
  if (valid(version) !== version) faults.push(`${version} is no version: it looks like 1.2.3 or 1.2.3-rc.1.`);
  else if (compare(version, manifest.version) < 0) faults.push(`${version} is lower than ${manifest.version} in package.json.`);
  else if (git('tag', '--list', tag) !== '') faults.push(`There is a tag ${tag} already.`);
  const branch = git('branch', '--show-current');
  if (branch !== 'main') faults.push(`The branch is ${branch || 'none'}: a release is made of main.`);
  const changes = git('status', '--porcelain');
  if (changes !== '') faults.push(`Some changes are in no commit:\n${changes}`);
  if (named !== version || notes === '')
    faults.push(`CHANGELOG.md has to begin with "## ${version}, not released" and what is new.`);
  if (faults.length > 0) throw new Error(faults.join('\n'));

  const run = (script) => {
    if (!npm(script)) throw new Error(`"npm run ${script}" failed. Everything is as it was.`);
  };
  /** @type {[what: string, step: () => void][]} */
  const steps = [
    [
      `write ${version} and its date into ${changed.join(', ')}`,
      () => {
        write('package.json', json({ ...manifest, version }));
        const lock = JSON.parse(read('package-lock.json'));
        lock.version = version;
        lock.packages[''].version = version;
        write('package-lock.json', json(lock));
        write('CHANGELOG.md', read('CHANGELOG.md').replace(heading, `## ${version}, ${date === 'not released' ? today : date}`));
      },
    ],
    ['run all tests', () => run('test')],
    // Before the files are made: their bills of materials have its time.
    [`commit "release ${version}"`, () => git('commit', '--quiet', '--message', `release ${version}`, ...changed)],
    ['make the npm package, the single files and the container in dist', () => run('dist')],
    hasElectron
      ? ['make the desktop package in release', () => run('package')]
      : ['leave out the desktop package: Electron is not here', () => {}],
    [
      `tag the commit as ${tag}`,
      () => git('tag', '--annotate', '--cleanup=verbatim', '--message', `${version}\n\n${notes}`, tag),
    ],
  ];
  const before = git('rev-parse', 'HEAD');
  try {
    for (const [what, step] of steps) {
      say(`${isDry ? 'would' : 'now'}: ${what}`);
      if (!isDry) step();
    }
  } catch (error) {
    git('reset', '--quiet', '--hard', before);
    throw error;
  }
  if (isDry) say('Nothing was changed.');
  else
    for (const line of [
      '',
      `${tag} is here and nowhere else. docs/release.md says what to look at before you publish it:`,
      `  git push --atomic origin main ${tag}`,
      `  npm publish dist/croupier-workbench-cli-${version}.tgz${version.includes('-') ? ' --tag next' : ''}`,
      `To take it back: git tag --delete ${tag} && git reset --hard HEAD~1`,
    ])
      say(line);
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  // Ctrl+C ends the step that runs, which then counts as failed.
  process.on('SIGINT', () => {});
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'dry-run': { type: 'boolean' } } });
    if (positionals.length !== 1) throw new Error('Usage: npm run release -- VERSION [--dry-run]');
    const root = process.cwd();
    release({
      root,
      version: positionals[0],
      isDry: values['dry-run'] === true,
      today: new Date().toISOString().slice(0, 10),
      hasElectron: findElectron(root) !== null,
      npm: (script) => spawnSync(...programOf('npm', ['run', script]), { cwd: root, stdio: 'inherit' }).status === 0,
      say: console.log,
    });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
