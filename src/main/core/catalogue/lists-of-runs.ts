import type { KnownGames } from '#shared/provider/known-games.ts';
import { knownRows } from './read-games.ts';
import type { Found, Listed } from './received-list.ts';

export interface ListsOfRunsDeps {
  /** Begins to read a list. */
  readonly begin: (found: Found) => Listed;
  readonly keep: (listed: Listed) => void;
  /** Does work after so many milliseconds, unless the returned function is called before. */
  readonly later: (work: () => void, milliseconds: number) => () => void;
  /** The newest list may be another one now. */
  readonly onNews: () => void;
}

/** The lists that runs brought, which wait for each other: a run that asks a thousand times and gets the same list holds, reads and keeps one. */
export interface ListsOfRuns {
  add(found: Found): void;
  /** The newest of an environment that is read by now. */
  known(environmentId: string): KnownGames | null;
  /** Keeps those that wait, now. */
  keepAll(): void;
}

/** Milliseconds that game lists of a run wait for each other. */
const runWaitMs = 250;
/** Number of different lists of a run that are held in memory. */
const mostWaiting = 20;

export function createListsOfRuns({ begin, keep, later, onNews }: ListsOfRunsDeps): ListsOfRuns {
  let waiting: Listed[] = [];
  let stopWaiting: (() => void) | null = null;

  function keepAll(): void {
    stopWaiting?.();
    stopWaiting = null;
    const lists = waiting;
    waiting = [];
    for (const listed of lists) keep(listed);
  }

  return {
    keepAll,
    add(found) {
      const { call, currency, body: bytes } = found;
      const at = waiting.findLastIndex((one) => one.call.environmentId === call.environmentId && one.currency === currency);
      const last = waiting[at];
      const again = last !== undefined && Buffer.compare(last.body, bytes) === 0;
      if (again) waiting[at] = { ...last, ...found };
      else waiting.push(begin(found));
      if (!again || waiting.length > 1) onNews();
      if (waiting.length >= mostWaiting) keepAll();
      else stopWaiting ??= later(keepAll, runWaitMs);
    },
    // Read while it waits: a run that asks for the games before each request must not write the list as often.
    known(environmentId) {
      const lists = waiting.filter(({ call }) => call.environmentId === environmentId);
      const newest = lists.reduce<Listed | null>(
        (one, other) => ((one?.call.sentAt ?? 0) > other.call.sentAt ? one : other),
        null,
      );
      // Until a long one is read, the list before it is the newest that is known.
      const list = newest?.content.list ?? null;
      return newest === null || list === null ? null : knownRows(newest.currency, list.games);
    },
  };
}
