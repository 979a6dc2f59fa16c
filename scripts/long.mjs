// `npm run test:long [-- NAME [ROUNDS]]`: the tests that run in minutes, all of them without a name.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { torture } from '../e2e/torture/torture.ts';
import { week } from '../e2e/torture/week.ts';
import { brunoRounds, brunoVersion, installBruno } from '../src/testing/bruno-rounds.ts';
import { contractCanaries } from '../src/testing/contract-canaries.ts';
import { collectionRounds } from '../src/testing/collection-rounds.ts';
import { cancelRounds } from '../src/testing/cancel-rounds.ts';
import { changedEncoders, encoderRounds, pairRounds } from '../src/testing/encoder-rounds.ts';
import { keepRecording, recordEncoders } from '../src/testing/encoders/recorded-encoders.ts';
import { fixRounds } from '../src/testing/fix-rounds.ts';
import { forgetRounds } from '../src/testing/forget-rounds.ts';
import { fuzz, keepText } from '../src/testing/fuzz.ts';
import { fuzzTargets } from '../src/testing/fuzz-targets.ts';
import { hostileFiles } from '../src/testing/hostile-files.ts';
import { killRounds } from '../src/testing/kill-rounds.ts';
import { killSaves } from '../src/testing/kill-saves.ts';
import { lockRounds } from '../src/testing/lock-rounds.ts';
import { limitRounds } from '../src/testing/limit-rounds.ts';
import { malformedFiles } from '../src/testing/malformed-files.ts';
import { keyAttacks } from '../src/testing/key-attacks.ts';
import { readyTestRounds } from '../src/testing/ready-test-rounds.ts';
import { workspaceRounds } from '../src/testing/workspace-rounds.ts';
import { socketSieges } from '../src/testing/sockets.ts';
import { saveRounds } from '../src/testing/save-rounds.ts';
import { dialects } from '../src/shared/doctor/fixes.ts';
import { chooseSeed, createChoices, seededRandom } from '../src/testing/seeded-random.ts';
import { mutationTest } from './mutation.mjs';
import { findChromium } from './provision.mjs';
import { realElectron } from './real-electron.mjs';
import { refusalOf, walls } from './walls.mjs';

/**
 * Kills a program again and again, in a folder that is kept if something was lost. `read` turns a report into words and problems.
 */
async function killAgain(rounds, run, read) {
  const folder = mkdtempSync(path.join(tmpdir(), 'croupier-kill-'));
  const report = await run(folder, rounds, (round) => {
    if ((round + 1) % 100 === 0) console.log(`${round + 1} of ${rounds}`);
  });
  const { words, problems } = read(report);
  console.log(`${report.rounds} kills, ${report.acknowledged} acknowledged, ${words}`);
  for (const line of problems.slice(0, 20)) console.log(line);
  if (problems.length === 0) rmSync(folder, { recursive: true });
  else console.log(`Left for a look: ${folder}`);
  return problems.length === 0;
}

