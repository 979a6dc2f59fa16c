// `npm test` and `npm run check`: runs every suite, prints what was not covered and why, and ends with one line that sums all of
// them. Exits non-zero if anything failed, or if no test ran. If the output is not a terminal, it is plain text: one line a suite,
// and the whole output of a suite that failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, globSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { electronToTest } from './electron-binary.mjs';
import { oldNodeMessage } from './node-version.mjs';
import { programOf } from './program-of.mjs';
import { findChromium, provision } from './provision.mjs';
import { readShard, shardOf } from './shards.mjs';
import { builtFiles, coreFiles } from '../vitest.config.ts';

const { optionalDependencies, scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const tooOld = oldNodeMessage(process.versions.node, process.platform, process.arch, optionalDependencies);
if (tooOld !== null) {
  console.error(tooOld);
  process.exit(1);
}

const quick = process.argv.includes('--check');
// Each spec that holds on every host runs on every host, in place of one (playwright.config.ts).
const allHosts = process.argv.includes('--all-hosts');
if (allHosts) process.env.CROUPIER_ALL_HOSTS = '1';
/** Seconds that each file of tests took, what `npm run check` runs as `check`, and the tests in one browser as `page`; `--write-times` writes it anew. */
const timesFile = 'scripts/seconds.json';
const times = {};
// `--shard I/N`: what takes an Nth of the time. Everything runs in one of the parts.
const at = process.argv.indexOf('--shard');
const shard = at === -1 ? null : readShard(process.argv[at + 1] ?? '');
const e2eFiles = ['e2e/*.e2e.ts'];
const mine =
  shard === null
    ? null
    : shardOf(
        ['check', 'page', ...globSync([...coreFiles, ...builtFiles, ...e2eFiles])],
        JSON.parse(readFileSync(timesFile, 'utf8')),
        ...shard,
      );
/** Returns the files of a suite that this part runs; null for all of them. */
const filesOf = (patterns) => (mine === null ? null : globSync(patterns).filter((file) => mine.has(file)));
const inCi = Boolean(process.env.CI);
const results = 'test-results';
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const onTerminal = process.stdout.isTTY === true;
const suites = [];
const skips = [];
/** Failures by name, with the first lines of each reason: a truncated log still ends with them. */
const failures = [];
/** End-to-end specs by name that failed and passed at the second try, which only CI gives them. */
const unsteady = [];
/** The number of unsteady specs that still counts as passed: more have a cause in common (docs/decisions/0036). */
const mostUnsteady = 3;
/** Playwright project → how many specs ran and were skipped in it. */
const specsByHost = new Map();

/**
 * Milliseconds after which a suite that hangs ends, with everything it started, and counts as failed. A slow machine of two cores
 * takes most of it end to end.
 */
const suiteLimit = 75 * 60_000;

/** Runs a program of a package in a suite. `shown`: its output goes to the terminal; else into the suite's log, which is shown if it fails. */
async function run(suiteName, shown, name, given) {
  const [command, args] = programOf(name, given);
  const windows = process.platform === 'win32';
  const log = path.join(results, `${suiteName.replaceAll(/\W+/g, '-')}.log`);
  const output = shown ? 'inherit' : openSync(log, 'a');
  const child = spawn(command, args, { stdio: ['inherit', output, output], detached: !windows });
  const end = () => {
    if (windows || child.pid === undefined) child.kill();
    else process.kill(-child.pid, 'SIGKILL');
  };
  const timer = setTimeout(() => {
    console.error(`${command} ${args.join(' ')} did not end within ${suiteLimit / 60_000} minutes; it was killed.`);
    end();
  }, suiteLimit);
  const interrupted = () => {
    end();
    process.exit(130);
  };
  process.once('SIGINT', interrupted);
  let status = 1;
  try {
    [status] = await once(child, 'exit');
  } catch (error) {
    console.error(error.message);
  }
  clearTimeout(timer);
  process.off('SIGINT', interrupted);
  if (!shown) {
    closeSync(output);
    if (status !== 0) printPlainly(readFileSync(log, 'utf8'));
  }
  return status ?? 1;
}

function printPlainly(text) {
  const plain = stripVTControlCharacters(text).trim();
  if (plain !== '') console.log(`\n${plain}\n`);
}

function noteFailure(name, messages) {
  const lines = messages.join('\n').split('\n', 4);
  failures.push([name, ...lines.map((line) => `    ${stripVTControlCharacters(line).slice(0, 300)}`)].join('\n'));
}

/**
 * Runs a suite. `shown`: it prints as it goes, and its line stands in the sum at the end; else its line is printed when it has
 * ended.
 */
async function suite(name, shown, work) {
  if (shown) console.log(`\n== ${name}`);
  const started = Date.now();
  const counts = await work();
  const ended = { name, seconds: (Date.now() - started) / 1000, ...counts };
  suites.push(ended);
  if (!shown) console.log(lineOf(ended));
}

function lineOf({ name, passed, failed, skipped, seconds }) {
  const counts = `${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${String(skipped).padStart(4)} skipped`;
  return `${failed > 0 ? 'FAIL' : 'ok  '} ${name.padEnd(18)} ${counts} ${seconds.toFixed(1).padStart(7)} s`;
}

/** Runs a command that is one check: it passes or it fails. */
function step(name, shown, command, ...args) {
  return suite(name, shown, async () =>
    (await run(name, shown, command, args)) === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 },
  );
}

