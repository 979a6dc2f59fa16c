import { setFlagsFromString } from 'node:v8';
import { AppError } from '#shared/errors.ts';
import type { Client, Confirmed, FinishedRequest, Output, Payload, RunSummary } from '#shared/ipc/index.ts';
import type { Arguments } from '../arguments.ts';
import { exits, type Context, type ExitCode } from '../command.ts';
import { progressText, type FinishedRun, type Line } from './run-lines.ts';
import { confirming } from '../production.ts';

/** Lines and files that a command makes of a run. With `--json`, the lines are not printed. */
export interface RunView {
  /** Takes a request that is done. */
  readonly finished: (finished: FinishedRequest) => readonly Line[];
  readonly ended: (run: FinishedRun) => Promise<readonly Line[]>;
  readonly write: (runId: string) => Promise<void>;
}

/** Returns the ID of the run that an option names, where `last` is the first of these. Fails with `not_found` if there is none. */
export function runNamed(given: string | undefined, runs: readonly RunSummary[]): string | null {
  if (given !== 'last') return given ?? null;
  const [last] = runs;
  if (last !== undefined) return last.runId;
  throw new AppError('not_found', 'This home has no such run yet.');
}

/** Starts a run and shows it to its end; a stop cancels it. Returns the exit code of the command. */
export async function runToEnd(
  client: Client,
  start: (confirmed: Confirmed) => Promise<Output<'runs.start'>>,
  view: RunView,
  args: Arguments,
  context: Context,
): Promise<ExitCode> {
  const { terminal, stop } = context;
  const json = args.has('json');
  let printed = Promise.resolve();
  const print = (lines: readonly Line[], document: object) => {
    for (const [line, toned] of json ? [[JSON.stringify(document)] as const] : lines)
      printed = printed.then(() => {
        terminal.progress('');
        return json ? terminal.result(line) : terminal.line(line, toned);
      });
    return printed;
  };
  let asked = false;
  let answered = false;
  const end = Promise.withResolvers<Payload<'runs.progressed'>>();
  const stopListening = client.on('runs.progressed', (progress) => {
    for (const finished of progress.finished) {
      asked ||= finished.request.callId !== null;
      answered ||= finished.request.status !== null;
      void print(view.finished(finished), finished);
    }
    const running = progress.state === 'running';
    printed = printed.then(() => terminal.progress(running ? progressText(progress) : ''));
    if (!running) end.resolve(progress);
  });
  // Collects garbage before the heap grows to twice the memory in use, so that a long run stays small at the same speed.
  setFlagsFromString('--heap-growing-percent=40');
  const from = performance.now();
  const { runId, warnings, notes } = await confirming(args, context, start);
  for (const warning of [...notes, ...warnings]) terminal.note(`croupier: ${warning}`);
  const cancel = () => void client.call('runs.cancel', { runId }).catch(() => undefined);
  stop.addEventListener('abort', cancel);
  if (stop.aborted) cancel();
  const { state, totals } = await end.promise;
  stop.removeEventListener('abort', cancel);
  stopListening();
  const summary = (await client.call('runs.list', {})).runs.find((run) => run.runId === runId);
  // A full disk may have cost the report its end.
  const durationMs = summary?.durationMs ?? performance.now() - from;
  const finished = { runId, state, totals, durationMs, warnings };
  await print(await view.ended(finished), finished);
  await view.write(runId);
  // Reports are made from the run's file, which lacks lines after a full disk.
  const isWhole = summary?.state === state && summary.totals.requests === totals.requests;
  if (!isWhole) terminal.note('croupier: the reports of this run are incomplete. Check the free disk space.');
  if (state === 'interrupted') return exits.fault;
  if (totals.failed + totals.errored > 0) return asked && !answered ? exits.noAnswer : exits.checksFailed;
  if (state === 'cancelled') return exits.noAnswer;
  return totals.unrecorded > 0 || !isWhole ? exits.fault : exits.done;
}
