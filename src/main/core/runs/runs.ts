import { AppError } from '#shared/errors.ts';
import type { Environment, Output, ParsedInput, Payload, FinishedRequest, RunState } from '#shared/ipc/index.ts';
import type { KnownGames } from '#shared/provider/index.ts';
import type { Calls } from '../calls/calls.ts';
import type { EvaluateResponse } from '../collections/checks/response-evaluation.ts';
import { createRunPreparation, type PreparedRun, type PrepareRunDeps } from './prepare-run.ts';
import type { ReportInput } from './reports/reports.ts';
import type { OpenReport, ReportFiles } from './report-files.ts';
import { readyInPlan } from './request.ts';
import { createRun, type Run, type RunDeps, type RunJob } from './run.ts';

export interface RunsDeps extends PrepareRunDeps {
  readonly calls: Pick<Calls, 'announce' | 'confirmRun' | 'cancel'>;
  readonly evaluate: EvaluateResponse;
  /** `writeReport`, in a place where it may take its time. */
  readonly writeReport: (input: ReportInput) => Promise<string>;
  /** Returns the newest game list of an environment; null if none is known. */
  readonly games: (environmentId: string) => KnownGames | null;
  readonly files: ReportFiles;
  /** Of Croupier. */
  readonly version: string;
  /** Names this process among those that use the home, and holds its lock. */
  readonly process: () => string;
  readonly emit: (payload: Payload<'runs.progressed'>) => void;
  readonly onRemoved: (payload: Payload<'runs.removed'>) => void;
  readonly onFault: (error: unknown) => void;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  /** Returns milliseconds of a clock that only goes forward. */
  readonly monotonic: () => number;
  readonly newId: () => string;
}

/** Runs collections, in the background. Its members are those of the inside contract. */
export type Runs = ReturnType<typeof createRuns>;

/** A run of a collection, or of anything else whose entries can be made ready. */
interface AnyRun extends Pick<PreparedRun, 'part' | 'facts'> {
  readonly job: RunJob & { readonly environment: Environment };
  /** Called when nothing more is sent. */
  readonly onEnd?: () => void;
}

interface Going {
  readonly run: Run;
  readonly report: OpenReport;
  readonly ended: Promise<void>;
}

const extensions = {
  junit: { extension: 'xml', mediaType: 'application/xml' },
  json: { extension: 'json', mediaType: 'application/json' },
  html: { extension: 'html', mediaType: 'text/html' },
  gitlab: { extension: 'json', mediaType: 'application/json' },
  blob: { extension: 'jsonl', mediaType: 'application/x-ndjson' },
} as const;