/** Builds, and runs end-to-end specs with more than `npm test` does. */
function specs(names, more, options = []) {
  const env = { ...process.env, ...more };
  findChromium(env);
  const run = (command, args) =>
    spawnSync(command, args, { stdio: 'inherit', env, shell: process.platform === 'win32' }).status === 0;
  return (
    run('electron-vite', ['build', '--logLevel', 'warn']) && run('playwright', ['test', ...names, '--reporter=list', ...options])
  );
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
    const { stdout } = spawnSync('tsc', options, { cwd: copy, encoding: 'utf8', shell: process.platform === 'win32' });
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
  /** A program that writes a history. */
  kill: (rounds = 1_000) =>
    killAgain(rounds, killRounds, ({ lost, damaged, unindexed }) => ({
      words: `${lost.length} lost, ${damaged.length} times damaged, ${unindexed.length} not indexed`,
      problems: [...lost, ...damaged, ...unindexed.map(String)],
    })),
  /** A program that saves files of a collection. */
  'kill-saves': (rounds = 1_000) =>
    killAgain(rounds, killSaves, ({ torn, lost, leftovers }) => ({
      words: `${torn.length} torn, ${lost.length} lost, ${leftovers.length} leftovers`,
      problems: [...torn, ...lost, ...leftovers],
    })),
  /** Two hosts and a command line on one home, under every hardship of programs; another process compares. */
  async torture(rounds = 1_000) {
    const seed = chooseSeed();
    console.log(`CROUPIER_SEED=${seed} gives the same rounds again.`);
    const report = await torture({ rounds, seed }, (round, verdict) => {
      if (verdict !== null) console.log(`${round + 1} of ${rounds}, ${verdict.received} calls received`);
    });
    const { received, recorded, answered, unknown, lost, repeated, damaged, problems, skipped, sent } = report;
    const wrong = report.false;
    for (const [hardship, times] of Object.entries(report.played))
      console.log(`${hardship.padEnd(26)} ${String(times).padStart(5)}`);
    console.log(`sent ${sent}, received ${received}, recorded ${recorded}, answered ${answered}, unknown ${unknown}`);
    console.log(`lost ${lost.length}, repeated ${repeated.length}, false ${wrong.length}, damaged ${damaged.length}`);
    const found = [...lost, ...repeated, ...wrong, ...damaged, ...problems];
    for (const line of found.slice(0, 30)) console.log(line);
    for (const line of skipped) console.log(`Not played: ${line}.`);
    return found.length === 0;
  },
  /** Eight processes that change one file, some of them suspended, killed or on a clock that jumps. */
  async locks(times = 2_000) {
    const folder = mkdtempSync(path.join(tmpdir(), 'croupier-locks-'));
    const seed = Number(process.env['CROUPIER_SEED'] ?? Math.floor(Math.random() * 0x7fff_ffff));
    const { added, lost, repeated, troubles } = await lockRounds(folder, times, 8, seed);
    rmSync(folder, { recursive: true });
    console.log(`seed ${seed}: ${added} added, ${troubles} troubles, ${lost.length} lost, ${repeated.length} repeated`);
    return lost.length === 0 && repeated.length === 0;
  },
  /** Saves of a file that another program writes at a random moment of the save, in place or by renaming. */
  async saves(rounds = 600) {
    const folder = mkdtempSync(path.join(tmpdir(), 'croupier-saves-'));
    const seed = Number(process.env['CROUPIER_SEED'] ?? Math.floor(Math.random() * 0x7fff_ffff));
    const { conflicts, kept, apart, lost } = await saveRounds(folder, rounds, seed, ['truncate', 'rename']);
    console.log(`seed ${seed}: ${conflicts} refused, ${kept} kept beside, ${apart} before or after, ${lost.length} lost`);
    for (const line of lost.slice(0, 20)) console.log(line);
    if (lost.length === 0) rmSync(folder, { recursive: true });
    return lost.length === 0;
  },
  /** A week of use in `minutes` minutes: the programs' resources at its end against its first evening. */
  async week(minutes = 60) {
    const columns = [
      'hostMb',
      'handles',
      'processes',
      'pageMb',
      'nodes',
      'listeners',
      'diskMb',
      'calls',
      'hostAtRest',
      'pageAtRest',
    ];
    const line = (title, values) =>
      console.log(`${title.padEnd(6)} ${values.map((value) => String(value).padStart(10)).join(' ')}`);
    line('', columns);
    const show = (title, toll) =>
      line(
        title,
        columns.map((name) => toll[name]),
      );
    const options = { days: 7, milliseconds: (minutes * 60_000) / 7, seed: chooseSeed() };
    const { done, troubles } = await week(options, (day, toll) => show(`day ${day + 1}`, toll));
    for (const [name, times] of Object.entries(done)) console.log(`${name.padEnd(26)} ${String(times).padStart(5)}`);
    for (const trouble of troubles) console.log(trouble);
    return troubles.length === 0;
  },
  /** Every reader of outside texts, for `seconds` seconds each, from another seed each time. */
  async fuzz(seconds = 60) {
    const seed = Number(process.env['CROUPIER_SEED'] ?? Math.floor(Math.random() * 0x7fff_ffff));
    console.log(`CROUPIER_SEED=${seed} gives the same texts again.`);
    console.log(`${'what'.padEnd(16)} ${'tried'.padStart(9)} ${'refused'.padStart(9)} ${'through'.padStart(9)}  slowest`);
    let faults = 0;
    for (const target of fuzzTargets) {
      const until = performance.now() + seconds * 1_000;
      const report = await fuzz(target, seed, () => performance.now() >= until);
      const counts = [report.tried, report.refused, report.through].map((count) => String(count).padStart(9)).join(' ');
      console.log(`${target.name.padEnd(16)} ${counts} ${String(report.slowestMs).padStart(5)} ms`);
      for (const { message, text } of report.faults)
        console.log(`  ${message}\n  ${JSON.stringify(text)}\n  kept in ${path.relative('.', keepText(target, text))}`);
      faults += report.faults.length;
    }
    return faults === 0;
  },
  /**
   * Calls that are cancelled at random moments, over a page's line and without one: the reported outcome of each against the
   * provider's own record.
   */
  async cancels(rounds = 1_000) {
    const seed = chooseSeed();
    console.log(`CROUPIER_SEED=${seed} gives the same rounds again.`);
    let isGood = true;
    for (const host of ['line', 'direct']) {
      const { unsent, sent, answered, wrong } = await cancelRounds(rounds, seed, host);
      console.log(
        `${host.padEnd(8)} ${rounds} cancels, ${unsent} before anything left, ${sent} after, ${answered} too late, ${wrong.length} wrong`,
      );
      for (const line of wrong.slice(0, 20)) console.log(`  ${line}`);
      isGood &&= wrong.length === 0 && unsent > 0;
    }
    return isGood;
  },
  /** Connections that hold on to the browser host and to the built-in provider: slow readers and writers of every kind. */
  sockets(count = 2_000) {
    console.log(`${'kind'.padEnd(46)} tried dropped  longest wait of the session`);
    return socketSieges(count, ({ kind, tried, dropped, waitedMs }) => {
      console.log(
        `${kind.padEnd(46)} ${String(tried).padStart(5)} ${String(dropped).padStart(7)} ${String(waitedMs).padStart(6)} ms`,
      );
    });
  },
  /** Players that are named, or only seem to be, in every form: forgotten to the last byte, and nothing else with them. */
  async forget(rounds = 300) {
    const folder = mkdtempSync(path.join(tmpdir(), 'croupier-forget-'));
    const counts = await forgetRounds(folder, rounds, chooseSeed(), (round) => {
      if ((round + 1) % 50 === 0) console.log(`${round + 1} of ${rounds}`);
    });
    rmSync(folder, { recursive: true });
    console.log('| form | tried | right | wrong |\n| --- | --- | --- | --- |');
    for (const { form, tried, right, wrong } of counts) console.log(`| ${form} | ${tried} | ${right} | ${wrong.length} |`);
    const problems = counts.flatMap(({ wrong }) => wrong);
    for (const line of problems.slice(0, 20)) console.log(line);
    return problems.length === 0;
  },
  /** Limits of the history, on histories and clocks of every kind: they remove exactly what they announce. */
  async limits(rounds = 500) {
    const folder = mkdtempSync(path.join(tmpdir(), 'croupier-limits-'));
    const seed = chooseSeed();
    const { calls, removed, waited, problems } = await limitRounds(folder, rounds, seed, (round) => {
      if ((round + 1) % 100 === 0) console.log(`${round + 1} of ${rounds}`);
    });
    rmSync(folder, { recursive: true });
    console.log(`seed ${seed}: ${calls} calls, ${removed} removed as shown, ${waited} removals that waited for a wrong clock`);
    for (const line of problems.slice(0, 20)) console.log(line);
    return problems.length === 0;
  },
  /** Random collections, exported to other tools and imported again. */
  async 'round-trips'(rounds = 1_000) {
    const seed = chooseSeed();
    const { requests, problems } = await collectionRounds(rounds, seed);
    console.log(`seed ${seed}: ${rounds} collections, ${requests} requests, ${problems.length} differences`);
    for (const line of problems.slice(0, 20)) console.log(line);
    return problems.length === 0;
  },
  /** Every starter, exported and run by Bruno's command line, which comes from the registry. */
  async bruno() {
    const folder = mkdtempSync(path.join(tmpdir(), 'croupier-bruno-'));
    let faults = 0;
    try {
      console.log(`Installing version ${brunoVersion}.`);
      await installBruno(folder);
      await brunoRounds(folder, ({ starter, form, mode, requests, tests, problems }) => {
        console.log(`${starter}, ${form}, ${mode} mode: ${requests} requests, ${tests} tests, ${problems.length} problems`);
        for (const line of problems.slice(0, 5)) console.log(`  ${line}`);
        faults += problems.length;
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
    return faults === 0;
  },
  /** Random private keys, in every form, on every way by which a text leaves or is stored. */
  async keys(rounds = 50) {
    const seed = Math.trunc(Math.random() * 2 ** 32);
    console.log(`seed ${seed}`);
    console.log(`${'way'.padEnd(30)}  tried refused through`);
    const attacks = await keyAttacks(rounds, seed);
    for (const { door, tried, refused, through, forms } of attacks) {
      console.log(`${door.padEnd(30)} ${[tried, refused, through].map((count) => String(count).padStart(6)).join(' ')}`);
      for (const form of forms.slice(0, 5)) console.log(`  ${form}`);
    }
    return attacks.every(({ through }) => through === 0);
  },
  /** Pages and programs that come and go on one home, while tabs are typed into, closed and taken up. */
  async workspaces(rounds = 300) {
    const seed = Math.trunc(Math.random() * 2 ** 31);
    console.log(`seed ${seed}`);
    const folder = mkdtempSync(path.join(tmpdir(), 'croupier-workspaces-'));
    const { steps, typed, problems } = await workspaceRounds(folder, rounds, seed, (round) => {
      if ((round + 1) % 50 === 0) console.log(`${round + 1} of ${rounds}`);
    });
    console.log(`${steps} steps, ${typed} texts typed, ${problems.length} lost or shared`);
    for (const line of problems.slice(0, 20)) console.log(line);
    if (problems.length === 0) rmSync(folder, { recursive: true });
    return problems.length === 0;
  },
  /** A request's file with each line spoiled in every way, all in one directory; `step` takes only every so many of them. */
  async malformed(step = 1) {
    const { tried, wrong } = await malformedFiles(step);
    console.log(`tried    ${tried}\nrefused  ${tried - wrong.length}\nthrough  ${wrong.length}`);
    for (const line of wrong.slice(0, 20)) console.log(line);
    return tried >= 300 / step && wrong.length === 0;
  },
  /** The worst text within its limits for each job of the reading threads: none may end the program. */
  worst() {
    const { status, stdout } = spawnSync(process.execPath, ['src/testing/worst-jobs.ts', 'long'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
    });
    const lines = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    for (const { name, outcome, ms } of lines)
      console.log(`${name.padEnd(50)} ${String(ms).padStart(6)} ms  ${outcome.slice(0, 100)}`);
    const refused = lines.filter(({ outcome }) => outcome !== 'done').length;
    console.log(
      `tried    ${lines.length}\nrefused  ${refused}\ndone     ${lines.length - refused}\nthrough  ${status === 0 ? 0 : 1}`,
    );
    return status === 0;
  },
  /** Hostile files of collections. */
  files(rounds = 20_000) {
    const { tried, refused, read, through } = hostileFiles(rounds, Date.now() & 0xffff);
    console.log(`tried    ${tried}\nrefused  ${refused}\nread     ${read}\nthrough  ${through.length}`);
    for (const line of through.slice(0, 20)) console.log(line);
    return through.length === 0;
  },
  /**
   * Texts of real encoders, searched to threes, and hashes with two mistakes; those of recorded programs are made again and compared.
   * `-- encoders record` keeps it as the new recording.
   */
  encoders(rounds = 600, args) {
    if (args[0] === 'record') {
      keepRecording(recordEncoders());
      return true;
    }
    const changed = changedEncoders();
    console.log(`recorded programs, run again: ${changed.length} texts differ`);
    const seed = chooseSeed();
    const missed = pairRounds(rounds, seed);
    console.log(`CROUPIER_SEED=${seed}: ${rounds} pairs of mistakes, ${missed.length} not named`);
    const { found, problems } = encoderRounds((program, so) =>
      console.log(`${program}: ${JSON.stringify(so.found)}, ${so.problems.length} wrong`),
    );
    for (const line of [...changed, ...missed, ...problems].slice(0, 30)) console.log(line);
    console.log(`${JSON.stringify(found)}, ${problems.length} wrong`);
    return changed.length + missed.length + problems.length === 0;
  },
  /** The fixes that the doctor shows: every mistake, and pairs, as programs that are run with it and without it. The doctor searches each hash. */
  fixes(pairs = 60) {
    const seed = chooseSeed();
    console.log(`CROUPIER_SEED=${seed} gives the same pairs again.`);
    let isGood = true;
    for (const dialect of dialects) {
      const { tried, problems } = fixRounds(dialect, pairs, createChoices(seededRandom(seed)));
      console.log(`${dialect.language.padEnd(8)} ${String(tried).padStart(5)} changes, ${problems.length} wrong`);
      for (const line of problems.slice(0, 20)) console.log(line);
      isGood &&= problems.length === 0;
    }
    return isGood;
  },
  /** The ready tests of `croupier doctor --write-tests`, run by their frameworks, as written and with usual mistakes in the signing code. */
  'ready-tests'() {
    let isGood = true;
    readyTestRounds(({ framework, signer, passed, failed, problems }) => {
      console.log(
        `${framework.padEnd(8)} ${signer.padEnd(24)} ${String(passed).padStart(4)} passed ${String(failed).padStart(4)} failed, ${problems.length} wrong`,
      );
      for (const line of problems.slice(0, 10)) console.log(`  ${line}`);
      isGood &&= problems.length === 0;
    });
    return isGood;
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
    const { planted, closed, found } = await contractCanaries(1, chooseSeed());
    for (const line of found) console.log(`  ${line}`);
    console.log(
      `${planted.length} texts of the contract with canaries, ${closed.length} of a form that lets none in, found ${found.length} times where none may be`,
    );
    const folder = path.resolve('src', 'testing');
    const run = (command, args) => spawnSync(command, args, { stdio: 'inherit' }).status === 0;
    const isClean =
      run('electron-vite', ['build', '--logLevel', 'warn']) &&
      run(path.join(folder, 'with-keyring.sh'), ['unlocked', process.execPath, path.join(folder, 'command-canaries.ts')]);
    return rows.every(({ said }) => said !== null) && found.length === 0 && isClean;
  },
  /** Faults planted in the sources, which the nearest tests must notice: `-- mutation --sample 200 --seed 1 --under src/`. */
  mutation: (_rounds, args) => mutationTest(args),
  /** The rules of Electron and a smoke of the workbench on a real Electron 25, with pictures in `test-results`. On Linux with x64. */
  electron: (_rounds, args) => realElectron(args.length > 0 ? args : undefined),
  /** The desktop, quitting during everything that may be under way. */
  /** Cost of a call and of a start: each figure within its budget. */
  budgets: () =>
    spawnSync('npm', ['run', 'bench', '--', '--gate=whole'], { stdio: 'inherit', shell: process.platform === 'win32' }).status ===
    0,
  quit: () => specs(['desktop-quit'], { CROUPIER_QUITS: 'all' }),
  /** Every rule of accessibility in every appearance, on the screens that the specs look at. */
  audit: () =>
    specs(
      readdirSync('e2e').filter(
        (file) => file.endsWith('.e2e.ts') && readFileSync(path.join('e2e', file), 'utf8').includes("from './audit.ts'"),
      ),
      { CROUPIER_AUDIT: 'whole' },
      // Five appearances take longer than two.
      ['--timeout=600000'],
    ),
  /** Verdicts of the games with a planted fault, and of all games without one. */
  faults: () => specs(['desktop-verdicts', 'desktop-fault-site'], { CROUPIER_FAULTS: 'all' }),
  /** Each command once on a busy computer, without a keychain and with one: the usual status, and no word about the keychain. On Linux. */
  busy() {
    const folder = path.resolve('src', 'testing');
    const run = (command, args) => spawnSync(command, args, { stdio: 'inherit' }).status === 0;
    return (
      run('electron-vite', ['build', '--logLevel', 'warn']) &&
      ['none', 'unlocked'].every((mode) =>
        run(path.join(folder, 'with-keyring.sh'), [mode, process.execPath, path.join(folder, 'busy-commands.ts'), mode]),
      )
    );
  },
  /** The memory of the key agents at random moments. On Linux, with gnome-keyring. */
  dumps(dumps = 200) {
    const folder = path.resolve('src', 'testing');
    const { status, stdout } = spawnSync(
      path.join(folder, 'with-keyring.sh'),
      ['unlocked', process.execPath, path.join(folder, 'agent-dumps.ts'), String(dumps)],
      { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' },
    );
    const rows = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    for (const { what, dumps, held, signed } of rows)
      console.log(
        `${what.padEnd(34)} ${String(dumps).padStart(5)} dumps, ${String(held).padStart(3)} with the key, ${signed} signed meanwhile`,
      );
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
