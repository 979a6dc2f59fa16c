import { startWork } from '#renderer/faults/faults.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { Input } from '#shared/ipc/index.ts';
import type { Grouping } from './call-groups.ts';
import { filterOf, narrows, wholeHistory, type HistoryChoice } from './history-choice.ts';

/** What the history is searched for, and how its rows are grouped. */
export interface HistoryQueryState {
  /** What the search box holds; the list follows a moment later. */
  readonly text: string;
  /** How the rows are grouped; every sorting but the one by time has no groups. */
  readonly grouping: Grouping;
  /** What the filter bar holds. */
  readonly choice: HistoryChoice;

  readonly setText: (text: string) => void;
  readonly setGrouping: (grouping: Grouping) => void;
  readonly setChoice: (choice: Partial<HistoryChoice>) => void;
  /** Takes back the search and every filter. */
  readonly showAll: () => void;
}

/** The part of the history that knows what is wanted. */
export interface HistoryQuery {
  readonly state: HistoryQueryState;
  /** Returns the input of `calls.list`, for calls older than `before`. */
  readonly input: (limit: number, before?: number) => Input<'calls.list'>;
  /** Returns what a list that is fetched now is fetched for, and does not fetch it again for that text. */
  readonly begin: () => { readonly searched: string; readonly narrowed: boolean };
  /** Calls off what was to come of the typing. */
  readonly stop: () => void;
}

/** `now` in milliseconds since the epoch; `later` calls back once after some milliseconds and gives back the function that calls it off. */
export interface HistoryQueryDeps {
  readonly now: () => number;
  readonly later: (run: () => void, milliseconds: number) => () => void;
}

const typingPause = 180;

/** Creates the part that holds the search; the list is fetched by `load`. */
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
        set({ text: '', choice: wholeHistory });
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
      };
    },
    begin() {
      stop();
      const { text, choice } = get();
      const searched = text.trim();
      return { searched, narrowed: searched !== '' || narrows(choice) };
    },
    stop,
  };
}
