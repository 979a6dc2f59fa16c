import type { StoreApi } from 'zustand/vanilla';
import type { Client } from '#shared/ipc/index.ts';
import type { PageSetting } from '#shared/ipc/settings.ts';
import { orNull } from '#renderer/faults/faults.ts';
import { choiceNames } from '#shared/choices.ts';
import { readAppearance, writeAppearance } from './appearance.ts';
import { readLayout, type Layout, type SettingsWriter } from './remembered.ts';
import type { UnknownFilesStore } from '#renderer/features/request/kept/unknown-files.ts';
import type { ShellStore } from './shell-store.ts';
import type { ShortcutsStore } from './shortcuts-store.ts';
import type { EnvironmentsStore } from '#renderer/features/environments/environments-store.ts';
import type { HistoryStore } from '#renderer/features/history/history-store.ts';
import type { ProviderLogStore } from '#renderer/features/provider-log/provider-log-store.ts';
import type { CollectionsStore } from '#renderer/features/collections/collections-store.ts';
import type { LauncherStore } from '#renderer/features/launcher/tabs/launcher-store.ts';

/** The stores whose state outlives the page. */
interface Remembering {
  readonly unknownFiles: UnknownFilesStore;
  readonly shell: ShellStore;
  readonly environments: EnvironmentsStore;
  readonly history: HistoryStore;
  readonly providerLog: ProviderLogStore;
  readonly collections: CollectionsStore;
  readonly launcher: LauncherStore;
  readonly shortcuts: ShortcutsStore;
}

/** One setting of the page: how it is restored, what of it is written, and when. */
interface Remembered {
  restore(text: string | undefined): void;
  readonly text: () => string;
  readonly changes: readonly ((write: () => void) => void)[];
  /** Restored when the environments are known. */
  readonly late?: true;
}

/**
 * Remembers how the page was left, apart from its open requests: restores it at the start and keeps it from then on. All pages of a
 * home share it.
 */
export function createPageMemory(client: Client, settings: SettingsWriter, stores: Remembering) {
  const { unknownFiles, shell, environments, history, providerLog, collections, launcher, shortcuts } = stores;

  const remembered: Readonly<Record<PageSetting, Remembered>> = {
    layout: {
      restore(text) {
        const layout = readLayout(text);
        shell.getState().restore(layout);
        environments.setState({ currentId: layout.environmentId });
        history.setState({ grouping: layout.grouping });
      },
      text() {
        const { area, sidebar } = shell.getState();
        const { grouping } = history.getState();
        return JSON.stringify({ area, sidebar, environmentId: environments.getState().currentId, grouping } satisfies Layout);
      },
      changes: [
        when(shell, (now, before) => now.area !== before.area || now.sidebar !== before.sidebar),
        when(history, (now, before) => now.grouping !== before.grouping),
        // Where one is missing when the list comes, nobody has chosen another.
        when(environments, (now, before) => now.currentId !== before.currentId && before.list.state === 'ready'),
      ],
    },
    appearance: {
      restore: (text) => shell.getState().choose(readAppearance(text)),
      text: () => writeAppearance(shell.getState()),
      changes: [when(shell, (now, before) => choiceNames.some((name) => now[name] !== before[name]))],
    },
    providerLog: {
      restore: (text) => providerLog.getState().restoreView(text),
      text: () => providerLog.getState().exportView(),
      changes: [when(providerLog, (now, before) => now.shown !== before.shown || now.shares !== before.shares)],
    },
    collections: {
      restore: (text) => collections.getState().restoreView(text),
      text: () => collections.getState().exportView(),
      changes: [when(collections, (now, before) => now.part !== before.part || now.open !== before.open)],
    },
    shortcuts: {
      restore: (text) => shortcuts.getState().restore(text),
      text: () => shortcuts.getState().exportText(),
      changes: [when(shortcuts, (now, before) => now.changed !== before.changed)],
    },
    environmentForms: {
      late: true,
      restore: (text) => environments.getState().restoreForms(text),
      text: () => environments.getState().exportForms(),
      // Another window may have a form: one that is only looked at here must not replace it.
      changes: [when(environments, (now, before) => now.editing !== before.editing)],
    },
    launcher: {
      late: true,
      restore: (text) => text !== undefined && launcher.getState().restoreText(text),
      text: () => launcher.getState().exportText(),
      changes: [when(launcher, () => true)],
    },
  };

  const names = Object.keys(remembered) as PageSetting[];

  function begin(values: Readonly<Record<string, string>>, isLate: boolean): void {
    for (const name of names) {
      const { restore, text, changes, late = false } = remembered[name];
      if (late !== isLate) continue;
      restore(values[name]);
      settings.restored(name, values[name], text());
      for (const change of changes) change(() => settings.write(name, text));
    }
  }

  return {
    /** Restores what needs nothing else, and remembers its changes; returns the rest, for `follow`. */
    async restore(): Promise<Readonly<Record<string, string>>> {
      const read = await orNull(client.call('settings.read', {}));
      const values = read?.values ?? {};
      if (read !== null) unknownFiles.getState().add(read.unknown);
      begin(values, false);
      return values;
    },
    /** Does so with the rest once the environments are known. */
    follow: (values: Readonly<Record<string, string>>) => begin(values, true),
  };
}

/** Calls back after each change of a store that counts. */
function when<T>(store: StoreApi<T>, counts: (now: T, before: T) => boolean): (write: () => void) => void {
  return (write) => {
    store.subscribe((now, before) => {
      if (counts(now, before)) write();
    });
  };
}
