import type { StorePart } from '#renderer/ui/store-part.ts';
import type { RequestTab } from './request-tab.ts';
import { IDLE } from './sending.ts';

/** The open tabs, their order, and the one that is shown. */
export interface TabListState {
  readonly tabs: readonly RequestTab[];
  readonly activeId: string | null;
  /** Closed tabs, newest last. */
  readonly closed: readonly RequestTab[];
  /** The reason why a call or a file could not be opened; null if nothing is wrong. */
  readonly problem: string | null;

  readonly duplicateTab: (id?: string) => void;
  readonly closeTab: (id?: string) => void;
  readonly reopenTab: () => void;
  readonly selectTab: (id: string) => void;
  /** 0-based; out of range does nothing. */
  readonly selectTabAt: (index: number) => void;
  readonly moveTab: (id: string, to: number) => void;
  readonly dismissProblem: () => void;
}

/**
 * The functions with which the other parts of the store read and change the tabs. A tab that was closed meanwhile is left alone.
 */
export interface TabList {
  readonly all: () => readonly RequestTab[];
  /** Finds the active tab if no ID is given. */
  readonly find: (id: string | undefined) => RequestTab | undefined;
  readonly update: (id: string, change: (tab: RequestTab) => RequestTab) => void;
  /** Puts a tab behind the active one and shows it. */
  readonly add: (tab: RequestTab) => void;
  readonly show: (id: string | null) => void;
  /** Shows why something could not be opened; null clears it. */
  readonly fail: (problem: string | null) => void;
}

const CLOSED_KEPT = 20;

/** Creates the access to the tabs; `onShown` is called with each tab that is shown. */
export function createTabList(
  { getState: get, setState: set }: StorePart<TabListState>,
  onShown: (tab: RequestTab) => void,
): TabList {
  const list: TabList = {
    all: () => get().tabs,
    find(id) {
      const wanted = id ?? get().activeId;
      return get().tabs.find((tab) => tab.id === wanted);
    },
    update(id, change) {
      set((state) => ({ tabs: state.tabs.map((tab) => (tab.id === id ? change(tab) : tab)) }));
    },
    add(tab) {
      set((state) => {
        const after = state.tabs.findIndex((open) => open.id === state.activeId);
        const at = after < 0 ? state.tabs.length : after + 1;
        return { tabs: state.tabs.toSpliced(at, 0, tab), activeId: tab.id };
      });
    },
    show(id) {
      set({ activeId: id });
      const tab = list.find(id ?? undefined);
      if (tab !== undefined) onShown(tab);
    },
    fail: (problem) => set({ problem }),
  };
  return list;
}

/** Creates the part of the store that holds the tabs. */
export function createTabListState(
  { getState: get, setState: set }: StorePart<TabListState>,
  { find, add, show }: Pick<TabList, 'find' | 'add' | 'show'>,
  newId: () => string,
): TabListState {
  return {
    tabs: [],
    activeId: null,
    closed: [],
    problem: null,
    duplicateTab(id) {
      const tab = find(id);
      if (tab !== undefined) add({ ...tab, id: newId(), file: null, sending: IDLE });
    },
    closeTab(id) {
      const tab = find(id);
      if (tab === undefined) return;
      const { tabs, closed, activeId } = get();
      const at = tabs.indexOf(tab);
      const rest = tabs.toSpliced(at, 1);
      // A call under way goes on; its outcome is in the history.
      const kept = [...closed, { ...tab, sending: IDLE }].slice(-CLOSED_KEPT);
      set({ tabs: rest, closed: kept });
      if (activeId === tab.id) show(rest[Math.min(at, rest.length - 1)]?.id ?? null);
    },
    reopenTab() {
      const { closed } = get();
      const tab = closed.at(-1);
      if (tab === undefined) return;
      set({ closed: closed.slice(0, -1) });
      add(tab);
      show(tab.id);
    },
    selectTab: show,
    selectTabAt(index) {
      const tab = get().tabs[index];
      if (tab !== undefined) show(tab.id);
    },
    moveTab(id, to) {
      const { tabs } = get();
      const from = tabs.findIndex((tab) => tab.id === id);
      const tab = tabs[from];
      if (tab === undefined || to < 0 || to >= tabs.length) return;
      set({ tabs: tabs.toSpliced(from, 1).toSpliced(to, 0, tab) });
    },
    dismissProblem: () => set({ problem: null }),
  };
}
