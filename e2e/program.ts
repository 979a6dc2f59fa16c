import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The project's folder; everything here runs the build in its `out`. */
export const root = path.resolve(import.meta.dirname, '..');
const program = path.join(root, 'bin', 'croupier');

/** A place for one test: every folder that the program could write to is inside `folder`. */
export interface Surroundings {
  readonly folder: string;
  /** The workbench's home. */
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** A file that Node runs before the program, to plant a fault in it; null for none. */
  readonly plant: string | null;
  /** Removes the whole folder. */
  remove(): Promise<void>;
}

/**
 * Creates empty surroundings: own home folders, no display, no bus and so no keychain, nothing of this process's environment.
 * `plant`: code that Node runs before the program.
 */
export async function makeSurroundings(plant = ''): Promise<Surroundings> {
  const folder = await mkdtemp(path.join(tmpdir(), 'croupier-e2e-'));
  const inside = (name: string) => path.join(folder, name);
  const folders = { HOME: 'home', XDG_CONFIG_HOME: 'config', XDG_DATA_HOME: 'data', XDG_CACHE_HOME: 'cache', TMPDIR: 'tmp' };
  for (const name of [...Object.values(folders), 'run']) await mkdir(inside(name), { mode: 0o700 });
  if (plant !== '') await writeFile(inside('plant.cjs'), plant);
  return {
    folder,
    home: inside('croupier'),
    plant: plant === '' ? null : inside('plant.cjs'),
    env: {
      PATH: process.env['PATH'] ?? '',
      LANG: 'C.UTF-8',
      ...Object.fromEntries(Object.entries(folders).map(([variable, name]) => [variable, inside(name)])),
      XDG_RUNTIME_DIR: inside('run'),
      CROUPIER_HOME: inside('croupier'),
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** The end of a process and everything that it printed. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running `bin/croupier`. */
export interface Running {
  readonly pid: number;
  /** Returns what it printed so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves to the first match in its standard output, now or later; fails if the process ends without one. */
  saw(pattern: RegExp): Promise<RegExpExecArray>;
  readonly finished: Promise<Finished>;
  write(text: string): void;
  kill(signal: NodeJS.Signals): void;
}

export interface ProgramOptions {
  /** Text on standard input, which then ends; absent: it stays open. */
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A wrapper of the program, with its arguments. */
  readonly wrapper?: readonly string[];
}

/** Starts `bin/croupier` with the arguments. */
export function startCroupier(surroundings: Surroundings, args: readonly string[], options: ProgramOptions = {}): Running {
  const [command = program, ...rest] = [...(options.wrapper ?? []), program, ...args];
  const planted = surroundings.plant === null ? {} : { NODE_OPTIONS: `--require ${surroundings.plant}` };
  const child = spawn(command, rest, { cwd: surroundings.folder, env: { ...surroundings.env, ...planted, ...options.env } });
  if (options.stdin !== undefined) child.stdin.end(options.stdin);
  return watch(child);
}

/** Runs `bin/croupier` to its end. */
export function runCroupier(
  surroundings: Surroundings,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<Finished> {
  return startCroupier(surroundings, args, { ...options, stdin: options.stdin ?? '' }).finished;
}

/** Follows a child process with pipes. */
export function watch(child: ChildProcess): Running {
  let stdout = '';
  let stderr = '';
  const waiting = new Set<() => void>();
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    for (const look of waiting) look();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // A process that ended early has a closed standard input, and its exit says more than the broken pipe.
  child.stdin?.on('error', () => undefined);
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return {
    pid: child.pid ?? -1,
    stdout: () => stdout,
    stderr: () => stderr,
    saw: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(stdout);
          if (found === null) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
        finished.then(
          ({ code, signal }) => reject(new Error(`ended with ${code ?? signal} before ${pattern}: ${stdout}${stderr}`)),
          reject,
        );
      }),
    finished,
    write: (text) => void child.stdin?.write(text),
    kill: (signal) => void child.kill(signal),
  };
}

/** Returns the processes that a process started, and theirs, as far as Linux shows them. */
export function descendants(pid: number): number[] {
  if (process.platform !== 'linux') return [];
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(Number(name));
    if (parent !== null) parents.set(Number(name), parent);
  }
  const found: number[] = [];
  for (let wanted = [pid]; wanted.length > 0;) {
    wanted = [...parents].filter(([, parent]) => wanted.includes(parent)).map(([child]) => child);
    found.push(...wanted);
  }
  return found;
}

/** Returns whether a process runs; one that ended and was not collected yet does not. */
export function isRunning(pid: number): boolean {
  return parentOf(pid) !== null;
}

function parentOf(pid: number): number | null {
  try {
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return state === 'Z' || state === 'X' ? null : Number(parent);
  } catch {
    return null;
  }
}
