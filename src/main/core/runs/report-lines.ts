import type { ReportedIteration, RunReport } from '#shared/collections/run-report.ts';
import { ReportedRequest } from '#shared/collections/reported-request.ts';
import { partsNotShown } from '#shared/collections/run-words.ts';
import { countRequest, noRequests } from '#shared/collections/run-totals.ts';
import { AppError } from '#shared/errors.ts';
import { FinishedRequest, RunOptions, RunSummary } from '#shared/ipc/runs.ts';
import { z } from '#shared/model/schema.ts';
import { understood } from '#shared/model/without-unknown-fields.ts';

/** The place of a run among the parts of a whole, and what all of them have in common. */
const RunPart = z.strictObject({
  part: z.int(),
  of: z.int(),
  /** Of Croupier: another one may run the same files differently. */
  version: z.string(),
  /** SHA-256 of the requests and data of the whole, in hexadecimal. */
  plan: z.string(),
  /** Iterations of the whole, and the number of data rows; null without data. */
  iterations: z.int(),
  rows: z.nullable(z.int()),
  /** Requests of each iteration, in order. */
  requests: z.array(z.pick(ReportedRequest, { path: true, operation: true, unchecked: true })),
});
export type RunPart = z.infer<typeof RunPart>;

/** Input of a run, against which a rerun of failed requests is checked. */
export const RunStart = z.extend(
  z.pick(RunSummary, {
    runId: true,
    collectionId: true,
    collection: true,
    path: true,
    environmentId: true,
    environment: true,
    startedAt: true,
    planned: true,
    warnings: true,
  }),
  {
    /** The process that it runs in: a run without an end whose process is gone was interrupted. */
    process: z.string(),
    repeat: RunOptions.shape.repeat,
    hasData: z.boolean(),
    /** Only of a run that is one part of a whole. */
    part: z.optional(RunPart),
  },
);
export type RunStart = z.infer<typeof RunStart>;

const RunEnd = z.strictObject({
  state: z.enum(['finished', 'cancelled', 'interrupted']),
  durationMs: z.number(),
  totals: RunSummary.shape.totals,
});
export type RunEnd = z.infer<typeof RunEnd>;

/** One line of the file of a report. */
export type Entry = { start: RunStart } | { end: RunEnd } | { request: FinishedRequest };

/** `unknown`: the line holds something that this version does not know, which is left out here. It stays in the file. */
export interface ReadLine {
  /** Null for half a line, as a killed program leaves it, and for a newer version's line of which this one reads nothing. */
  readonly entry: Entry | null;
  readonly unknown: boolean;
}

/** Reads a line of a report. */
export function readLine(line: string): ReadLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { entry: null, unknown: false };
  }
  if (typeof value !== 'object' || value === null) return { entry: null, unknown: false };
  const names = Object.keys(value).length;
  if ('start' in value) {
    const start = understood(RunStart, value.start);
    if (start !== null) return { entry: { start: start.value }, unknown: !start.whole || names > 1 };
  } else if ('end' in value) {
    const end = understood(RunEnd, value.end);
    if (end !== null) return { entry: { end: end.value }, unknown: !end.whole || names > 1 };
  } else {
    const { request, index } = value as { readonly request?: unknown; readonly index?: unknown };
    // Each character of a long text would become a field.
    const finished = typeof request === 'object' ? understood(FinishedRequest, { ...request, index }) : null;
    if (finished !== null) return { entry: { request: finished.value }, unknown: !finished.whole || names > 2 };
  }
  return { entry: null, unknown: true };
}

/** Reads a line of which only the known part matters. */
export function readEntry(line: string): Entry | null {
  return readLine(line).entry;
}

/** Returns what the first line of a report says; null if it cannot be read. */
export function firstEntry(bytes: Uint8Array): Entry | null {
  const [line = ''] = linesIn(bytes);
  return readEntry(line);
}

/** Returns the report in the bytes of its file, in order. Fails with `not_found` if nothing in it names what was run. */
export function reportOf(bytes: Uint8Array): RunReport {
  let start: RunStart | null = null;
  let durationMs = 0;
  let holdsUnknown = false;
  const iterations = new Map<number, FinishedRequest[]>();
  for (const line of linesIn(bytes)) {
    const { entry, unknown } = readLine(line);
    holdsUnknown ||= unknown;
    if (entry === null) continue;
    if ('start' in entry) start = entry.start;
    else if ('end' in entry) durationMs = entry.end.durationMs;
    else {
      const list = iterations.get(entry.request.iteration);
      if (list === undefined) iterations.set(entry.request.iteration, [entry.request]);
      else list.push(entry.request);
    }
  }
  if (start === null) throw new AppError('not_found', "The beginning of the report is damaged, so it doesn't say what ran.");
  const totals = noRequests();
  const inOrder = [...iterations.entries()].sort(([one], [other]) => one - other);
  const reported = inOrder.map(([number, list]): ReportedIteration => {
    list.sort((one, other) => one.index - other.index);
    for (const { request } of list) countRequest(totals, request);
    return { number, row: list[0]?.row ?? null, requests: list.map(({ request }) => request) };
  });
  const { runId, collection, environment, startedAt } = start;
  const warnings = [...(holdsUnknown ? [partsNotShown] : []), ...start.warnings];
  return { runId, collection, environment, startedAt, durationMs, totals, warnings, iterations: reported };
}

/** One at a time, so that no list of all of them is made. */
function* linesIn(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder();
  for (let from = 0; from < bytes.length;) {
    const found = bytes.indexOf(10, from);
    const end = found === -1 ? bytes.length : found;
    yield decoder.decode(bytes.subarray(from, end));
    from = end + 1;
  }
}
