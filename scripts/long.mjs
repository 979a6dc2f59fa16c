// `npm run test:long [-- NAME [ROUNDS]]`: the tests that run in minutes, all of them without a name.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { torture } from '../e2e/torture/torture.ts';
import { brunoRounds } from '../src/testing/bruno-rounds.ts';
import { contractCanaries } from '../src/testing/contract-canaries.ts';
import { collectionRounds } from '../src/testing/collection-rounds.ts';
import { cancelRounds } from '../src/testing/cancel-rounds.ts';
import { keepRecording, recordEncoders } from '../src/testing/encoders/recorded-encoders.ts';
import { forgetRounds } from '../src/testing/forget-rounds.ts';
import { fuzz } from '../src/testing/fuzz.ts';
import { fuzzTargets } from '../src/testing/fuzz-targets.ts';
import { killRounds } from '../src/testing/kill-rounds.ts';
import { killSaves } from '../src/testing/kill-saves.ts';
import { lockRounds } from '../src/testing/lock-rounds.ts';
import { limitRounds } from '../src/testing/limit-rounds.ts';
import { keyAttacks } from '../src/testing/key-attacks.ts';
import { inspectorRounds, mcpRounds } from '../src/testing/mcp-rounds.ts';
import { installTools } from '../src/testing/registry-tools.ts';
import { workspaceRounds } from '../src/testing/workspace-rounds.ts';
import { saveRounds } from '../src/testing/save-rounds.ts';
import { mutationTest } from './mutation.mjs';
import { programOf } from './program-of.mjs';
import { findChromium } from './provision.mjs';
import { realElectron } from './real-electron.mjs';
import { refusalOf, walls } from './walls.mjs';

/** Prints the figures of one or more reports, whose lists hold what went wrong. Returns whether all lists are empty. */
function isSound(reports) {
  const problems = [];
  for (const report of [reports].flat()) {
    const figures = Object.entries(report).map(([name, value]) => {
      if (!Array.isArray(value)) return `${name} ${value}`;
      problems.push(...value.map((one) => `${name}: ${one}`));
      return `${name} ${value.length}`;
    });
    console.log(figures.join(', '));
  }
  for (const line of problems.slice(0, 30)) console.log(`  ${line}`);
  return problems.length === 0;
}

/** Returns the seed of a test, which prints it. */
function printSeed() {
  const seed = Number(process.env['CROUPIER_SEED'] ?? Math.floor(Math.random() * 0x7fff_ffff));
  console.log(`CROUPIER_SEED=${seed} gives the same again.`);
  return seed;
}

/** Runs a test in a folder, which is kept if it fails. */
async function inFolder(run) {
  const folder = mkdtempSync(path.join(tmpdir(), 'croupier-long-'));
  const isGood = await run(folder);
  if (isGood) rmSync(folder, { recursive: true });
  else console.log(`Left for a look: ${folder}`);
  return isGood;
}

/** Returns a test of so many rounds. */
const inRounds =
  (usual, run) =>
  (rounds = usual) =>
    inFolder(async (folder) => {
      const onRound = (round) => (round + 1) % 50 === 0 && console.log(`${round + 1} of ${rounds}`);
      return isSound(await run(rounds, { folder, seed: printSeed(), onRound }));
    });

/** Runs a program whose output is seen. Returns whether it exits with 0. */
const succeeds = (command, ...args) => spawnSync(...programOf(command, args), { stdio: 'inherit' }).status === 0;
const build = () => succeeds('electron-vite', 'build', '--logLevel', 'warn');

/** Program that runs another one with a keychain: `none` or `unlocked`. */
const withKeyring = path.resolve('src/testing/with-keyring.sh');

/** Builds, and runs end-to-end specs with more than `npm test` does. */
function specs(names, more, options = []) {
  Object.assign(process.env, more);
  findChromium();
  return build() && succeeds('playwright', 'test', ...names, '--reporter=list', ...options);
}

