import { Variables } from '../collections/model.ts';
import { ReportedRequest, RunTotals } from '../collections/reported-request.ts';
import { filledTextUpTo, textUpTo, wholeNumber, z } from '../model/schema.ts';
import { longestFile } from '../model/limits.ts';
import { Confirmed } from './production.ts';

const RunId = filledTextUpTo(100);

/** Rows of variables: one pass through the requests for each. The text itself, or the whole path of a file. */
export const RunData = z.strictObject({
  format: z.enum(['csv', 'jsonl']),
  text: z.optional(textUpTo(longestFile)),
  file: z.optional(textUpTo(4_000)),
});
export type RunData = z.infer<typeof RunData>;

export const RunOptions = z.strictObject({
  /** How often the requests are run; with data, how often each of its rows is. */
  repeat: z._default(wholeNumber(1, 1_000_000), 1),
  /** Milliseconds between the end of a request and the start of the next one in its place. */
  delayMs: z._default(wholeNumber(0, 3_600_000), 0),
  /** So many requests at once, where they don't wait for each other's answers. */
  parallel: z._default(wholeNumber(1, 100), 1),
  /** Stops at the first request that does not pass. */
  bail: z._default(z.boolean(), false),
  /** What a file that can't be read does: the run is refused, or the request is reported as an error. */
  unreadable: z._default(z.enum(['refuse', 'report']), 'refuse'),
  /** Variables of the run itself; a data row comes before them. */
  variables: z._default(Variables, {}),
  data: z._default(z.nullable(RunData), null),
  /** Refuses a run in which a request has no check of its own. */
  requireChecks: z._default(z.boolean(), false),
  /** Runs only what did not pass in that run, and what it depends on; everything else has to be given as it was then. */
  failedOf: z._default(z.nullable(RunId), null),
});
export type RunOptions = z.infer<typeof RunOptions>;

/**
 * `interrupted`: the program ended before the run did; what was reported until then is there.
 * `unknown`: another version wrote how the run ended, in a way that this one cannot read.
 */
export const RunState = z.enum(['running', 'finished', 'cancelled', 'interrupted', 'unknown']);
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
  startedAt: z.int(),
  /** Null while it runs, if it was interrupted, and if this version cannot read it. */
  durationMs: z.nullable(z.number()),
  state: RunState,
  /** How many requests it has in all. */
  planned: z.int(),
  /** Of those that are done. */
  totals: RunTotals,
  /** What stands in its files and its data and nothing reads, as sentences. */
  warnings: z._default(z.array(z.string()), []),
});
export type RunSummary = z.infer<typeof RunSummary>;

/** A request that is done, and where it belongs. */
export const FinishedRequest = z.strictObject({
  /** Its position in the plan, which is the order within an iteration. */
  index: z.int(),
  /** From 1. */
  iteration: z.int(),
  row: z.nullable(z.int()),
  request: ReportedRequest,
});
export type FinishedRequest = z.infer<typeof FinishedRequest>;

export const runInputs = {
  /**
   * Reads the files, then runs in the background. Exactly one of `collectionId` and `directory` is given. Fails with `invalid_input` (files or
   * data that can't be read, a request without a check where `requireChecks` is given), `not_found`, `refused` (production that was not confirmed, a text that holds the key), `key_missing`,
   * `key_unavailable`; then nothing was sent.
   */
  'runs.start': z.strictObject({
    collectionId: z.optional(textUpTo(100)),
    /** The whole path of a collection's directory; it is not opened. */
    directory: z.optional(textUpTo(4_000)),
    /** Of a request with its `.yaml`, of a folder, or empty for all. */
    path: z._default(textUpTo(4_000), ''),
    environmentId: textUpTo(200),
    options: z.prefault(RunOptions, {}),
    /** As in `calls.send`, once for all calls of the run; the question has their number and their sums. */
    confirmed: Confirmed,
  }),
  /** Stops the calls that are under way, which are recorded; the rest is skipped. Whether there was a run to stop. */
  'runs.cancel': z.strictObject({ runId: RunId }),
  /** Newest first; the reports of the newest 100 runs are kept. */
  'runs.list': z.strictObject({ collectionId: z.optional(textUpTo(100)) }),
  /**
   * What is done in a run, in the order it was done, a part at a time: from 0, then from where the part before says. `next` is null where there is no
   * more now; of a run that goes on, more comes by `runs.progressed`, and from `end` on, which is the place behind this part.
   * `unknown`: another version wrote something into this part that this one leaves out.
   */
  'runs.requests': z.strictObject({
    runId: RunId,
    from: z._default(z.int().check(z.nonnegative()), 0),
    limit: z._default(wholeNumber(1, 5_000), 1_000),
  }),
  /** Fails with `refused` where the file would hold the key of an environment. */
  'runs.export': z.strictObject({
    runId: RunId,
    as: z.enum(['junit', 'json', 'html']),
  }),
};
