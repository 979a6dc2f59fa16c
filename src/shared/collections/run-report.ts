import { z } from '../model/schema.ts';
import { ReportedRequest, RunTotals } from './reported-request.ts';
import { totalsOf } from './run-totals.ts';

/** One round through the requests. */
export const ReportedIteration = z.strictObject({
  /** From 1. */
  number: z.int(),
  /** The number of the data row, from 1; null without data. */
  row: z.nullable(z.int()),
  requests: z.array(ReportedRequest),
});
export type ReportedIteration = z.infer<typeof ReportedIteration>;

/** What became of a run. */
export const RunReport = z
  .strictObject({
    /** Names the run in the history. */
    runId: z.string(),
    collection: z.string(),
    environment: z.string(),
    /** Milliseconds since the epoch. */
    startedAt: z.int(),
    durationMs: z.number(),
    totals: RunTotals,
    /** What stands in its files and its data and nothing reads, as sentences. */
    warnings: z._default(z.array(z.string()), []),
    iterations: z.array(ReportedIteration),
  })
  .check(
    z.refine(
      ({ totals, iterations }) =>
        JSON.stringify(totals) === JSON.stringify(totalsOf(iterations.flatMap(({ requests }) => requests))),
      'The totals are not the sums of what the iterations hold.',
    ),
  );
export type RunReport = z.infer<typeof RunReport>;
