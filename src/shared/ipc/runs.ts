import { Variables } from '../collections/model.ts';
import { ReportedRequest, RunTotals } from '../collections/run-report.ts';
import { call, event, z } from './contract.ts';

const RunId = z.string().min(1).max(100);

/** Rows of variables: one pass through the requests for each. The text itself, or the whole path of a file. */
export const RunData = z.strictObject({
  format: z.enum(['csv', 'jsonl']),
  text: z.string().max(33_554_432).optional(),
  file: z.string().max(4_000).optional(),
});
export type RunData = z.infer<typeof RunData>;

export const RunOptions = z.strictObject({
  /** How often the requests are run; with data, how often each of its rows is. */
  repeat: z.number().int().min(1).max(1_000_000).default(1),
  /** Milliseconds between the end of a request and the start of the next one in its place. */
  delayMs: z.number().int().min(0).max(3_600_000).default(0),
  /** So many requests at once, where they don't wait for each other's answers. */
  parallel: z.number().int().min(1).max(100).default(1),
  /** Stops at the first request that does not pass. */
  bail: z.boolean().default(false),
  /** What a file that can't be read does: the run is refused, or the request is reported as an error. */
  unreadable: z.enum(['refuse', 'report']).default('refuse'),
  /** Variables of the run itself; a data row comes before them. */
  variables: Variables.default({}),
  data: RunData.nullable().default(null),
  /** Runs only what did not pass in that run, and what it depends on; everything else has to be given as it was then. */
  failedOf: RunId.nullable().default(null),
});
export type RunOptions = z.infer<typeof RunOptions>;

/** `interrupted`: the program ended before the run did; what was reported until then is there. */
export const RunState = z.enum(['running', 'finished', 'cancelled', 'interrupted']);
export type RunState = z.infer<typeof RunState>;

export const RunSummary = z.strictObject({
  runId: RunId,
  /** Made from the collection's directory, as in `collections.list`. */
  collectionId: z.string(),
  collection: z.string(),
  /** What was run: a request with its `.yaml`, a folder, or empty for all. */
  path: z.string(),
  environmentId: z.string(),
  environment: z.string(),
  /** Milliseconds since the epoch. */
  startedAt: z.number().int(),
  /** Null while it runs and where it was interrupted. */
  durationMs: z.number().nullable(),
  state: RunState,
  /** How many requests it has in all. */
  planned: z.number().int(),
  /** Of those that are done. */
  totals: RunTotals,
});
export type RunSummary = z.infer<typeof RunSummary>;

/** A request that is done, and where it belongs. */
export const FinishedRequest = z.strictObject({
  /** From 1. */
  iteration: z.number().int(),
  row: z.number().int().nullable(),
  request: ReportedRequest,
});
export type FinishedRequest = z.infer<typeof FinishedRequest>;

/** The same with its place in the plan, which is the order within an iteration. */
export const PlacedRequest = FinishedRequest.extend({ index: z.number().int() });
export type PlacedRequest = z.infer<typeof PlacedRequest>;

export const runCalls = {
  /**
   * Reads the files, then runs in the background. Exactly one of `collectionId` and `directory` is given. Fails with `invalid_input` (files or
   * data that can't be read), `not_found`, `refused` (production that was not confirmed, a text that holds the key), `key_missing`,
   * `key_unavailable`; then nothing was sent.
   */
  'runs.start': call(
    z.strictObject({
      collectionId: z.string().max(100).optional(),
      /** The whole path of a collection's directory; it is not opened. */
      directory: z.string().max(4_000).optional(),
      /** Of a request with its `.yaml`, of a folder, or empty for all. */
      path: z.string().max(4_000).default(''),
      environmentId: z.string().max(200),
      options: RunOptions.prefault({}),
      /** As in `calls.send`, once for all calls of the run. */
      confirmed: z.boolean().default(false),
    }),
    z.strictObject({ runId: RunId, planned: z.number().int() }),
  ),
  /** Stops the calls that are under way, which are recorded; the rest is skipped. Whether there was a run to stop. */
  'runs.cancel': call(z.strictObject({ runId: RunId }), z.strictObject({ cancelled: z.boolean() })),
  /** Newest first; the reports of the newest 100 runs are kept. */
  'runs.list': call(
    z.strictObject({ collectionId: z.string().max(100).optional() }),
    z.strictObject({ runs: z.array(RunSummary) }),
  ),
  /**
   * What is done in a run, in the order it was done, a part at a time: from 0, then from where the part before says. `next` is null where there is no
   * more now; of a run that goes on, more comes by `runs.progressed`.
   */
  'runs.requests': call(
    z.strictObject({
      runId: RunId,
      from: z.number().int().nonnegative().default(0),
      limit: z.number().int().min(1).max(5_000).default(1_000),
    }),
    z.strictObject({ requests: z.array(PlacedRequest), next: z.number().int().nullable() }),
  ),
  /** Fails with `refused` where the file would hold the key of an environment. */
  'runs.export': call(
    z.strictObject({ runId: RunId, as: z.enum(['junit', 'json', 'html']) }),
    z.strictObject({ name: z.string(), mediaType: z.string(), text: z.string() }),
  ),
};

export const runEvents = {
  /**
   * About ten times a second, and once at the end. `totals.requests` (those that are done) + `underWay` + `waiting` = `planned`. `finished`
   * holds each request once, in the event after it was done.
   */
  'runs.progressed': event(
    z.strictObject({
      runId: RunId,
      state: RunState,
      planned: z.number().int(),
      underWay: z.number().int(),
      waiting: z.number().int(),
      totals: RunTotals,
      /** The path of a request that is under way; empty for none. */
      current: z.string(),
      finished: z.array(FinishedRequest),
    }),
  ),
};
