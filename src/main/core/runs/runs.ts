import { folderOf, nameOf, requestOfFile } from '#shared/collections/file-names.ts';
import { shortened } from '#shared/collections/run-words.ts';
import type { Variables } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import type { Environment, Output, ParsedInput, Payload } from '#shared/ipc/index.ts';
import type { KnownGames } from '#shared/provider/index.ts';
import type { Calls } from '../calls/calls.ts';
import type { Look } from '../collections/checks/response-checks.ts';
import { createDirectory } from '../collections/directory.ts';
import type { FileReader } from '../collections/file-reader.ts';
import { createScanner } from '../collections/tree.ts';
import { needsKey, requireChecks, textsOf } from './check-plan.ts';
import { failedOf } from './failed-of.ts';
import { prepareIterations, type Iterations } from './iterations.ts';
import { readPlan, unused, type Plan } from './plan.ts';
import type { ReportInput } from './reports/reports.ts';
import type { OpenReport, ReportFiles } from './report-files.ts';
import type { RunStart } from './report-lines.ts';
import { createRun, type Run } from './run.ts';
import { effectOfRun } from './run-effect.ts';
import { createRunProgress } from './run-progress.ts';

export interface RunsDeps {
  readonly reader: FileReader;
  readonly calls: Pick<Calls, 'announce' | 'confirmRun' | 'cancel'>;
  readonly look: Look;
  /** `writeReport`, where it may take its time. */
  readonly writeReport: (input: ReportInput) => Promise<string>;
  /** Fails with `not_found`. */
  readonly environment: (id: string) => Environment;
  /** What an environment gives to requests besides its settings. */
  readonly session: (environmentId: string) => Variables;
  /** The newest game list of an environment; null where none is known. */
  readonly games: (environmentId: string) => KnownGames | null;
  /** An open collection by its id, or one by its directory. Fails with `not_found` and `invalid_input`. */
  readonly locate: (where: {
    collectionId?: string;
    directory?: string;
  }) => Promise<{ id: string; directory: string; name: string }>;
  /** Fails with `key_missing` or `key_unavailable` where the environment's key cannot be used. */
  readonly requireKey: (environmentId: string) => Promise<void>;
  /** Whether a text holds the key of that environment or, as far as can be told, of another one. Fails where that one cannot be asked. */
  readonly holdsKey: (environmentId: string, text: string) => Promise<boolean>;
  readonly files: ReportFiles;
  /** Names this process among those that use the home, and holds its lock. */
  readonly process: () => string;
  readonly emit: (payload: Payload<'runs.progressed'>) => void;
  readonly onRemoved: (payload: Payload<'runs.removed'>) => void;
  readonly onFault: (error: unknown) => void;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonic: () => number;
  readonly newId: () => string;
}

/** Runs collections, in the background. Its members are those of the inside contract. */
export interface Runs {
  start(input: ParsedInput<'runs.start'>): Promise<Output<'runs.start'>>;
  cancel(runId: string): boolean;
  list(collectionId: string | undefined): Promise<Output<'runs.list'>>;
  requests(input: ParsedInput<'runs.requests'>): Promise<Output<'runs.requests'>>;
  export(input: ParsedInput<'runs.export'>): Promise<Output<'runs.export'>>;
  readonly naming: ReportFiles['naming'];
  readonly remove: ReportFiles['remove'];
  /** Cancels what goes on and waits until it is recorded and reported. */
  close(): Promise<void>;
}

interface Going {
  readonly run: Run;
  readonly report: OpenReport;
  readonly ended: Promise<void>;
}

const mostPlanned = 1_000_000;

const extensions = {
  junit: { extension: 'xml', mediaType: 'application/xml' },
  json: { extension: 'json', mediaType: 'application/json' },
  html: { extension: 'html', mediaType: 'text/html' },
} as const;

/** A run reads the files of its collection and writes none. */
const neverWritten = () => Promise.resolve();

