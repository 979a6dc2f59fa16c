import type { PageWorkspace } from '#renderer/api/page-workspace.ts';
import { createBodyReader, type BodyWorker } from '#renderer/calls/body-reader.ts';
import { createCallCopies } from '#renderer/calls/copy-call.ts';
import { createClockStore } from '#renderer/calls/clock-store.ts';
import { createEvidenceStore } from '#renderer/calls/evidence-store.ts';
import { createGameLists } from '#renderer/calls/game-lists.ts';
import { createProductionStore } from '#renderer/calls/production-store.ts';
import { createRepeatStore } from '#renderer/calls/repeat-store.ts';
import { outcomeText } from '#renderer/calls/repeat-words.ts';
import { createFaultNotice } from '#renderer/faults/fault-notice.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { takersIn } from '#shared/variables/takers.ts';
import { createCollectionsStore } from '#renderer/features/collections/collections-store.ts';
import { openCollection } from '#renderer/features/collections/open-collections.ts';
import { createImportStore } from '#renderer/features/collections/import-store.ts';
import { createStartersStore } from '#renderer/features/collections/starters-store.ts';
import { ancestors, readOnlyReason, rowKey } from '#renderer/features/collections/tree-rows.ts';
import { createVariablesStore, variablesAround } from '#renderer/features/collections/variables-store.ts';
import { createComparisonStore } from '#renderer/features/comparison/comparison-store.ts';
import { createDoctorStore } from '#renderer/features/doctor/doctor-store.ts';
import { createProbeStore } from '#renderer/features/doctor/probe-store.ts';
import { createEnvironmentsStore, currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import { createGatewayStore } from '#renderer/features/gateway/gateway-store.ts';
import { createGamesStore } from '#renderer/features/games/games-store.ts';
import { createThumbnailLoader } from '#renderer/features/games/thumbnail-loader.ts';
import { createCallActions } from '#renderer/features/history/call-actions.ts';
import { createCallExports, type GatheredFile } from '#renderer/features/history/call-exports.ts';
import { closedText, createPacksStore } from '#renderer/features/history/packs-store.ts';
import { createForgetStore } from '#renderer/features/history/forget-store.ts';
import { createHistoryStore } from '#renderer/features/history/history-store.ts';
import { createShownCallStore } from '#renderer/features/history/shown-call-store.ts';
import { createStorageStore } from '#renderer/features/history/storage-store.ts';
import { createLauncherStore } from '#renderer/features/launcher/tabs/launcher-store.ts';
import { createManualStore } from '#renderer/features/manual/manual-store.ts';
import { createOpenPointsStore } from '#renderer/features/open-points/open-points-store.ts';
import { createProviderLogStore } from '#renderer/features/provider-log/provider-log-store.ts';
import { createResultsStore, takenFor, takenVariables } from '#renderer/features/request/results-store.ts';
import { createDigestStore } from '#renderer/features/request/hash-input/digest-store.ts';
import { createRequestStore } from '#renderer/features/request/tabs/request-store.ts';
import { createTabVariables } from '#renderer/features/request/tabs/tab-variables.ts';
import { createResponseStore } from '#renderer/features/response/response-store.ts';
import { createRoundsStore } from '#renderer/features/rounds/rounds-store.ts';
import { createRunStartStore } from '#renderer/features/runs/run-start-store.ts';
import { createRunsStore } from '#renderer/features/runs/runs-store.ts';
import { createWalletStore } from '#renderer/features/wallet/wallet-store.ts';
import { announcer } from '#renderer/ui/announcer.ts';
import type { Client } from '#shared/ipc/index.ts';
import { sessionVariables } from '#shared/variables/scopes.ts';
import { openCall } from './open-call.ts';
import { createShellStore } from './shell-store.ts';

/** Parts of their surroundings that the stores of the page need. */
export interface StoresDeps {
  readonly now: () => number;
  readonly newId: () => string;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  readonly copy: (text: string) => Promise<void>;
  readonly narrow: () => boolean;
  /** Moves the keyboard to the element of a selector once it is drawn. */
  readonly moveFocus: (selector: string, ...others: readonly string[]) => void;
  /** Names the browser in the details of a fault. */
  readonly browser: string;
  /** The memory from which this page's successor learns its workspace. */
  readonly place: PageWorkspace;
  /** Calls back whenever somebody comes back to the page, or does anything in it. */
  readonly onUse: (listener: () => void) => void;
  /** Hands a text to the user as a file; HTML unless `mediaType` names something else. */
  readonly saveText: (name: string, text: string, mediaType?: string) => void;
  /** Begins a file that comes piece by piece. */
  readonly gatherFile: (name: string, mediaType: string) => GatheredFile;
  /** Opens a picture. The browser keeps it while the returned value is kept. */
  readonly openPicture: (address: string) => unknown;
  /** Starts the thread that reads long responses; called at the first one. */
  readonly startBodyWorker: () => BodyWorker;
}

/** The stores of every feature, by name. */
export type Stores = ReturnType<typeof createStores>;

/** Creates the stores over one client. None knows another: if one needs another, it gets a function. */
export function createStores(client: Client, deps: StoresDeps) {
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
  const environments = createEnvironmentsStore(client, { notify, initialId: null });
  const games = createGamesStore(client, deps);
  const gameLists = createGameLists(client);
  const thumbnails = createThumbnailLoader(client, deps);
  const launcher = createLauncherStore(client, { ...deps, notify });
  const rounds = createRoundsStore(client, deps);
  const history = createHistoryStore(client, deps);
  const shownCall = createShownCallStore(client, deps);
  const packs = createPacksStore(client, {
    notify,
    newId: deps.newId,
    say: announcer.say,
    onOpened(pack) {
      imports.getState().dismiss();
      comparison.getState().close();
      shell.getState().show('history');
      // After the screen as a whole, which gets the keyboard when it is shown.
      startWork(
        history
          .getState()
          .showPack(pack.id)
          .then(() => deps.moveFocus('#content [data-item][tabindex="0"]')),
      );
    },
    onClosed(pack, here) {
      const { calls, close } = comparison.getState();
      if (calls.state === 'ready' && [calls.left, calls.right].some((call) => call.pack?.id === pack.id)) close();
      if (!here && history.getState().choice.pack === pack.id) notify({ tone: 'note', text: closedText(pack) });
      history.getState().leavePack(pack.id);
      evidence.setState(({ found }) => ({ found: new Map([...found].filter(([, { call }]) => call.pack?.id !== pack.id)) }));
      // Another pack's call may be in sight.
      if (packs.getState().packs.length === 0)
        historyResponses.setState(({ bodies }) => ({ bodies: new Map([...bodies].filter(([id]) => id > 0)) }));
    },
  });
  const runs = createRunsStore(client, { ...deps, notify, say: announcer.say });
  const runStart = createRunStartStore(client, {
    notify,
    environmentId: () => environments.getState().currentId,
    onStarted(runId) {
      shell.getState().show('runs');
      runs.getState().open(runId);
      deps.moveFocus('#content [data-item][tabindex="0"]', '[data-run]');
    },
  });
  const callActions = createCallActions(client, { notify });
  const callExports = createCallExports(client, { ...deps, notify });
  const callCopies = createCallCopies(client, { ...deps, notify });
  const storage = createStorageStore(client, deps);
  const forget = createForgetStore(client, deps);
  const providerLog = createProviderLogStore(client, deps);
  const gateway = createGatewayStore(client, deps);
  const wallet = createWalletStore(client, { runs, notify, say: announcer.say });
  const openPoints = createOpenPointsStore(client, { notify });
  const manual = createManualStore();
  const variables = createVariablesStore(client);
  const results = createResultsStore(client);
  const tabVariables = createTabVariables({
    newId: deps.newId,
    taken: ({ collectionId }, { id }) => takenVariables(takenFor(results.getState(), collectionId, id)),
    around({ collectionId, path }) {
      const around = variablesAround(variables.getState(), collectionId, path);
      const tree = openCollection(collections.getState().list, collectionId)?.tree;
      const takers = tree?.state === 'ready' ? takersIn(tree.nodes, path) : undefined;
      return around === null ? null : { ...around, takers };
    },
    read: ({ collectionId, path }) => variables.getState().want(collectionId, path),
    session(environment) {
      const { sandbox } = shell.getState();
      return sandbox?.environmentId === environment.id ? sessionVariables(sandbox.players, environment) : {};
    },
  });
  const clock = createClockStore(client, deps);
  const requests = createRequestStore(client, {
    environment: () => currentEnvironment(environments.getState()),
    notify,
    samples(environment) {
      const { sandbox } = shell.getState();
      return sandbox?.environmentId === environment.id ? sandbox.samples : {};
    },
    now: deps.now,
    frozenAt: () => clock.getState().frozenAt,
    newId: deps.newId,
    variables: tabVariables,
    readOnly: ({ collectionId }) => readOnlyReason(openCollection(collections.getState().list, collectionId)?.tree),
    onResponse: (file, call, checks) => startWork(results.getState().check(file, call, checks)),
  });
  const collections = createCollectionsStore(client, {
    notify,
    later: deps.later,
    onMoving: ({ collectionId, path }) => requests.getState().holdFiles(collectionId, path),
  });
  const imports = createImportStore(client, {
    notify,
    newId: deps.newId,
    onImported({ collectionId, path }) {
      const { setPart, toggle } = collections.getState();
      setPart('collections');
      for (const folder of [...ancestors(path), path]) toggle(rowKey(collectionId, folder), true);
    },
  });
  const starters = createStartersStore(client, {
    async onCopied({ id, name }, requests) {
      await collections.getState().showOpened(id);
      notify({
        tone: 'good',
        text: `Opened ${name}: ${requests} requests, ready to run.`,
        action: { label: 'Run', run: () => runStart.getState().startRun(id, '') },
      });
    },
  });
  const repeats = createRepeatStore(client, {
    ...deps,
    onRepeated(id, call) {
      const { area } = shell.getState();
      if (area === 'requests' && requests.getState().showRepeat(id, call)) return;
      // The row shows the outcome, and so does the strip below the list.
      if (area === 'history') return history.getState().setActive(call.id);
      notify({
        tone: 'note',
        text: outcomeText(id, call),
        action: { label: 'Open response', run: () => openCall({ requests, shell, moveFocus: deps.moveFocus }, call.id) },
      });
    },
  });
  const production = createProductionStore(client);
  const digests = createDigestStore(client, { later: deps.later });
  const reader = createBodyReader(deps.startBodyWorker);
  const responses = createResponseStore(client, { reader });
  const historyResponses = createResponseStore(client, { reader, view: 'sent' });
  const comparison = createComparisonStore(client, { reader });
  const evidence = createEvidenceStore(client, { reader });
  const probes = createProbeStore(client, deps);
  const doctor = createDoctorStore(client, { ...deps, selected: () => environments.getState().currentId });

  return {
    notify,
    faults,
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
    packs,
    shownCall,
    callActions,
    callExports,
    callCopies,
    production,
    repeats,
    storage,
    forget,
    providerLog,
    gateway,
    wallet,
    comparison,
    evidence,
    doctor,
    probes,
    openPoints,
    manual,
    clock,
    requests,
    collections,
    imports,
    starters,
    variables,
    results,
    tabVariables,
    digests,
    responses,
    historyResponses,
  };
}
