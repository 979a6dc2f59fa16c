import { countRequest, noRequests } from '#shared/collections/run-totals.ts';
import type { FinishedRequest } from '#shared/ipc/index.ts';
import type { TableHeading } from '#renderer/ui/table-headings.ts';
import { isClean, totalsText } from './run-words.ts';

/** One request of one iteration, as a line of the table. */
export interface RunRow extends FinishedRequest {
  /** Unique in a run: an iteration has each position of the plan once. */
  readonly key: string;
}

/** Rows of a run with the headings above them, which are drawn together. */
export interface ShownRows {
  /** By iteration; within one in the order of the plan. */
  readonly rows: readonly RunRow[];
  /** A line above each iteration; none if there is only one without data. */
  readonly headings: readonly TableHeading[];
}

/** The requests of a run, from the parts of its report and from later events, each once. */
export type RunRows = ReturnType<typeof createRunRows>;

/** Collects the requests of one run; parts and events may come in any order. */
export function createRunRows() {
  const byKey = new Map<string, RunRow>();
  const lists = { all: createOrderedRows(), unclean: createOrderedRows() };
  let unrecorded = false;

  return {
    add(requests: readonly FinishedRequest[]) {
      const fresh: RunRow[] = [];
      for (const one of requests) {
        const key = `${one.iteration} ${one.index}`;
        if (byKey.has(key)) continue;
        const row: RunRow = { ...one, key };
        byKey.set(key, row);
        fresh.push(row);
      }
      const unclean = fresh.filter(({ request }) => !isClean(request));
      unrecorded ||= unclean.some(({ request }) => request.unrecorded !== '');
      lists.all.add(fresh);
      lists.unclean.add(unclean);
    },
    count: (): number => byKey.size,
    /** Returns all of them, or those that are not clean. Its cost depends on the number of added rows, not on that of all rows. */
    shown: (which: 'all' | 'unclean'): ShownRows => lists[which].shown(),
    /** Returns whether any is not in the history. */
    unrecorded: (): boolean => unrecorded,
    find: (key: string): RunRow | null => byKey.get(key) ?? null,
  };
}

/** Keeps rows in their order. Each is looked at once, when it comes; what is returned is copied, not counted or sorted again. */
function createOrderedRows() {
  let rows: RunRow[] = [];
  const iterations = new Map<number, IterationHeading>();
  let waiting: RunRow[] = [];
  let last: ShownRows | null = null;

  function settle(): void {
    const added = waiting.toSorted(inOrder);
    waiting = [];
    const [first] = added;
    if (first === undefined) return;
    const from = placeOf(rows, first);
    const behind = rows.slice(from);
    rows = rows.slice(0, from);
    let at = 0;
    for (const row of added) {
      for (let next = behind[at]; next !== undefined && inOrder(next, row) < 0; next = behind[at]) {
        rows.push(next);
        at += 1;
      }
      rows.push(row);
    }
    for (; at < behind.length; at += 1) rows.push(behind[at] as RunRow);
  }

  function headings(): readonly TableHeading[] {
    const end = rows.at(-1);
    if (end === undefined || (end.iteration === 1 && end.row === null)) return none;
    const inTurn = [...iterations.values()].sort((one, other) => one.iteration - other.iteration);
    let before = 0;
    return inTurn.map((iteration) => {
      const heading = iteration.at(before);
      before += iteration.count;
      return heading;
    });
  }

  return {
    add(added: readonly RunRow[]) {
      if (added.length === 0) return;
      last = null;
      for (const row of added) {
        waiting.push(row);
        const iteration = iterations.get(row.iteration) ?? new IterationHeading(row);
        iterations.set(row.iteration, iteration);
        iteration.count += 1;
        countRequest(iteration.totals, row.request);
      }
    },
    shown(): ShownRows {
      if (last !== null) return last;
      settle();
      last = { rows, headings: headings() };
      return last;
    },
  };
}

/** The line above an iteration. Its words are made when it is drawn: a run may have an iteration for each of many data rows. */
class IterationHeading {
  readonly iteration: number;
  readonly row: number | null;
  readonly totals = noRequests();
  count = 0;
  private drawn: TableHeading | null = null;
  private drawnFor = 0;

  constructor({ iteration, row }: RunRow) {
    this.iteration = iteration;
    this.row = row;
  }

  /** Returns the heading at a row; the same object as before if nothing of it changed. */
  at(before: number): TableHeading {
    const { iteration, row, totals, count } = this;
    if (this.drawn?.before === before && this.drawnFor === count) return this.drawn;
    this.drawnFor = count;
    this.drawn = {
      before,
      level: 1,
      get title() {
        return `Iteration ${iteration.toLocaleString('en')}${row === null ? '' : `, data row ${row.toLocaleString('en')}`}`;
      },
      get detail() {
        return totalsText(totals);
      },
    };
    return this.drawn;
  }
}

function inOrder(one: RunRow, other: RunRow): number {
  return one.iteration - other.iteration || one.index - other.index;
}

/** Returns the index of a row among rows in order. */
function placeOf(rows: readonly RunRow[], row: RunRow): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (inOrder(rows[middle] as RunRow, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const none: readonly TableHeading[] = [];
