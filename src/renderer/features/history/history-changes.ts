import type { Client } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import type { HistoryRows } from './history-rows.ts';

/** The part of the history that hears of changes, and has the rows fetched again a moment later. */
export type HistoryChanges = ReturnType<typeof createHistoryChanges>;

export interface HistoryChangesDeps {
  readonly later: (run: () => void, milliseconds: number) => () => void;
  /** Returns whether there is or will be a list that changes matter to. */
  readonly isWanted: () => boolean;
  readonly isSearching: () => boolean;
  readonly rows: HistoryRows;
}

const quietTime = 120;
/** Number of rows up to which each is fetched again by itself; of more, all rows are. */
const fewMarks = 20;

/** Creates the part that follows changes. */
export function createHistoryChanges(client: Client, { later, isWanted, isSearching, rows }: HistoryChangesDeps) {
  const changed = new Set<number>();
  /** IDs of calls that were pinned or noted. */
  const marked = new Set<number>();
  /** True if any of the rows may have changed or be gone. */
  let everyRow = false;
  /** True if something changed while a search was under way. */
  let meanwhile = false;
  let waiting: (() => void) | null = null;
  client.on('calls.changed', ({ id }) => {
    changed.add(id);
    fetchSoon();
  });
  client.on('history.changed', ({ ids }) => {
    if (ids === null) everyRow = true;
    else for (const id of ids) marked.add(id);
    fetchSoon();
  });

  function fetchSoon(): void {
    if (!isWanted()) return;
    waiting ??= later(() => {
      waiting = null;
      if (isSearching()) meanwhile = true;
      else fetchChanged();
    }, quietTime);
  }

  function fetchChanged(): void {
    const { refresh, reread, updateMarked } = rows;
    if (everyRow || marked.size > fewMarks) return startWork(reread());
    const marks = [...marked];
    marked.clear();
    if (marks.length === 0 || changed.size > 0) {
      const ids = [...changed];
      changed.clear();
      startWork(refresh(ids));
    }
    if (marks.length > 0) startWork(updateMarked(marks));
  }

  return {
    /** Called when a search ended, during which nothing was fetched again. */
    searchEnded() {
      if (!meanwhile) return;
      meanwhile = false;
      fetchSoon();
    },
    /** Called when everything is fetched again: earlier changes need nothing any more. */
    forget() {
      everyRow = false;
      changed.clear();
      marked.clear();
    },
  };
}
