import type { CallSummary, Client } from '#shared/ipc/index.ts';
import { reportIfFault, startWork } from '#renderer/faults/faults.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { HistoryListState } from './history-list.ts';

/** The calls that the user acts on. */
export interface ChosenCallsState {
  /** ID of the call that the keyboard is or was on; `activeCall` returns the present one. */
  readonly activeId: number | null;
  /** The ticked calls by their IDs. They stay ticked while another filter has them out of sight. */
  readonly ticked: ReadonlyMap<number, CallSummary>;

  /** True while the menu of the export of these calls is open. */
  readonly exporting: boolean;

  readonly setExporting: (open: boolean) => void;
  readonly setActive: (id: number) => void;
  /** Ticks calls of the list, or unticks calls. */
  readonly tick: (ids: readonly number[], on: boolean) => void;
  /** Ticks also all calls between it and the one that was ticked or unticked last, in the order of the list. */
  readonly tickTo: (id: number, on: boolean) => void;
}

/** The part of the history that holds the chosen calls. */
export interface ChosenCalls {
  readonly state: ChosenCallsState;
  /** Looks whether ticked calls are still there: other programs on this home do not report what they delete. */
  readonly visit: () => void;
}

type Listed = Pick<HistoryListState, 'list'>;

/** Creates the part that holds the active call and the ticked ones. */
export function createChosenCalls(
  client: Client,
  { getState: get, setState: set }: StorePart<ChosenCallsState & Listed>,
): ChosenCalls {
  let lastTicked: number | null = null;

  function tick(ids: readonly number[], on: boolean): void {
    const ticked = new Map(get().ticked);
    const listed = new Map(listedCalls(get()).map((call) => [call.id, call]));
    for (const id of ids) {
      const call = listed.get(id);
      if (!on) ticked.delete(id);
      else if (call !== undefined) ticked.set(id, call);
    }
    lastTicked = ids.at(-1) ?? lastTicked;
    set({ ticked });
  }

  /** IDs of ticked calls that changed or may be gone. A run reports changes faster than they are read. */
  const stale = new Set<number>();
  let reading = false;

  /** Reads them again. They need not be in the list. */
  async function reread(): Promise<void> {
    reading = true;
    try {
      for (const id of stale) {
        stale.delete(id);
        const [call] = (await client.call('calls.list', { limit: 1, before: id + 1 })).calls;
        const ticked = new Map(get().ticked);
        if (!ticked.has(id)) continue;
        if (call?.id === id) ticked.set(id, call);
        else ticked.delete(id);
        set({ ticked });
      }
    } catch (error) {
      // They stay as they were: what is done with them reports what is wrong.
      reportIfFault(error);
    } finally {
      reading = false;
    }
  }

  function markStale(ids: readonly number[] | null): void {
    const { ticked } = get();
    // The calls of a support pack do not change.
    for (const id of ids ?? ticked.keys()) if (id > 0 && ticked.has(id)) stale.add(id);
    if (stale.size > 0 && !reading) startWork(reread());
  }

  client.on('calls.changed', ({ id }) => markStale([id]));
  client.on('history.changed', ({ ids }) => markStale(ids));

  return {
    state: {
      activeId: null,
      ticked: new Map(),
      exporting: false,
      setExporting: (exporting) => set({ exporting }),
      setActive(activeId) {
        if (get().activeId !== activeId) set({ activeId });
      },
      tick,
      tickTo(id, on) {
        const ids = listedCalls(get()).map((call) => call.id);
        const [to, last] = [ids.indexOf(id), lastTicked === null ? -1 : ids.indexOf(lastTicked)];
        const from = last === -1 ? to : last;
        tick(ids.slice(Math.min(from, to), Math.max(from, to) + 1), on);
        lastTicked = id;
      },
    },
    visit: () => markStale(null),
  };
}

function listedCalls({ list }: Listed): readonly CallSummary[] {
  return list.state === 'ready' ? list.calls : [];
}

/**
 * Returns the call with the keyboard, the next older one if that is gone, the first of all before there was any; null for an empty
 * list.
 */
export function activeCall({ list, activeId }: Listed & Pick<ChosenCallsState, 'activeId'>): CallSummary | null {
  if (list.state !== 'ready') return null;
  const { calls } = list;
  return (activeId === null ? calls[0] : (calls.find(({ id }) => id <= activeId) ?? calls.at(-1))) ?? null;
}

/** Returns the ticked calls, newest first, or the active one if none is ticked. */
export function chosenCalls(state: Listed & Pick<ChosenCallsState, 'activeId' | 'ticked'>): readonly CallSummary[] {
  const { ticked } = state;
  if (ticked.size > 0) {
    const listed = new Map(listedCalls(state).map((call) => [call.id, call]));
    // A row of the list is newer than what was ticked.
    return [...ticked.values()].map((call) => listed.get(call.id) ?? call).toSorted((one, other) => other.id - one.id);
  }
  const active = activeCall(state);
  return active === null ? [] : [active];
}

/** Returns the number of ticked calls that the list does not show now. */
export function tickedOutOfSight(state: Listed & Pick<ChosenCallsState, 'ticked'>): number {
  const listed = new Set(listedCalls(state).map(({ id }) => id));
  return [...state.ticked.keys()].filter((id) => !listed.has(id)).length;
}
