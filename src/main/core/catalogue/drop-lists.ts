import type { SnapshotStore } from './store.ts';

export interface DropListsDeps {
  readonly store: Pick<SnapshotStore, 'drop'>;
  /** Of all environments there are, those too whose file cannot be read. */
  readonly environmentIds: () => readonly string[];
  /** Does work after so many milliseconds, unless the returned function is called before. */
  readonly later: (work: () => void, milliseconds: number) => () => void;
  /** Some were dropped. */
  readonly onDropped: () => void;
  readonly onFault: (error: unknown) => void;
}

/** So long after the start, and so long between two lists, in milliseconds. */
const afterMs = 4_000;
const betweenMs = 100;

/**
 * Drops the game lists that are beyond the limits and those of environments that are gone, one at a time: a list may hold 10,000
 * games. Returns the function that stops it.
 */
export function dropLists({ store, environmentIds, later, onDropped, onFault }: DropListsDeps): () => void {
  let stop = later(drop, afterMs);
  let dropped = false;
  function drop(): void {
    try {
      const ids = environmentIds();
      // A folder that cannot be read just now shows nothing about its contents.
      const more = ids.length > 0 && store.drop(ids);
      dropped ||= more;
      if (more) stop = later(drop, betweenMs);
      else if (dropped) onDropped();
    } catch (error) {
      onFault(error);
    }
  }
  return () => stop();
}
