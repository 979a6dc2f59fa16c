import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '#shared/errors.ts';
import type { answerInputs, collectionInputs, Handlers, importInputs, runInputs, walletInputs } from '#shared/ipc/index.ts';
import type { KnownGames } from '#shared/provider/index.ts';
import { createCollectionEnvironments } from '../collections/environments/collection-environments.ts';
import { takenValueHandlers, createTakenValues } from '../collections/taken-values.ts';
import { createEvaluation } from '../collections/checks/response-evaluation.ts';
import { createCollections } from '../collections/collections.ts';
import { createDirectoryList, placeForCollections } from '../collections/directory-list.ts';
import { createExamples } from '../collections/examples.ts';
import { createFileReader } from '../collections/file-reader.ts';
import { createSaveSecrets } from '../collections/save-secrets.ts';
import { createStarters } from '../collections/starters.ts';
import { createPlayerRecords } from '../forget/player-records.ts';
import { createReportFiles } from '../runs/report-files.ts';
import { createRuns } from '../runs/runs.ts';
import { settingsNames } from '#shared/collections/file-names.ts';
import { createWallet, type SessionTokens } from '../wallet/wallet.ts';
import { createSecretChoices } from '../settings/secret-choices.ts';
import type { Ground } from './ground.ts';
import type { Sending } from './sending.ts';

/** Parts of the other use cases that collections use. */
export interface BesideCollections {
  /** Returns the session tokens that this home holds. */
  readonly tokens: () => ReadonlySet<string>;
  /** Returns an environment's newest game list; null if none is known. */
  readonly games: (environmentId: string) => KnownGames | null;
  /** Returns session tokens for a test of the wallet. */
  readonly walletTokens: (environmentId: string, given: readonly string[]) => Promise<SessionTokens>;
  /** Ends the reading of collections, with its reason. */
  readonly stop: AbortSignal;
}

/** Collections with everything that is built on them: runs, imports, exports, examples, checks of single responses. */
export type AppCollections = ReturnType<typeof createAppCollections>;

/** Handlers of the contract's calls about collections. */
export type CollectionHandlers = Pick<
  Handlers,
  | keyof typeof answerInputs
  | keyof typeof collectionInputs
  | keyof typeof importInputs
  | keyof typeof runInputs
  | keyof typeof walletInputs
>;

