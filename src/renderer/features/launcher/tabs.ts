import { activeTab, type LauncherDeps, type LauncherStore, type LaunchSlot, type LaunchTab } from './launcher-state.ts';

/** The ways to read and change the tabs, and the launches in them by their ids. What is not there any more is left alone. */
export interface Tabs {
  /** The shown tab where no id is given. */
  find(id: string | undefined): LaunchTab | undefined;
  update(id: string, change: (tab: LaunchTab) => Partial<LaunchTab>): void;
  /** Shows a new tab. */
  add(change: Partial<LaunchTab>): LaunchTab;
  /** Shows the tab of the moment where nothing was done in it yet, else a new one; gives its id. */
  fresh(change: Partial<LaunchTab>): string;
  slotOf(launchId: string): LaunchSlot | undefined;
  updateSlot(launchId: string, change: (slot: LaunchSlot) => LaunchSlot): void;
  show(launchId: string, shown: LaunchSlot['shown']): void;
}

export const idle = { state: 'idle' } as const;
export const closed = { state: 'closed' } as const;
export const waiting = { state: 'waiting' } as const;

export function createTabs(
  { getState: get, setState: set }: Pick<LauncherStore, 'getState' | 'setState'>,
  newId: LauncherDeps['newId'],
): Tabs {
  const tabs: Tabs = {
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
        return tabs.add(change).id;
      }
      tabs.update(tab.id, () => change);
      return tab.id;
    },
    slotOf: (launchId) =>
      get()
        .tabs.flatMap((tab) => tab.slots)
        .find((slot) => slot.launch.id === launchId),
    updateSlot(launchId, change) {
      const tab = get().tabs.find((one) => one.slots.some((slot) => slot.launch.id === launchId));
      if (tab === undefined) return;
      tabs.update(tab.id, ({ slots }) => ({
        slots: slots.map((slot) => (slot.launch.id === launchId ? change(slot) : slot)),
      }));
    },
    show: (launchId, shown) => tabs.updateSlot(launchId, (slot) => ({ ...slot, shown })),
  };
  return tabs;
}

/** A tab in which nothing was done. */
export function emptyTab(id: string): LaunchTab {
  return {
    id,
    typed: {},
    gameName: '',
    mode: 'fun',
    token: '',
    problems: {},
    renewal: null,
    preparing: idle,
    slots: [],
    slotId: null,
  };
}

/** Whether something was typed or launched in a tab. */
export function isUsed({ typed, slots, preparing }: LaunchTab): boolean {
  return Object.keys(typed).length > 0 || slots.length > 0 || preparing.state !== 'idle';
}

/** Whether its game is on the stage, or about to be. */
export function isOpen({ shown }: LaunchSlot): boolean {
  return shown.state !== 'closed' && shown.state !== 'waiting';
}
