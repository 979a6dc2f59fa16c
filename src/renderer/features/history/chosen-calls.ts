import type { CallSummary } from '#shared/ipc/index.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { HistoryListState } from './history-list.ts';

/** The calls of the list that the user acts on. */
export interface ChosenCallsState {
  /** ID of the call that the keyboard is or was on; `activeCall` returns the present one. */
  readonly activeId: number | null;
  /** IDs of the ticked calls. */
  readonly ticked: ReadonlySet<number>;

  readonly setActive: (id: number) => void;
  readonly tick: (ids: readonly number[], on: boolean) => void;
  /** Ticks also all calls between it and the one that was ticked or unticked last, in the order of the list. */
  readonly tickTo: (id: number, on: boolean) => void;
}

type Listed = Pick<HistoryListState, 'list'>;

/** Creates the part of the store that holds the active call and the ticked ones. */
export function createChosenCalls({ getState: get, setState: set }: StorePart<ChosenCallsState & Listed>): ChosenCallsState {
  let lastTicked: number | null = null;

  function tick(ids: readonly number[], on: boolean): void {
    const ticked = new Set(get().ticked);
    for (const id of ids) {
      if (on) ticked.add(id);
      else ticked.delete(id);
    }
    lastTicked = ids.at(-1) ?? lastTicked;
    set({ ticked });
  }

  return {
    activeId: null,
    ticked: new Set(),
    setActive(activeId) {
      if (get().activeId !== activeId) set({ activeId });
    },
    tick,
    tickTo(id, on) {
      const { list } = get();
      const ids = list.state === 'ready' ? list.calls.map((call) => call.id) : [];
      const [to, last] = [ids.indexOf(id), lastTicked === null ? -1 : ids.indexOf(lastTicked)];
      const from = last === -1 ? to : last;
      tick(ids.slice(Math.min(from, to), Math.max(from, to) + 1), on);
      lastTicked = id;
    },
  };
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

/** Returns the ticked calls in sight, newest first, or the active one if none is ticked. */
export function chosenCalls(state: Listed & Pick<ChosenCallsState, 'activeId' | 'ticked'>): readonly CallSummary[] {
  const { list, ticked } = state;
  const chosen = list.state === 'ready' && ticked.size > 0 ? list.calls.filter(({ id }) => ticked.has(id)) : [];
  if (chosen.length > 0) return chosen;
  const active = activeCall(state);
  return active === null ? [] : [active];
}
