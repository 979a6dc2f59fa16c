import { basename, join } from 'node:path';
import { AppError } from '#shared/errors.ts';
import type { Environment, Payload } from '#shared/ipc/index.ts';
import { createConfirmations } from '../calls/confirmations.ts';
import { createEnvironmentLinks } from '../collections/environments/links.ts';
import { createDatabase } from '../database/database.ts';
import { createEnvironments } from '../environments/environments.ts';
import { createFaults } from '../faults.ts';
import { makePrivateDirectory, removeStaleTemporaries } from '../files/files.ts';
import { createSessionLock } from '../files/session-lock.ts';
import { createPass } from '../files/passed.ts';
import { createHistoryService } from '../history/service.ts';
import { createHistoryStore } from '../history/store.ts';
import { createEvents } from '../host/events.ts';
import type { Host } from '../host/host.ts';
import { leaveNothingInCoreDumps } from '../keys/core-dumps.ts';
import { createKeyIndex } from '../keys/key-index.ts';
import { createKeys } from '../keys/keys.ts';
import { createPrivateHosts } from '../settings/private-hosts.ts';
import { createSettings, withoutKeys } from '../settings/settings.ts';
import { createWorkspaces } from '../workspaces/workspaces.ts';
import { mendModes } from './file-modes.ts';
import { later, runtimeName } from './runtime.ts';

/** Input for building the rooms of the ground floor. */
interface GroundOptions {
  readonly home: string;
  readonly host: Host;
  /** Writes a fault to a log. */
  readonly log: (error: unknown) => void;
}

/** The ground of an application: its faults and events, its home's files, the keys and the history. */
export type Ground = Awaited<ReturnType<typeof openGround>>;

/** Creates the home if it is missing and opens its contents. Fails with `invalid_input` if it cannot be created. */
export async function openGround({ home, host, log }: GroundOptions) {
  leaveNothingInCoreDumps();
  const environmentsFolder = join(home, 'environments');
  try {
    await makePrivateDirectory(environmentsFolder);
  } catch (cause) {
    const message = `Croupier can't create its home ${home}. Check the path and its permissions, or set another with CROUPIER_HOME.`;
    throw new AppError('invalid_input', message, undefined, { cause });
  }
  await Promise.all([removeStaleTemporaries(home), removeStaleTemporaries(environmentsFolder)]);
  const faults = createFaults({
    log,
    tell: (fault) => events.emit('app.faulted', fault),
    holdsKey: (text) => holdsKey(text),
    where: `Croupier ${host.version}, ${host.name}, ${runtimeName()}`,
    now: () => performance.now(),
  });
  const onFault = faults.report;
  const readable = await mendModes(home);
  if (readable.length > 0) {
    onFault(
      new AppError(
        'storage',
        `Other users can read ${readable.join(', ')}, and Croupier couldn't change the permissions. Make yourself the owner.`,
      ),
    );
  }

  const events = createEvents(onFault);
  const environments = createEnvironments({
    folder: environmentsFolder,
    checkText: async (text) => (await pass('home', [text], {}))(text),
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
  const holdsKey = async (text: string) => (await findKeys(text)).length > 0;
  const pass = createPass(keys, () => environments.list().environments.map(({ id }) => id));
  const settingsPath = join(home, 'settings.json');
  const settings = createSettings(settingsPath, findKeys);
  const privateHosts = createPrivateHosts(settings);
  const run = createSessionLock(join(home, 'runs'));
  const workspaces = createWorkspaces({
    root: join(home, 'workspaces'),
    run,
    settings,
    settingsPath,
    withoutKeys: (text) => withoutKeys(text, findKeys),
    onTaken: (id) => events.emit('workspaces.taken', { id }),
  });
  const database = createDatabase(join(home, 'history.sqlite'), {
    run,
    onSetAside(path, reason) {
      onFault(new AppError('storage', `The history ${reason}. Croupier set it aside as ${path} and started a new one.`));
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

  return {
    home,
    host,
    faults,
    onFault,
    events,
    environments,
    environmentIds,
    environmentOrNull,
    environmentLinks: createEnvironmentLinks(join(home, 'environment-links.json')),
    confirmations,
    keys,
    holdsKey,
    pass,
    nameOf,
    privateHosts,
    settings,
    run,
    workspaces,
    database,
    history,
    historyService,
  };

  function environmentIds(): string[] {
    const { environments: read, broken } = environments.list();
    return [...read.map(({ id }) => id), ...broken.map(({ file }) => basename(file, '.json'))];
  }
}
