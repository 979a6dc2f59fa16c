import { z } from '../model/schema.ts';
import { ReportedRequest, RunTotals } from './reported-request.ts';
import { totalsOf } from './run-totals.ts';

/** One time through the requests. */
export const ReportedIteration = z.strictObject({
  /** From 1. */
  number: z.int(),
  /** The number of the data row, from 1; null without data. */
  row: z.nullable(z.int()),
  requests: z.array(ReportedRequest),
});
export type ReportedIteration = z.infer<typeof ReportedIteration>;

/** Outcome of a run. */
export const RunReport = z
  .strictObject({
    /** ID of the run in the history. */
    runId: z.string(),
    collection: z.string(),
    environment: z.string(),
    /** Milliseconds since the epoch. */
    startedAt: z.int(),
    durationMs: z.number(),
    totals: RunTotals,
    /** Sentences about parts of its files and data that Croupier does not read. */
    warnings: z._default(z.array(z.string()), []),
    iterations: z.array(ReportedIteration),
  })
  .check(
    z.refine(
      ({ totals, iterations }) =>
        JSON.stringify(totals) === JSON.stringify(totalsOf(iterations.flatMap(({ requests }) => requests))),
      "The totals don't match the iterations.",
    ),
  );
export type RunReport = z.infer<typeof RunReport>;
