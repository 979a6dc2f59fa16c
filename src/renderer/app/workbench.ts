import { keyMark } from '#shared/secrets/key-mark.ts';
import { isFault } from '#shared/faults.ts';
import type { Client } from '#shared/ipc/index.ts';
import { sessionVariables } from '#shared/variables/scopes.ts';
import { createFaultNotice } from '#renderer/faults/fault-notice.ts';
import { orNull, reportFault, startWork } from '#renderer/faults/faults.ts';
import type { Connection } from '#renderer/api/connection.ts';
import { createDay, type Day } from '#renderer/ui/day.ts';
import { createGameLists, type GameListsStore } from '#renderer/calls/game-lists.ts';
import { createProductionStore, type ProductionStore } from '#renderer/calls/production-store.ts';
import { createSecretQuestions, type SecretQuestions } from './secret-questions.ts';
import { createRepeatStore, type RepeatStore } from '#renderer/calls/repeat-store.ts';
import { outcomeText } from '#renderer/calls/repeat-words.ts';
import { createCollectionsStore, type CollectionsStore } from '#renderer/features/collections/collections-store.ts';
import { createDirectoryPicker, type DirectoryPicker } from '#renderer/features/collections/directory-picker.ts';
import { createStartersStore, type StartersStore } from '#renderer/features/collections/starters-store.ts';
import { createVariablesStore, variablesAround, type VariablesStore } from '#renderer/features/collections/variables-store.ts';
import {
  createEnvironmentsStore,
  currentEnvironment,
  hasUnsaved,
  type EnvironmentsStore,
} from '#renderer/features/environments/environments-store.ts';
import { createGamesStore, type GamesStore } from '#renderer/features/games/games-store.ts';
import { createThumbnailLoader, type ThumbnailLoader } from '#renderer/features/games/thumbnail-loader.ts';
import { createComparisonStore, type ComparisonStore } from '#renderer/features/comparison/comparison-store.ts';
import { createCallActions, type CallActions } from '#renderer/features/history/call-actions.ts';
import { createCallExports, type CallExports, type GatheredFile } from '#renderer/features/history/call-exports.ts';
import { createHistoryStore, type HistoryStore } from '#renderer/features/history/history-store.ts';
import { createShownCallStore, type ShownCallStore } from '#renderer/features/history/shown-call-store.ts';
import { createForgetStore, type ForgetStore } from '#renderer/features/history/forget-store.ts';
import { createStorageStore, type StorageStore } from '#renderer/features/history/storage-store.ts';
import { createLauncherStore, type LauncherStore } from '#renderer/features/launcher/launcher-store.ts';
import { createOpenPointsStore, type OpenPointsStore } from '#renderer/features/open-points/open-points-store.ts';
import { createProviderLogStore, type ProviderLogStore } from '#renderer/features/provider-log/provider-log-store.ts';
import { createDigestStore, type DigestStore } from '#renderer/features/request/digest-store.ts';
import { createAnswersStore, takenFor, takenVariables, type AnswersStore } from '#renderer/features/request/answers-store.ts';
import { createRequestStore, type RequestStore } from '#renderer/features/request/request-store.ts';
import type { Place } from '#renderer/api/place.ts';
import { createWorkspaceKeeper, type WorkspaceKeeper } from '#renderer/features/request/workspace-keeper.ts';
import { createUnknownFiles, type UnknownFilesStore } from '#renderer/features/request/unknown-files.ts';
import { createTabVariables, type TabVariables } from '#renderer/features/request/tab-variables.ts';
import { createEvidenceStore, type EvidenceStore } from '#renderer/calls/evidence-store.ts';
import { createBodyReader, type BodyWorker } from '#renderer/calls/body-reader.ts';
import { createResponseStore, type ResponseStore } from '#renderer/features/response/response-store.ts';
import { createRoundsStore, type RoundsStore } from '#renderer/features/rounds/rounds-store.ts';
import { createRunStartStore, type RunStartStore } from '#renderer/features/runs/run-start-store.ts';
import { createRunsStore, type RunsStore } from '#renderer/features/runs/runs-store.ts';
import { tellLostKeys } from './lost-keys.ts';
import { createPageMemory } from './page-memory.ts';
import { createSettingsWriter, type SettingsWriter } from './remembered.ts';
import { createShellStore, type ShellStore } from './shell-store.ts';
import { typedText } from './typed-text.ts';