export function createAppCollections(ground: Ground, sending: Sending, { tokens, games, walletTokens, stop }: BesideCollections) {
  const { home, host, keys, settings, run: lock, pass, history, onFault } = ground;
  const { emit } = ground.events;
  const { reading, bodyOf: body } = sending;
  const { version } = host;
  const call = (id: number) => history.get(id);
  const environment = (id: string) => ground.environments.get(id);
  const environments = () => ground.environments.list().environments;
  const session = (environmentId: string) => sending.sandbox.session(environmentId);
  const digest = (environmentId: string, parts: readonly Uint8Array[]) => keys.digest(environmentId, parts);
  const secretChoices = createSecretChoices(settings);
  const reader = createFileReader(reading, stop);
  const collections = createCollections({
    home,
    run: lock,
    reader,
    reading,
    pass,
    onChange: (change) => emit('collections.changed', change),
    onCommit: (id) => emit('collections.committed', { id }),
    onKept: (kept) => emit('collections.kept', kept),
    onFault,
    now: Date.now,
    env: process.env,
    platform: process.platform,
  });
  const evaluate = createEvaluation(reading);
  const answers = createTakenValues({
    evaluate,
    call,
    body,
    environment,
    collection: (collectionId) => collections.locate({ collectionId }),
    session,
    emit: (change) => emit('answers.changed', change),
  });
  const runs = createRuns({
    reader,
    evaluate,
    calls: sending.calls,
    environment,
    session,
    games,
    locate: (where) => collections.locate(where),
    requireKey: async (environmentId) => void (await digest(environmentId, [])),
    pass,
    emit: (progress) => emit('runs.progressed', progress),
    onRemoved: (removed) => emit('runs.removed', removed),
    onFault,
    version,
    writeReport(input) {
      const { buffer, byteLength: bytes } = input.bytes;
      return reading.run('runs.report', input, { subject: 'The report', bytes, transfer: [buffer] });
    },
    files: createReportFiles(join(home, 'collection-runs'), (token) => token === lock.token || lock.isAlive(token), onFault),
    process() {
      lock.hold();
      return lock.token;
    },
    later: whileAlive,
    now: Date.now,
    monotonic: () => performance.now(),
    newId: randomUUID,
  });
  const wallet = createWallet({
    environment,
    calls: sending.calls,
    confirmations: ground.confirmations,
    runs,
    evaluate,
    sessionTokens: walletTokens,
    async ownCases(where, environmentId) {
      const cases = await (await collections.filesOf(where)).files.cases();
      const keyFound = () => `Nothing was sent: ${settingsNames.cases} contains the private key of an environment. Remove it.`;
      await pass('report', [JSON.stringify(cases)], { of: [environmentId], keyFound });
      return cases;
    },
    async *callsOf(runId) {
      const ids: number[] = [];
      for (let before: number | undefined; ;) {
        const page = await ground.historyService.list({
          limit: 500,
          match: 'anywhere',
          filter: { collectionRun: runId },
          ...(before === undefined ? {} : { before }),
        });
        ids.push(...page.calls.map(({ id }) => id));
        before = page.calls.at(-1)?.id;
        if (page.calls.length < 500 || before === undefined) break;
      }
      if (ids.length === 0) throw new AppError('not_found', `The history has no calls of run ${runId}.`);
      for (const id of ids.reverse()) yield { call: call(id), body: body(id) };
    },
    later: whileAlive,
    monotonic: () => performance.now(),
  });
  const parent = placeForCollections(homedir(), process.cwd());
  const starters = createStarters({ folder: host.starters ?? null, parent });
  const shared = createCollectionEnvironments({
    collections,
    environments: ground.environments,
    links: ground.environmentLinks,
    pass,
  });
  const directories = createDirectoryList({ home: homedir(), parent });
  const examples = createExamples({ collections, call, body, environments, reading, pass });
  const saveSecrets = createSaveSecrets({ choices: secretChoices, environments, tokens });
  // The formats of other tools are loaded when a call needs them: a run does not.
  const imports = once(async () => {
    const { createImports } = await import('../formats/imports.ts');
    return createImports({
      collections,
      reading,
      holdsKey: ground.holdsKey,
      environments,
      digest,
      secretChoices,
      emit: (progress) => emit('collections.importing', progress),
      monotonic: () => performance.now(),
    });
  });
  const exports = once(async () => {
    const { createCollectionExports } = await import('../formats/exports/collection-exports.ts');
    return createCollectionExports({ collections, environment, pass, digest, version, now: Date.now });
  });
  const handlers: CollectionHandlers = {
    'collections.list': async () => ({ collections: await collections.list() }),
    'collections.open': (input) => collections.open(input),
    'collections.forget': async ({ id }) => {
      await collections.forget(id);
      return {};
    },
    'collections.directories': ({ directory }) => directories.list(directory),
    'collections.starters': async () => ({ starters: await starters.list() }),
    'collections.createFromStarter': async ({ starter, directory }) => {
      await starters.copy(starter, directory);
      return collections.open({ directory });
    },
    'collections.tree': ({ id }) => collections.tree(id),
    'collections.gitMarks': ({ id }) => collections.gitMarks(id),
    'collections.versions': ({ id, path }) => collections.versions(id, path),
    'collections.read': ({ id, path }) => collections.read(id, path),
    async 'collections.save'({ secrets, environmentId, ...input }) {
      const before = async () => (await collections.read(input.id, input.path)).request;
      const { request, replaced, values } = await saveSecrets.request(input.request, before, secrets);
      const saved = await collections.save({ ...input, request });
      answers.keep(input.id, environmentId, saved.path, values);
      return { ...saved, replaced };
    },
    async 'collections.create'({ secrets, environmentId, ...input }) {
      const { request, replaced, values } = await saveSecrets.request(input.request, null, secrets);
      const saved = await collections.create({ ...input, request });
      answers.keep(input.id, environmentId, saved.path, values);
      return { ...saved, replaced };
    },
    'collections.createFolder': (input) => collections.createFolder(input),
    'collections.readFolder': ({ id, path }) => collections.readFolder(id, path),
    async 'collections.saveFolder'({ secrets, ...input }) {
      const before = async () => (await collections.readFolder(input.id, input.path)).settings;
      await saveSecrets.folder(input.settings, before, secrets);
      return collections.saveFolder(input);
    },
    'collections.rename': (input) => collections.rename(input),
    'collections.move': (input) => collections.move(input),
    'collections.transfer': (input) => collections.transfer(input),
    'collections.undoTransfer': ({ undo }) => collections.undoTransfer(undo),
    'collections.duplicate': ({ id, path }) => collections.duplicate(id, path),
    'collections.remove': ({ id, path }) => collections.remove(id, path),
    'collections.restore': ({ id, removal }) => collections.restore(id, removal),
    'collections.reorder': async (input) => {
      await collections.reorder(input);
      return {};
    },
    'collections.environments': (where) => shared.list(where),
    'collections.useEnvironment': async (input) => structuredClone(await shared.use(input)),
    'collections.shareEnvironment': (input) => shared.share(input),
    'collections.previewExample': ({ callId }) => examples.preview(callId),
    'collections.addExample': (input) => examples.add(input),
    'collections.importPreview': async (input) => (await imports()).preview(input),
    'collections.import': async (input) => (await imports()).write(input),
    'collections.cancelImport': async ({ ticket }) => ({ cancelled: (await imports()).cancel(ticket) }),
    'collections.export': async (input) => (await exports())(input),
    ...takenValueHandlers(answers),
    'runs.start': (input) => runs.start(input),
    'runs.cancel': ({ runId }) => ({ cancelled: runs.cancel(runId) }),
    'runs.list': ({ collectionId }) => runs.list(collectionId),
    'runs.requests': (input) => runs.requests(input),
    'runs.export': (input) => runs.export(input),
    'wallet.plan': (input) => wallet.plan(input),
    'wallet.start': (input) => wallet.start(input),
    'wallet.restore': (input) => wallet.restore(input),
  };
  return {
    handlers,
    /** Saves an environment, and the changed lines of the file that it follows. */
    saveEnvironment: shared.save,
    records: createPlayerRecords({ collections, runs, removedFolder: join(home, 'removed') }),
    /** Reports changes by other programs from now on. */
    watch: (): void => collections.watch(),
    /** Stops runs and releases every file. */
    async close(): Promise<void> {
      await runs.close();
      await collections.close();
    },
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}

/** Runs work later; a pause of a run keeps the program alive. */
function whileAlive(work: () => void, milliseconds: number): () => void {
  const timer = setTimeout(work, milliseconds);
  return () => clearTimeout(timer);
}
