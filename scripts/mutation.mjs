// `npm run test:long -- mutation`: plants faults in the sources one at a time, and finds out whether the nearest tests notice.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createChoices, seededRandom } from '../src/testing/seeded-random.ts';
import { fileOf, readTree } from './import-table.mjs';
import { mutantsOf } from './mutants.mjs';

/** The most test files that are run for one fault. */
const mostTests = 10;
const isTest = (file) => /^src\/.*\.test\.tsx?$/.test(file);

/**
 * Copies what git tracks or would add; the packages are linked. The sources are changed in the copy, on the disk: started programs,
 * key agents and threads read them there.
 */
function copyTree(root) {
  const folder = mkdtempSync(path.join(tmpdir(), 'croupier-m-'));
  const [tree, temporary] = ['tree', 'tmp'].map((name) => path.join(folder, name));
  mkdirSync(temporary);
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 };
  for (const name of execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], options).split('\0'))
    if (name !== '' && existsSync(path.join(root, name))) cpSync(path.join(root, name), path.join(tree, name));
  symlinkSync(path.join(root, 'node_modules'), path.join(tree, 'node_modules'), 'junction');
  return { tree, temporary, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Returns each file's importers, by the tree that `readTree` read. */
function readImporters({ imports, aliases }) {
  const importers = new Map();
  for (const [file, asked] of imports)
    for (const { specifier } of asked) {
      const target = specifier === null ? null : fileOf(file, specifier, aliases);
      if (target !== null) importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  return importers;
}

/** Returns how many folders lie between two files. */
const foldersBetween = (one, other) =>
  path.posix.relative(path.posix.dirname(one), path.posix.dirname(other)).split('/').filter(Boolean).length;

/** Returns the test files that reach a file, those with the fewest imports and folders between first. */
export function nearestTests(file, importers) {
  const distances = new Map([[file, 0]]);
  for (const [one, distance] of distances)
    for (const importer of importers.get(one) ?? []) if (!distances.has(importer)) distances.set(importer, distance + 1);
  const rank = (test) => distances.get(test) + foldersBetween(file, test);
  return [...distances.keys()]
    .filter(isTest)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, mostTests);
}

/** Draws faults: each line of the sources is as likely as any other, so that each area has its share. */
function drawMutants(tree, count, seed, under) {
  const isSource = (file) =>
    file.startsWith(under) && /^src\/.*\.tsx?$/.test(file) && !/\.test\.|\.d\.ts$|^src\/testing\//.test(file);
  const lines = [...tree.texts].flatMap(([file, text]) =>
    isSource(file) ? text.split('\n').map((_, at) => ({ file, line: at + 1 })) : [],
  );
  const random = createChoices(seededRandom(seed));
  const drawn = new Map();
  for (let tries = 0; drawn.size < count && tries < 100 * count; tries++) {
    const { file, line } = random.pick(lines);
    const here = mutantsOf(tree.texts.get(file), file, line);
    if (here.length > 0) drawn.set(`${file}:${line}`, { file, ...random.pick(here) });
  }
  return [...drawn.values()];
}

/** Runs test files in the copy until one fails. Resolves to whether all passed; null if they did not end in `limit` milliseconds. */
async function run({ tree, temporary }, tests, limit, options = ['--bail=1', '--reporter=dot']) {
  const vitest = path.join(tree, 'node_modules', 'vitest', 'vitest.mjs');
  const env = { ...process.env, CI: 'true', CROUPIER_TESTS_FROM_SOURCE: '1', TMPDIR: temporary, TEMP: temporary, TMP: temporary };
  const grouped = process.platform !== 'win32';
  const child = spawn(process.execPath, [vitest, 'run', ...options, ...tests], {
    cwd: tree,
    env,
    stdio: 'ignore',
    detached: grouped,
  });
  // Whatever its tests started belongs to its group.
  const end = () => process.kill(Number(child.pid) * (grouped ? -1 : 1), 'SIGKILL');
  process.once('exit', end);
  const timer = setTimeout(end, limit);
  const [status] = await once(child, 'exit');
  clearTimeout(timer);
  process.off('exit', end);
  return status === null ? null : status === 0;
}

/** Runs every test once without a fault. Returns the milliseconds of each file that passes. */
async function timesOf(copy, tests) {
  const report = path.join(copy.temporary, 'report.json');
  await run(copy, tests, 3_600_000, ['--reporter=json', `--outputFile=${report}`]);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const nameOf = ({ name }) => path.relative(copy.tree, name).replaceAll('\\', '/');
  for (const one of testResults) if (one.status !== 'passed') console.log(`Left out, it fails without a fault: ${nameOf(one)}`);
  if (testResults.length === 0) throw new Error('No test ran, so nothing can be said of a fault.');
  return new Map(
    testResults.filter(({ status }) => status === 'passed').map((one) => [nameOf(one), one.endTime - one.startTime]),
  );
}

const short = (text) => text.replaceAll(/\s+/g, ' ').slice(0, 70) || '(nothing)';

/** Plants `--sample` faults (200) below `--under` (`src/`), chosen by `--seed` (1). Returns whether 90 % are found. */
export async function mutationTest(args) {
  const { values } = parseArgs({
    args,
    options: {
      sample: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      under: { type: 'string', default: 'src/' },
    },
  });
  const source = readTree(process.cwd());
  const importers = readImporters(source);
  const mutants = drawMutants(source, Number(values.sample), Number(values.seed), values.under);
  const near = new Map(mutants.map(({ file }) => [file, nearestTests(file, importers)]));
  const copy = copyTree(process.cwd());
  process.once('exit', copy.remove);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  const times = await timesOf(copy, [...new Set([...near.values()].flat())]);
  let found = 0;
  for (const [at, { file, line, start, before, after }] of mutants.entries()) {
    const tests = near.get(file).filter((test) => times.has(test));
    const limit = 60_000 + 4 * tests.reduce((sum, test) => sum + times.get(test), 0);
    const text = source.texts.get(file);
    writeFileSync(path.join(copy.tree, file), text.slice(0, start) + after + text.slice(start + before.length));
    const passed = tests.length === 0 || (await run(copy, tests, limit)) === true;
    writeFileSync(path.join(copy.tree, file), text);
    if (passed)
      console.log(`${file}:${line} ${tests.length === 0 ? 'no test near' : 'survived'}: ${short(before)} → ${short(after)}`);
    else found++;
    if ((at + 1) % 20 === 0) console.log(`-- ${found} of ${at + 1} found`);
  }
  console.log(
    `seed ${values.seed}: ${found} of ${mutants.length} faults found, ${((100 * found) / mutants.length).toFixed(1)} %`,
  );
  return found >= 0.9 * mutants.length;
}