/** Everything that the page is made of, built once and handed down. */
export interface Workbench {
  readonly client: Client;
  readonly connection: Connection;
  readonly shell: ShellStore;
  readonly environments: EnvironmentsStore;
  readonly games: GamesStore;
  /** Names and bets of games, wherever a request names one. */
  readonly gameLists: GameListsStore;
  readonly thumbnails: ThumbnailLoader;
  readonly launcher: LauncherStore;
  readonly rounds: RoundsStore;
  readonly runs: RunsStore;
  /** Opens the run dialog: `startRun(collectionId, path)`. */
  readonly runStart: RunStartStore;
  readonly history: HistoryStore;
  /** The call whose detail stands beside the history. */
  readonly shownCall: ShownCallStore;
  readonly callActions: CallActions;
  readonly callExports: CallExports;
  readonly production: ProductionStore;
  readonly repeats: RepeatStore;
  readonly secretQuestions: SecretQuestions;
  readonly storage: StorageStore;
  readonly forget: ForgetStore;
  readonly providerLog: ProviderLogStore;
  readonly comparison: ComparisonStore;
  readonly evidence: EvidenceStore;
  readonly openPoints: OpenPointsStore;
  readonly requests: RequestStore;
  readonly collections: CollectionsStore;
  readonly starters: StartersStore;
  readonly pickDirectory: DirectoryPicker;
  readonly variables: VariablesStore;
  readonly answers: AnswersStore;
  readonly tabVariables: TabVariables;
  readonly digests: DigestStore;
  readonly responses: ResponseStore;
  /** The same for the detail in the history, which has a view of its own. */
  readonly historyResponses: ResponseStore;
  readonly now: () => number;
  readonly day: Day;
  readonly settings: SettingsWriter;
  /** Keeps the open requests on the disk. */
  readonly keeper: WorkspaceKeeper;
  readonly unknownFiles: UnknownFilesStore;
  /** Fetches what the page begins with and puts back how it was left; the page is drawn meanwhile. */
  readonly start: () => Promise<void>;
  /** The page may go away: sends what it still can. True where something typed would be lost with it. */
  readonly leave: () => boolean;
  /** Hands what was typed to the user as a file. */
  readonly saveTyped: () => void;
  /** Shows a fault, or a refusal that no screen took. */
  readonly showFault: (error: unknown) => void;
}

export interface WorkbenchDeps {
  readonly now: () => number;
  readonly newId: () => string;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  readonly copy: (text: string) => Promise<void>;
  readonly narrow: () => boolean;
  /** Names the browser in the details of a fault. */
  readonly browser: string;
  /** Where this page's successor finds which workspace it had. */
  readonly place: Place;
  /** Calls back whenever somebody comes back to the page, or does anything in it. */
  readonly onLook: (listener: () => void) => void;
  /** Hands a text to the user as a file; HTML unless it is said to be something else. */
  readonly saveText: (name: string, text: string, mediaType?: string) => void;
  /** Begins a file that comes piece by piece. */
  readonly gatherFile: (name: string, mediaType: string) => GatheredFile;
  /** Opens a picture, which the browser keeps as long as what this gives is kept. */
  readonly openPicture: (address: string) => unknown;
  /** Starts the thread that reads long answers; called at the first one. */
  readonly startBodyWorker: () => BodyWorker;
}

