import { RunTotals } from '../../collections/reported-request.ts';
import { filledTextUpTo, z } from '../../model/schema.ts';
import { FinishedRequest, RunState, RunSummary } from '../runs.ts';

const RunId = filledTextUpTo(100);

export const runOutputs = {
  'runs.start': z.strictObject({
    runId: RunId,
    planned: z.int(),
    warnings: RunSummary.shape.warnings,
    /** Sentences about how the data was read. */
    notes: z.array(z.string()),
  }),
  'runs.cancel': z.strictObject({ cancelled: z.boolean() }),
  'runs.list': z.strictObject({ runs: z.array(RunSummary) }),
  'runs.requests': z.strictObject({
    requests: z.array(FinishedRequest),
    next: z.nullable(z.int()),
    end: z.int(),
    unknown: z.boolean(),
  }),
  'runs.export': z.strictObject({
    name: z.string(),
    mediaType: z.string(),
    text: z.string(),
  }),
};

export const runEvents = {
  /** The reports of these runs were removed, for example because a player was forgotten. */
  'runs.removed': z.strictObject({ runIds: z.array(RunId) }),
  /**
   * About ten times a second, and once at the end. `totals.requests` (done) + `underWay` + `waiting` = `planned`. `finished`
   * holds each request once, in the first event after it is done.
   */
  'runs.progressed': z.strictObject({
    runId: RunId,
    state: RunState,
    planned: z.int(),
    underWay: z.int(),
    waiting: z.int(),
    totals: RunTotals,
    /** The path of a request that is under way; empty for none. */
    current: z.string(),
    finished: z.array(FinishedRequest),
  }),
};
