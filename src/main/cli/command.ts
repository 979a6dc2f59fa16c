import type { Programs } from '../loopback/programs.ts';
import type { Arguments, CommandSpec } from './arguments.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Terminal } from '../process/terminal.ts';

/** The context of a running command. */
export interface Context {
  readonly terminal: Terminal;
  readonly programs: Programs;
  /** Aborted by SIGINT, SIGTERM, or if the reader of the output ends. */
  readonly stop: AbortSignal;
  /** Sets the handler of uncaught errors in this process; null restores the default, which ends the program. */
  readonly takeUncaught: (take: ((error: unknown) => void) | null) => void;
}

/** One command: its arguments and its function. */
export interface Command {
  readonly spec: CommandSpec;
  readonly run: (args: Arguments, context: Context) => Promise<ExitCode>;
}