/** Builds the stores over one client. Stores know nothing of each other; what joins them is here. */
export function createWorkbench(given: Client, connection: Connection, deps: WorkbenchDeps): Workbench {
  const { store: secretQuestions, client } = createSecretQuestions(given);
  const shell = createShellStore(client, deps);
  const { notify } = shell.getState();
  const faults = createFaultNotice({
    notify,
    copy: deps.copy,
    where() {
      const { info } = shell.getState();
      return `Croupier ${info?.version ?? ''}, page of ${info?.host ?? 'an unknown host'}, ${deps.browser}`;
    },
  });
  client.on('app.faulted', faults.tell);
  const environments = createEnvironmentsStore(client, { notify, initialId: null });
  const games = createGamesStore(client, deps);
  const gameLists = createGameLists(client);
  const thumbnails = createThumbnailLoader(client, deps);
  const launcher = createLauncherStore(client, { ...deps, notify });
  const rounds = createRoundsStore(client, deps);
  const history = createHistoryStore(client, deps);
  const shownCall = createShownCallStore(client, deps);
  const runs = createRunsStore(client, { ...deps, notify });
  const runStart = createRunStartStore(client, {
    notify,
    environmentId: () => environments.getState().currentId,
    onStarted(runId) {
      shell.getState().show('runs');
      runs.getState().open(runId);
    },
  });
  const callActions = createCallActions(client, { notify });
  const callExports = createCallExports(client, { ...deps, notify });
  const storage = createStorageStore(client, deps);
  const forget = createForgetStore(client, deps);
  const providerLog = createProviderLogStore(client, deps);
  const openPoints = createOpenPointsStore(client, { notify });
  const variables = createVariablesStore(client);
  const answers = createAnswersStore(client);
  const tabVariables = createTabVariables({
    newId: deps.newId,
    taken: ({ collectionId }, { id }) => takenVariables(takenFor(answers.getState(), collectionId, id)),
    around: ({ collectionId, path }) => variablesAround(variables.getState(), collectionId, path),
    read: ({ collectionId, path }) => variables.getState().want(collectionId, path),
    session(environment) {
      const { sandbox } = shell.getState();
      return sandbox?.environmentId === environment.id ? sessionVariables(sandbox.players, environment) : {};
    },
  });
  const requests = createRequestStore(client, {
    environment: () => currentEnvironment(environments.getState()),
    samples(environment) {
      const { sandbox } = shell.getState();
      return sandbox?.environmentId === environment.id ? sandbox.samples : {};
    },
    now: deps.now,
    newId: deps.newId,
    variables: tabVariables,
    onAnswered: (file, call, checks) => startWork(answers.getState().check(file, call, checks)),
  });
  const collections = createCollectionsStore(client, {
    notify,
    later: deps.later,
    onMoving: ({ collectionId, path }) => requests.getState().holdFiles(collectionId, path),
  });
  const starters = createStartersStore(client, {
    async onCopied({ id, name }, requests) {
      await collections.getState().showOpened(id);
      notify({
        tone: 'good',
        text: `${name} is open: ${requests} requests, ready to be run.`,
        action: { label: 'Run it', run: () => runStart.getState().startRun(id, '') },
      });
    },
  });
  const repeats = createRepeatStore(client, {
    ...deps,
    onRepeated(id, call) {
      const { area, show } = shell.getState();
      if (area === 'requests' && requests.getState().showRepeat(id, call)) return;
      // The row says what came of it, and the strip below the list.
      if (area === 'history') return history.getState().setActive(call.id);
      const open = () => {
        show('requests');
        startWork(requests.getState().openCall(call.id));
      };
      notify({
        tone: 'note',
        text: outcomeText(id, call),
        action: { label: 'Open the response', run: open },
      });
    },
  });
  const production = createProductionStore(client);
  environments.subscribe(({ currentId }, before) => {
    if (currentId !== before.currentId) production.getState().enter(currentId);
  });
  const digests = createDigestStore(client, { later: deps.later });
  const reader = createBodyReader(deps.startBodyWorker);
  const responses = createResponseStore(client, { reader });
  const historyResponses = createResponseStore(client, { reader, view: 'sent' });
  const comparison = createComparisonStore(client, { reader });
  const evidence = createEvidenceStore(client, { reader });
  let saidNotRemembered = false;
  let saidMasked = false;
  const page = deps.newId();
  const onMasked = () => {
    if (saidMasked) return;
    saidMasked = true;
    notify({
      tone: 'warn',
      text: `What is open here holds a private key. Croupier remembers it with ${keyMark} in place of the key, and shows that after a restart.`,
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
      // Said once, and not where the line is down: that is said already, and it is written when the line is back.
      if (saidNotRemembered || connection.get().state !== 'open') return;
      saidNotRemembered = true;
      notify({ tone: 'warn', text: `What is open here is not being remembered. ${message}` });
    },
    onMasked,
    onUnknown: () => unknownFiles.getState().add(['settings.json']),
  });

  const memory = createPageMemory(client, settings, {
    unknownFiles,
    shell,
    environments,
    history,
    providerLog,
    collections,
    launcher,
  });

  // A rejected call that is shown is compared with the last one that was accepted.
  requests.subscribe(({ tabs, activeId }, before) => {
    if (tabs === before.tabs && activeId === before.activeId) return;
    const call = tabs.find(({ id }) => id === activeId)?.call ?? null;
    if (call !== null) startWork(evidence.getState().look(call));
  });

  requests.subscribe((state) => {
    if (state.problem === null) return;
    notify({ tone: 'bad', text: state.problem });
    state.dismissProblem();
  });

  // A file's variables are fetched when its tab is opened; another tab may need others.
  requests.subscribe(({ tabs, activeId }, before) => {
    const file = tabs.find(({ id }) => id === activeId)?.file ?? null;
    if (file === null || file === (before.tabs.find(({ id }) => id === before.activeId)?.file ?? null)) return;
    startWork(variables.getState().want(file.collectionId, file.path));
    wantTaken();
  });
  environments.subscribe(({ currentId }, before) => {
    if (currentId !== before.currentId) wantTaken();
  });

  /** What earlier answers gave the tab that is shown, in the environment that it would be sent to. */
  function wantTaken(): void {
    const { tabs, activeId } = requests.getState();
    const file = tabs.find(({ id }) => id === activeId)?.file ?? null;
    const environment = currentEnvironment(environments.getState());
    if (file !== null && environment !== null) startWork(answers.getState().want(file.collectionId, environment.id));
  }

  // The call that is chosen in the history marks its verdict; the way back is where the log is shown.
  history.subscribe(({ activeId }, before) => {
    if (activeId !== null && activeId !== before.activeId) providerLog.getState().choose({ callId: activeId });
  });

  tellLostKeys(client, { environments, notify, show: () => shell.getState().show('environments') });
  const day = createDay(deps);
  day.watch(() => {
    const { choice, list, load } = history.getState();
    if (choice.time === 'today' && list.state !== 'loading') startWork(load());
  });

  let missed = false;
  connection.watch(({ state }) => {
    if (state === 'lost' || state === 'ended') missed = true;
    if (state !== 'open' || !missed) return;
    missed = false;
    refresh();
  });

  /** Events were missed while the line was down. */
  function refresh(): void {
    settings.flush();
    startWork(environments.getState().load());
    startWork(production.getState().load());
    startWork(shell.getState().load());
    startWork(collections.getState().load());
    requests.getState().lookAtFiles();
    if (history.getState().list.state !== 'loading') startWork(history.getState().load());
    answers.getState().refresh();
    digests.getState().refresh();
    runs.getState().refresh();
    if (providerLog.getState().log.state !== 'loading') startWork(providerLog.getState().load());
    if (games.getState().environmentId !== null) startWork(games.getState().load());
    if (storage.getState().status !== null) startWork(storage.getState().load());
    if (launcher.getState().tabs.length > 0) startWork(launcher.getState().load());
    thumbnails.forgetFailures();
  }

  return {
    client,
    connection,
    showFault(error) {
      // A line that is down says so by itself.
      if (isFault(error) || connection.get().state === 'open') faults.show(error);
    },
    shell,
    environments,
    games,
    gameLists,
    thumbnails,
    launcher,
    rounds,
    runs,
    runStart,
    history,
    shownCall,
    callActions,
    callExports,
    production,
    repeats,
    secretQuestions,
    storage,
    forget,
    providerLog,
    comparison,
    evidence,
    openPoints,
    requests,
    collections,
    starters,
    pickDirectory: createDirectoryPicker(client),
    variables,
    answers,
    tabVariables,
    digests,
    responses,
    historyResponses,
    now: deps.now,
    day,
    settings,
    keeper,
    unknownFiles,
    async start() {
      startWork(shell.getState().load());
      // A page that opens otherwise than it was left is better than none.
      const values = (await orNull(memory.restore())) ?? {};
      startWork(collections.getState().load());
      const opening = keeper.start();
      // Not until the keys have been looked for too: a keychain may take its time, and what is open here needs none.
      startWork(environments.getState().load());
      await listed(environments);
      try {
        memory.follow(values);
      } catch (error) {
        reportFault(error);
      }
      const saved = await opening;
      if (saved !== null) requests.getState().restoreWorkspace(saved);
      else if (requests.getState().tabs.length === 0) requests.getState().openOperation('gameList');
    },
    leave() {
      settings.flush();
      const isBehind = keeper.leave();
      return isBehind || hasUnsaved(environments.getState()) || Object.keys(openPoints.getState().drafts).length > 0;
    },
    saveTyped: () =>
      deps.saveText(
        'croupier-typed.txt',
        typedText(requests.getState().tabs, environments.getState().editing),
        'text/plain;charset=utf-8',
      ),
  };
}

/** Waits until the environments are known, or are known not to be readable. */
function listed(store: EnvironmentsStore): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (store.getState().list.state === 'loading') return;
      stop();
      resolve();
    };
    const stop = store.subscribe(look);
    look();
  });
}
