import type { App } from '#core/app/app.ts';
import type { ErrorCode } from '#shared/errors.ts';
import type { Client } from '#shared/ipc/index.ts';
import type { Programs } from '../loopback/programs.ts';
import type { Arguments, CommandSpec } from './arguments.ts';
import type { Terminal, Toned } from '../process/terminal.ts';

/** Exit codes of the command line. */
export const exits = {
  done: 0,
  /** A run finished, and a request did not pass. */
  checksFailed: 1,
  /** Invalid arguments or data, or a rule of Croupier. */
  refused: 2,
  /** The provider returned another code than 0. */
  otherCode: 3,
  /** Network, TLS, timeout, cancelled. */
  noAnswer: 4,
  /** The key is missing, locked or refused by the keychain. */
  key: 5,
  /** A fault of Croupier or of its data, also if outcomes of a run are not in the history. */
  fault: 70,
} as const;
export type ExitCode = (typeof exits)[keyof typeof exits];

/** Each exit code in words. */
export const exitWords: Readonly<Record<ExitCode, string>> = {
  0: 'Success. For a call: the provider returned code 0.',
  1: 'The command finished, but a check failed: a request in a run, a hash, a probe or evidence.',
  2: 'The arguments or data are invalid, or Croupier refused to do what you asked.',
  3: 'The provider returned a code other than 0.',
  4: 'No response: network, TLS, timeout, or cancelled.',
  5: 'The key is missing, locked or refused by the keychain.',
  70: 'An error in Croupier or its data, or the result could not be written.',
};

/** Exit codes by the code of a refusal. */
export const exitOfError: Readonly<Record<ErrorCode, ExitCode>> = {
  invalid_input: exits.refused,
  not_found: exits.refused,
  conflict: exits.refused,
  refused: exits.refused,
  unsupported: exits.refused,
  cancelled: exits.noAnswer,
  key_missing: exits.key,
  key_unavailable: exits.key,
  storage: exits.fault,
  internal: exits.fault,
};

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

/** Returns the toned part of a line about a call that has a code. */
export function tonedCode(code: number | null): Toned | undefined {
  return code === null ? undefined : [`code ${code}`, code === 0 ? 'good' : 'bad'];
}

/** Prints a result, one JSON document with --json and otherwise lines for people, and returns the exit code of success. */
export async function printResult(
  args: Arguments,
  terminal: Terminal,
  document: unknown,
  lines: readonly string[],
  indent = 2,
): Promise<ExitCode> {
  if (args.has('json')) await terminal.result(JSON.stringify(document, null, indent));
  else for (const line of lines) await terminal.line(line);
  return exits.done;
}

/** One command: its arguments and its function. */
export interface Command {
  readonly spec: CommandSpec;
  readonly run: (args: Arguments, context: Context) => Promise<ExitCode>;
}
