import { Tag, Variables } from '../collections/model.ts';
import { ReportedRequest, RunTotals } from '../collections/reported-request.ts';
import { filledTextUpTo, textUpTo, wholeNumber, z } from '../model/schema.ts';
import { longestFile } from '../model/limits.ts';
import { Confirmed } from './production.ts';

const RunId = filledTextUpTo(100);

/** Data rows, each with variables for one iteration: the text itself, or the absolute path of a file. */
export const RunData = z.strictObject({
  format: z.enum(['csv', 'jsonl']),
  text: z.optional(textUpTo(longestFile)),
  file: z.optional(textUpTo(4_000)),
  /** Separator of the columns of CSV; without it, the first line shows it. */
  delimiter: z.optional(z.enum([',', ';', '\t', '|'])),
});
export type RunData = z.infer<typeof RunData>;

/** One of the parts of a run, from 1. */
export const RunShard = z
  .strictObject({ part: wholeNumber(1, 1_000), of: wholeNumber(1, 1_000) })
  .check(z.refine(({ part, of }) => part <= of, 'The part is larger than the number of parts.'));

export const RunOptions = z.strictObject({
  /** Number of iterations; with data, of each row. */
  repeat: z._default(wholeNumber(1, 1_000_000), 1),
  /** Milliseconds between the end of a request and the start of the next one in its lane. */
  delayMs: z._default(wholeNumber(0, 3_600_000), 0),
  /** Most requests at once, if they do not wait for each other's responses. */
  parallel: z._default(wholeNumber(1, 100), 1),
  /** Stops at the first request that does not pass. */
  bail: z._default(z.boolean(), false),
  /** Effect of an unreadable file: the run is refused, or the request is reported as an error. */
  unreadable: z._default(z.enum(['refuse', 'report']), 'refuse'),
  /** Effect of a check whose kind this version does not know: its file counts as an unreadable one, or the check is not made. */
  unknownChecks: z._default(z.enum(['fail', 'skip']), 'fail'),
  /** Variables of the run; a data row overrides them. */
  variables: z._default(Variables, {}),
  data: z._default(z.nullable(RunData), null),
  /** Refuses a run in which a request has no check of its own. */
  requireChecks: z._default(z.boolean(), false),
  /** Runs only the iterations of one part, so that several machines share a run: those whose number - 1 leaves `part` - 1 divided by `of`. */
  shard: z._default(z.nullable(RunShard), null),
  /** Runs only requests with one of these tags, and those whose values they use; empty for all. */
  tags: z._default(z.array(Tag).check(z.maxLength(50)), []),
  /** Runs no request with one of these tags. */
  excludeTags: z._default(z.array(Tag).check(z.maxLength(50)), []),
  /** Reruns only the requests that did not pass in that run, and those they depend on. All other input must be the same as then. */
  failedOf: z._default(z.nullable(RunId), null),
});
export type RunOptions = z.infer<typeof RunOptions>;

/**
 * `interrupted`: Croupier ended before the run did, or could not write to its home; the report holds the requests until then.
 * `unknown`: another version recorded the end of the run in a way that this version cannot read.
 */
export const RunState = z.enum(['running', 'finished', 'cancelled', 'interrupted', 'unknown']);
export type RunState = z.infer<typeof RunState>;

export const RunSummary = z.strictObject({
  runId: RunId,
  /** Derived from the collection's directory, as in `collections.list`. */
  collectionId: z.string(),
  collection: z.string(),
  /** The path that was run: a request with `.yaml`, a folder, or empty for all. */
  path: z.string(),
  environmentId: z.string(),
  environment: z.string(),
  /** Milliseconds since the epoch. */
  startedAt: z.int(),
  /** Null while it runs, if it was interrupted, and if this version cannot read it. */
  durationMs: z.nullable(z.number()),
  state: RunState,
  /** Number of requests in all. */
  planned: z.int(),
  /** Totals of the requests that are done. */
  totals: RunTotals,
  /** Sentences about parts of its files and data that Croupier does not read. */
  warnings: z._default(z.array(z.string()), []),
});
export type RunSummary = z.infer<typeof RunSummary>;

/** A request that is done, with its position in the run. */
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
   * data that cannot be read, a request without a check if `requireChecks` is given), `not_found`, `refused` (unconfirmed production, a text that
   * holds the key), `key_missing`, `key_unavailable`; then nothing was sent.
   */
  'runs.start': z.strictObject({
    collectionId: z.optional(textUpTo(100)),
    /** Absolute path of a collection's directory, which need not be open. */
    directory: z.optional(textUpTo(4_000)),
    /** Path of a request with `.yaml`, of a folder, or empty for all. */
    path: z._default(textUpTo(4_000), ''),
    environmentId: textUpTo(200),
    options: z.prefault(RunOptions, {}),
    /** As in `calls.send`, once for all calls of the run; the question has their number and their sums. */
    confirmed: Confirmed,
  }),
  /** Stops calls that are under way, which are recorded, and skips the rest. Returns whether the run was running. */
  'runs.cancel': z.strictObject({ runId: RunId }),
  /** Newest first; the reports of the newest 100 runs are kept. */
  'runs.list': z.strictObject({ collectionId: z.optional(textUpTo(100)) }),
  /**
   * Returns the finished requests of a run, in the order they finished, a part at a time: from 0, then from `next` of the part before. `next` is
   * null if there are no more now; `runs.progressed` reports further ones of a running run, which follow after position `end`.
   * `unknown`: another version wrote something into this part that this version leaves out.
   */
  'runs.requests': z.strictObject({
    runId: RunId,
    from: z._default(z.int().check(z.nonnegative()), 0),
    limit: z._default(wholeNumber(1, 5_000), 1_000),
  }),
  /**
   * Fails with `refused` if the file would hold the key of an environment. A `blob` is the part of a run that `shard` chose, to be merged with
   * the other parts; fails with `invalid_input` for a run without it.
   */
  'runs.export': z.strictObject({
    runId: RunId,
    as: z.enum(['junit', 'json', 'html', 'gitlab', 'blob']),
  }),
};
