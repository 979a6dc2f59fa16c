import { randomUUID } from 'node:crypto';
import { createReportFiles } from '../runs/report-files.ts';
import { createRuns, type Runs, type RunsDeps } from '../runs/runs.ts';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Variables } from '#shared/collections/model.ts';
import type { answerInputs, Call, collectionInputs, Environment, Handlers, importInputs, runInputs } from '#shared/ipc/index.ts';
import type { KnownGames } from '#shared/provider/index.ts';
import { createCollectionEnvironments } from '../collection-environments/collection-environments.ts';
import type { EnvironmentLinks } from '../collection-environments/links.ts';
import type { Environments } from '../environments/environments.ts';
import type { Calls } from '../calls/calls.ts';
import type { Pass } from '../files/passed.ts';
import type { SessionLock } from '../files/session-lock.ts';
import type { Events } from '../host/events.ts';
import { createSecretChoices } from '../settings/secret-choices.ts';
import type { Settings } from '../settings/settings.ts';
import type { Host } from '../host/host.ts';
import type { Reading } from '../untrusted/jobs.ts';
import { answerHandlers, createAnswers } from '../collections/answers.ts';
import { createLook } from '../collections/checks/response-checks.ts';
import { createCollections } from '../collections/collections.ts';
import { createExamples } from '../collections/examples.ts';
import { createFileReader } from '../collections/file-reader.ts';
import { collectionHandlers } from './collection-handlers.ts';

import { createPlayerRecords } from '../forget/player-records.ts';
import { createSaveSecrets } from '../collections/save-secrets.ts';
import { createDirectoryList } from '../collections/directory-list.ts';
import { createStarters } from '../collections/starters.ts';

/** Dependencies of collections and their runs. */
export interface AppCollectionsDeps {
  readonly home: string;
  readonly host: Pick<Host, 'version' | 'starters'>;
  readonly calls: Calls;
  /** Fails with `not_found`, as the next two do. */
  readonly call: (id: number) => Call;
  /** Returns the decoded body of its response. */
  readonly body: (id: number) => Uint8Array;
  readonly environment: (id: string) => Environment;
  readonly environments: () => readonly Environment[];
  readonly environmentStore: Pick<Environments, 'list' | 'get' | 'create' | 'save'>;
  readonly environmentLinks: EnvironmentLinks;
  /** Returns the values that an environment gives to requests besides its settings. */
  readonly session: (environmentId: string) => Variables;
  /** Returns the session tokens that this home holds. */
  readonly tokens: () => ReadonlySet<string>;
  /** Returns its newest game list; null if none is known. */
  readonly games: (environmentId: string) => KnownGames | null;
  /** Lowercase hexadecimal SHA-256 of the environment's key and the parts. Fails with `key_missing` or `key_unavailable`. */
  readonly digest: (environmentId: string, parts: readonly Uint8Array[]) => Promise<string>;
  readonly pass: Pass;
  readonly reading: Reading;
  /** Ends the reading of collections, with its reason. */
  readonly stop: AbortSignal;
  /** Returns whether the bytes hold any environment's key, as far as that can be decided now. */
  readonly holdsAnyKey: (bytes: Uint8Array) => Promise<boolean>;
  readonly settings: Pick<Settings, 'read' | 'write'>;
  readonly lock: SessionLock;
  readonly emit: Events['emit'];
  readonly onFault: (error: unknown) => void;
}

/** Collections with everything that is built on them: runs, imports, exports, examples, checks of single responses. */
export type AppCollections = ReturnType<typeof createAppCollections>;

