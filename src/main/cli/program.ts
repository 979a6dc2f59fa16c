import { AppError, placeOf } from '#shared/errors.ts';
import { describeFault, errorForLog, isFault } from '#shared/faults.ts';
import { isSecretValue } from '#shared/secrets/secret-names.ts';
import { helpText, readArguments, suggestion, UsageError, withUsage } from './arguments.ts';
import { commands, findCommand } from './commands.ts';
import { exitOfError, exits, type Context, type ExitCode } from './command.ts';
import type { Programs } from '../loopback/programs.ts';
import { endProcess } from '../process/end.ts';
import { ownTerminal, type Lost, type Terminal } from '../process/terminal.ts';

/** Runs one command line in this process and ends it with the exit code. */
export async function run(args: readonly string[], programs: Programs): Promise<void> {
  const stop = new AbortController();
  const losses: Lost[] = [];
  const terminal = ownTerminal((loss) => {
    losses.push(loss);
    stop.abort();
  });
  stop.signal.addEventListener('abort', terminal.endInput);
  const asked = { json: args.includes('--json') || args.includes('-j'), typed: args };
  let take: ((error: unknown) => void) | null = null;
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => (take === null ? endProcess(report(error, terminal, asked)) : take(error)));
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // The second signal ends at once.
      if (stop.signal.aborted) endProcess(exits.noAnswer);
      stop.abort();
    });
  }
  const takeUncaught: Context['takeUncaught'] = (taker) => (take = taker);
  const context = { terminal, programs, stop: stop.signal, takeUncaught, report };
  const code = await execute(args, context).catch((error: unknown) =>
    // It was stopped because nobody reads: there is nobody to tell.
    losses.length > 0 && error instanceof AppError && error.code === 'cancelled' ? exits.done : report(error, terminal, asked),
  );
  await terminal.flush();
  const last = code === exits.done ? exitOfLosses(losses, terminal) : code;
  await terminal.flush();
  endProcess(last);
}

/** Returns the exit code of a command that did all but print its result: a script must not take a part of it for all. */
function exitOfLosses(losses: readonly Lost[], terminal: Pick<Terminal, 'note'>): ExitCode {
  const unwritten = losses.find(({ reader }) => !reader);
  if (unwritten === undefined) return losses.length > 0 ? exits.noAnswer : exits.done;
  terminal.note(`croupier: The result could not be written: ${unwritten.message}. Check the free space, and run it again.`);
  return exits.fault;
}

async function execute(args: readonly string[], context: Context): Promise<ExitCode> {
  const { terminal, programs } = context;
  const words = args[0] === 'help' ? [...args.slice(1), '--help'] : args;
  const found = findCommand(words);
  if (found === null) {
    if (words.includes('--version') || words.includes('-v')) {
      await terminal.result(programs.version());
      return exits.done;
    }
    return overview(words, terminal);
  }
  const { spec, run: runCommand } = await found.entry.load();
  if (found.rest.includes('--help') || found.rest.includes('-h')) {
    await terminal.result(helpText(spec));
    return exits.done;
  }
  return withUsage(spec, async () => runCommand(readArguments(spec, found.rest), context));
}

/** Prints the list of commands, or those of one group; refuses an unknown name. */
async function overview(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const typed = words.filter((word) => !word.startsWith('-'));
  const asked = words.length === 0 || words.includes('--help') || words.includes('-h');
  const group = commands.filter(({ name }) => name.startsWith(`${typed[0] ?? ''} `));
  const listed = group.length > 0 ? group : commands;
  if (asked && (typed.length === 0 || group.length > 0)) {
    const width = Math.max(...listed.map(({ name }) => name.length));
    await terminal.result('Usage: croupier COMMAND [options]\n');
    for (const { name, summary } of listed) await terminal.result(`  ${name.padEnd(width)}  ${summary}`);
    await terminal.result('\n"croupier COMMAND --help" shows the options of a command.');
    return exits.done;
  }
  if (group.length > 0 && typed.length === 1) {
    throw new AppError('invalid_input', `Name the command: ${listed.map(({ name }) => name).join(', ')}.`);
  }
  const names = commands.map(({ name }) => name);
  if (group.length > 0) {
    // The second word is not quoted, because a key may have been typed there by mistake.
    const near = suggestion(typed.slice(0, 2).join(' '), names);
    throw new AppError(
      'invalid_input',
      `"${typed[0] ?? ''}" has no subcommand of that name.${near} To list all commands, use "croupier --help".`,
    );
  }
  const attempt = typed[0] ?? words[0] ?? '';
  const near = suggestion(attempt, [...names, ...names.map((name) => name.split(' ')[0] ?? '')]);
  throw new AppError(
    'invalid_input',
    `There is no command ${JSON.stringify(attempt)}.${near} To list all commands, use "croupier --help".`,
  );
}

/** Returns a text without what was typed that looks like a key: one that was put in the wrong place must not end in a log. */
function withoutTyped(text: string, typed: readonly string[]): string {
  const hidden = typed.flatMap((one) => [one, one.slice(one.indexOf('=') + 1), ...one.split('=')]).filter(isSecretValue);
  return hidden.reduce((rest, one) => rest.replaceAll(one, '[hidden]'), text);
}

/**
 * Reports an error and returns its exit code: in one line for people, or as `{"error":{"code","message","exit",…}}` beside a result in
 * JSON. Prints a stack only if CROUPIER_DEBUG is set.
 */
export function report(
  error: unknown,
  { env, note: write }: Pick<Terminal, 'env' | 'note'>,
  { json = false, typed = [] }: { readonly json?: boolean; readonly typed?: readonly string[] } = {},
): ExitCode {
  const terminal: Pick<Terminal, 'note'> = { note: (line, toned) => write(withoutTyped(line, typed), toned) };
  const debug = env['CROUPIER_DEBUG'] !== undefined;
  if (debug && isFault(error)) noteLines(errorForLog(error), terminal);
  else if (debug && error instanceof Error) noteLines(error.stack ?? '', terminal);
  const { code, message, details } = error instanceof AppError ? error : asFault(error, debug);
  const exit = exitOfError[code];
  if (json) {
    terminal.note(
      JSON.stringify({ error: { code, message: oneLine(message), exit, ...placeOf(details), ...problemsOf(details) } }),
    );
    return exit;
  }
  const { headline = message, problems = [] } = problemsOf(details);
  const at = placeOf(details);
  const place = at === null ? '' : ` (line ${at.line}, column ${at.column})`;
  terminal.note(`croupier: ${oneLine(headline)}${place}`, ['croupier:', 'bad']);
  for (const problem of problems) terminal.note(`  ${oneLine(problem)}`);
  if (error instanceof UsageError) noteLines(error.usage, terminal);
  return exit;
}

/** Returns the error of a fault of Croupier, with advice. */
function asFault(error: unknown, debug: boolean): AppError {
  const advice = debug ? 'report the lines above' : 'set CROUPIER_DEBUG=1 and report the output';
  return new AppError(
    'internal',
    `An error in Croupier stopped this command (${describeFault(error).message}). Run it again. If that fails, ${advice}.`,
  );
}

function noteLines(text: string, terminal: Pick<Terminal, 'note'>): void {
  for (const line of text.split('\n')) terminal.note(line);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]+\s*/g, ' ');
}

/** Returns the problems that an error lists, to be printed one per line below its headline. */
function problemsOf(details: unknown): { readonly headline?: string; readonly problems?: readonly string[] } {
  if (typeof details !== 'object' || details === null || !('headline' in details) || !('problems' in details)) return {};
  return details as { headline: string; problems: readonly string[] };
}