export function createRuns(deps: RunsDeps) {
  const { calls, files, pass, now, monotonic } = deps;
  const going = new Map<string, Going>();
  const closing = new AbortController();
  const prepare = createRunPreparation(deps);
  let begun = 0;

  async function start(input: ParsedInput<'runs.start'>): Promise<Output<'runs.start'>> {
    return begin(await prepare(input, closing.signal));
  }

  async function begin(prepared: PreparedRun): Promise<Output<'runs.start'>> {
    const { plan, environment } = prepared.job;
    return beginAny(prepared, (runId) =>
      readyInPlan(plan, {
        runId,
        environment,
        session: () => deps.session(environment.id),
        games: () => deps.games(environment.id),
        announce: calls.announce,
        evaluate: deps.evaluate,
        now,
        newId: deps.newId,
        onFault: deps.onFault,
      }),
    );
  }

  /** Begins a run whose entries `readyIn` makes ready, by the ID of the run. */
  async function beginAny(
    { job, facts, part, onEnd }: AnyRun,
    readyIn: (runId: string) => RunDeps['ready'],
  ): Promise<Output<'runs.start'>> {
    closing.signal.throwIfAborted();
    const { environment, options } = job;
    const startedAt = now();
    // Names sort by time, also those of one millisecond.
    const runId = `${startedAt.toString(36)}${(begun++).toString(36).padStart(2, '0')}-${deps.newId().replaceAll('-', '').slice(0, 8)}`;
    let report: OpenReport | null = null;
    const progress = createRunProgress({
      emit: (state, finished) => deps.emit({ runId, state, ...run.progress(), finished }),
      later: deps.later,
    });

    const run = createRun(
      { ...job, options },
      {
        runId,
        ready: readyIn(runId),
        cancelCall: (ticket) => void calls.cancel(ticket),
        later: deps.later,
        onFault: deps.onFault,
        onDone(request) {
          report?.add(request);
          progress.add(request);
        },
      },
    );
    const { collectionId, collection, path, repeat, hasData, warnings } = facts;
    const ids = { runId, collectionId, collection, path, environmentId: environment.id, environment: environment.name };
    const { planned } = run;
    const shared = part === null ? {} : { part: { ...part, version: deps.version } };
    report = await files.begin({ ...ids, startedAt, planned, process: deps.process(), repeat, hasData, warnings, ...shared });
    const opened = report;
    // A close that happens meanwhile does not know this run yet.
    if (closing.signal.aborted) run.cancel();
    const from = monotonic();
    const ended = run.begin().then(async () => {
      onEnd?.();
      const state = run.outcome;
      const durationMs = Math.round((monotonic() - from) * 1_000) / 1_000;
      await opened.end({ state, durationMs, totals: run.progress().totals });
      going.delete(runId);
      progress.tell(state);
    });
    going.set(runId, { run, report: opened, ended });
    return { runId, planned, warnings, notes: [...job.iterations.notes] };
  }

  async function settled(runId: string): Promise<void> {
    await going.get(runId)?.report.flush();
  }

  return {
    start,
    begin: beginAny,
    cancel(runId: string): boolean {
      const found = going.get(runId);
      found?.run.cancel();
      return found !== undefined;
    },
    async list(collectionId: string | undefined): Promise<Output<'runs.list'>> {
      await Promise.all([...going.keys()].map(settled));
      const runs = await files.list();
      return { runs: runs.filter((one) => collectionId === undefined || one.collectionId === collectionId) };
    },
    async requests({ runId, from, limit }: ParsedInput<'runs.requests'>): Promise<Output<'runs.requests'>> {
      await settled(runId);
      return files.part(runId, from, limit);
    },
    async export({ runId, as }: ParsedInput<'runs.export'>): Promise<Output<'runs.export'>> {
      await settled(runId);
      const [{ environmentId, part }, bytes] = [await files.start(runId), await files.read(runId)];
      if (as === 'blob' && part === undefined)
        throw new AppError('invalid_input', "This run isn't split into parts. Run it with a shard.");
      const text = as === 'blob' ? Buffer.from(bytes).toString('utf8') : await deps.writeReport({ bytes, as });
      const passed = await pass('report', [text], { of: [environmentId] });
      const { extension, mediaType } = extensions[as];
      return { name: `run-${runId}.${extension}`, mediaType, text: passed(text) };
    },
    async naming(...asked: Parameters<ReportFiles['naming']>): ReturnType<ReportFiles['naming']> {
      await Promise.all([...going.keys()].map(settled));
      return files.naming(...asked);
    },
    async remove(runIds: readonly string[]): Promise<void> {
      await files.remove(runIds);
      if (runIds.length > 0) deps.onRemoved({ runIds: [...runIds] });
    },
    /** Cancels runs that go on and waits until they are recorded and reported. */
    async close(): Promise<void> {
      closing.abort(new AppError('cancelled', 'Croupier is closing. Nothing was sent.'));
      const all = [...going.values()];
      for (const { run } of all) run.cancel();
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

interface RunProgressDeps {
  readonly emit: (state: RunState, finished: FinishedRequest[]) => void;
  /** Calls back once after a number of milliseconds and returns the function that cancels this. */
  readonly later: (run: () => void, milliseconds: number) => () => void;
}

const progressMs = 100;
/** Number of requests after which a fast run reports before `progressMs`, so that no event is large. */
const mostFinished = 500;

/** Gathers the finished requests of a run, so that its listeners hear of them together. */
export function createRunProgress({ emit, later }: RunProgressDeps) {
  let finished: FinishedRequest[] = [];
  let callOff: (() => void) | null = null;

  /** Reports the gathered requests, now. */
  function tell(state: RunState): void {
    callOff?.();
    callOff = null;
    const batch = finished;
    finished = [];
    emit(state, batch);
  }

  return {
    add(request: FinishedRequest): void {
      finished.push(request);
      if (finished.length >= mostFinished) tell('running');
      else callOff ??= later(() => tell('running'), progressMs);
    },
    tell,
  };
}
