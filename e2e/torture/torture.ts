import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { makeCertificate } from '#testing/https-server.ts';
import { seededRandom } from '#testing/seeded-random.ts';
import { makeSurroundings, runCroupier, startCroupier, watch, type Running, type Surroundings } from '../program.ts';
import { hostClient, type HostClient } from './host-client.ts';

/** Findings of the verifier; every list should be empty. */
export interface Verdict {
  readonly received: number;
  readonly recorded: number;
  readonly answered: number;
  /** Number of calls whose row says that nobody knows what the provider did. */
  readonly unknown: number;
  readonly lost: string[];
  readonly repeated: string[];
  readonly false: string[];
  readonly damaged: string[];
}

export interface TortureReport extends Verdict {
  readonly sent: number;
  /** Number of rounds by their hardship. */
  readonly played: Readonly<Record<string, number>>;
  /** Hardships that this machine does not allow, with the reason. */
  readonly skipped: string[];
  /** Problems of a program that no list of the verdict has. */
  readonly problems: string[];
}

const hardships = [
  'nothing',
  'kill a host',
  'kill everything',
  'stop a host in order',
  'suspend a host',
  'kill the key agent',
  'move the clock',
  'fill the disk',
  'make the home read-only',
  'remove the home',
  'remove the search index',
  'damage the history',
] as const;
type Hardship = (typeof hardships)[number];

/** These need a file system of their own. */
const needDisk: readonly Hardship[] = ['fill the disk', 'make the home read-only'];

/** Short, so that a suspended program meets it. */
const totalTimeoutMs = 4_000;
const verifyEvery = 50;

export interface TortureOptions {
  readonly rounds: number;
  readonly seed: number;
  /** All of them unless stated. */
  readonly only?: readonly Hardship[];
}

/** Plays rounds of calls from two hosts and a command line on one home, each with a hardship, and has a verifier compare. */
export async function torture(
  { rounds, seed, only = hardships }: TortureOptions,
  onRound: (round: number, verdict: Verdict | null) => void = () => undefined,
): Promise<TortureReport> {
  const surroundings = await makeSurroundings();
  const played: Record<string, number> = {};
  const stage = await setStage(surroundings, seed, only);
  try {
    for (let round = 0; round < rounds; round += 1) {
      const hardship = stage.choose(round);
      played[hardship] = (played[hardship] ?? 0) + 1;
      await stage.play(round, hardship);
      onRound(round, (round + 1) % verifyEvery === 0 ? await stage.verify() : null);
    }
    const verdict = await stage.verify();
    return { ...verdict, sent: stage.sent(), played, skipped: stage.skipped, problems: stage.problems };
  } finally {
    await stage.close();
    await surroundings.remove();
  }
}

interface HostProcess {
  readonly running: Running;
  readonly client: HostClient;
}

