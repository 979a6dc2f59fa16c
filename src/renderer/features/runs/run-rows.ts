import type { RunReport } from '#shared/collections/run-report.ts';
import type { FinishedRequest } from '#shared/ipc/index.ts';
import type { TableHeading } from '#renderer/ui/table-headings.ts';
import { stateCounts } from './run-words.ts';

/** One request of one iteration, as a line of the table. */
export interface RunRow extends FinishedRequest {
  /** Unique in a run: an iteration has each request once. */
  readonly key: string;
}

/** What is known of a run's requests, from its report and from what was told since, each once. */
export interface RunRows {
  readonly addReport: (report: RunReport) => void;
  readonly addFinished: (finished: readonly FinishedRequest[]) => void;
  /** By iteration; within one in the order of the report, and what was told since in the order it was done. */
  readonly all: () => readonly RunRow[];
}

/** Collects the requests of one run; the report and the events may come in any order. */
export function createRunRows(): RunRows {
  const iterations = new Map<number, Map<string, RunRow>>();

  function rowsOf(iteration: number): Map<string, RunRow> {
    const known = iterations.get(iteration);
    if (known !== undefined) return known;
    const rows = new Map<string, RunRow>();
    iterations.set(iteration, rows);
    return rows;
  }

  function add(one: FinishedRequest): void {
    const key = rowKey(one);
    rowsOf(one.iteration).set(key, { ...one, key });
  }

  return {
    addReport({ iterations: reported }) {
      for (const { number, row, requests } of reported) {
        // In the order of the plan, before what was told meanwhile.
        const told = [...rowsOf(number).values()];
        iterations.delete(number);
        for (const request of requests) add({ iteration: number, row, request });
        const rows = rowsOf(number);
        for (const one of told) if (!rows.has(one.key)) rows.set(one.key, one);
      }
    },
    addFinished(finished) {
      for (const one of finished) add(one);
    },
    all() {
      const numbers = [...iterations.keys()].sort((one, other) => one - other);
      return numbers.flatMap((number) => [...rowsOf(number).values()]);
    },
  };
}

function rowKey({ iteration, request }: FinishedRequest): string {
  return `${iteration} ${request.path}`;
}

/** A line above each iteration; none where there is only one without data. */
export function headingsOf(rows: readonly RunRow[]): readonly TableHeading[] {
  const last = rows.at(-1);
  if (last === undefined || (last.iteration === 1 && last.row === null)) return none;
  const headings: TableHeading[] = [];
  for (let from = 0; from < rows.length;) {
    const first = rows[from];
    if (first === undefined) break;
    let to = from;
    while (rows[to]?.iteration === first.iteration) to += 1;
    const title = `Iteration ${first.iteration.toLocaleString('en')}${first.row === null ? '' : `, data row ${first.row.toLocaleString('en')}`}`;
    headings.push({ before: from, level: 1, title, detail: stateCounts(rows.slice(from, to)) });
    from = to;
  }
  return headings;
}

const none: readonly TableHeading[] = [];
