import type { StorePart } from '#renderer/ui/store-part.ts';
import { activeTab, emptyTab, type LaunchSlot, type LaunchTab } from './launch-tab.ts';

/** The open tabs of the launcher, and the shown one. */
export interface TabListState {
  readonly tabs: readonly LaunchTab[];
  readonly activeId: string | null;

  readonly selectTab: (id: string) => void;
  /** 0-based; out of range does nothing. */
  readonly selectTabAt: (index: number) => void;
  /** Ends the tab's games and forgets their sessions; the records stay among the earlier launches. */
  readonly closeTab: (id?: string) => void;
  readonly selectSlot: (tabId: string, launchId: string) => void;
}

/** The functions that read and change the tabs, and the launches in them by their IDs. Those that are gone are left alone. */
export interface TabList {
  readonly all: () => readonly LaunchTab[];
  /** Returns the tab with this ID; the shown one if none is given. */
  readonly find: (id: string | undefined) => LaunchTab | undefined;
  readonly update: (id: string, change: (tab: LaunchTab) => Partial<LaunchTab>) => void;
  /** Shows a new tab. */
  readonly add: (change: Partial<LaunchTab>) => LaunchTab;
  /** Shows the present tab if nothing was done in it yet, else a new one; returns its ID. */
  readonly fresh: (change: Partial<LaunchTab>) => string;
  readonly slotOf: (launchId: string) => LaunchSlot | undefined;
  readonly updateSlot: (launchId: string, change: (slot: LaunchSlot) => LaunchSlot) => void;
  readonly show: (launchId: string, shown: LaunchSlot['shown']) => void;
}

/** Creates the access to the tabs. */
export function createTabList({ getState: get, setState: set }: StorePart<TabListState>, newId: () => string): TabList {
  const list: TabList = {
    all: () => get().tabs,
    find: (id) => get().tabs.find((tab) => tab.id === (id ?? get().activeId)),
    update(id, change) {
      set((state) => ({ tabs: state.tabs.map((tab) => (tab.id === id ? { ...tab, ...change(tab) } : tab)) }));
    },
    add(change) {
      const tab: LaunchTab = { ...emptyTab(newId()), ...change };
      set((state) => ({ tabs: [...state.tabs, tab], activeId: tab.id }));
      return tab;
    },
    fresh(change) {
      const tab = activeTab(get());
      if (tab === null || tab.slots.length > 0 || tab.typed.gameId !== undefined || tab.preparing.state !== 'idle') {
        return list.add(change).id;
      }
      list.update(tab.id, () => change);
      return tab.id;
    },
    slotOf: (launchId) =>
      get()
        .tabs.flatMap((tab) => tab.slots)
        .find((slot) => slot.launch.id === launchId),
    updateSlot(launchId, change) {
      const tab = get().tabs.find((one) => one.slots.some((slot) => slot.launch.id === launchId));
      if (tab === undefined) return;
      list.update(tab.id, ({ slots }) => ({
        slots: slots.map((slot) => (slot.launch.id === launchId ? change(slot) : slot)),
      }));
    },
    show: (launchId, shown) => list.updateSlot(launchId, (slot) => ({ ...slot, shown })),
  };
  return list;
}

/** Creates the part of the store that holds the tabs; `onClosing` ends a tab's games before it goes. */
export function createTabListState(
  { getState: get, setState: set }: StorePart<TabListState>,
  { find, update, add }: Pick<TabList, 'find' | 'update' | 'add'>,
  onClosing: (tab: LaunchTab) => void,
): TabListState {
  return {
    tabs: [],
    activeId: null,
    selectTab: (id) => set({ activeId: id }),
    selectTabAt(index) {
      const tab = get().tabs[index];
      if (tab !== undefined) set({ activeId: tab.id });
    },
    closeTab(id) {
      const tab = find(id);
      if (tab === undefined) return;
      const { tabs: before, activeId } = get();
      const at = before.indexOf(tab);
      const rest = before.toSpliced(at, 1);
      onClosing(tab);
      const next = rest[Math.min(at, rest.length - 1)];
      set({ tabs: rest, activeId: activeId === tab.id ? (next?.id ?? null) : activeId });
      if (rest.length === 0) add({});
    },
    selectSlot: (tabId, launchId) => update(tabId, () => ({ slotId: launchId })),
  };
}
