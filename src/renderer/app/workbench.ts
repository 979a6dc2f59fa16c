import type { Connection } from '#renderer/api/connection.ts';
import type { CallCopies } from '#renderer/calls/copy-call.ts';
import { type EvidenceStore } from '#renderer/calls/evidence-store.ts';
import { type GameListsStore } from '#renderer/calls/game-lists.ts';
import type { ClockStore } from '#renderer/calls/clock-store.ts';
import { type ProductionStore } from '#renderer/calls/production-store.ts';
import { type RepeatStore } from '#renderer/calls/repeat-store.ts';
import { orNull, startWork } from '#renderer/faults/faults.ts';
import { type CollectionsStore } from '#renderer/features/collections/collections-store.ts';
import {
  createDirectoryPicker,
  type DirectoryPicker,
  type ListDirectories,
} from '#renderer/features/collections/directory-picker.ts';
import { type ImportStore } from '#renderer/features/collections/import-store.ts';
import { type StartersStore } from '#renderer/features/collections/starters-store.ts';
import { type VariablesStore } from '#renderer/features/collections/variables-store.ts';
import { type ComparisonStore } from '#renderer/features/comparison/comparison-store.ts';
import { type DoctorStore } from '#renderer/features/doctor/doctor-store.ts';
import { type ProbeStore } from '#renderer/features/doctor/probe-store.ts';
import { hasUnsaved, type EnvironmentsStore } from '#renderer/features/environments/environments-store.ts';
import { type GamesStore } from '#renderer/features/games/games-store.ts';
import { type ThumbnailLoader } from '#renderer/features/games/thumbnail-loader.ts';
import { type CallActions } from '#renderer/features/history/call-actions.ts';
import { type CallExports } from '#renderer/features/history/call-exports.ts';
import { type ForgetStore } from '#renderer/features/history/forget-store.ts';
import { type HistoryStore } from '#renderer/features/history/history-store.ts';
import { type PacksStore } from '#renderer/features/history/packs-store.ts';
import { type ShownCallStore } from '#renderer/features/history/shown-call-store.ts';
import { type StorageStore } from '#renderer/features/history/storage-store.ts';
import { type LauncherStore } from '#renderer/features/launcher/launcher-store.ts';
import { type ManualStore } from '#renderer/features/manual/manual-store.ts';
import { type OpenPointsStore } from '#renderer/features/open-points/open-points-store.ts';
import { type ProviderLogStore } from '#renderer/features/provider-log/provider-log-store.ts';
import { type ResultsStore } from '#renderer/features/request/results-store.ts';
import { type DigestStore } from '#renderer/features/request/digest-store.ts';
import { type RequestStore } from '#renderer/features/request/request-store.ts';
import { type TabVariables } from '#renderer/features/request/tab-variables.ts';
import { type UnknownFilesStore } from '#renderer/features/request/unknown-files.ts';
import { type WorkspaceKeeper } from '#renderer/features/request/workspace-keeper.ts';
import { type ResponseStore } from '#renderer/features/response/response-store.ts';
import { type RoundsStore } from '#renderer/features/rounds/rounds-store.ts';
import { type RunStartStore } from '#renderer/features/runs/run-start-store.ts';
import { type RunsStore } from '#renderer/features/runs/runs-store.ts';
import { createDay, type Day } from '#renderer/ui/day.ts';
import { isFault } from '#shared/faults.ts';
import type { Client } from '#shared/ipc/index.ts';
import { joinStores, refreshStores } from './join-stores.ts';
import { type SettingsWriter } from './remembered.ts';
import { createRemembering } from './remembering.ts';
import { createSecretQuestions, type SecretQuestions } from './secret-questions.ts';
import { type ShellStore } from './shell-store.ts';
import { type ShortcutsStore } from './shortcuts-store.ts';
import { createStores, type StoresDeps } from './stores.ts';
import { typedText } from './typed-text.ts';

/** All parts of the page, built once and handed down. */
export interface Workbench {
  readonly client: Client;
  readonly connection: Connection;
  readonly shell: ShellStore;
  readonly environments: EnvironmentsStore;
  readonly games: GamesStore;
  /** Names and bets of games, for requests that name one. */
  readonly gameLists: GameListsStore;
  readonly thumbnails: ThumbnailLoader;
  readonly launcher: LauncherStore;
  readonly rounds: RoundsStore;
  readonly runs: RunsStore;
  /** Opens the run dialog: `startRun(collectionId, path)`. */
  readonly runStart: RunStartStore;
  readonly history: HistoryStore;
  /** The support packs that are open. */
  readonly packs: PacksStore;
  /** The call whose detail is beside the history. */
  readonly shownCall: ShownCallStore;
  readonly callActions: CallActions;
  readonly callExports: CallExports;
  readonly callCopies: CallCopies;
  readonly production: ProductionStore;
  readonly repeats: RepeatStore;
  readonly secretQuestions: SecretQuestions;
  readonly storage: StorageStore;
  readonly forget: ForgetStore;
  readonly providerLog: ProviderLogStore;
  readonly comparison: ComparisonStore;
  readonly evidence: EvidenceStore;
  readonly doctor: DoctorStore;
  readonly probes: ProbeStore;
  readonly openPoints: OpenPointsStore;
  /** The help. */
  readonly manual: ManualStore;
  readonly clock: ClockStore;
  readonly requests: RequestStore;
  readonly collections: CollectionsStore;
  readonly imports: ImportStore;
  readonly starters: StartersStore;
  readonly pickDirectory: DirectoryPicker;
  readonly listDirectories: ListDirectories;
  readonly variables: VariablesStore;
  readonly results: ResultsStore;
  readonly tabVariables: TabVariables;
  readonly digests: DigestStore;
  readonly responses: ResponseStore;
  /** The same for the detail in the history, which has a view of its own. */
  readonly historyResponses: ResponseStore;
  readonly now: () => number;
  /** Moves the keyboard to the element of a selector once it is drawn. */
  readonly moveFocus: (selector: string) => void;
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
  const { faults, shell, environments, history, openPoints, requests, collections } = stores;

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
      memory.follow(values ?? {});
    },
    leave() {
      settings.flush();
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
    const look = () => {
      if (store.getState().list.state === 'loading') return;
      stop();
      resolve(run());
    };
    const stop = store.subscribe(look);
    look();
  });
}
