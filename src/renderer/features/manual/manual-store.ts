import { createStore, type StoreApi } from 'zustand/vanilla';
import type { PageName } from './contents.ts';

/** A place in the help: a page, and its heading or null for its begin. */
export interface ManualPlace {
  readonly page: PageName;
  readonly heading: string | null;
}

/** A place that was read. */
export interface Visit extends ManualPlace {
  /** Distance in pixels that the page was scrolled when it was left; null if it was not left yet. */
  readonly scroll: number | null;
}

interface ManualState {
  /** The place that is read; null before the help was opened. */
  readonly visit: Visit | null;
  /** Places read before, the last one last, and those that a way back left. */
  readonly back: readonly Visit[];
  readonly forward: readonly Visit[];
  /** The text that is searched. */
  readonly text: string;
  /** True while the list takes the place of the page, if there is no room for both. */
  readonly listShown: boolean;
  readonly setText: (text: string) => void;
  readonly toggleList: () => void;
  readonly go: (place: ManualPlace) => void;
  readonly goBack: () => void;
  readonly goForward: () => void;
  /** Notes the distance that the page in sight is scrolled, without a change of the state. */
  readonly noteScroll: (scroll: number) => void;
}

export type ManualStore = StoreApi<ManualState>;

/** Places that the way back keeps. */
const most = 100;

/** Creates the state of the help: the place that is read, and the way back. */
export function createManualStore(): ManualStore {
  let scroll: number | null = null;
  return createStore<ManualState>()((set, get) => {
    /** Returns the place in sight with its scrolling, as a list. */
    function left(): readonly Visit[] {
      const { visit } = get();
      const known = scroll;
      scroll = null;
      return visit === null ? [] : [{ ...visit, scroll: known }];
    }

    return {
      visit: null,
      back: [],
      forward: [],
      text: '',
      listShown: false,
      toggleList: () => set(({ listShown }) => ({ listShown: !listShown })),
      setText: (text) => set({ text }),
      go({ page, heading }) {
        const { visit, back } = get();
        // The same link again leads to its heading again, without a step on the way back.
        const same = visit?.page === page && visit.heading === heading;
        const next = { visit: { page, heading, scroll: null }, listShown: false };
        set(same ? next : { ...next, back: [...back, ...left()].slice(-most), forward: [] });
      },
      goBack() {
        const { back, forward } = get();
        const visit = back.at(-1);
        if (visit !== undefined) set({ visit, back: back.slice(0, -1), forward: [...left(), ...forward], listShown: false });
      },
      goForward() {
        const { back, forward } = get();
        const [visit, ...rest] = forward;
        if (visit !== undefined) set({ visit, back: [...back, ...left()], forward: rest, listShown: false });
      },
      noteScroll(now) {
        scroll = now;
      },
    };
  });
}
