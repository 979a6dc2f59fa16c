import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '#shared/errors.ts';
import { recordedNames } from '#shared/provider/tokens.ts';
import type { CallName, Environment, EventName, KeyStatus, Payload, Reply, Transport } from '#shared/ipc/index.ts';
import { appHandlers } from './handlers.ts';
import { createCalls } from '../calls/calls.ts';
import type { SendRequest } from '../calls/calls.ts';
import { createConfirmations } from '../calls/confirmations.ts';
import { createConnections } from '../network/connections.ts';
import { createHistoryStore } from '../history/store.ts';
import { createResponseReader } from '../calls/read-response.ts';
import { createSender } from '../calls/send.ts';
import { createCatalogue } from '../catalogue/catalogue.ts';
import { dropLists } from '../catalogue/drop-lists.ts';
import { createSnapshotStore } from '../catalogue/store.ts';
import { createThumbnailFiles } from '../catalogue/thumbnail-files.ts';
import { createThumbnails } from '../catalogue/thumbnails.ts';
import { createLateCollections } from './late-collections.ts';
import { createDatabase } from '../database/database.ts';
import { startDeadline } from '../time/deadline.ts';
import { createSessionLock } from '../files/session-lock.ts';
import { createEnvironments } from '../environments/environments.ts';
import { createEnding } from './ending.ts';
import { createFaults } from '../faults.ts';
import { createEvents } from '../host/events.ts';
import { createKeptBeside } from '../history/kept.ts';
import { createHistoryService } from '../history/service.ts';
import { createEvidence } from '../evidence/evidence.ts';
import { createForget } from '../forget/forget.ts';
import { createExports } from '../exports/exports.ts';
import { removeStaleTemporaries } from '../files/files.ts';
import { endLockWaits } from '../files/locks.ts';
import type { Host } from '../host/host.ts';
import { leaveNothingInCoreDumps } from '../keys/core-dumps.ts';
import { createKeyGate } from './key-gate.ts';
import { createKeyIndex } from '../keys/key-index.ts';
import { createKeys } from '../keys/keys.ts';
import { launchHandlers } from './launch-handlers.ts';
import { createLaunches } from '../launches/launches.ts';
import { createLaunchStore } from '../launches/store.ts';
import { mendModes } from './modes.ts';
import { systemResolve } from '../network/address-policy.ts';
import { createGuardedGet } from '../network/guarded-get.ts';
import { createReading } from './reading-jobs.ts';
import { createRounds } from '../rounds/rounds.ts';
import { createRouter } from './router.ts';
import { createJudgedCallFinder } from '../built-in-provider/judged-call.ts';
import { createBuiltInProvider } from '../built-in-provider/built-in-provider.ts';
import type { SandboxStart } from '../built-in-provider/built-in-provider.ts';
import { createUnrecordedBodies } from '../calls/unrecorded-bodies.ts';
import { createSettings, withoutKeys } from '../settings/settings.ts';
import { createWorkspaces } from '../workspaces/workspaces.ts';

export { writeFileDurably, writeNewFileDurably } from '../files/files.ts';
export { endLockWaits, withLock } from '../files/locks.ts';
export { openNewFile, type NewFile } from '../files/new-file.ts';
export { resolveHome } from './home.ts';
export { createAgentSecrets } from '../keys/agent-secrets.ts';
export { agentEnvironment, forkAgent } from '../keys/fork-agent.ts';
export { createLocalSecrets } from '../keys/local-secrets.ts';
export type { SandboxStart } from '../built-in-provider/built-in-provider.ts';

export interface AppOptions {
  /** The folder that holds everything of one profile; made where it is missing. */
  readonly home: string;
  readonly host: Host;
  /** Writes what went wrong inside to a log, with `errorForLog`. */
  readonly onFault?: (error: unknown) => void;
}

/** The application behind every host. */
export interface App {
  dispatch(name: string, input: unknown): Promise<Reply>;
  /** Gives back the function that stops listening. */
  subscribe(listener: (name: EventName, payload: unknown) => void): () => void;
  /** The decoded body of a call's answer. Fails with `not_found` or `storage`. */
  body(callId: number): Promise<Uint8Array>;
  /** The bytes of a picture that `catalogue.thumbnail` named. Fails with `not_found`. */
  picture(id: string): Promise<Uint8Array<ArrayBuffer>>;
  /** The in-process way to all of it. */
  readonly transport: Transport;
  /** Starts the built-in provider; what goes wrong is told by `sandbox.status`. */
  startSandbox(options?: SandboxStart): Promise<void>;
  /** Uses the built-in provider that another program runs on this home: `otherKey` where it has another key, `absent` where none answers. */
  joinSandbox(): Promise<'joined' | 'absent' | 'otherKey'>;
  /** Uses a key for this run only (`--key-env`). */
  useKey(environmentId: string, key: string): Promise<KeyStatus>;
  /**
   * Reports what nobody caught in this process to the log and to the pages. False where the program cannot be expected to go on: close it
   * and end the process.
   */
  uncaught(error: unknown): boolean;
  /**
   * Stops what is under way, records it, and lets go of every file and process, each within a bounded time. False where something did not end:
   * everything is written, and whoever runs this ends its process whatever that still does.
   */
  close(): Promise<boolean>;
}

