import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiledFolder } from './compiled-folder.ts';

/** Result of one command. */
interface CliResult {
  readonly code: number | null;
  readonly stdout: Buffer;
  /** Standard output as text. */
  readonly out: string;
  readonly err: string;
}

/** The command line, on a home of its own. */
export interface Cli {
  readonly home: string;
  /** Runs it to its end. */
  run(args: readonly string[], options?: { env?: Record<string, string>; input?: string | Uint8Array }): Promise<CliResult>;
  /** Starts it and does not wait; `close` kills what is still running. */
  start(args: readonly string[], options?: { env?: Record<string, string> }): ChildProcessWithoutNullStreams;
  close(): Promise<void>;
}

/** The program as it ships; from source if sources are changed on purpose and nothing is built of them (`scripts/mutation.mjs`). */
const program =
  process.env['CROUPIER_TESTS_FROM_SOURCE'] === undefined
    ? [fileURLToPath(new URL('../../bin/croupier', import.meta.url))]
    : [process.execPath, fileURLToPath(new URL('../main/cli/main.ts', import.meta.url))];

/** Returns the arguments that make an environment, which is not production. */
export function newEnvironment(name: string, baseUrl: string, ...more: readonly string[]): string[] {
  return ['env', 'set', name, '--base-url', baseUrl, '--platform=1', '--partner-id=2', '--no-production', ...more];
}

/** Python that types its input into a pseudo-terminal, shows what the command prints, and ends with its exit code. */
const inPseudoTerminal = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';

/**
 * Creates the same on a terminal, which gets all of its output. `home` is that of another command line, which has to outlive this
 * one.
 */
export function createTerminalCli(home: string): Promise<Cli> {
  return createCli(['python3', '-c', inPseudoTerminal, ...program], home);
}

/** Creates the command line. It gets nothing of the caller's environment but PATH: no keychain, no display, no home. */
export async function createCli(command: readonly string[] = program, homeOfAnother?: string): Promise<Cli> {
  const root = await mkdtemp(join(tmpdir(), 'croupier-cli-'));
  const home = homeOfAnother ?? join(root, 'home');
  const running = new Set<ChildProcessWithoutNullStreams>();

  const start: Cli['start'] = (args, { env = {} } = {}) => {
    const [program = '', ...first] = command;
    const child = spawn(program, [...first, ...args], {
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: root,
        NODE_COMPILE_CACHE: compiledFolder,
        CROUPIER_HOME: home,
        ...env,
      },
    });
    running.add(child);
    child.once('close', () => running.delete(child));
    return child;
  };

  return {
    home,
    start,
    async run(args, { env = {}, input = '' } = {}) {
      const child = start(args, { env });
      const stdout: Buffer[] = [];
      let err = '';
      child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
      // A command that refuses its arguments reads no input.
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
      const code = await new Promise<number | null>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', resolve);
      });
      const bytes = Buffer.concat(stdout);
      return { code, stdout: bytes, out: bytes.toString('utf8'), err };
    },
    async close() {
      const ends = [...running].map((child) => new Promise((resolve) => child.once('close', resolve)));
      for (const child of running) child.kill('SIGKILL');
      await Promise.all(ends);
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Collects the lines of a running command and waits for one that fits; fails if the command ends before. */
export function linesFrom(child: ChildProcessWithoutNullStreams) {
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  let ended = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    for (const look of waiting) look();
  });
  child.once('close', () => {
    ended = true;
    for (const look of waiting) look();
  });
  return {
    lines,
    next: (fits: (line: string) => boolean, from = 0) =>
      new Promise<string>((resolve, reject) => {
        const look = () => {
          const found = lines.slice(from).find(fits);
          if (found === undefined && !ended) return;
          waiting.delete(look);
          if (found === undefined) reject(new Error(`It ended before the line came. It printed: ${lines.join('\n')}`));
          else resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Waits for the end of a running command and returns its exit code. */
export function exitOf(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) resolve(child.exitCode);
    else child.once('exit', resolve);
  });
}
