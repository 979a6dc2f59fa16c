import type { StorePart } from '#renderer/ui/store-part.ts';
import type { RequestLayout } from './request-layout.ts';
import type { RequestTab } from './request-tab.ts';
import { IDLE } from './sending.ts';
import { contentKey } from './tab-file.ts';
import type { TabList, TabListState } from './tab-list.ts';
import type { SavedTab, SavedWorkspace } from './workspace-text.ts';

/** Restores tabs as they were left. */
export interface SavedTabActions {
  /** Restores the tabs as they were left, before those that were opened meanwhile. */
  readonly restoreWorkspace: (saved: SavedWorkspace) => void;
  /** Opens more tabs that were left elsewhere, behind the others; returns their IDs. */
  readonly addSaved: (tabs: readonly SavedTab[]) => readonly string[];
}

/** Creates the actions that restore tabs; `lookAtFiles` compares their files with the disk. */
export function createSavedTabs(
  { getState: get, setState: set }: StorePart<RequestLayout & Pick<TabListState, 'tabs' | 'activeId'>>,
  { show }: Pick<TabList, 'show'>,
  { newId, lookAtFiles }: { readonly newId: () => string; readonly lookAtFiles: () => void },
): SavedTabActions {
  return {
    restoreWorkspace({ list: { active, ...layout }, tabs }) {
      const { tabs: open, activeId } = get();
      set({ ...layout, tabs: [...tabs.map(({ id, tab }) => restored(id, tab)), ...open] });
      show(activeId ?? tabs.find(({ id }) => id === active)?.id ?? tabs[0]?.id ?? null);
      lookAtFiles();
    },
    addSaved(saved) {
      const more = saved.map((tab) => restored(newId(), tab));
      set(({ tabs }) => ({ tabs: [...tabs, ...more] }));
      if (more[0] !== undefined) show(more[0].id);
      lookAtFiles();
      return more.map(({ id }) => id);
    },
  };
}

function restored(id: string, { dirty, file, ...rest }: SavedTab): RequestTab {
  const known = file === null ? null : { ...file, gone: false, theirs: null, problem: null };
  return { id, ...rest, file: known, dirty, clean: dirty ? null : contentKey(rest), call: null, run: null, sending: IDLE };
}
