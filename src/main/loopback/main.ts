import { parseArgs } from 'node:util';
import { AppError } from '#shared/errors.ts';
import { errorForLog, isFault } from '#shared/faults.ts';
import { locatePrograms } from './programs.ts';
import { endNow, serve } from './serve.ts';

/** Runs the browser host as a program, for `npm start`. */
async function main(): Promise<void> {
  let take: ((error: unknown) => void) | null = null;
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => (take === null ? fail(error) : take(error)));
  }
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      'no-open': { type: 'boolean', default: false },
      log: { type: 'boolean', default: false },
    },
  });
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // The second one does not wait for anything.
      if (stop.signal.aborted) endNow();
      stop.abort();
    });
  }
  await serve({
    port: values.port === undefined ? null : Number(values.port),
    open: !values['no-open'],
    log: values.log,
    env: process.env,
    stdin: process.stdin,
    print: (line) => process.stdout.write(`${line}\n`),
    note: (line) => process.stderr.write(`${line}\n`),
    programs: locatePrograms(import.meta.filename),
    stop: stop.signal,
    takeUncaught: (taker) => (take = taker),
    endNow,
  });

  /** Ends the program after an error that left nothing running. */
  function fail(error: unknown): void {
    say(error);
    stop.abort();
  }
}

let saidWhatToDo = false;

/** Says why the host ends, and once what to do if it is a fault. */
function say(error: unknown): void {
  for (const line of errorForLog(error).split('\n')) process.stderr.write(`croupier: ${line}\n`);
  if (isFault(error) && !saidWhatToDo)
    process.stderr.write('croupier: That is a fault of Croupier. Start it again; if it stays, report these lines.\n');
  saidWhatToDo ||= isFault(error);
  process.exitCode = error instanceof AppError && error.code !== 'internal' ? 2 : 70;
}

main()
  .catch(say)
  // Nothing is open any more. A socket or a keychain that waits all the same does not keep the process, which ends with its exit code.
  .then(() => setTimeout(() => process.exit(), 1_000).unref())
  .catch(say);
