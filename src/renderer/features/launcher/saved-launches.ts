import { startWork } from '#renderer/faults/faults.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import { emptyTab, isUsed } from './launch-tab.ts';
import type { LaunchRecords } from './launch-records.ts';
import { readLauncher, writeLauncher, type Remembered } from './launcher-text.ts';

/** Writes and reads the launcher's memory. */
export interface SavedLaunchActions {
  /** Returns JSON text for later sessions: no token and no URL. */
  readonly exportText: () => string;
  readonly restoreText: (text: string) => void;
}

/** Creates the actions that remember and restore the launcher. */
export function createSavedLaunches(
  { getState: get, setState: set }: StorePart<Remembered>,
  { newId, restore }: Pick<LaunchRecords, 'restore'> & { readonly newId: () => string },
): SavedLaunchActions {
  return {
    exportText: () => writeLauncher(get()),
    restoreText(text) {
      const saved = readLauncher(text);
      if (saved === null || saved.tabs.length === 0 || get().tabs.some(isUsed)) return;
      const { zoom, follow, shares } = saved;
      const restored = saved.tabs.map(({ launches: _ids, ...form }) => ({ ...emptyTab(newId()), ...form }));
      const activeId = (restored[saved.active] ?? restored[0])?.id ?? null;
      set({ zoom, follow, shares, tabs: restored, activeId });
      for (const [at, { launches }] of saved.tabs.entries()) {
        const tab = restored[at];
        if (tab !== undefined && launches.length > 0) startWork(restore(tab.id, launches));
      }
    },
  };
}