/** Sets up everything that lasts longer than a round. */
async function setStage(surroundings: Surroundings, seed: number, only: readonly Hardship[]) {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  const { folder, home } = surroundings;
  const skipped: string[] = [];
  const problems: string[] = [];
  const told = path.join(folder, 'told.jsonl');
  writeFileSync(told, '');
  const copies: string[] = [];
  let sent = 0;

  // A disk of its own: one that can be filled, and made read-only.
  mkdirSync(home, { mode: 0o700 });
  const mounted =
    only.some((one) => needDisk.includes(one)) &&
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=700', 'tmpfs', home]).status === 0;
  if (!mounted)
    skipped.push(
      ...only.filter((one) => needDisk.includes(one)).map((one) => `${one}: only root may mount a file system (try unshare -rm)`),
    );

  const certificate = await makeCertificate();
  const [certFile, keyFile] = [path.join(folder, 'witness.crt'), path.join(folder, 'witness.key')];
  writeFileSync(certFile, certificate.cert);
  writeFileSync(keyFile, certificate.key, { mode: 0o600 });
  const witness = watch(
    spawn('python3', [path.join(import.meta.dirname, 'witness.py'), certFile, keyFile, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const port = (await witness.saw(/^(\d+)\n/))[1];
  const environment = { name: 'torture', baseUrl: `https://localhost:${port}` };
  // A clock of the hosts' own, which a round moves: the machine's stays as it is.
  const clock = path.join(folder, 'clock');
  writeFileSync(clock, '0');
  const env = {
    PROVIDER_KEY: 'a-test-key',
    CROUPIER_TEST_CLOCK: clock,
    NODE_OPTIONS: `--import=${path.resolve(import.meta.dirname, '../../src/testing/moved-clock.ts')}`,
  };
  let environmentId = '';
  const hosts: (HostProcess | null)[] = [null, null];

  async function makeEnvironment(): Promise<void> {
    const set = [
      'env',
      'set',
      environment.name,
      '--base-url',
      environment.baseUrl,
      '--platform',
      '1',
      '--partner-id',
      '2',
      '--no-production',
      '--total-timeout',
      String(totalTimeoutMs),
      '--ca',
      '-',
    ];
    const { code, stderr } = await runCroupier(surroundings, set, { stdin: certificate.ca });
    if (code !== 0) throw new Error(`The environment was not made: ${stderr}`);
    const { stdout } = await runCroupier(surroundings, ['env', 'show', environment.name, '--json']);
    environmentId = (JSON.parse(stdout) as { id: string }).id;
  }

  async function startHost(): Promise<HostProcess> {
    const running = startCroupier(surroundings, ['serve', '--no-open'], { env });
    const [, address = ''] = await running.saw(/Croupier is ready: (\S+)/);
    return { running, client: await hostClient(address) };
  }

  /** Starts hosts that are gone again, both at the same moment, and gives each the key. */
  async function ready(): Promise<void> {
    const each = async (host: HostProcess | null, at: number) => {
      const { client } = (hosts[at] = host ?? (await startHost()));
      await client.call('keys.set', { environmentId, key: 'a-test-key' });
    };
    await Promise.all(hosts.map(each));
  }

  async function end(at: number, signal: NodeJS.Signals): Promise<void> {
    const host = hosts[at];
    hosts[at] = null;
    if (host === null || host === undefined) return;
    host.running.kill(signal);
    const { code, signal: by, stderr } = await host.running.finished;
    host.client.close();
    if (signal === 'SIGTERM' && (code !== 0 || by !== null)) problems.push(`a host ended with ${code ?? by}: ${stderr}`);
  }

  function tell(entry: { mark: string; told: string; id?: number; message?: string }): void {
    appendFileSync(told, `${JSON.stringify(entry)}\n`);
  }

  const dataOf = (mark: string) => JSON.stringify({ roundId: 1, logMonth: 0, mark });

  async function callByHost(client: HostClient, mark: string): Promise<void> {
    sent += 1;
    const draft = { environmentId, operation: 'getGameRound', form: 'default', text: dataOf(mark), overrides: {} };
    const sending = client.call('calls.send', { draft, ticket: mark });
    if (mark.includes('-silent-'))
      void witness.saw(new RegExp(`^${mark}$`, 'm')).then(
        () => client.call('calls.cancel', { ticket: mark }),
        () => undefined,
      );
    const reply = await sending;
    // Nobody got a reply if the line broke.
    if (reply === null) return;
    if (!reply.ok) return tell({ mark, told: 'refused', message: reply.error.message });
    const call = reply.value as { id: number; state: string; findings: { rule: string }[] };
    tell({ mark, id: call.id, told: call.findings.some(({ rule }) => rule === 'history.outcome') ? 'unrecorded' : call.state });
  }

  async function callByCommand(mark: string): Promise<void> {
    sent += 1;
    const { stdout, stderr } = await runCroupier(
      surroundings,
      ['call', 'getGameRound', '--env', environment.name, '--key-env', 'PROVIDER_KEY', '--data', dataOf(mark), '--json'],
      { env },
    );
    // If it sent something it prints the outcome.
    if (stdout === '') return tell({ mark, told: 'refused', message: stderr });
    const { callId, response, failure } = JSON.parse(stdout) as {
      callId: number;
      response: object | null;
      failure: object | null;
    };
    if (response !== null && failure === null && !stderr.includes('not in the history'))
      tell({ mark, id: callId, told: 'answered' });
  }

  /** Makes calls of all programs at once; runs `inflict` when so many of them have reached the provider. */
  async function burst(round: number | string, inflict: () => Promise<void> | void): Promise<void> {
    const behaviours = ['now', 'now', 'now', 'now', 'late', 'large', 'closed', 'silent'];
    const mark = (who: string, number: number) => `mark-${pick(behaviours)}-${round}-${who}-${number}`;
    const works = hosts.flatMap((host, at) => {
      if (host === null) return [];
      const marks = Array.from({ length: 3 + below(6) }, (_, number) => mark(`h${at}`, number));
      return [0, 1, 2].map(async () => {
        for (let one = marks.shift(); one !== undefined; one = marks.shift()) await callByHost(host.client, one);
      });
    });
    if (below(3) === 0) works.push(callByCommand(mark('c', 0).replace('silent', 'now')));
    const after = 1 + below(8);
    const heard = witness.stdout().split('\n').length + after;
    const moment = reached(heard, works);
    await Promise.all([...works, moment.then(inflict)]);
  }

  /** Settles when the provider has received so many, or all calls are done. */
  async function reached(count: number, works: readonly Promise<void>[]): Promise<void> {
    const enough = witness.saw(new RegExp(`^(?:[^\\n]*\\n){${count - 1}}`));
    await Promise.race([enough, Promise.all(works)]);
  }

  const victim = () => below(2);

  const plays: Record<Hardship, (round: number) => Promise<void>> = {
    nothing: (round) => burst(round, () => undefined),
    'kill a host': (round) => {
      const at = victim();
      return burst(round, () => end(at, 'SIGKILL'));
    },
    'kill everything': (round) => burst(round, async () => void (await Promise.all([end(0, 'SIGKILL'), end(1, 'SIGKILL')]))),
    'stop a host in order': (round) => {
      const at = victim();
      return burst(round, () => end(at, 'SIGTERM'));
    },
    async 'suspend a host'(round) {
      const pid = hosts[victim()]?.running.pid ?? 0;
      await burst(round, async () => {
        process.kill(pid, 'SIGSTOP');
        await new Promise((resolve) => setTimeout(resolve, pick([50, 500, totalTimeoutMs + 500])));
        process.kill(pid, 'SIGCONT');
      });
    },
    'kill the key agent': (round) => {
      const pid = hosts[victim()]?.running.pid ?? 0;
      return burst(round, () => {
        for (const agent of keyAgentsOf(pid)) process.kill(agent, 'SIGKILL');
      });
    },
    'move the clock': (round) => burst(round, () => writeFileSync(clock, String(pick([8, -8, 24 * 365, 0]) * 3_600_000))),
    async 'fill the disk'(round) {
      const filler = path.join(home, 'filler');
      await burst(round, () => fill(filler));
      await burst(`${round}b`, () => undefined);
      rmSync(filler);
    },
    async 'make the home read-only'(round) {
      await Promise.all([end(0, 'SIGTERM'), end(1, 'SIGTERM')]);
      mount('remount,ro');
      await callByCommand(`mark-now-${round}-c-0`);
      const { code, stderr } = await runCroupier(surroundings, ['history', 'list', '--json']);
      if (code !== 0) problems.push(`a read-only history could not be listed: ${stderr}`);
      mount('remount,rw');
      await ready();
      await burst(round, () => undefined);
    },
    async 'remove the home'(round) {
      await Promise.all([end(0, 'SIGTERM'), end(1, 'SIGTERM')]);
      await setDown(round);
      await ready();
      for (const name of readdirSync(home)) rmSync(path.join(home, name), { recursive: true, force: true });
      await burst(round, () => undefined);
      await makeEnvironment();
      await ready();
      await burst(`${round}b`, () => undefined);
    },
    'remove the search index': (round) =>
      burst(round, () => {
        for (const name of readdirSync(home))
          if (name.startsWith('history-index')) rmSync(path.join(home, name), { force: true });
      }),
    async 'damage the history'(round) {
      await Promise.all([end(0, 'SIGTERM'), end(1, 'SIGTERM')]);
      await setDown(round);
      const file = path.join(home, 'history.sqlite');
      if (below(2) === 0) truncateSync(file, Math.floor(statSync(file).size / 2));
      else {
        const opened = openSync(file, 'r+');
        writeSync(opened, Buffer.alloc(4_096, 'x'), 0, 4_096, 0);
        closeSync(opened);
      }
      await ready();
      await burst(round, () => undefined);
    },
  };

  /** Copies the history for the verifier, which a round is about to destroy. */
  async function setDown(round: number): Promise<void> {
    await settle();
    const copy = path.join(folder, `before-${round}.sqlite`);
    copyFileSync(path.join(home, 'history.sqlite'), copy);
    copies.unshift(copy);
  }

  /** Gives rows of programs that are gone their outcome, by a look. */
  async function settle(): Promise<void> {
    const { code, stderr } = await runCroupier(surroundings, ['history', 'list', '--json', '--limit', '1']);
    if (code !== 0) problems.push(`the history could not be listed: ${stderr}`);
  }

  function mount(options: string): void {
    const { status, stderr } = spawnSync('mount', ['-o', options, home], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`mount -o ${options}: ${stderr}`);
  }

  await makeEnvironment();

  return {
    skipped,
    problems,
    sent: () => sent,
    /** Chooses each hardship in its turn, so that few rounds have played them all. */
    choose(round: number): Hardship {
      const possible = only.filter((one) => mounted || !needDisk.includes(one));
      return possible[round % possible.length] ?? 'nothing';
    },
    async play(round: number, hardship: Hardship): Promise<void> {
      await ready();
      await plays[hardship](round);
    },
    async verify(): Promise<Verdict> {
      await Promise.all([end(0, 'SIGTERM'), end(1, 'SIGTERM')]);
      await settle();
      const { status, stdout, stderr } = spawnSync(
        'python3',
        [
          path.join(import.meta.dirname, 'verify.py'),
          path.join(folder, 'received.jsonl'),
          told,
          path.join(home, 'history.sqlite'),
          ...copies,
        ],
        { encoding: 'utf8', maxBuffer: 1e9 },
      );
      if (status !== 0) throw new Error(`The verifier failed: ${stderr}`);
      return JSON.parse(stdout) as Verdict;
    },
    async close(): Promise<void> {
      await Promise.all([end(0, 'SIGKILL'), end(1, 'SIGKILL')]);
      witness.kill('SIGKILL');
      await witness.finished;
      if (mounted) spawnSync('umount', ['-l', home]);
    },
  };
}

/** Fills a file until the disk takes not one byte more. */
function fill(file: string): void {
  const opened = openSync(file, 'w');
  try {
    for (let size = 1_048_576; size >= 1; size = Math.floor(size / 2)) {
      const piece = Buffer.alloc(size);
      try {
        for (;;) if (writeSync(opened, piece) === 0) break;
      } catch {
        // Full for a piece of this size.
      }
    }
  } finally {
    closeSync(opened);
  }
}

function keyAgentsOf(pid: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((one) => one > 0)
    .filter((one) => {
      try {
        const parent = Number(
          readFileSync(`/proc/${one}/stat`, 'latin1')
            .replace(/^.*\) \S+ /s, '')
            .split(' ')[0],
        );
        return parent === pid && readFileSync(`/proc/${one}/cmdline`, 'latin1').includes('key-agent.cjs');
      } catch {
        return false;
      }
    });
}
