import { createStore, type StoreApi } from 'zustand/vanilla';
import { listed } from '#shared/listed.ts';

/** Files of the home with fields that this version does not know, until the user closes the notice. */
interface UnknownFiles {
  readonly names: readonly string[];
  /** Adds names; one that was shown before is not shown again. */
  readonly add: (names: readonly string[]) => void;
  readonly dismiss: () => void;
}

export type UnknownFilesStore = StoreApi<UnknownFiles>;

export function createUnknownFiles(): UnknownFilesStore {
  const said = new Set<string>();
  return createStore<UnknownFiles>()((set, get) => ({
    names: [],
    add(names) {
      const more = [...new Set(names)].filter((name) => !said.has(name));
      for (const name of more) said.add(name);
      if (more.length > 0) set({ names: [...get().names, ...more] });
    },
    dismiss: () => set({ names: [] }),
  }));
}

/** Returns `settings.json and keys.json have fields that this version doesn't know …` */
export function unknownText(names: readonly string[]): string {
  return `${listed(names)} ${names.length < 2 ? 'has' : 'have'} fields that this version doesn't know and leaves unchanged. Another version may have written them.`;
}
