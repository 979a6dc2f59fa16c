// `npm run test:long -- mutation [AREA…]`: changes sources one position at a time and finds out whether a test notices.
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parseSync } from 'vite';
import { areaFiles } from './area-files.mjs';
import { areas } from './areas.mjs';
import { equivalent } from './equivalent.mjs';
import { mutantsOf } from './mutants.mjs';
import { createTestRuns } from './test-runs.mjs';
import { copyTree } from './tree-copy.mjs';

const short = (text) => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 70 ? `${line.slice(0, 67)}...` : line;
};

const hashOf = (texts) => createHash('sha256').update(JSON.stringify(texts)).digest('hex');

const percent = (part, whole) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);

/** Returns every mutant of the files, each with its file and its position in words. */
function readMutants(root, files) {
  return files.flatMap((file) => {
    const source = readFileSync(path.join(root, file), 'utf8');
    const lines = source.split('\n');
    const seen = new Map();
    return mutantsOf(source, file).mutants.map((mutant) => {
      const text = lines[mutant.line - 1].trim();
      const change = `${short(mutant.before)} → ${short(mutant.after) || '(nothing)'}`;
      const key = `${file} ${text} ${change}`;
      // A line may hold the same twice, and a file the same line.
      const times = (seen.get(key) ?? 0) + 1;
      seen.set(key, times);
      return { ...mutant, file, text, change, key: `${key} ${times}` };
    });
  });
}

const isEquivalent = (mutant) =>
  equivalent.some(({ file, line, change }) => file === mutant.file && line === mutant.text && change === mutant.change);

/** Returns entries of the table that name no mutant of these files. */
const stale = (files, mutants) =>
  equivalent.filter(
    (entry) =>
      files.includes(entry.file) &&
      !mutants.some((one) => one.file === entry.file && one.text === entry.line && one.change === entry.change),
  );

/** Orders mutants for a sample: other mutants may come and go without changing the order. */
function shuffled(mutants, seed) {
  const rank = ({ key }) => createHash('sha256').update(`${seed} ${key}`).digest('hex');
  return mutants
    .map((mutant) => [rank(mutant), mutant])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, mutant]) => mutant);
}

/**
 * Runs every test once, on sources that record where control comes by. Returns the tests that reach a mark of a file, fastest
 * first. The marks that a test reached are kept in `seen` for the next time, as long as the sources, the test, and what tests share
 * are the same.
 */
async function whoReaches(copy, runs, { sources, tests }, seen) {
  const textOf = (file) => readFileSync(path.join(copy.tree, file), 'utf8');
  const shared = globSync('src/testing/**/*.{ts,sh,php}', { cwd: copy.tree }).sort();
  const ground = hashOf([...sources, ...shared].map(textOf));
  const known = existsSync(seen) ? JSON.parse(readFileSync(seen, 'utf8')) : {};
  const keyOf = (file) => hashOf([ground, file, textOf(file)]);
  const keys = new Map(tests.map((file) => [file, keyOf(file)]));
  const hits = path.join(copy.temporary, 'reached');
  const originals = sources.map((file) => [file, textOf(file)]);
  originals.forEach(([file, source], index) => {
    const { marked } = mutantsOf(source, file, (mark) => `croupierReach(${mark})`);
    // A declaration, because a module of a circle may be called before it has run.
    const reach =
      `function croupierReach(mark){const seen=globalThis.croupierSeen??=new Set();const id='${index}:'+mark;` +
      `if(seen.has(id))return;seen.add(id);process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(hits)},id+'\\n')}` +
      'croupierReach(0);';
    writeFileSync(path.join(copy.tree, file), reach + marked);
  });
  const found = {};
  for (const file of tests) {
    const key = keys.get(file);
    if (Object.hasOwn(known, key)) {
      found[key] = known[key];
      continue;
    }
    writeFileSync(hits, '');
    const { failure, times } = await runs.run([], [{ file }]);
    if (failure !== null) console.log(`Left out: ${file} fails without a mutant: ${short(failure)}`);
    else found[key] = { file, ms: times.get(file), marks: [...new Set(readFileSync(hits, 'utf8').split('\n').filter(Boolean))] };
  }
  for (const [file, text] of originals) writeFileSync(path.join(copy.tree, file), text);
  await runs.run(sources, []);
  mkdirSync(path.dirname(seen), { recursive: true });
  writeFileSync(seen, JSON.stringify(found));
  const reached = Object.values(found).map(({ file, ms, marks }) => ({ file, ms, marks: new Set(marks) }));
  return ({ file, mark }) =>
    reached
      .filter(({ marks }) => marks.has(`${sources.indexOf(file)}:${mark}`))
      .map((test) => ({ file: test.file, ms: test.ms }))
      .sort((a, b) => a.ms - b.ms);
}

/** Returns whether a test, or all tests of a file, took too long. On a busy machine that happens without a mutant, too. */
const tookTooLong = (failure) => failure === 'timeout' || /\btimed out in \d+ ?ms/i.test(failure ?? '');

/**
 * Tries one mutant: killed, timeout or survived. A timeout counts only if the same tests then pass without the mutant, in little
 * more than the time they took at first; else the mutant is tried again, and is unclear after three times.
 */
