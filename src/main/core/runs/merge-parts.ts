import type { ReportedIteration, RunReport } from '#shared/collections/run-report.ts';
import type { ReportedRequest } from '#shared/collections/reported-request.ts';
import { totalsOf } from '#shared/collections/run-totals.ts';
import { AppError } from '#shared/errors.ts';
import { firstEntry, reportOf, type RunPart, type RunStart } from './report-lines.ts';
import { numbersOf } from './shard.ts';

/** The file of one part, as `runs.export` writes it as `blob`. */
export interface PartFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The report of all parts, and a sentence about each part that is missing, doubled or incomplete. */
export interface MergedParts {
  readonly report: RunReport;
  readonly problems: readonly string[];
}

interface Part extends Pick<PartFile, 'path'> {
  readonly start: RunStart;
  readonly part: RunPart;
  readonly report: RunReport;
}

/**
 * Merges the parts of a run into one report. Every request of the whole is in it: one whose part is missing, doubled or incomplete is
 * `unfinished`. Calls have no number in it, for each part had a history of its own. Fails with `invalid_input` if there is no part, and with
 * `refused` if the parts are not those of one run: their version, number of parts, collection, environment or plan differ.
 */
export function mergeParts(files: readonly PartFile[]): MergedParts {
  const parts = files.map(readPart);
  const [first] = parts;
  if (first === undefined)
    throw new AppError('invalid_input', 'There are no parts of a run here. "croupier run --shard I/N --blob DIR" writes them.');
  for (const other of parts.slice(1)) refuseStranger(first, other);
  const { of, iterations, rows, requests } = first.part;
  const problems: string[] = [];
  const merged = new Map<number, ReportedIteration>();
  for (let number = 1; number <= of; number += 1) {
    const found = parts.filter(({ part }) => part.part === number);
    const why = problemOf(number, of, found);
    const done = why === null && found[0] !== undefined ? doneIn(found[0]) : new Map<string, ReportedRequest>();
    const reason = why ?? `Part ${number} of ${of} ended before this request.`;
    let lost = 0;
    for (const iteration of numbersOf({ part: number, of }, iterations)) {
      const list = requests.map((request) => {
        const one = done.get(`${iteration} ${request.path}`);
        if (one === undefined) lost += 1;
        return one ?? unfinished(request, reason);
      });
      merged.set(iteration, { number: iteration, row: rows === null ? null : ((iteration - 1) % rows) + 1, requests: list });
    }
    if (why !== null) problems.push(why);
    else if (lost > 0)
      problems.push(`Part ${number} of ${of} is incomplete: ${lost.toLocaleString('en')} of its requests are missing.`);
  }
  const all = [...merged.values()].sort((one, other) => one.number - other.number);
  const report: RunReport = {
    runId: parts.map(({ start }) => start.runId).join(', '),
    collection: first.start.collection,
    environment: first.start.environment,
    ...spanOf(parts),
    totals: totalsOf(all.flatMap((iteration) => iteration.requests)),
    warnings: [...new Set(parts.flatMap(({ start }) => start.warnings))],
    iterations: all,
  };
  return { report, problems };
}

function readPart(file: PartFile): Part {
  const entry = firstEntry(file.bytes);
  if (entry === null || !('start' in entry) || entry.start.part === undefined) {
    throw new AppError('refused', `${file.path} is not a part of a run that this version can read.`);
  }
  return { path: file.path, start: entry.start, part: entry.start.part, report: reportOf(file.bytes) };
}

function refuseStranger(first: Part, other: Part): void {
  const differences = [
    ['version of Croupier', first.part.version, other.part.version],
    ['number of parts', String(first.part.of), String(other.part.of)],
    ['collection', first.start.collection, other.start.collection],
    ['environment', first.start.environment, other.start.environment],
    ['plan', first.part.plan, other.part.plan],
  ] as const;
  const found = differences.find(([, one, another]) => one !== another);
  if (found === undefined) return;
  const [name, one, another] = found;
  const words =
    name === 'plan'
      ? 'Their requests, data rows or repeat count differ. Run all parts from one commit with the same options.'
      : `The first has ${one}, the other ${another}.`;
  throw new AppError('refused', `Nothing was merged: ${other.path} has a different ${name} from ${first.path}. ${words}`);
}

function problemOf(number: number, of: number, found: readonly Part[]): string | null {
  if (found.length === 0) return `Part ${number} of ${of} is missing.`;
  if (found.length === 1) return null;
  return `Part ${number} of ${of} exists ${found.length} times: ${found.map(({ path }) => path).join(', ')}.`;
}

function doneIn({ report }: Part): Map<string, ReportedRequest> {
  const done = new Map<string, ReportedRequest>();
  for (const { number, requests } of report.iterations)
    for (const request of requests) done.set(`${number} ${request.path}`, { ...request, callId: null });
  return done;
}

function unfinished({ path, operation, unchecked }: RunPart['requests'][number], reason: string): ReportedRequest {
  const notCalled = { callId: null, code: null, status: null, durationMs: null, checks: [], findings: [], unrecorded: '' };
  return { path, operation, state: 'unfinished', reason, unchecked, ...notCalled };
}

/** Returns the time from the start of the first part to the end of the last one, by the clocks of their machines. */
function spanOf(parts: readonly Part[]): Pick<RunReport, 'startedAt' | 'durationMs'> {
  const startedAt = Math.min(...parts.map(({ report }) => report.startedAt));
  const end = Math.max(...parts.map(({ report }) => report.startedAt + report.durationMs));
  return { startedAt, durationMs: end - startedAt };
}
