import type { Client, Launch, LaunchState, Output } from '#shared/ipc/index.ts';
import { asAppError, orNull, startWork } from '#renderer/faults/faults.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';

/** The list of earlier launches: a search, a verdict, and the rule by which launches are kept. */
export interface EarlierLaunchState {
  /** The launches found so far, newest first, and the number of all of them; null until they were requested. */
  readonly earlier: { readonly launches: readonly Launch[]; readonly total: number } | null;
  readonly earlierText: string;
  readonly earlierState: LaunchState | 'any';
  /** Null until it was requested. */
  readonly keeping: Output<'launches.keeping'> | null;

  readonly searchEarlier: (text: string) => void;
  readonly filterEarlier: (state: LaunchState | 'any') => void;
  /** Fetches the next ones of the list. */
  readonly moreEarlier: () => Promise<void>;
  /** Sets how many launches are kept; returns null, or why it was not done. */
  readonly keepLaunches: (most: number, removes: number) => Promise<string | null>;
}

/** The part of the launcher that fetches the list, and again when launches change. */
export interface EarlierLaunches {
  readonly state: EarlierLaunchState;
  readonly load: () => Promise<void>;
}

/** Milliseconds after a burst of events, or of typing, until the list is fetched. */
const settle = 300;
const page = 20;
/** Most launches that one call returns. */
const mostAtOnce = 200;

/** Creates the part that fetches the list; `later` calls back once, and returns what cancels that. */
export function createEarlierLaunches(
  client: Client,
  later: (run: () => void, milliseconds: number) => () => void,
  { getState: get, setState: set }: StorePart<EarlierLaunchState>,
): EarlierLaunches {
  let round = 0;
  let askedAfter: readonly Launch[] | null = null;
  let waiting: (() => void) | null = null;
  const again = () => {
    if (get().earlier !== null) fetchLater();
  };
  client.on('launches.listed', again);
  client.on('launches.changed', again);
  // A game that is open in another tab goes on.
  client.on('launches.recorded', ({ id, verdict }) => {
    const { earlier } = get();
    if (earlier?.launches.some((launch) => launch.id === id) !== true) return;
    const launches = earlier.launches.map((launch) => (launch.id === id ? { ...launch, verdict } : launch));
    set({ earlier: { ...earlier, launches } });
  });

  function fetchLater(): void {
    waiting ??= later(() => {
      waiting = null;
      startWork(load());
    }, settle);
  }

  async function ask(offset: number, limit: number): Promise<Output<'launches.list'> | null> {
    round += 1;
    const mine = round;
    const { earlierText: text, earlierState: state } = get();
    const list = await orNull(client.call('launches.list', { text, state: state === 'any' ? null : state, offset, limit }));
    return mine === round ? list : null;
  }

  async function load(): Promise<void> {
    const shown = get().earlier?.launches.length ?? 0;
    const [list, keeping] = await Promise.all([
      ask(0, Math.min(Math.max(shown, page), mostAtOnce)),
      orNull(client.call('launches.keeping', {})),
    ]);
    if (list !== null) set({ earlier: list });
    if (keeping !== null) set({ keeping });
  }

  return {
    state: {
      earlier: null,
      earlierText: '',
      earlierState: 'any',
      keeping: null,
      searchEarlier(text) {
        set({ earlierText: text });
        fetchLater();
      },
      filterEarlier(state) {
        set({ earlierState: state });
        startWork(load());
      },
      async moreEarlier() {
        const before = get().earlier?.launches ?? [];
        // The end of the table is in sight until they have come.
        if (askedAfter === before) return;
        askedAfter = before;
        const list = await ask(before.length, page);
        if (list !== null) set({ earlier: { launches: [...before, ...list.launches], total: list.total } });
      },
      async keepLaunches(most, removes) {
        try {
          set({ keeping: await client.call('launches.keep', { most, removes }) });
          return null;
        } catch (error) {
          startWork(load());
          return asAppError(error).message;
        }
      },
    },
    load,
  };
}