/** Compiles a copy of the sources with the walls' typed newcomers in it. Returns what the compiler says of each; null if nothing. */
function compiledNewcomers() {
  const copy = mkdtempSync(path.join(tmpdir(), 'croupier-doors-'));
  const newcomers = walls.flatMap(({ name, typed = [] }) => typed.map((text) => ({ name, text })));
  const fileOf = (at) => `src/main/core/calls/planted-${at}.ts`;
  try {
    for (const file of ['package.json', 'tsconfig.base.json', 'src/shared', 'src/main'])
      cpSync(file, path.join(copy, file), { recursive: true });
    symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'), 'junction');
    for (const [at, { text }] of newcomers.entries()) writeFileSync(path.join(copy, fileOf(at)), `${text}\n`);
    const options = ['--build', 'src/main', '--pretty', 'false'];
    const { stdout } = spawnSync(...programOf('tsc', options), { cwd: copy, encoding: 'utf8' });
    const errors = stdout.split('\n').flatMap((line) => /^(\S+)\(\d+,\d+\): (error .*)$/.exec(line)?.slice(1, 3) ?? []);
    return newcomers.map(({ name, text }, at) => {
      const found = errors.indexOf(fileOf(at));
      // A door of another name refuses nobody.
      const said = found === -1 || /TS230[57]:/.test(errors[found + 1]) ? null : errors[found + 1];
      return { name, text, by: 'types', said };
    });
  } finally {
    rmSync(copy, { recursive: true });
  }
}