/**
 * What waits for a person or for a page and may never be answered. Nothing is written after it but a record that the launcher closes by
 * itself, so a program that ends does not wait for it.
 */
const unbounded: ReadonlySet<string> = new Set<CallName>([
  'app.openOutside',
  'app.pickDirectory',
  'launches.open',
  'launches.close',
  'launches.screenshot',
]);

/** How long a program that ends waits for each of its parts, in milliseconds. */
const endWithin = {
  /** What is written file by file, such as an import. */
  changes: 5_000,
  /** What waits for another copy to release a lock of the home: usually that takes milliseconds. */
  locks: 1_000,
  /** Whatever else the page asked for: what waits for a key has been told that there is none. */
  responses: 3_000,
  /** Calls that were told to stop, listeners, connections: nothing of it waits for anybody. */
  others: 1_000,
  /** Longer than the search gives its own thread. */
  search: 2_500,
  /** From here on a key agent that does not respond holds nothing up. A signature takes milliseconds. */
  keys: 1_500,
};

/** Builds the application on a home. Several may use one home at the same time. Fails with `storage` where the home cannot be made. */
export async function createApp({ home, host, onFault: log = () => undefined }: AppOptions): Promise<App> {
  leaveNothingInCoreDumps();
  const environmentsFolder = join(home, 'environments');
  try {
    await mkdir(environmentsFolder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new AppError('storage', `The home ${home} cannot be made. Check the path and its permissions.`, undefined, { cause });
  }
  await Promise.all([removeStaleTemporaries(home), removeStaleTemporaries(environmentsFolder)]);
  const faults = createFaults({
    log,
    tell: (fault) => events.emit('app.faulted', fault),
    holdsKey: async (text) => (await keys.find(Buffer.from(text, 'utf8'))).length > 0,
    where: `Croupier ${host.version}, ${host.name}, ${runtimeName()}`,
    now: () => performance.now(),
  });
  const onFault = faults.report;
  const readable = await mendModes(home);
  if (readable.length > 0) {
    onFault(
      new AppError('storage', `Others may read ${readable.join(', ')}: the permissions could not be changed. Change the owner.`),
    );
  }

  const events = createEvents(onFault);
  const environments = createEnvironments({
    folder: environmentsFolder,
    onChange() {
      confirmations.environmentsChanged(environmentOrNull);
      events.emit('environments.changed', {});
    },
  });
  const confirmations = createConfirmations({
    now: Date.now,
    later,
    onChange: (environmentId) => events.emit('production.changed', { environmentId }),
  });
  function environmentOrNull(id: string): Environment | null {
    try {
      return environments.get(id);
    } catch {
      return null;
    }
  }
  const keys = createKeys({
    secrets: host.secrets,
    index: createKeyIndex({ path: join(home, 'keys.json'), report: (message) => onFault(new AppError('storage', message)) }),
    emit(name, payload) {
      // Another key is another identity.
      if (name === 'keys.changed') confirmations.ask((payload as Payload<'keys.changed'>).environmentId);
      events.emit(name, payload);
    },
  });
  const nameOf = (environmentId: string) => environmentOrNull(environmentId)?.name ?? environmentId;
  const findKeys = (text: string) => keys.find(Buffer.from(text, 'utf8'));
  const settingsPath = join(home, 'settings.json');
  const settings = createSettings(settingsPath, findKeys);
  const run = createSessionLock(join(home, 'runs'));
  const workspaces = createWorkspaces({
    root: join(home, 'workspaces'),
    run,
    settings,
    settingsPath,
    withoutKeys: (text) => withoutKeys(text, findKeys),
  });
  const database = createDatabase(join(home, 'history.sqlite'), {
    run,
    onSetAside(path, reason) {
      onFault(new AppError('storage', `The history ${reason}. It was put aside as ${path}, and a new one was begun.`));
      events.emit('history.changed', { ids: null });
    },
  });
  const history = createHistoryStore(database, run);
  const historyService = createHistoryService({
    database,
    run,
    history,
    settings,
    indexPath: join(home, 'history-index.sqlite'),
    worker: host.searchWorker ?? null,
    later,
    now: Date.now,
    monotonic: () => performance.now(),
    onChange: (ids) => events.emit('history.changed', { ids: ids === null ? null : [...ids] }),
    onFault,
  });
  let changedByRun: (() => void) | null = null;
  function tellChangedByRun(): void {
    changedByRun = null;
    events.emit('history.changed', { ids: null });
  }
  const connections = createConnections((environment) => sandbox.authority(environment));
  const reading = createReading({ program: host.readingWorker, later: laterAwake });
  const unrecorded = createUnrecordedBodies();
  const sender = createSender({
    connections,
    keys,
    recorder: history,
    readResponse: createResponseReader(reading, onFault),
    nameOf,
    now: Date.now,
    userAgent: `Croupier/${host.version}`,
    onRecorded(id, collectionRun) {
      // A run records thousands in a second; whoever shows calls is told together.
      if (collectionRun === null) events.emit('calls.changed', { id });
      else changedByRun ??= later(tellChangedByRun, 100);
      historyService.recorded();
    },
    onUnrecorded: (id, answer) => unrecorded.keep(id, answer),
    onDelivered: (call, answer, environment) => catalogue.answered(call, answer, environment),
  });
  const calls = createCalls({
    sender,
    confirmations,
    now: Date.now,
    environment: (id) => environments.get(id),
    sent: (id) => history.sent(id),
  });
  const sandbox = createBuiltInProvider({
    host,
    environments,
    keys,
    directory: join(home, 'sandbox'),
    judgedCall: createJudgedCallFinder(database),
    onVerdict: (verdict) => {
      events.emit('sandbox.judged', verdict);
      launcher.judged(verdict);
    },
    onFault,
  });

  const sendCall = (request: SendRequest) => calls.send(request);
  const callOf = (id: number) => history.get(id);
  const bodyOf = (id: number) => unrecorded.get(id) ?? history.body(id);
  const environmentOf = (id: string) => environments.get(id);
  const listEnvironments = () => environments.list().environments;
  const holdsKey = (environmentId: string, text: Uint8Array) => keys.contains(environmentId, text);
  const snapshots = createSnapshotStore(database);
  const catalogue = createCatalogue({
    send: sendCall,
    body: bodyOf,
    reading,
    environment: environmentOf,
    store: snapshots,
    later,
    onFault,
    onChange: () => events.emit('catalogue.changed', {}),
  });
  const thumbnails = createThumbnails({
    get: createGuardedGet({ resolve: systemResolve, maxBytes: 512 * 1_024, timeoutMs: 10_000, accept: 'image/*' }),
    files: createThumbnailFiles(join(home, 'cache', 'thumbnails')),
    now: () => performance.now(),
  });
  const rounds = createRounds({ send: sendCall, body: bodyOf, environment: environmentOf, reading, now: Date.now });
  const launchStore = createLaunchStore(database);
  const launcher = createLaunches({
    host,
    send: sendCall,
    call: callOf,
    body: bodyOf,
    reading,
    environment: environmentOf,
    sandboxOrigin: () => sandbox.status().baseUrl,
    store: launchStore,
    resolve: systemResolve,
    now: Date.now,
    emit: events.emit,
    onFault,
  });
  const exportLaunch = createEvidence({
    folder: join(home, 'evidence'),
    program: `Croupier ${host.version}`,
    launcher,
    screenshot: (id) => launchStore.screenshot(id),
    call: callOf,
    environmentIds: () => listEnvironments().map(({ id }) => id),
    holdsKey,
    now: Date.now,
  });

  const exports = createExports({
    program: host.exportWorker,
    historyPath: database.path,
    settle: () => history.settle(),
    call: callOf,
    body: bodyOf,
    unrecorded: (id) => unrecorded.get(id),
    environments: listEnvironments,
    holdsKey,
    version: host.version,
    runtime: runtimeName(),
    now: Date.now,
    later,
  });

  const collections = createLateCollections({
    reading,
    home,
    host,
    calls,
    call: callOf,
    body: bodyOf,
    environment: environmentOf,
    environments: listEnvironments,
    session: (environmentId) => sandbox.session(environmentId),
    games: (environmentId) => catalogue.known(environmentId),
    digest: (environmentId, parts) => keys.digest(environmentId, parts),
    holdsKey,
    settings,
    holdsAnyKey: async (bytes) => (await keys.find(bytes)).length > 0,
    lock: run,
    emit: events.emit,
    onFault,
  });

  const forget = createForget({
    history: historyService,
    historyPath: database.path,
    launcher,
    forgetVerdicts: (naming) => sandbox.forget(({ bodyText, path }) => naming.text(`${path}\n${bodyText}`)),
    collections: collections.records,
    evidenceFolder: join(home, 'evidence'),
    environments: listEnvironments,
    remembered: () => settings.read(),
    tabs: () => workspaces.texts(),
    tokenFields: () => [...new Set(listEnvironments().flatMap(({ answers }) => [...recordedNames(answers)]))],
    emit: (progress) => events.emit('history.forgetting', progress),
    monotonic: () => performance.now(),
  });

  // A key outlives its environment until the next start, so that a removal can be undone.
  const swept = keys.sweep(async () => environmentIds()).catch(onFault);
  // So do its game lists.
  const stopDropping =
    host.searchWorker === undefined
      ? null
      : dropLists({ store: snapshots, environmentIds, later, onDropped: () => events.emit('catalogue.changed', {}), onFault });

  function environmentIds(): string[] {
    const { environments: read, broken } = environments.list();
    return [...read.map(({ id }) => id), ...broken.map(({ file }) => basename(file, '.json'))];
  }

  const handlers = appHandlers({
    host,
    home,
    run,
    history,
    historyService,
    keptBeside: createKeptBeside(home, database, run),
    forget,
    settings,
    workspaces,
    environments,
    keys,
    calls,
    confirmations,
    sandbox,
    catalogue,
    thumbnails,
    rounds,
    collections,
    exports,
    launches: launchHandlers(launcher, exportLaunch),
    emit: events.emit,
  });
  const route = createRouter(handlers, onFault, createKeyGate({ find: (text) => keys.find(text), nameOf }));
  let closing: Promise<boolean> | null = null;
  const answering = new Set<Promise<Reply>>();

  const dispatch: App['dispatch'] = (name, input) => {
    if (closing !== null)
      return Promise.resolve({ ok: false, error: { code: 'cancelled', message: 'The workbench is closing. Start it again.' } });
    const reply = route(name, input);
    if (!unbounded.has(name)) {
      answering.add(reply);
      void reply.finally(() => answering.delete(reply));
    }
    return reply;
  };
  const subscribe: App['subscribe'] = (listener) => {
    environments.watch();
    collections.watch();
    const { line, leave } = workspaces.join();
    const stop = events.subscribe(listener);
    listener('app.joined', { line });
    return () => {
      leave();
      stop();
    };
  };
  const body: App['body'] = async (callId) => bodyOf(callId);
  const picture: App['picture'] = (id) => thumbnails.picture(id);

  async function undo(): Promise<boolean> {
    const ending = createEnding(onFault);
    const { part } = ending;
    const { changes, responses, others } = endWithin;
    forget.close();
    later(() => endLockWaits(home), endWithin.locks);
    await part('An export', others, () => exports.close());
    const giveUpKeys = later(() => void host.secrets.close().catch(onFault), endWithin.keys);
    // First what writes rows and files. The pages of games leave meanwhile.
    const games = part('A game', 2 * others, () => launcher.closeAll());
    await part('A run or a change of a collection', changes, () => collections.close());
    await part('A call', others, () => calls.close());
    await part('What the page asked for', responses, () => Promise.allSettled(answering));
    await games;
    giveUpKeys();
    await Promise.all([
      part('The loading of pictures', others, () => thumbnails.close()),
      part('The built-in provider', others, () => sandbox.close()),
      part('A connection', others, () => connections.close()),
    ]);
    stopDropping?.();
    await part('The game lists', others, () => catalogue.close());
    await part('The reading of a text', others, () => reading.close());
    await part('The history', others, () => history.close());
    await part('The search of the history', endWithin.search, () => historyService.close());
    await part('The file of the history', others, () => database.close());
    await part('The lock of this session', others, () => run.close());
    await part('The key agent', 2 * others, () => host.secrets.close());
    await part('The look for keys without an environment', others, () => swept);
    await part('The environments', others, () => environments.close());
    await part('The events', others, () => events.close());
    return ending.complete;
  }

  return {
    dispatch,
    subscribe,
    body,
    picture,
    transport: { call: dispatch, subscribe, body, picture },
    startSandbox: (options) => sandbox.start(options),
    joinSandbox: () => sandbox.join(),
    useKey: (environmentId, key) => keys.useKey(environments.get(environmentId).id, key),
    uncaught: faults.uncaught,
    close: () => (closing ??= undo()),
  };
}

/** What the program runs on, for whoever looks into a fault: `Node 24.21.0, linux x64`. */
function runtimeName(): string {
  const { electron, node } = process.versions;
  return `${electron === undefined ? '' : `Electron ${electron}, `}Node ${node}, ${process.platform} ${process.arch}`;
}

/** For what ends something that others do: what they have sent is read before. */
function laterAwake(work: () => void, milliseconds: number): () => void {
  const deadline = startDeadline(milliseconds, work, { unref: true });
  return () => deadline.clear();
}

/** Work that can wait does not keep the program alive. */
function later(work: () => void, milliseconds: number): () => void {
  const timer = setTimeout(work, milliseconds);
  timer.unref();
  return () => clearTimeout(timer);
}
