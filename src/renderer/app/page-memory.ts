import type { Client } from '#shared/ipc/index.ts';
import { orNull } from '#renderer/faults/faults.ts';
import { readAppearance, writeAppearance } from './appearance.ts';
import { readLayout, type Layout, type SettingsWriter } from './remembered.ts';
import type { UnknownFilesStore } from '#renderer/features/request/unknown-files.ts';
import type { ShellStore } from './shell-store.ts';
import type { ShortcutsStore } from './shortcuts-store.ts';
import type { EnvironmentsStore } from '#renderer/features/environments/environments-store.ts';
import type { HistoryStore } from '#renderer/features/history/history-store.ts';
import type { ProviderLogStore } from '#renderer/features/provider-log/provider-log-store.ts';
import type { CollectionsStore } from '#renderer/features/collections/collections-store.ts';
import type { LauncherStore } from '#renderer/features/launcher/launcher-store.ts';

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

/**
 * Remembers how the page was left, apart from its open requests: restores it at the start and keeps it from then on. All pages of a
 * home share it.
 */
export interface PageMemory {
  /** Restores what needs nothing else; returns the rest, for `follow`. */
  restore(): Promise<Readonly<Record<string, string>>>;
  /** Restores the rest once the environments are known, and remembers changes. */
  follow(values: Readonly<Record<string, string>>): void;
}

export function createPageMemory(client: Client, settings: SettingsWriter, stores: Remembering): PageMemory {
  const { unknownFiles, shell, environments, history, providerLog, collections, launcher, shortcuts } = stores;

  function layoutText(): string {
    const { area, sidebar } = shell.getState();
    const { grouping } = history.getState();
    const layout: Layout = { area, sidebar, environmentId: environments.getState().currentId, grouping };
    return JSON.stringify(layout);
  }

  function writeLayout(): void {
    settings.write('layout', layoutText());
  }

  async function read(): Promise<Readonly<Record<string, string>>> {
    const read = await orNull(client.call('settings.read', {}));
    if (read === null) return {};
    unknownFiles.getState().add(read.unknown);
    return read.values;
  }

  return {
    async restore() {
      const values = await read();
      const layout = readLayout(values['layout']);
      shell.getState().restore(layout, readAppearance(values['appearance']));
      providerLog.getState().restoreView(values['providerLog']);
      environments.setState({ currentId: layout.environmentId });
      history.setState({ grouping: layout.grouping });
      collections.getState().restoreView(values['collections']);
      shortcuts.getState().restore(values['shortcuts']);
      settings.restored('shortcuts', values['shortcuts'], shortcuts.getState().exportText());
      settings.restored('layout', values['layout'], layoutText());
      settings.restored('appearance', values['appearance'], writeAppearance(shell.getState()));
      settings.restored('providerLog', values['providerLog'], providerLog.getState().exportView());
      settings.restored('collections', values['collections'], collections.getState().exportView());
      return values;
    },
    follow({ launcher: launches, environmentForms }) {
      environments.getState().restoreForms(environmentForms);
      settings.restored('environmentForms', environmentForms, environments.getState().exportForms());
      if (launches !== undefined) launcher.getState().restoreText(launches);
      settings.restored('launcher', launches, launcher.getState().exportText());
      shell.subscribe((state, before) => {
        if (state.theme !== before.theme || state.contrast !== before.contrast || state.screenReader !== before.screenReader)
          settings.write('appearance', writeAppearance(state));
        if (state.area !== before.area || state.sidebar !== before.sidebar) writeLayout();
      });
      history.subscribe(({ grouping }, before) => {
        if (grouping !== before.grouping) writeLayout();
      });
      environments.subscribe(({ currentId, editing, exportForms }, before) => {
        if (currentId !== before.currentId) writeLayout();
        // Another window may have a form: one that is only looked at here must not replace it.
        if (editing !== before.editing) settings.write('environmentForms', exportForms);
      });
      providerLog.subscribe((state, before) => {
        if (state.shown !== before.shown || state.shares !== before.shares) settings.write('providerLog', state.exportView());
      });
      collections.subscribe((state, before) => {
        if (state.part !== before.part || state.open !== before.open) settings.write('collections', () => state.exportView());
      });
      shortcuts.subscribe(({ changed, exportText }, before) => {
        if (changed !== before.changed) settings.write('shortcuts', exportText());
      });
      launcher.subscribe((state) => settings.write('launcher', () => state.exportText()));
    },
  };
}
