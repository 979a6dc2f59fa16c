import { describe, expect, it } from 'vitest';
import type { Client } from '#shared/ipc/index.ts';
import { createHistoryChanges } from './history-changes.ts';

function setUp() {
  const listeners = new Map<string, (payload: never) => void>();
  const client = {
    on(name: string, listener: (payload: never) => void) {
      listeners.set(name, listener);
      return () => listeners.delete(name);
    },
  } as unknown as Client;
  const planned: (() => void)[] = [];
  let calledOff = 0;
  const done: unknown[] = [];
  const now = { wanted: true, searching: false };
  const changes = createHistoryChanges(client, {
    later(run) {
      planned.push(run);
      return () => (calledOff += 1);
    },
    isWanted: () => now.wanted,
    isSearching: () => now.searching,
    rows: {
      refresh: async (ids) => void done.push(['refresh', ids]),
      reread: async () => void done.push('reread'),
      updateMarked: async (ids) => void done.push(['marked', ids]),
    },
  });
  return {
    changes,
    now,
    planned,
    calledOff: () => calledOff,
    listening: () => listeners.size,
    changed: (id: number) => listeners.get('calls.changed')?.({ id } as never),
    marked: (ids: readonly number[] | null) => listeners.get('history.changed')?.({ ids } as never),
    /** Returns the work that is done once the next pause is over. */
    fetched() {
      done.length = 0;
      planned.shift()?.();
      return [...done];
    },
  };
}

describe('changes of the history', () => {
  it('wait for one another, and are looked at once', () => {
    const { changed, planned, fetched } = setUp();
    changed(1);
    changed(2);
    changed(1);
    expect(planned).toHaveLength(1);
    expect(fetched()).toEqual([['refresh', [1, 2]]]);
    changed(3);
    expect(fetched()).toEqual([['refresh', [3]]]);
  });

  it('of marks alone leave the newest page as it is', () => {
    const { changed, marked, fetched } = setUp();
    marked([5, 6]);
    expect(fetched()).toEqual([['marked', [5, 6]]]);
    marked([7]);
    changed(8);
    expect(fetched()).toEqual([
      ['refresh', [8]],
      ['marked', [7]],
    ]);
    marked([]);
    expect(fetched()).toEqual([['refresh', []]]);
  });

  it('of more than 20 marks or of any row have all rows fetched again, until that was begun', () => {
    const { changes, changed, marked, fetched } = setUp();
    marked(Array.from({ length: 20 }, (_, at) => at));
    expect(fetched()).toEqual([['marked', Array.from({ length: 20 }, (_, at) => at)]]);
    marked(Array.from({ length: 21 }, (_, at) => at));
    expect(fetched()).toEqual(['reread']);
    changed(1);
    expect(fetched()).toEqual(['reread']);
    changes.forget();
    marked(null);
    expect(fetched()).toEqual(['reread']);
    changes.forget();
    changed(2);
    expect(fetched()).toEqual([['refresh', [2]]]);
  });

  it('wait for the end of a search', () => {
    const { changes, changed, now, fetched, planned } = setUp();
    changes.searchEnded();
    expect(planned).toEqual([]);
    now.searching = true;
    changed(1);
    expect(fetched()).toEqual([]);
    now.searching = false;
    changes.searchEnded();
    changes.searchEnded();
    expect(planned).toHaveLength(1);
    expect(fetched()).toEqual([['refresh', [1]]]);
    expect(planned).toEqual([]);
  });

  it('are kept for the list that is wanted later', () => {
    const { changed, now, planned, fetched } = setUp();
    now.wanted = false;
    changed(1);
    expect(planned).toEqual([]);
    now.wanted = true;
    changed(2);
    expect(fetched()).toEqual([['refresh', [1, 2]]]);
  });
});
