import { spawn, type ChildProcess } from 'node:child_process';
import { beyond, type Kind } from '#shared/model/readers.ts';

export interface ProgramOptions {
  readonly cwd: string;
  /** All of its environment variables. */
  readonly env: NodeJS.ProcessEnv;
  /** Written to its standard input; it gets an empty one otherwise. */
  readonly input?: string | undefined;
  /** Kind of what it prints on standard output. */
  readonly kind: Kind<'program'>;
  /** Stops the program, and all that it has started. */
  readonly signal: AbortSignal;
}

/** A program that has ended by itself. */
export interface EndedProgram {
  /** Null if a signal ended it. */
  readonly status: number | null;
  readonly killedBy: NodeJS.Signals | null;
  readonly output: Buffer;
  /** The end of standard error, at most 8,000 bytes. */
  readonly errors: Buffer;
}

/** Failure of a program that was stopped: what it printed is beyond the limits of its kind, as the message says. */
export class TooMuchOutput extends Error {}

const keptBytes = 8_000;

/**
 * Runs a program without a shell until it ends. Fails with the system's error if it cannot be started, with `TooMuchOutput`, and with
 * the reason of the signal.
 */
export async function runProgram(
  program: string,
  given: readonly string[],
  { cwd, env, input, kind, signal }: ProgramOptions,
): Promise<EndedProgram> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<EndedProgram>();
  const ownGroup = process.platform !== 'win32';
  const child = spawn(program, given, {
    cwd,
    env,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    // Its own group: what it has started ends with it.
    detached: ownGroup,
    windowsHide: true,
  });
  const printed: Buffer[] = [];
  let bytes = 0;
  let errors = Buffer.alloc(0);
  const stop = (reason: unknown) => {
    reject(reason as Error);
    end(child, ownGroup);
  };
  const abort = () => stop(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  child.stdout?.on('data', (part: Buffer) => {
    bytes += part.length;
    if (beyond(kind, { bytes }) !== null) return stop(new TooMuchOutput(beyond(kind, { bytes: Infinity }) ?? ''));
    printed.push(part);
  });
  child.stderr?.on('data', (part: Buffer) => {
    errors = Buffer.concat([errors, part]).subarray(-keptBytes);
  });
  // It may end before it has read everything; its status says more than the broken pipe.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  child.on('error', reject);
  child.on('close', (status, killedBy) => resolve({ status, killedBy, output: Buffer.concat(printed), errors }));
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function end(child: ChildProcess, ownGroup: boolean): void {
  try {
    if (ownGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has just ended by itself.
  }
  // A program that left its group may hold them open.
  child.stdout?.destroy();
  child.stderr?.destroy();
}
