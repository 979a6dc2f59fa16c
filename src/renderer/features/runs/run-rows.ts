import type { FinishedRequest, PlacedRequest } from '#shared/ipc/index.ts';
import type { TableHeading } from '#renderer/ui/table-headings.ts';
import { stateCounts } from './run-words.ts';

/** One request of one iteration, as a line of the table. */
export interface RunRow extends FinishedRequest {
  /** Unique in a run: an iteration has each request once. */
  readonly key: string;
}

/** What is known of a run's requests, from the parts of its report and from what was told since, each once. */
export interface RunRows {
  readonly addPart: (part: readonly PlacedRequest[]) => void;
  readonly addFinished: (finished: readonly FinishedRequest[]) => void;
  /** By iteration; within one in the order of the plan as far as that is known, then what was told in the order it was done. */
  readonly all: () => readonly RunRow[];
}

interface Iteration {
  readonly rows: Map<string, RunRow>;
  /** Places in the plan, by the row's key. */
  readonly places: Map<string, number>;
  /** Null where it has to be made anew. */
  inOrder: readonly RunRow[] | null;
}

/** Collects the requests of one run; parts and events may come in any order. */
export function createRunRows(): RunRows {
  const iterations = new Map<number, Iteration>();

  function add(one: FinishedRequest, place: number | null): void {
    const { iteration, row, request } = one;
    const known = iterations.get(iteration) ?? {
      rows: new Map<string, RunRow>(),
      places: new Map<string, number>(),
      inOrder: null,
    };
    iterations.set(iteration, known);
    const key = rowKey(one);
    known.rows.set(key, { iteration, row, request, key });
    if (place !== null) known.places.set(key, place);
    known.inOrder = null;
  }

  function orderOf({ rows, places }: Iteration): readonly RunRow[] {
    const placeOf = ({ key }: RunRow) => places.get(key) ?? Infinity;
    const placed = [...rows.values()].filter(({ key }) => places.has(key)).sort((one, other) => placeOf(one) - placeOf(other));
    return [...placed, ...[...rows.values()].filter(({ key }) => !places.has(key))];
  }

  return {
    addPart(part) {
      for (const one of part) add(one, one.index);
    },
    addFinished(finished) {
      for (const one of finished) add(one, null);
    },
    all() {
      const inOrder = [...iterations.entries()].sort(([one], [other]) => one - other);
      return inOrder.flatMap(([, iteration]) => (iteration.inOrder ??= orderOf(iteration)));
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
