import type { Programs } from '../loopback/programs.ts';
import type { Arguments, CommandSpec } from './arguments.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Terminal } from './print.ts';

/** What a command runs in. */
export interface Context {
  readonly terminal: Terminal;
  readonly programs: Programs;
  /** Aborted by SIGINT, SIGTERM or a reader of the output that went away. */
  readonly stop: AbortSignal;
  /** Hands over what nobody catches in this process: null gives it back to the program, which ends. */
  readonly takeUncaught: (take: ((error: unknown) => void) | null) => void;
}

/** One command: what it takes, and what it does with it. */
export interface Command {
  readonly spec: CommandSpec;
  readonly run: (args: Arguments, context: Context) => Promise<ExitCode>;
}