export function createRuns(deps: RunsDeps): Runs {
  const { calls, files, holdsKey, now, monotonic } = deps;
  const going = new Map<string, Going>();
  const closing = new AbortController();
  let begun = 0;

  async function refuseKey(environmentId: string, text: string, what: string): Promise<void> {
    if (text === '' || !(await holdsKey(environmentId, text))) return;
    throw new AppError(
      'refused',
      `Nothing was run: ${what} hold the private key of an environment. Take it out; calls are signed without it.`,
    );
  }

  async function start(input: ParsedInput<'runs.start'>): Promise<Output<'runs.start'>> {
    const { path, environmentId, options } = input;
    const environment = deps.environment(environmentId);
    const where = await deps.locate({
      ...(input.collectionId === undefined ? {} : { collectionId: input.collectionId }),
      ...(input.directory === undefined ? {} : { directory: input.directory }),
    });
    const scan = createScanner(where.directory, deps.reader, closing.signal);
    const directory = createDirectory(where.directory, {
      reader: deps.reader,
      checkText: neverWritten,
      replacing: { replace: neverWritten },
    });
    const plan = await readPlan({ scan, files: directory }, path, options.unreadable);
    if (options.requireChecks) requireChecks(plan);
    for (const texts of textsOf(plan)) await refuseKey(environmentId, texts, 'the files');
    await refuseKey(environmentId, Object.values(options.variables).join('\n'), 'the variables');
    const iterations = await prepareIterations(options, (values) => refuseKey(environmentId, values, 'the data rows'));
    const facts = { collectionId: where.id, hasData: options.data !== null, repeat: options.repeat };
    const only = options.failedOf === null ? null : await failedOf(files, options.failedOf, plan, facts);
    if (plan.requests.length * iterations.count > mostPlanned) {
      throw new AppError(
        'invalid_input',
        `This would be more than ${mostPlanned.toLocaleString('en')} requests. Run fewer at once.`,
      );
    }
    const name = titleOf(where.name, path);
    if (environment.production) {
      const session = deps.session(environmentId);
      const effect = await effectOfRun({ name, plan, iterations, only, environment, session, now: now() });
      calls.confirmRun(environment, effect, input.confirmed);
    }
    if (plan.requests.some((request) => needsKey(request, environment.answers))) await deps.requireKey(environmentId);
    closing.signal.throwIfAborted();
    const warnings = shortened([
      ...plan.warnings,
      ...unused('a variable of this run', Object.keys(options.variables), plan),
      ...unused('which is in the data', iterations.names, plan),
    ]);
    return begin({ plan, iterations, only, environment, options }, { ...facts, path, collection: name, warnings });
  }

  async function begin(
    job: { plan: Plan; iterations: Iterations; only: Map<number, number[]> | null; environment: Environment } & Pick<
      ParsedInput<'runs.start'>,
      'options'
    >,
    facts: Pick<RunStart, 'collectionId' | 'hasData' | 'repeat' | 'path' | 'collection' | 'warnings'>,
  ): Promise<Output<'runs.start'>> {
    const { environment, options } = job;
    const startedAt = now();
    // Names sort by time, also those of one millisecond.
    const runId = `${startedAt.toString(36)}${(begun++ % 1_296).toString(36).padStart(2, '0')}-${deps.newId().replaceAll('-', '').slice(0, 8)}`;
    let report: OpenReport | null = null;
    const progress = createRunProgress({
      emit: (state, finished) => deps.emit({ runId, state, ...run.progress(), finished }),
      later: deps.later,
    });

    const run = createRun(
      { ...job, options },
      {
        runId,
        environment,
        session: () => deps.session(environment.id),
        games: () => deps.games(environment.id),
        announce: calls.announce,
        cancelCall: (ticket) => void calls.cancel(ticket),
        look: deps.look,
        now,
        newId: deps.newId,
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
    report = await files.begin({ ...ids, startedAt, planned, process: deps.process(), repeat, hasData, warnings });
    const opened = report;
    // What closes meanwhile does not know this run yet.
    if (closing.signal.aborted) run.cancel();
    const from = monotonic();
    const ended = run.begin().then(async () => {
      const state = run.cancelled ? 'cancelled' : 'finished';
      const durationMs = Math.round((monotonic() - from) * 1_000) / 1_000;
      await opened.end({ state, durationMs, totals: run.progress().totals });
      going.delete(runId);
      progress.tell(state);
    });
    going.set(runId, { run, report: opened, ended });
    return { runId, planned, warnings };
  }

  async function settled(runId: string): Promise<void> {
    await going.get(runId)?.report.flush();
  }

  return {
    start,
    cancel(runId) {
      const found = going.get(runId);
      found?.run.cancel();
      return found !== undefined;
    },
    async list(collectionId) {
      await Promise.all([...going.keys()].map(settled));
      const runs = await files.list();
      return { runs: runs.filter((one) => collectionId === undefined || one.collectionId === collectionId) };
    },
    async requests({ runId, from, limit }) {
      await settled(runId);
      return files.part(runId, from, limit);
    },
    async export({ runId, as }) {
      await settled(runId);
      const [{ environmentId }, bytes] = [await files.start(runId), await files.read(runId)];
      const text = await deps.writeReport({ bytes, as });
      if (await holdsKey(environmentId, text)) {
        throw new AppError(
          'refused',
          'Nothing was exported: the private key of an environment is in what was received. Replace that key.',
          { environmentId },
        );
      }
      const { extension, mediaType } = extensions[as];
      return { name: `run-${runId}.${extension}`, mediaType, text };
    },
    async naming(naming, stop) {
      await Promise.all([...going.keys()].map(settled));
      return files.naming(naming, stop);
    },
    async remove(runIds) {
      await files.remove(runIds);
      if (runIds.length > 0) deps.onRemoved({ runIds: [...runIds] });
    },
    async close() {
      closing.abort(new AppError('cancelled', 'The workbench is closing. Nothing was sent.'));
      const all = [...going.values()];
      for (const { run } of all) run.cancel();
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

/** The collection's name, with the part of it that is run. */
function titleOf(name: string, path: string): string {
  if (path === '') return name;
  const own = requestOfFile(nameOf(path)) ?? nameOf(path);
  return [name, folderOf(path), own].filter((part) => part !== '').join('/');
}
