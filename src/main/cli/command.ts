import type { App } from '#core/app/app.ts';
import type { Client } from '#shared/ipc/index.ts';
import type { Programs } from '../loopback/programs.ts';
import type { Arguments, CommandSpec } from './arguments.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Terminal } from '../process/terminal.ts';

/** Core on this home, and its client. */
export interface Workbench {
  readonly app: App;
  readonly client: Client;
}

/** The context of a running command. */
export interface Context {
  readonly terminal: Terminal;
  readonly programs: Programs;
  /** Aborted by SIGINT, SIGTERM, or if the reader of the output ends. */
  readonly stop: AbortSignal;
  /** Sets the handler of uncaught errors in this process; null restores the default, which ends the program. */
  readonly takeUncaught: (take: ((error: unknown) => void) | null) => void;
  /** Writes an error to a terminal, as the end of a command does. */
  readonly report: (error: unknown, terminal: Pick<Terminal, 'env' | 'note'>) => void;
  /** An open one, for a command that works for `croupier mcp`; without it, a command opens its own. */
  readonly workbench?: Workbench;
}

/** One command: its arguments and its function. */
export interface Command {
  readonly spec: CommandSpec;
  readonly run: (args: Arguments, context: Context) => Promise<ExitCode>;
}