const tests = {
  /** A program that writes a history, killed. */
  kill: inRounds(1_000, (rounds, { folder, onRound }) => killRounds(folder, rounds, onRound)),
  /** A program that saves files of a collection, killed. */
  'kill-saves': inRounds(1_000, (rounds, { folder, onRound }) => killSaves(folder, rounds, onRound)),
  /** Eight processes that change one file, some of them suspended, killed or on a clock that jumps. */
  locks: inRounds(2_000, (times, { folder, seed }) => lockRounds(folder, times, 8, seed)),
  /** Saves of a file that another program writes at a random moment of the save, in place or by renaming. */
  saves: inRounds(600, (rounds, { folder, seed }) => saveRounds(folder, rounds, seed, ['truncate', 'rename'])),
  /** Players that are named, or only seem to be, in every form: forgotten to the last byte, and nothing else with them. */
  forget: inRounds(300, (rounds, { folder, seed, onRound }) => forgetRounds(folder, rounds, seed, onRound)),
  /** Limits of the history, on histories and clocks of every kind: they remove exactly what they announce. */
  limits: inRounds(500, (rounds, { folder, seed, onRound }) => limitRounds(folder, rounds, seed, onRound)),
  /** Random collections, exported to other tools and imported again. */
  'round-trips': inRounds(1_000, (rounds, { seed }) => collectionRounds(rounds, seed)),
  /** Random private keys, in every form, on every way by which a text leaves or is stored. */
  keys: inRounds(50, (rounds, { seed }) => keyAttacks(rounds, seed)),
  /** Pages and programs that come and go on one home, while tabs are typed into, closed and taken up. */
  workspaces: inRounds(300, (rounds, { folder, seed, onRound }) => workspaceRounds(folder, rounds, seed, onRound)),
  /**
   * Calls that are cancelled at random moments, over a page's line and without one: the reported outcome of each against the
   * provider's own record.
   */
  cancels: inRounds(1_000, async (rounds, { seed }) => [
    await cancelRounds(rounds, seed, 'line'),
    await cancelRounds(rounds, seed, 'direct'),
  ]),
  /** Two hosts and a command line on one home, under every hardship of programs; another process compares. */
  async torture(rounds = 1_000) {
    const { played, skipped, ...report } = await torture({ rounds, seed: printSeed() }, (round, verdict) => {
      if (verdict !== null) console.log(`${round + 1} of ${rounds}, ${verdict.received} calls received`);
    });
    console.log(played);
    for (const line of skipped) console.log(`Not played: ${line}.`);
    return isSound(report);
  },
  /** Every reader of outside texts, for `seconds` seconds each, from another seed each time. */
  fuzz(seconds = 60) {
    const seed = printSeed();
    console.log(`${'what'.padEnd(16)} ${'tried'.padStart(9)} ${'refused'.padStart(9)} ${'through'.padStart(9)}  slowest`);
    let faults = 0;
    for (const target of fuzzTargets) {
      const until = performance.now() + seconds * 1_000;
      const report = fuzz(target, seed, () => performance.now() >= until);
      const counts = [report.tried, report.refused, report.through].map((count) => String(count).padStart(9)).join(' ');
      console.log(`${target.name.padEnd(16)} ${counts} ${String(report.slowestMs).padStart(5)} ms`);
      for (const { message, text } of report.faults) console.log(`  ${message}\n  ${JSON.stringify(text)}`);
      faults += report.faults.length;
    }
    return faults === 0;
  },
  /** Every starter, exported and run by Bruno's command line, which comes from the registry. */
  bruno: () =>
    inFolder(async (folder) => {
      const program = installTools(folder, ['@usebruno/cli'])('@usebruno/cli', 'bin/bru.js');
      let isGood = true;
      await brunoRounds(program, (round) => void (isGood = isSound(round) && isGood));
      return isGood;
    }),
  /** Collections and starters, exported and run by newman, which comes from the registry. */
  newman: () =>
    inFolder((folder) => {
      process.env.CROUPIER_NEWMAN = installTools(folder, ['newman'])('newman', 'bin/newman.js');
      return succeeds('vitest', 'run', '--project', 'core', 'src/main/core/formats/write/postman.test.ts');
    }),
  /** Clients of HTTP in all languages, and what else takes long, through the gateway. */
  gateway() {
    process.env.CROUPIER_GATEWAY = 'whole';
    return succeeds('vitest', 'run', '--project', 'core', 'src/main/core/gateway');
  },
  /** Every fault that is planted in a wallet, each race 20 times, and the wallets that have none. */
  wallet() {
    process.env.CROUPIER_WALLET = 'whole';
    return succeeds('vitest', 'run', '--project', 'core', 'src/main/core/wallet');
  },
  /** Every tool of `croupier mcp`, listed and used by the protocol's inspector, which comes from the registry; then hostile arguments. */
  mcp: (rounds) =>
    build() &&
    inRounds(2_000, async (most, { folder, seed }) => {
      const name = '@modelcontextprotocol/inspector';
      const inspector = installTools(folder, [name])(name, 'clients/launcher/build/index.js');
      return [await inspectorRounds(inspector), await mcpRounds(most, seed)];
    })(rounds),
  /** The worst text within its limits for each job of the reading threads: none may end the program. */
  worst: () => succeeds(process.execPath, 'src/testing/worst-jobs.ts', 'long'),
  /** Texts of the encoders that tests do not run, made again: the recording in git must stay as it is. */
  encoders() {
    keepRecording(recordEncoders());
    const file = 'src/testing/encoders/recorded-encoders.json';
    return succeeds('oxfmt', file) && succeeds('git', 'diff', '--exit-code', file);
  },
  /**
   * Newcomers past each wall: lint or the compiler refuses each by name. And a key and ten session tokens in every text of the contract and of the
   * command line: found in no file but those that may hold them, and the key printed nowhere. On Linux, with gnome-keyring.
   */
  async doors() {
    const rows = [
      ...walls.flatMap(({ name, planted }, at) =>
        planted.map((text) => ({ name, text, by: 'lint', said: refusalOf(walls[at], text) })),
      ),
      ...compiledNewcomers(),
    ];
    for (const { name, text, by, said } of rows)
      console.log(`${name.padEnd(6)} ${by.padEnd(5)} ${text.split('\n').at(-1).slice(0, 70).padEnd(70)} ${said ?? 'PASSES'}`);
    const report = await contractCanaries(1, printSeed());
    const { planted, closed } = report;
    const isClean = isSound({ planted: planted.length, closed: closed.length, found: report.found });
    return (
      rows.every(({ said }) => said !== null) &&
      isClean &&
      build() &&
      succeeds(withKeyring, 'unlocked', process.execPath, 'src/testing/command-canaries.ts')
    );
  },
  /** Faults planted in the sources, which the nearest tests must notice: `-- mutation --sample 200 --seed 1 --under src/`. */
  mutation: (_rounds, args) => mutationTest(args),
  /** The rules of Electron and a smoke of the workbench on a real Electron 25, with pictures in `test-results`. On Linux with x64. */
  electron: (_rounds, args) => realElectron(args.length > 0 ? args : undefined),
  /** Cost of a call and of a start: each figure within its budget. */
  budgets: () => succeeds('npm', 'run', 'bench', '--', '--gate=whole'),
  /** The desktop, quitting during everything that may be under way. */
  quit: () => specs(['desktop-quit'], { CROUPIER_QUITS: 'all' }),
  /** Every rule of accessibility in every appearance, on the screens that the specs look at. */
  audit() {
    const auditing = (files) => globSync(files).filter((file) => readFileSync(file, 'utf8').includes("/audit.ts'"));
    // Five appearances take longer than two.
    return (
      specs(auditing('e2e/*.e2e.ts'), { CROUPIER_AUDIT: 'whole' }, ['--timeout=600000']) &&
      succeeds('vitest', 'run', '--project', 'page', '--testTimeout=600000', ...auditing('src/renderer/**/*.test.tsx'))
    );
  },
  /** Verdicts of the games with a planted fault, and of all games without one. */
  faults: () => specs(['desktop-verdicts', 'desktop-fault-site'], { CROUPIER_FAULTS: 'all' }),
  /** Each command once on a busy computer, without a keychain and with one: the usual status, and no word about the keychain. On Linux. */
  busy: () =>
    build() &&
    ['none', 'unlocked'].every((mode) => succeeds(withKeyring, mode, process.execPath, 'src/testing/busy-commands.ts', mode)),
  /**
   * Packages that people install, made and used in an empty place; those of the desktop, made with a stand-in for Electron and read back. On Linux,
   * with gnome-keyring.
   */
  install: () => findChromium() && build() && succeeds(withKeyring, 'unlocked', process.execPath, 'src/testing/install-dist.ts'),
  /** The memory of the key agents at random moments. On Linux, with gnome-keyring. */
  dumps(dumps = 200) {
    const { status, stdout } = spawnSync(
      withKeyring,
      ['unlocked', process.execPath, 'src/testing/agent-dumps.ts', String(dumps)],
      { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' },
    );
    const rows = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    console.table(rows);
    const held = (signing) => rows.filter(({ signed }) => signed > 0 === signing).reduce((sum, row) => sum + row.held, 0);
    console.log(
      `together ${held(false) + held(true)} of ${dumps} dumps with the key, ${held(false)} of them while nothing was asked`,
    );
    // It is there while a hash is made and a text is looked through, which is all that the agent does here.
    return status === 0 && rows.length === 4 && held(false) === 0 && held(true) <= dumps / 20;
  },
};

const [wanted, ...args] = process.argv.slice(2);
const [rounds] = args;
if (wanted !== undefined && !Object.hasOwn(tests, wanted)) {
  console.error(`There is no ${wanted}. There are: ${Object.keys(tests).join(', ')}.`);
  process.exit(2);
}
for (const name of wanted === undefined ? Object.keys(tests) : [wanted]) {
  console.log(`== ${name}`);
  if (!(await tests[name](rounds === undefined ? undefined : Number(rounds), args))) process.exitCode = 1;
}