export function createAppCollections(deps: AppCollectionsDeps) {
  const { home, host, call, body, environment, environments, session, games, digest, pass, emit, onFault } = deps;

  const secretChoices = createSecretChoices(deps.settings);

  const reader = createFileReader(deps.reading, deps.stop);
  const collections = createCollections({
    home,
    run: deps.lock,
    reader,
    reading: deps.reading,
    pass,
    onChange: (change) => emit('collections.changed', change),
    onCommit: (id) => emit('collections.committed', { id }),
    onKept: (kept) => emit('collections.kept', kept),
    onFault,
    now: Date.now,
    env: process.env,
    platform: process.platform,
  });
  const look = createLook(deps.reading);
  const answers = createAnswers({
    look,
    call,
    body,
    environment,
    collection: (collectionId) => collections.locate({ collectionId }),
    session,
    emit: (change) => emit('answers.changed', change),
  });
  const runs = createAppRuns({
    reading: deps.reading,
    reader,
    look,
    calls: deps.calls,
    environment,
    session,
    games,
    locate: (where) => collections.locate(where),
    requireKey: async (environmentId) => void (await digest(environmentId, [])),
    pass,
    emit: (progress) => emit('runs.progressed', progress),
    onRemoved: (removed) => emit('runs.removed', removed),
    onFault,
    home,
    lock: deps.lock,
    version: host.version,
  });
  const starters = createStarters({ folder: host.starters ?? null, parent: homedir() });
  const shared = createCollectionEnvironments({
    collections,
    environments: deps.environmentStore,
    links: deps.environmentLinks,
    pass,
  });
  const directories = createDirectoryList({ home: homedir(), parent: homedir() });
  const examples = createExamples({ collections, call, body, environments, reading: deps.reading, pass });
  // The formats of other tools are loaded when a call needs them: a run does not.
  const imports = once(async () => {
    const { createImports } = await import('../imports/imports.ts');
    return createImports({
      collections,
      reading: deps.reading,
      holdsKey: (text) => deps.holdsAnyKey(Buffer.from(text, 'utf8')),
      environments,
      digest,
      secretChoices,
      emit: (progress) => emit('collections.importing', progress),
      monotonic: () => performance.now(),
    });
  });
  const exports = once(async () => {
    const { createCollectionExports } = await import('../exports/collection-exports.ts');
    const { version } = host;
    return createCollectionExports({ collections, environment, pass, digest, version, now: Date.now });
  });
  return {
    handlers: {
      ...collectionHandlers(
        collections,
        imports,
        starters,
        directories,
        examples,
        exports,
        createSaveSecrets({ choices: secretChoices, environments, tokens: deps.tokens }),
        answers.keep,
        shared,
      ),
      ...answerHandlers(answers),
      ...runHandlers(runs),
    },
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

/** Handlers of the contract's calls about collections. */
export type CollectionHandlers = Pick<
  Handlers,
  keyof typeof answerInputs | keyof typeof collectionInputs | keyof typeof importInputs | keyof typeof runInputs
>;

/** Dependencies of runs; time and IDs come from the machine. */
type AppRunsDeps = Pick<
  RunsDeps,
  | 'calls'
  | 'look'
  | 'reader'
  | 'environment'
  | 'session'
  | 'games'
  | 'locate'
  | 'requireKey'
  | 'pass'
  | 'emit'
  | 'onRemoved'
  | 'onFault'
  | 'version'
> & {
  readonly home: string;
  readonly reading: Pick<Reading, 'run'>;
  readonly lock: Pick<SessionLock, 'token' | 'hold' | 'isAlive'>;
};

function createAppRuns({ home, lock, reading, ...deps }: AppRunsDeps): Runs {
  return createRuns({
    ...deps,
    writeReport(input) {
      const { buffer, byteLength: bytes } = input.bytes;
      const options = { subject: 'The report', bytes, transfer: [buffer] };
      return reading.run('runs.report', input, options);
    },
    files: createReportFiles(join(home, 'collection-runs'), (token) => token === lock.token || lock.isAlive(token), deps.onFault),
    process() {
      lock.hold();
      return lock.token;
    },
    // A pause between requests keeps a program alive.
    later(work, milliseconds) {
      const timer = setTimeout(work, milliseconds);
      return () => clearTimeout(timer);
    },
    now: Date.now,
    monotonic: () => performance.now(),
    newId: randomUUID,
  });
}

/** Handlers of the contract's calls about runs. */
function runHandlers(runs: Runs): Pick<Handlers, 'runs.start' | 'runs.cancel' | 'runs.list' | 'runs.requests' | 'runs.export'> {
  return {
    'runs.start': (input) => runs.start(input),
    'runs.cancel': ({ runId }) => ({ cancelled: runs.cancel(runId) }),
    'runs.list': ({ collectionId }) => runs.list(collectionId),
    'runs.requests': (input) => runs.requests(input),
    'runs.export': (input) => runs.export(input),
  };
}
