// `npm test` and `npm run check`: runs every suite, prints what was not covered and why, and ends with one line that sums
// all of them. Exits non-zero when anything failed, or when no test ran.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { electronToTest } from './electron-binary.mjs';
import { oldNodeMessage } from './node-version.mjs';
import { find, provision, tools } from './provision.mjs';

const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const tooOld = oldNodeMessage(process.versions.node, process.platform, process.arch, optionalDependencies);
if (tooOld !== null) {
  console.error(tooOld);
  process.exit(1);
}

const quick = process.argv.includes('--check');
// Each spec that holds on every host runs on every host, in place of one (playwright.config.ts).
const allHosts = process.argv.includes('--all-hosts');
if (allHosts) process.env.CROUPIER_ALL_HOSTS = '1';
const inCi = Boolean(process.env.CI);
const results = 'test-results';
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const suites = [];
const skips = [];
/** What failed, by name, with the first lines of why: a log that was cut still ends with it. */
const failures = [];
/** Playwright project → how many specs ran and were skipped in it. */
const specsByHost = new Map();

/** No suite comes near it. A run that hangs ends here, with everything it started, and counts as failed. */
const suiteLimit = 45 * 60_000;

/** Runs a command to its end and gives back its status. `held`: takes what it prints, for suites that run side by side. */
async function run(command, args, held = null) {
  const windows = process.platform === 'win32';
  const stdio = held === null ? 'inherit' : ['ignore', 'pipe', 'pipe'];
  const child = spawn(command, args, { stdio, shell: windows, detached: !windows });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => held.push(text));
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
  try {
    const [status] = await once(child, 'close');
    return status ?? 1;
  } catch (error) {
    console.error(error.message);
    return 1;
  } finally {
    clearTimeout(timer);
    process.off('SIGINT', interrupted);
  }
}

function noteFailure(name, messages) {
  const lines = messages.join('\n').split('\n', 4);
  failures.push([name, ...lines.map((line) => `    ${stripVTControlCharacters(line).slice(0, 300)}`)].join('\n'));
}

/** One suite. `held`: null where it prints as it goes; else what it prints stands together, after it. */
async function suite(name, work, held = null) {
  if (held === null) console.log(`\n== ${name}`);
  const started = Date.now();
  const counts = await work();
  if (held !== null) process.stdout.write(`\n== ${name}\n${held.join('')}`);
  suites.push({ name, seconds: (Date.now() - started) / 1000, ...counts });
}

/** A command that is one check: it passes or it fails. */
function step(name, held, command, ...args) {
  const work = async () =>
    (await run(command, args, held)) === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
  return suite(name, work, held);
}

/** Reads a Vitest or Playwright report; a run that broke without naming a failure counts as one. */
function counted(status, counts) {
  return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** Where nobody watches, only failures are printed. */
const watched = process.stdout.isTTY;

function vitest(project, held = null) {
  const work = async () => {
    const file = path.join(results, `${project}.json`);
    const reporters = [`--reporter=${watched ? 'dot' : 'minimal'}`, '--reporter=json', `--outputFile.json=${file}`];
    const status = await run('vitest', ['run', '--project', project, ...reporters], held);
    if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
    const report = JSON.parse(readFileSync(file, 'utf8'));
    for (const tests of report.testResults) {
      const source = path.relative('.', tests.name);
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
  };
  return suite(project, work, held);
}

function playwright(chromium) {
  return suite('end to end', async () => {
    if (!chromium && !inCi) {
      skips.push('end to end: every spec, for want of a Chromium');
      return { passed: 0, failed: 0, skipped: 1 };
    }
    const file = path.join(results, 'e2e.json');
    process.env.PLAYWRIGHT_JSON_OUTPUT_NAME = file;
    const status = await run('playwright', ['test', `--reporter=${watched ? 'dot,' : ''}json`]);
    if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
    const { stats, suites: groups } = JSON.parse(readFileSync(file, 'utf8'));
    const visit = (group) => {
      for (const spec of group.specs ?? []) {
        for (const test of spec.tests) {
          const ran = test.status !== 'skipped';
          const counts = specsByHost.get(test.projectName) ?? { ran: 0, skipped: 0 };
          counts[ran ? 'ran' : 'skipped'] += 1;
          specsByHost.set(test.projectName, counts);
          if (!ran) skips.push(`end to end (${test.projectName}): ${spec.title}`);
          if (test.status === 'unexpected' || test.status === 'flaky') {
            const messages = test.results.flatMap((result) => result.errors.map((error) => error.message ?? ''));
            noteFailure(`end to end (${test.projectName}): ${spec.file}: ${spec.title}`, messages);
          }
        }
      }
      for (const inner of group.suites ?? []) visit(inner);
    };
    for (const group of groups) visit(group);
    // A flaky test is a failed one: the suite has no retries, so this stays zero unless somebody adds them.
    return counted(status, { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped });
  });
}

/** Which hosts the end-to-end specs ran over, and why the others are missing. The double is never called Electron. */
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

// Side by side: each leaves a core idle for part of its time.
await Promise.all([
  vitest('unit', []),
  step('types: tests', [], 'tsc', '-p', 'tsconfig.json'),
  step('types: renderer', [], 'tsc', '-p', 'src/renderer'),
  step('types: main', [], 'tsc', '-p', 'src/main'),
  step('types: shared', [], 'tsc', '-p', 'src/shared'),
  step('lint', [], process.execPath, 'scripts/lint.mjs'),
]);

if (!quick) {
  const missing = provision();
  for (const tool of missing) console.log(`Missing: ${tool.name} (${tool.packages.join(', ')}), for ${tool.use}`);
  if (inCi && missing.length > 0) suites.push({ name: 'tools', seconds: 0, passed: 0, failed: missing.length, skipped: 0 });
  const [chromium, shell] = tools.map((tool) => find(tool));
  if (chromium) process.env.CHROMIUM_PATH = chromium;
  if (shell) process.env.CHROMIUM_SHELL_PATH = shell;
  await step('build', null, 'electron-vite', 'build', '--logLevel', 'warn');
  await vitest('core');
  await vitest('built');
  await playwright(chromium);
  console.log(`\n${hostLines(Boolean(chromium)).join('\n')}`);
}

const sum = (key) => suites.reduce((total, one) => total + one[key], 0);
console.log('');
for (const one of suites) {
  console.log(
    `${one.failed ? 'FAIL' : 'ok  '} ${one.name.padEnd(18)} ${String(one.passed).padStart(5)} passed ${String(one.failed).padStart(4)} failed ${String(one.skipped).padStart(4)} skipped ${one.seconds.toFixed(1).padStart(7)} s`,
  );
}
if (skips.length > 0) console.log(`\nSkipped, by name:\n  ${skips.join('\n  ')}`);
if (failures.length > 0) console.log(`\nFailed, by name:\n  ${failures.join('\n  ')}`);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exitCode = sum('failed') > 0 || sum('passed') === 0 ? 1 : 0;
