import type { Client } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import type { HistoryRows } from './history-rows.ts';

/** The part of the history that hears of changes, and has the rows fetched again a moment later. */
export interface HistoryChanges {
  /** A search ended, during which nothing was fetched again. */
  readonly searchEnded: () => void;
  /** Everything is fetched again: no change from before is still to be looked at. */
  readonly forget: () => void;
  /** Stops listening to the client. */
  readonly stop: () => void;
}

export interface HistoryChangesDeps {
  readonly later: (run: () => void, milliseconds: number) => () => void;
  /** Whether there is or will be a list that changes matter to. */
  readonly isWanted: () => boolean;
  readonly isSearching: () => boolean;
  readonly rows: HistoryRows;
}

const quietTime = 120;
/** So many rows are fetched again one by one; for more, all of them are. */
const fewMarks = 20;

/** Creates the part that follows changes. */
export function createHistoryChanges(client: Client, { later, isWanted, isSearching, rows }: HistoryChangesDeps): HistoryChanges {
  const changed = new Set<number>();
  /** Calls that were pinned or noted. */
  const marked = new Set<number>();
  /** Any of the rows may be another, or gone. */
  let everyRow = false;
  /** Something changed while a search was under way. */
  let meanwhile = false;
  let waiting: (() => void) | null = null;
  const stops = [
    client.on('calls.changed', ({ id }) => {
      changed.add(id);
      lookSoon();
    }),
    client.on('history.changed', ({ ids }) => {
      if (ids === null) everyRow = true;
      else for (const id of ids) marked.add(id);
      lookSoon();
    }),
  ];

  function lookSoon(): void {
    if (!isWanted()) return;
    waiting ??= later(() => {
      waiting = null;
      if (isSearching()) meanwhile = true;
      else look();
    }, quietTime);
  }

  function look(): void {
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
    searchEnded() {
      if (!meanwhile) return;
      meanwhile = false;
      lookSoon();
    },
    forget() {
      everyRow = false;
      changed.clear();
      marked.clear();
    },
    stop() {
      for (const stop of stops) stop();
      waiting?.();
    },
  };
}
