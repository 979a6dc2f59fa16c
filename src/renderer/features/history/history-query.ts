import { startWork } from '#renderer/faults/faults.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { Input } from '#shared/ipc/index.ts';
import type { Grouping } from './call-groups.ts';
import { filterOf, narrows, wholeHistory, type HistoryChoice } from './history-choice.ts';

/** The search of the history, and the grouping of its rows. */
export interface HistoryQueryState {
  /** Text of the search box; the list follows a moment later. */
  readonly text: string;
  /** Grouping of the rows; only the order by time has groups. */
  readonly grouping: Grouping;
  /** Contents of the filter bar. */
  readonly choice: HistoryChoice;

  readonly setText: (text: string) => void;
  readonly setGrouping: (grouping: Grouping) => void;
  readonly setChoice: (choice: Partial<HistoryChoice>) => void;
  /** Clears the search and every filter. */
  readonly showAll: () => void;
}

/** The part of the history that knows the query. */
export interface HistoryQuery {
  readonly state: HistoryQueryState;
  /** Returns the input of `calls.list`, for calls older than `before`. */
  readonly input: (limit: number, before?: number) => Input<'calls.list'>;
  /** Returns the query of a list that is fetched now; the same text does not fetch it again. */
  readonly begin: () => { readonly searched: string; readonly narrowed: boolean };
}

/**
 * `now` in milliseconds since the epoch; `later` calls back once after a number of milliseconds and returns the function that
 * cancels this.
 */
export interface HistoryQueryDeps {
  readonly now: () => number;
  readonly later: (run: () => void, milliseconds: number) => () => void;
}

const typingPause = 180;

/** Creates the part that holds the query; `load` fetches the list. */
export function createHistoryQuery(
  {
    getState: get,
    setState: set,
  }: StorePart<HistoryQueryState & { readonly searched: string; readonly load: () => Promise<void> }>,
  { now, later }: HistoryQueryDeps,
): HistoryQuery {
  let typing: (() => void) | null = null;

  function stop(): void {
    typing?.();
    typing = null;
  }

  return {
    state: {
      text: '',
      grouping: 'session',
      choice: wholeHistory,
      setText(text) {
        set({ text });
        typing?.();
        typing = later(() => {
          typing = null;
          if (get().text.trim() !== get().searched) startWork(get().load());
        }, typingPause);
      },
      setGrouping: (grouping) => set({ grouping }),
      setChoice(choice) {
        set((state) => ({ choice: { ...state.choice, ...choice } }));
        startWork(get().load());
      },
      showAll() {
        set(({ choice }) => ({ text: '', choice: { ...wholeHistory, pack: choice.pack } }));
        startWork(get().load());
      },
    },
    input(limit, before) {
      const { text, choice } = get();
      const searched = text.trim();
      return {
        limit,
        ...(searched === '' ? {} : { text: searched }),
        ...(narrows(choice) ? { filter: filterOf(choice, now()) } : {}),
        ...(before === undefined ? {} : { before }),
        ...(choice.pack === null ? {} : { pack: choice.pack }),
      };
    },
    begin() {
      stop();
      const { text, choice } = get();
      const searched = text.trim();
      return { searched, narrowed: searched !== '' || narrows(choice) };
    },
  };
}