async function tryMutant(copy, runs, mutant, tests) {
  const file = path.join(copy.tree, mutant.file);
  const original = readFileSync(file);
  for (let attempt = 0; attempt < 3; attempt++) {
    writeFileSync(file, mutant.changed);
    const { failure, by } = await runs.run([mutant.file], tests);
    writeFileSync(file, original);
    if (!tookTooLong(failure)) {
      await runs.run([mutant.file], []);
      return failure === null ? 'survived' : 'killed';
    }
    const late = tests.find((test) => test.file === by);
    const { failure: usual, times } = await runs.run([mutant.file], [late]);
    if (usual === null && times.get(by) < 2 * late.ms + 5_000) return 'timeout';
  }
  return 'unclear';
}

/** Tries the mutants one by one; each gets an `outcome`: killed, timeout, survived, unreached, unclear. */
async function tryMutants(copy, runs, mutants, testsOf) {
  const tried = [];
  for (const mutant of mutants) {
    const tests = testsOf(mutant);
    const outcome = tests.length > 0 ? await tryMutant(copy, runs, mutant, tests) : 'unreached';
    tried.push({ ...mutant, outcome });
    if (outcome !== 'killed' && outcome !== 'timeout')
      console.log(`${mutant.file}:${mutant.line} ${outcome} (${mutant.mutator})\n    ${mutant.text}\n    ${mutant.change}`);
    if (tried.length % 20 === 0) console.log(`-- ${tried.length} of ${mutants.length}`);
  }
  return tried;
}

/** Prints the figures of each file. Returns the score in percent, of those that are not unclear. */
function report(tried, sources) {
  const score = (rows) => [count(rows, 'killed', 'timeout'), rows.length - count(rows, 'unclear')];
  const count = (rows, ...outcomes) => rows.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const row = (name, rows) =>
    console.log(
      [
        name.padEnd(52),
        ...['killed', 'timeout', 'survived', 'unreached', 'unclear'].map((outcome) => String(count(rows, outcome)).padStart(9)),
        percent(...score(rows)).padStart(8),
      ].join(' '),
    );
  console.log(`${''.padEnd(52)}    killed   timeout  survived unreached   unclear    score`);
  for (const file of sources) {
    const rows = tried.filter((one) => one.file === file);
    if (rows.length > 0) row(file, rows);
  }
  row('together', tried);
  const [noticed, all] = score(tried);
  return all === 0 ? 100 : (100 * noticed) / all;
}

async function testArea(copy, name, { sample, seed, only, again, keep }) {
  const found = areaFiles(name, areas[name], copy.tree);
  const sources = found.sources.filter((file) => file.includes(only));
  const kept = path.join(keep, `${name}.json`);
  const all = readMutants(copy.tree, sources);
  const entries = stale(sources, all);
  for (const { file, line, change } of entries) console.log(`No mutant of ${file} is this any more: ${line} | ${change}`);
  const last = again && existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : null;
  const candidates = all.filter((mutant) => !isEquivalent(mutant) && (last === null || last.includes(mutant.key)));
  const parses = ({ file, changed }) => parseSync(file, changed).errors.length === 0;
  const chosen = [];
  for (const mutant of shuffled(candidates, seed)) {
    if (chosen.length >= sample) break;
    if (parses(mutant)) chosen.push(mutant);
  }
  console.log(`${name}: ${chosen.length} of ${all.length} mutants of ${sources.length} files, seed ${seed}`);

  const runs = createTestRuns(copy);
  process.once('exit', runs.end);
  try {
    const testsOf = await whoReaches(copy, runs, { sources, tests: found.tests }, path.join(keep, `${name}-reached.json`));
    const tried = await tryMutants(copy, runs, chosen, testsOf);
    const alive = tried.filter(({ outcome }) => outcome !== 'killed' && outcome !== 'timeout');
    mkdirSync(keep, { recursive: true });
    writeFileSync(kept, JSON.stringify(alive.map(({ key }) => key)));
    const score = report(tried, sources);
    return entries.length === 0 && score >= (again ? 100 : (areas[name].least ?? 0));
  } finally {
    process.off('exit', runs.end);
    runs.end();
  }
}

/**
 * Tests the areas, all of them without a name. `--sample N` (100) tries that many mutants of each, `--all` every one; `--seed N`
 * chooses others; `--file TEXT` takes the sources whose path holds it; `--again` tries only those that survived last time. Returns
 * false if an area is below its least score.
 */
export async function mutationTest(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      sample: { type: 'string', default: '100' },
      all: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      file: { type: 'string', default: '' },
      again: { type: 'boolean', default: false },
    },
  });
  const unknown = positionals.filter((name) => !Object.hasOwn(areas, name));
  if (unknown.length > 0) {
    console.error(`There is no area ${unknown.join(', ')}. There are: ${Object.keys(areas).join(', ')}.`);
    return false;
  }
  const copy = copyTree(process.cwd());
  process.once('exit', copy.remove);
  // A signal ends a process without its `exit`, which removes the copy and ends the tests.
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => process.emit('exit') && process.kill(process.pid, 'SIGKILL'));
  let good = true;
  for (const name of positionals.length > 0 ? positionals : Object.keys(areas))
    good =
      (await testArea(copy, name, {
        sample: values.all || values.again ? Infinity : Number(values.sample),
        seed: values.seed,
        only: values.file,
        again: values.again,
        keep: path.resolve('node_modules', '.cache', 'mutation'),
      })) && good;
  return good;
}
