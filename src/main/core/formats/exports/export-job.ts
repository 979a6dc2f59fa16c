import type { Worker } from 'node:worker_threads';
import { AppError, type ErrorReply } from '#shared/errors.ts';
import type { KeptPart } from '#shared/ipc/index.ts';
import { isProgram } from '#shared/model/formats.ts';
import type { Received } from '../../calls/unrecorded-bodies.ts';
import type { RecordedCall } from '../write/recorded-call.ts';
import { exportFiles, writeExport, type CallFacts, type ExportSource, type ExportStep } from '../write/write-export.ts';

/** Input of an export. */
interface ExportStart {
  readonly files: readonly { readonly name: string; readonly mediaType: string }[];
  readonly environmentIds: readonly string[];
}

/** One part of an export: whole calls, as many as were written in a moment. */
export type ExportSlice = ExportStep & { readonly ended: boolean };

/** An export under way. */
export interface ExportJob {
  /** To be asked for first. Fails as the calls do. */
  begin(): Promise<ExportStart>;
  /** Fails with `refused` for texts that are not read, and as the calls do; then it is over. */
  next(): Promise<ExportSlice>;
  end(): Promise<void>;
}

/** Source of an export's calls. */
export interface ExportCalls {
  facts(id: number): { environmentId: string; operation: string; signed: boolean; maskedKeys: readonly string[] | null };
  call(id: number): RecordedCall['call'];
  part(id: number, part: KeptPart): Uint8Array;
}

/** A slice ends with the call that reaches one of these. */
const sliceUnits = 1_048_576;
const sliceMs = 200;

/** Writes an export in this thread, a slice at a time. */
export function createSlices(source: ExportSource, calls: ExportCalls) {
  let steps: ReturnType<typeof writeExport> | null = null;
  let masked = 0;
  const withParts = !isProgram(source.request.format);
  const part = (id: number, which: KeptPart) => (withParts ? calls.part(id, which) : new Uint8Array());
  const read = (id: number): RecordedCall => ({
    call: calls.call(id),
    body: part(id, 'body'),
    raw: part(id, 'raw'),
    sentRaw: part(id, 'sentRaw'),
  });
  return {
    begin(): ExportStart {
      const facts = factsOf(source.ids, calls);
      steps = writeExport(source, facts, read);
      return { files: exportFiles(source, facts), environmentIds: facts.environmentIds };
    },
    next(): ExportSlice {
      const until = performance.now() + sliceMs;
      const texts: string[] = [];
      const hidden: Uint8Array[] = [];
      let units = 0;
      for (;;) {
        const next = steps?.next();
        if (next === undefined || next.done === true)
          return { step: 'write', done: source.ids.length, texts, hidden, masked, ended: true };
        const { value } = next;
        for (const [at, text] of value.texts.entries()) {
          texts[at] = (texts[at] ?? '') + text;
          units += text.length;
        }
        hidden.push(...value.hidden);
        masked = value.masked;
        if (units < sliceUnits && performance.now() < until) continue;
        return { step: value.step, done: value.done, texts, hidden, masked, ended: false };
      }
    },
  };
}

/** Fails with `refused` for a call whose record differs from what was sent. */
function factsOf(ids: readonly number[], calls: ExportCalls): CallFacts {
  const environmentIds = new Set<string>();
  let operation: string | null = null;
  let signed = false;
  for (const id of ids) {
    const found = calls.facts(id);
    if (found.maskedKeys !== null) {
      throw new AppError(
        'refused',
        `Call ${id} contained the private key of ${found.maskedKeys.join(' and ')}, which the history masks, so it can't be exported as sent. Leave it out.`,
      );
    }
    environmentIds.add(found.environmentId);
    operation ??= found.operation;
    signed ||= found.signed;
  }
  return { operation: operation ?? '', environmentIds: [...environmentIds], signed };
}

/** An export in this thread: for a few short calls. */
export function createJobHere(source: ExportSource, calls: ExportCalls): ExportJob {
  const slices = createSlices(source, calls);
  return {
    begin: async () => slices.begin(),
    next: async () => slices.next(),
    end: () => Promise.resolve(),
  };
}

/** Start data of an export's thread. */
export interface ExportThreadData {
  readonly historyPath: string;
  readonly source: ExportSource;
  /** Answers that the history did not take, by call. */
  readonly unrecorded: readonly (readonly [id: number, received: Received])[];
}

export type ExportQuestion = 'begin' | 'next';
/** `exceeded`: the engine gave up on a text; `fault`: a mistake of ours. */
export type ExportReply =
  | { readonly start: ExportStart }
  | { readonly slice: ExportSlice }
  | { readonly error: ErrorReply }
  | { readonly exceeded: true }
  | { readonly fault: string };

/** Heap of the thread in MB: it holds the longest of the calls more than once, and the tokens of all. */
const heapMb = 384;
const undone = 'The export was not written';

/** An export in a thread of its own, which reads the history by itself. */
export function createJobInThread(program: string | URL, data: ExportThreadData): ExportJob {
  let worker: Worker | null = null;
  let waiting: { resolve: (reply: ExportReply) => void; reject: (error: unknown) => void } | null = null;
  let ended = false;

  function settle(work: (one: NonNullable<typeof waiting>) => void): void {
    const one = waiting;
    waiting = null;
    if (one !== null) work(one);
  }

  function started(): Worker {
    const { Worker: NodeWorker } = process.getBuiltinModule('node:worker_threads');
    const thread = new NodeWorker(program, {
      workerData: data,
      execArgv: [],
      stdout: false,
      stderr: false,
      // A limit that is reached ends the thread, not the program.
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16 },
    });
    thread.on('message', (reply: ExportReply) => settle(({ resolve }) => resolve(reply)));
    thread.on('error', (error) => {
      const tooMuch = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
      const refusal = new AppError(
        'refused',
        `${undone}: it needs more than ${heapMb} MB of memory. Export fewer calls at once.`,
      );
      settle(({ reject }) => reject(tooMuch ? refusal : error));
    });
    thread.on('exit', () => {
      const words = ended ? 'it was cancelled.' : 'its thread stopped. Try again.';
      settle(({ reject }) => reject(new AppError(ended ? 'cancelled' : 'internal', `${undone}: ${words}`)));
    });
    return thread;
  }

  function ask(question: ExportQuestion): Promise<ExportReply> {
    return new Promise((resolve, reject) => {
      if (ended) return reject(new AppError('cancelled', `${undone}: it was cancelled.`));
      waiting = { resolve, reject };
      worker ??= started();
      worker.postMessage(question);
    });
  }

  function failure(reply: ExportReply): Error {
    if ('error' in reply) return new AppError(reply.error.code, reply.error.message, reply.error.details);
    if ('exceeded' in reply)
      return new AppError('refused', `${undone}: a text of a call is too long for it. Export that call by itself as jsonl.`);
    return new Error(`The export failed: ${'fault' in reply ? reply.fault : 'an unexpected message arrived'}`);
  }

  return {
    async begin() {
      const reply = await ask('begin');
      if ('start' in reply) return reply.start;
      throw failure(reply);
    },
    async next() {
      const reply = await ask('next');
      if ('slice' in reply) return reply.slice;
      throw failure(reply);
    },
    async end() {
      if (ended) return;
      ended = true;
      await worker?.terminate();
    },
  };
}
