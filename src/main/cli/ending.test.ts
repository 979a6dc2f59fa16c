import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppError } from '#shared/errors.ts';
import { RunReport } from '#shared/collections/run-report.ts';
import { createCli, createTerminalCli, linesFrom, type Cli } from '#testing/cli-driver.ts';
import { describeWithTool } from '#testing/external-tools.ts';
import { startHttpsServer } from '#testing/https-server.ts';
import { createTerminal } from '../process/terminal.ts';
import { askHidden, askYesOrNo } from './questions.ts';

let cli: Cli;
let provider: Awaited<ReturnType<typeof startHttpsServer>>;
let keychain: Server;
let collection: string;
let keychainEnv: Record<string, string>;
/** Tells of each request that the provider got and each connection to the keychain; none of them is answered. */
const arrived = new PassThrough({ objectMode: true });
const held = new Set<Socket>();
const key = { KEY: 'the-key-of-this-test' };

beforeAll(async () => {
  cli = await createCli();
  const folder = dirname(cli.home);
  let calls = 0;
  // Every third call stays without an answer.
  provider = await startHttpsServer((_, response) => {
    calls += 1;
    if (calls % 3 !== 0) response.end('{"code":0,"message":"ok","data":null}');
    else arrived.emit('held');
  });
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, provider.ca);
  const settings = ['--platform=1', '--partner-id=2', '--no-production', '--ca', ca];
  await cli.run(['env', 'set', 'slow', '--base-url', provider.baseUrl, ...settings]);
  collection = join(folder, 'collection');
  await mkdir(collection);
  await writeFile(join(collection, 'a.yaml'), 'operation: getGameRound\ndata: |\n  {"roundId": 1, "logMonth": 0}\n');
  const socket = join(folder, 'bus');
  keychain = createServer((connection) => {
    held.add(connection);
    arrived.emit('held');
  });
  await new Promise<void>((done) => void keychain.listen(socket, done));
  keychainEnv = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${socket}` };
});
afterAll(async () => {
  for (const connection of held) connection.destroy();
  await new Promise((done) => keychain.close(done));
  await cli.close();
  await provider.close();
});

function errorsOf(child: ChildProcessWithoutNullStreams): () => string {
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (more: string) => (text += more));
  return () => text;
}

const run = () => ['run', collection, '--env', 'slow', '--key-env', 'KEY', '--repeat', '6'];

describe.skipIf(process.platform === 'win32')('a command whose output is closed when it starts', () => {
  it.each([
    ['>&-', 'croupier: Standard output is closed, so nothing was done. To discard the output, add ">/dev/null".\n'],
    ['2>&-', ''],
  ])('%s ends with 70 and does nothing', async (closing, err) => {
    const bin = new URL('../../../bin/croupier', import.meta.url).pathname;
    const closed = await createCli(['sh', '-c', `exec "$0" "$@" ${closing}`, bin], cli.home);
    try {
      expect(await closed.run(['env', 'default', 'slow'])).toMatchObject({ code: 70, out: '', err });
      expect((await cli.run(['env', 'default'])).code).toBe(2);
    } finally {
      await closed.close();
    }
  });
});

/** Commands that print, with their arguments. */
const printing: [string, () => string[]][] = [
  ['operations', () => ['operations']],
  ['man', () => ['man']],
  ['env list', () => ['env', 'list']],
  ['history list', () => ['history', 'list', '--json']],
  ['completion', () => ['completion', 'bash']],
  ['sandbox', () => ['sandbox', '--key-env', 'KEY', '--port', '0']],
  ['serve', () => ['serve', '--no-open', '--port', '0', '--log']],
  ['run', run],
];

describe.skipIf(process.platform === 'win32')('a command whose reader is gone', () => {
  it.each(printing)('%s ends with 4 and says nothing of it', async (_name, args) => {
    const child = cli.start(args(), { env: key });
    child.stdout.destroy();
    const err = errorsOf(child);
    expect(await once(child, 'close')).toEqual([4, null]);
    expect(err()).not.toMatch(/EPIPE|fault/);
  });

  it('ends with 4, too, if it was the reader of its messages', async () => {
    const child = cli.start(['sandbox', '--port', '0']);
    child.stdout.resume();
    child.stderr.destroy();
    expect(await once(child, 'close')).toEqual([4, null]);
  });

  it('a run has written its report, with what was cancelled', async () => {
    const report = join(dirname(cli.home), 'report.json');
    const child = cli.start([...run(), '--report-json', report], { env: key });
    const err = errorsOf(child);
    child.stdout.destroy();
    expect(await once(child, 'close')).toEqual([4, null]);
    expect(err()).toContain(`croupier: wrote ${report}`);
    const { totals } = RunReport.parse(JSON.parse(await readFile(report, 'utf8')));
    expect(totals.requests).toBe(6);
    expect(totals.skipped).toBeGreaterThan(0);
  });

  it('the browser host ends in order while it runs, whichever reader is gone', async () => {
    for (const gone of ['stdout', 'stderr'] as const) {
      const child = cli.start(['serve', '--no-open', '--port', '0', '--log']);
      const address = /http:\S+(?=\/#)/.exec(await linesFrom(child).next((line) => line.includes('ready')))?.[0] ?? '';
      const closed = once(child, 'close');
      child.stdout.resume();
      child.stderr.resume();
      child[gone].destroy();
      // Each of them prints a line: a new URL, and the request.
      if (gone === 'stdout') child.stdin.write('\n');
      else await fetch(address);
      expect(await closed).toEqual([4, null]);
    }
  });
});

/** State of a program when a signal comes: its arguments, when it is reached, and the exit code then. */
interface State {
  readonly args: () => readonly string[];
  readonly env?: () => Record<string, string>;
  readonly reached: (child: ChildProcessWithoutNullStreams) => Promise<unknown>;
  readonly code: number;
}

const printed = (text: string) => (child: ChildProcessWithoutNullStreams) => linesFrom(child).next((line) => line.includes(text));
const heldBack = () => once(arrived, 'held');

const states: Readonly<Record<string, State>> = {
  'the browser host waits for a page': {
    args: () => ['serve', '--no-open', '--port', '0'],
    reached: printed('Provider'),
    code: 0,
  },
  'the built-in provider waits for a call': {
    args: () => ['sandbox', '--key-env', 'KEY', '--port', '0'],
    reached: printed('baseUrl'),
    code: 0,
  },
  'a call waits for its response': {
    args: () => ['run', collection, '--env', 'slow', '--key-env', 'KEY', '--repeat', '3'],
    reached: heldBack,
    code: 4,
  },
  'a command reads its input': {
    args: () => ['hash', '--batch', '--key-env', 'KEY'],
    async reached(child) {
      child.stdin.write('{"time":"1","data":"{}"}\n');
      await once(child.stdout, 'data');
    },
    code: 4,
  },
  'the keychain does not answer': {
    args: () => ['key', 'status', 'slow'],
    env: () => keychainEnv,
    reached: heldBack,
    code: 5,
  },
};

describe.skipIf(process.platform === 'win32').each(Object.entries(states))('where %s', (_name, { args, env, reached, code }) => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s ends it', async (signal) => {
    const there = Promise.withResolvers<unknown>();
    const child = cli.start(args(), { env: { ...key, ...env?.() } });
    void reached(child).then(there.resolve, there.reject);
    child.stderr.resume();
    const closed = once(child, 'close');
    await there.promise;
    child.kill(signal);
    expect(await closed).toEqual([code, null]);
  });
});

it.each(['askHidden', 'askYesOrNo'] as const)('%s ends with the input', async (ask) => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const terminal = createTerminal({ stdin, stdout, stderr, env: {} });
  const asked = { askHidden, askYesOrNo }
    [ask]('Key: ', terminal, new AbortController().signal)
    .catch((error: AppError) => error.code);
  await once(stderr, 'readable');
  terminal.endInput();
  expect(await asked).toBe(ask === 'askHidden' ? 'cancelled' : null);
});

describeWithTool('python3', 'on a terminal', () => {
  it('Ctrl+C at a question ends the command, and nothing was done', async () => {
    const terminal = await createTerminalCli(cli.home);
    try {
      const child = terminal.start(['uninstall']);
      let shown = '';
      const asks = new Promise<void>((done) =>
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          shown += text;
          if (shown.includes('[y/N]')) done();
        }),
      );
      const closed = once(child, 'close');
      await asks;
      child.stdin.write('\u0003');
      expect(await closed).toEqual([2, null]);
      expect(shown).toContain('Nothing was removed.');
    } finally {
      await terminal.close();
    }
  });
});