/** Corrects the counts of a Vitest or Playwright report; a command that broke without naming a failure counts as one. */
function counted(status, counts) {
  return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** Skips a suite that has nothing to run in; in CI, where that is a failure, it runs and fails. */
async function inChromium(name, chromium, run) {
  if (chromium || inCi) return run();
  skips.push(`${name}: every test, for want of a Chromium`);
  await suite(name, false, async () => ({ passed: 0, failed: 0, skipped: 1 }));
}

/** Runs Vitest. `projects`: those of vitest.config.ts that count as one suite; `files`: some of theirs; `part`: `1/2` for half of them. */
async function vitest(project, shown, projects = [project], files = null, part = '') {
  if (files?.length === 0) return;
  return suite(project, shown, async () => {
    const file = path.join(results, `${project}.json`);
    const status = await run(project, shown, 'vitest', [
      'run',
      ...(files ?? []),
      ...projects.flatMap((name) => ['--project', name]),
      ...(part === '' ? [] : [`--shard=${part}`]),
      `--reporter=${shown ? 'dot' : 'minimal'}`,
      '--reporter=json',
      `--outputFile.json=${file}`,
    ]);
    if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
    const report = JSON.parse(readFileSync(file, 'utf8'));
    for (const tests of report.testResults) {
      const source = path.relative('.', tests.name);
      times[source] = (tests.endTime - tests.startTime) / 1000;
      // A file that could not be loaded, or not be set up, has failed without a test of its own.
      if (tests.status === 'failed' && !tests.assertionResults.some(({ status }) => status === 'failed')) {
        noteFailure(`${project}: ${source}: what its tests share failed`, [tests.message || 'What it printed above says why.']);
      }
      for (const test of tests.assertionResults) {
        if (test.status === 'pending' || test.status === 'skipped') skips.push(`${project}: ${test.fullName}`);
        if (test.status === 'failed') noteFailure(`${project}: ${source}: ${test.fullName}`, test.failureMessages);
      }
    }
    return counted(status, {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
    });
  });
}

async function playwright() {
  const files = filesOf(e2eFiles);
  if (files?.length === 0) return;
  return suite('end to end', onTerminal, async () => {
    const file = path.join(results, 'e2e.json');
    process.env.PLAYWRIGHT_JSON_OUTPUT_NAME = file;
    // Playwright takes a file for a pattern.
    const patterns = (files ?? []).map((name) => `${RegExp.escape(name)}$`);
    const status = await run('end to end', onTerminal, 'playwright', [
      'test',
      ...patterns,
      `--reporter=${onTerminal ? 'dot,' : ''}json`,
    ]);
    if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
    const { stats, suites: groups, errors } = JSON.parse(readFileSync(file, 'utf8'));
    // Its reporters print a dot or a line for each spec, or nothing: without a terminal its failures are printed from here.
    const printFailure = (name, messages, sign = 'FAIL') =>
      !onTerminal && printPlainly(`${sign} ${name}\n${messages.join('\n\n')}`);
    if (errors.length > 0)
      printFailure(
        'end to end',
        errors.map((error) => error.message ?? ''),
      );
    const visit = (group) => {
      for (const spec of group.specs ?? []) {
        for (const test of spec.tests) {
          const ran = test.status !== 'skipped';
          const source = `e2e/${spec.file}`;
          for (const { duration } of test.results) times[source] = (times[source] ?? 0) + duration / 1000;
          const counts = specsByHost.get(test.projectName) ?? { ran: 0, skipped: 0 };
          counts[ran ? 'ran' : 'skipped'] += 1;
          specsByHost.set(test.projectName, counts);
          if (!ran) skips.push(`end to end (${test.projectName}): ${spec.title}`);
          if (test.status === 'unexpected' || test.status === 'flaky') {
            const messages = test.results.flatMap((result) => result.errors.map((error) => error.message ?? ''));
            const name = `end to end (${test.projectName}): ${spec.file}: ${spec.title}`;
            if (test.status === 'flaky') {
              printFailure(name, messages, 'First try:');
              unsteady.push(name);
            } else {
              printFailure(name, messages);
              noteFailure(name, messages);
            }
          }
        }
      }
      for (const inner of group.suites ?? []) visit(inner);
    };
    for (const group of groups) visit(group);
    const tooMany = stats.flaky > mostUnsteady;
    return counted(status, {
      passed: stats.expected + (tooMany ? 0 : stats.flaky),
      failed: stats.unexpected + (tooMany ? stats.flaky : 0),
      skipped: stats.skipped,
    });
  });
}

/**
 * Returns lines about the hosts that the end-to-end specs ran on, and why the others are missing. The double is never called
 * Electron.
 */
function hostLines(chromium) {
  if (!chromium) return ['Hosts covered: command line. Not covered: browser host and desktop (no Chromium).'];
  const covered = [...specsByHost].map(
    ([host, { ran, skipped }]) => `${host} (${ran} specs${skipped > 0 ? `, ${skipped} not run` : ''})`,
  );
  const { reason } = electronToTest(process.cwd());
  const divided = allHosts ? '' : ' Specs for every host ran on one of them each; `npm test -- --all-hosts` runs all on all.';
  const lines = [`Hosts covered: ${['command line', ...covered].join(', ')}.${divided}`];
  if (reason !== null) lines.push(`Not covered: the desktop on Electron itself (${reason}).`);
  return lines;
}

/** Writes how long each file took, but those below a second. What `check` does takes both cores. */
function writeTimes(check) {
  const own = new Set(globSync([...coreFiles, ...builtFiles, ...e2eFiles]));
  const long = Object.entries(times).filter(([file, seconds]) => own.has(file) && seconds >= 1);
  const page = suites.reduce((sum, { name, seconds }) => sum + (name.startsWith('page') ? seconds : 0), 0);
  const lines = [['check', 2 * check], ['page', page], ...long].map(
    ([name, seconds]) => `  ${JSON.stringify(name)}: ${seconds.toFixed(1)}`,
  );
  writeFileSync(timesFile, `{\n${lines.toSorted().join(',\n')}\n}\n`);
}

// Side by side: each leaves a core idle for part of its time. Their output would mix, so it is shown only for one that fails.
if (mine?.has('check') !== false) {
  await Promise.all([
    vitest('unit', false),
    step('types', false, ...scripts.types.split(' ')),
    step('lint', false, process.execPath, 'scripts/lint.mjs'),
  ]);
}
const checked = process.uptime();

if (!quick) {
  const missing = provision();
  for (const tool of missing) console.log(`Missing: ${tool.name} (${tool.packages.join(', ')}), for ${tool.use}`);
  if (inCi && missing.length > 0) suites.push({ name: 'tools', seconds: 0, passed: 0, failed: missing.length, skipped: 0 });
  const chromium = findChromium();
  await step('build', onTerminal, 'electron-vite', 'build', '--logLevel', 'warn');
  await vitest('core', onTerminal, ['core', 'core apart'], filesOf(coreFiles));
  await vitest('built', onTerminal, ['built'], filesOf(builtFiles));
  // A page draws on one core: two of them side by side.
  const pages = () => Promise.all([1, 2].map((half) => vitest(`page-${half}`, false, ['page'], null, `${half}/2`)));
  if (mine?.has('page') !== false) await inChromium('page', chromium, pages);
  await inChromium('end to end', chromium, playwright);
  console.log(`\n${hostLines(chromium).join('\n')}`);
  writeFileSync(path.join(results, 'suites.json'), JSON.stringify({ seconds: process.uptime(), suites }));
  if (process.argv.includes('--write-times')) writeTimes(checked);
}

const sum = (key) => suites.reduce((total, one) => total + one[key], 0);
if (onTerminal) console.log(`\n${suites.map(lineOf).join('\n')}`);
if (skips.length > 0) console.log(`\nSkipped, by name:\n  ${skips.join('\n  ')}`);
if (unsteady.length > 0)
  console.log(`\nPassed at the second try only, by name (at most ${mostUnsteady}):\n  ${unsteady.join('\n  ')}`);
if (failures.length > 0) console.log(`\nFailed, by name:\n  ${failures.join('\n  ')}`);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exitCode = sum('failed') > 0 || sum('passed') === 0 ? 1 : 0;
