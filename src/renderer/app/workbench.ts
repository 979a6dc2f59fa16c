import type { Connection } from '#renderer/api/connection.ts';
import { orNull, startWork } from '#renderer/faults/faults.ts';
import {
  createDirectoryPicker,
  type DirectoryPicker,
  type ListDirectories,
} from '#renderer/features/collections/directory-picker.ts';
import { hasUnsaved, type EnvironmentsStore } from '#renderer/features/environments/environments-store.ts';
import { type UnknownFilesStore, createUnknownFiles } from '#renderer/features/request/kept/unknown-files.ts';
import { type WorkspaceKeeper, createWorkspaceKeeper } from '#renderer/features/request/kept/workspace-keeper.ts';
import { createDay, type Day } from '#renderer/ui/day.ts';
import { isFault } from '#shared/faults.ts';
import type { Client } from '#shared/ipc/index.ts';
import { joinStores, refreshStores } from './join-stores.ts';
import { type SettingsWriter, createSettingsWriter } from './remembered.ts';
import { createSecretQuestions, type SecretQuestions } from './secret-questions.ts';
import { type ShortcutsStore, createShortcutsStore } from './shortcuts-store.ts';
import { createStores, type Stores, type StoresDeps } from './stores.ts';
import { typedText } from './typed-text.ts';
import { keyMark } from '#shared/secrets/key-mark.ts';
import { createPageMemory } from './page-memory.ts';

/** All parts of the page, built once and handed down. */
export interface Workbench extends Stores {
  readonly client: Client;
  readonly connection: Connection;
  readonly secretQuestions: SecretQuestions;
  readonly pickDirectory: DirectoryPicker;
  readonly listDirectories: ListDirectories;
  readonly now: () => number;
  /** Moves the keyboard to the element of a selector once it is drawn. */
  readonly moveFocus: (selector: string, ...others: readonly string[]) => void;
  readonly day: Day;
  readonly settings: SettingsWriter;
  /** Keeps the open requests on the disk. */
  readonly keeper: WorkspaceKeeper;
  /** Keys of commands that the user changed. */
  readonly shortcuts: ShortcutsStore;
  readonly unknownFiles: UnknownFilesStore;
  /** Fetches the first lists and restores the state in which the page was left; the page is drawn meanwhile. */
  readonly start: () => Promise<void>;
  /** Sends what it still can when the page may go away. Returns true if something typed would be lost with it. */
  readonly leave: () => boolean;
  /** Hands what was typed to the user as a file. */
  readonly saveTyped: () => void;
  /** Shows a fault, or a refusal that no screen took. */
  readonly showFault: (error: unknown) => void;
}

/** Creates the page's parts over one client, and joins them. */
export function createWorkbench(given: Client, connection: Connection, deps: StoresDeps): Workbench {
  const { store: secretQuestions, client } = createSecretQuestions(given);
  const stores = createStores(client, deps);
  const { keeper, settings, memory, shortcuts, unknownFiles } = createRemembering(client, connection, stores, deps);
  joinStores(client, stores);
  const { faults, gateway, shell, environments, history, openPoints, requests, collections } = stores;

  const day = createDay(deps);
  day.watch(() => {
    const { choice, list, load } = history.getState();
    if (['today', 'yesterday'].includes(choice.time) && list.state !== 'loading') startWork(load());
  });

  let missed = false;
  connection.watch(({ state }) => {
    if (state === 'lost' || state === 'ended') missed = true;
    if (state !== 'open' || !missed) return;
    missed = false;
    settings.flush();
    refreshStores(stores);
  });

  return {
    ...stores,
    client,
    connection,
    showFault(error) {
      // A line that is down is reported by itself.
      if (isFault(error) || connection.get().state === 'open') faults.show(error);
    },
    pickDirectory: createDirectoryPicker(client),
    listDirectories: (directory) => client.call('collections.directories', { directory }),
    secretQuestions,
    now: deps.now,
    moveFocus: deps.moveFocus,
    day,
    settings,
    keeper,
    shortcuts,
    unknownFiles,
    async start() {
      // A page in another state than it was left in is better than none.
      const left = Promise.all([orNull(memory.restore()), keeper.start()]);
      startWork(collections.getState().load());
      // Not until the keys have been looked for, too: a keychain may take its time, and the open requests need none.
      startWork(environments.getState().load(left));
      const [values, saved] = await left;
      await whenListed(environments, async () => {
        if (saved !== null) requests.getState().restoreWorkspace(saved);
        else if (requests.getState().tabs.length === 0) requests.getState().openOperation('gameList');
      });
      // Not before: a process starts for it that looks for the keychain, and the page needs the processor.
      startWork(shell.getState().load());
      startWork(gateway.getState().loadStatus());
      memory.follow(values ?? {});
    },
    leave() {
      settings.leave();
      const isBehind = keeper.leave();
      // Forms of environments come back with the next page.
      const losesForms =
        hasUnsaved(environments.getState()) && !(connection.get().state === 'open' && settings.keeps('environmentForms'));
      return isBehind || losesForms || Object.keys(openPoints.getState().drafts).length > 0;
    },
    saveTyped: () =>
      deps.saveText(
        'croupier-typed.txt',
        typedText(requests.getState().tabs, environments.getState().editing),
        'text/plain;charset=utf-8',
      ),
  };
}

/** Runs something once the environments are known, or known to be unreadable: at once, so that the page is drawn once for both. */
function whenListed(store: EnvironmentsStore, run: () => Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const follow = () => {
      if (store.getState().list.state === 'loading') return;
      stop();
      resolve(run());
    };
    const stop = store.subscribe(follow);
    follow();
  });
}

/** Keeps open requests, layout and settings on the disk, and says once if it cannot. */
function createRemembering(client: Client, connection: Connection, stores: Stores, deps: StoresDeps) {
  const { notify, requests } = stores;
  let saidNotRemembered = false;
  let saidMasked = false;
  const page = deps.newId();
  const onMasked = () => {
    if (saidMasked) return;
    saidMasked = true;
    notify({
      tone: 'warn',
      text: `Something open here contains a private key. After a restart, Croupier shows ${keyMark} in its place.`,
    });
  };
  const { hasLine, lastWords } = connection;
  const isReachable = () => connection.get().state === 'open';
  const keeper = createWorkspaceKeeper(client, { ...deps, page, requests, hasLine, lastWords, isReachable, onMasked });
  const unknownFiles = createUnknownFiles();
  const settings = createSettingsWriter(client, {
    page,
    later: deps.later,
    onFailed(message) {
      // Shown once, and not while the line is down: the banner says that already, and it is written when the line is back.
      if (saidNotRemembered || connection.get().state !== 'open') return;
      saidNotRemembered = true;
      notify({ tone: 'warn', text: `Croupier cannot remember what is open here. ${message}` });
    },
    onMasked,
    onUnknown: () => unknownFiles.getState().add(['settings.json']),
  });

  const shortcuts = createShortcutsStore(client, page);
  const memory = createPageMemory(client, settings, { ...stores, shortcuts, unknownFiles });

  return { keeper, settings, memory, shortcuts, unknownFiles };
}
