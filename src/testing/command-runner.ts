import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readArguments } from '../main/cli/arguments.ts';
import type { Command, ExitCode } from '../main/cli/command.ts';
import type { Terminal } from '../main/process/terminal.ts';
import { locatePrograms } from '../main/loopback/programs.ts';

/** Output of a command. */
export interface Said {
  readonly printed: string[];
  /** Notes and progress, in their order. */
  readonly told: string[];
}

interface Run {
  /** Text typed on a terminal; without it there is no terminal. */
  readonly typed?: string;
  readonly stop?: AbortSignal;
  /** Environment variables besides the home. */
  readonly env?: Readonly<Record<string, string>>;
  /** Gets the notes and progress of the command while it runs. */
  readonly onTold?: (text: string) => void;
}

/** Runs a command on a home in the process of the test, for what need not be seen from outside. Empties `said` first. */
export function runCommand(
  command: Command,
  { home, said }: { readonly home: string; readonly said: Said },
  args: readonly string[],
  { typed, stop = new AbortController().signal, env = {}, onTold = () => undefined }: Run = {},
): Promise<ExitCode> {
  said.printed.length = said.told.length = 0;
  const print = async (text: string) => void said.printed.push(text);
  const tell = (text: string) => {
    said.told.push(text);
    onTold(text);
  };
  const terminal: Terminal = {
    stdin: Readable.from(typed === undefined ? [] : [Buffer.from(typed)]),
    env: { CROUPIER_HOME: home, ...env },
    interactive: typed !== undefined,
    line: print,
    result: print,
    resultBytes: (bytes) => print(Buffer.from(bytes).toString('utf8')),
    note: tell,
    ask: tell,
    progress: tell,
    hide: () => undefined,
  };
  const programs = locatePrograms(join(import.meta.dirname, '..', 'main', 'cli', 'main.ts'));
  return command.run(readArguments(command.spec, args), {
    terminal,
    programs,
    stop,
    takeUncaught: () => undefined,
    report: () => undefined,
  });
}
