import { AppError } from '#shared/errors.ts';
import type { Call, Environment, ParsedInput, KeptPart } from '#shared/ipc/index.ts';
import { exportFormats, isProgram } from '#shared/model/formats.ts';
import type { Received } from '../../calls/unrecorded-bodies.ts';
import type { ExportSource } from '../write/write-export.ts';
import { smallBytes } from '../../untrusted/measure.ts';
import { createJobHere, createJobInThread, type ExportJob } from './export-job.ts';

export interface ExportJobsDeps {
  /** Path of the program of the thread that writes an export. */
  readonly program: string | URL;
  readonly historyPath: string;
  /** Settles the pending calls of dead sessions, so that a thread reads the same as this process. Fails with `storage`. */
  readonly settle: () => void;
  /** Fails with `not_found`. */
  readonly call: (id: number) => Call;
  /** Returns a part of a call, empty without it. */
  readonly body: (id: number, part: KeptPart) => Uint8Array;
  /** Returns an answer that the history did not take; null for any other. */
  readonly unrecorded: (id: number) => Received | null;
  readonly environments: () => readonly Environment[];
  readonly version: string;
  /** The runtime: `Node 24.21.0, linux x64`. */
  readonly runtime: string;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

/** Creates the job of an export, in this thread if it is short. Fails as the calls do, and with `invalid_input` and `conflict`. */
export type MakeExportJob = (request: ParsedInput<'exports.create'>) => { readonly job: ExportJob; readonly calls: number };

/** Number of calls up to which short ones are written in this thread. */
const fewCalls = 20;
/** Number of longer exports at a time, each of which has a thread. */
const mostThreads = 4;

export function createExportJobs(deps: ExportJobsDeps): MakeExportJob {
  /** Number of threads of exports, including those that are starting. */
  let threads = 0;

  function sourceOf(request: ParsedInput<'exports.create'>): ExportSource {
    if (request.form === 'resigning' && !isProgram(request.format)) {
      throw new AppError(
        'invalid_input',
        `Only these formats can sign again: ${exportFormats.flatMap(({ name, program }) => (program ? [name] : [])).join(', ')}.`,
      );
    }
    const ids = [...new Set(request.callIds)].sort((one, other) => one - other);
    const { version, runtime } = deps;
    return {
      request: { ...request, callIds: [] },
      ids,
      environments: [...deps.environments()],
      version,
      runtime,
      now: deps.now(),
    };
  }

  function jobOf(source: ExportSource): ExportJob {
    const { ids } = source;
    if (ids.length <= fewCalls) {
      const calls = new Map(ids.map((id) => [id, deps.call(id)]));
      const bytes = [...calls.values()].reduce((sum, call) => sum + bytesOf(call), 0);
      const call = (id: number) => calls.get(id) ?? deps.call(id);
      if (bytes <= smallBytes) return createJobHere(source, { call, part: deps.body, facts: (id) => factsOf(call(id)) });
    }
    if (threads >= mostThreads)
      throw new AppError('conflict', `${mostThreads} exports are under way. Wait for one to finish, or cancel one.`);
    deps.settle();
    const unrecorded = ids.flatMap((id) => {
      const received = deps.unrecorded(id);
      return received === null ? [] : [[id, received] as const];
    });
    const job = createJobInThread(deps.program, { historyPath: deps.historyPath, source, unrecorded });
    threads += 1;
    let ended = false;
    return {
      ...job,
      async end() {
        if (!ended) threads -= 1;
        ended = true;
        await job.end();
      },
    };
  }

  return (request) => {
    const source = sourceOf(request);
    return { job: jobOf(source), calls: source.ids.length };
  };
}

function bytesOf({ requestBytes, request, responseBytes, rawBytes }: Call): number {
  return requestBytes + (request.rawBytes ?? 0) + (responseBytes ?? 0) + (rawBytes ?? 0);
}

function factsOf(call: Call) {
  const { environmentId, operation, request, maskedKeys } = call;
  return { environmentId, operation: operation ?? '', signed: request.hashInput !== null, maskedKeys: maskedKeys ?? null };
}
