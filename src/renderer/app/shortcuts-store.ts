import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CommandId } from '#shared/commands.ts';
import type { Client } from '#shared/ipc/index.ts';
import { readShortcuts, type Shortcuts } from '#shared/shortcuts.ts';

/** The keys of commands that the user changed. All pages of a home and the desktop's menu share them. */
interface ShortcutsState {
  readonly changed: Shortcuts;
  /** Gives a command these chords in place of its usual ones. */
  readonly assign: (id: CommandId, chords: readonly string[]) => void;
  /** Gives a command, or all of them, the usual chords again. */
  readonly reset: (id?: CommandId) => void;
  /** Takes what is remembered. */
  readonly restore: (text: string | undefined) => void;
  readonly exportText: () => string;
}

export type ShortcutsStore = StoreApi<ShortcutsState>;

/** Creates the store, which follows what other pages write; `page` is this one's name. */
export function createShortcutsStore(client: Pick<Client, 'on'>, page: string): ShortcutsStore {
  const store = createStore<ShortcutsState>()((set, get) => ({
    changed: {},
    assign: (id, chords) => set(({ changed }) => ({ changed: { ...changed, [id]: chords } })),
    reset: (id) =>
      set(({ changed }) => ({
        changed: Object.fromEntries(Object.entries(changed).filter(([name]) => id !== undefined && name !== id)),
      })),
    restore: (text) => set({ changed: readShortcuts(text) }),
    exportText: () => JSON.stringify(get().changed),
  }));
  client.on('settings.changed', (written) => {
    if (written.name === 'shortcuts' && written.page !== page) store.getState().restore(written.value);
  });
  return store;
}
