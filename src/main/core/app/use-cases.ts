import { join } from 'node:path';
import type { Environment } from '#shared/ipc/index.ts';
import { AppError } from '#shared/errors.ts';
import { effectOf } from '#shared/production/effect.ts';
import type { SettingName } from '#shared/ipc/settings.ts';
import { LaunchRules } from '#shared/model/environment.ts';
import { idsNamed } from '#shared/provider/known-games.ts';
import { recordedNames } from '#shared/provider/tokens.ts';
import type { SendRequest } from '../calls/calls.ts';
import { createCancellation } from '../calls/cancellation.ts';
import { repeatOf } from '../calls/repeat.ts';
import { createCatalogue } from '../catalogue/catalogue.ts';
import { dropLists } from '../catalogue/drop-lists.ts';
import { createSnapshotStore } from '../catalogue/store.ts';
import { createThumbnailFiles } from '../catalogue/thumbnail-files.ts';
import { createThumbnails } from '../catalogue/thumbnails.ts';
import { createEvidence } from '../evidence/evidence.ts';
import { createExports } from '../formats/exports/exports.ts';
import { createForget } from '../forget/forget.ts';
import { createKeptBeside } from '../history/kept-beside.ts';
import { withLock } from '../files/locks.ts';
import { patiently } from '../files/moves.ts';
import { createGateway } from '../gateway/gateway.ts';
import { createPassedReader } from '../gateway/read-request.ts';
import { createLaunches } from '../launches/launches.ts';
import { createLaunchStore } from '../launches/store.ts';
import { systemResolve } from '../network/address-policy.ts';
import { createGuardedGet } from '../network/guarded-get.ts';
import { createUpdateCheck } from '../settings/update-check.ts';
import { createDoctor } from '../doctor/doctor.ts';
import { createOpenPacks } from '../packs/open-packs.ts';
import { createProbes } from '../doctor/probes.ts';
import { createRounds } from '../calls/rounds.ts';
import { createSessionTokens } from '../session-tokens/session-tokens.ts';
import type { Ground } from './ground.ts';
import { createLateCollections } from './late-collections.ts';
import type { Sending } from './sending.ts';
import { later, pause, runtimeName } from './runtime.ts';

/** The use cases above the calls, by name. */
export type UseCases = ReturnType<typeof createUseCases>;

/** Creates everything above the calls. */
export function createUseCases(ground: Ground, sending: Sending, stop: AbortSignal) {
  const {
    home,
    host,
    onFault,
    events,
    environments,
    environmentIds,
    environmentOrNull,
    confirmations,
    keys,
    pass,
    nameOf,
    privateHosts,
    settings,
    run,
    workspaces,
    database,
    history,
    historyService,
  } = ground;
  const { sender, authorities, connections, connectionsByDns, reading, readResponse, unrecorded, calls, sandbox, bodyOf, wayTo } =
    sending;

  const sendCall = (request: SendRequest) => calls.send(request);
  const callOf = (id: number) => history.get(id);
  const environmentOf = (id: string) => environments.get(id);
  const listEnvironments = () => environments.list().environments;
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
    get: createGuardedGet({
      wayTo,
      authorities,
      clientCertificates: keys.certificates,
      resolve: systemResolve,
      privateHosts: privateHosts.of,
      kind: 'answer.picture',
      redirects: 3,
      timeoutMs: 10_000,
      accept: 'image/*',
    }),
    files: createThumbnailFiles(join(home, 'cache', 'thumbnails')),
    now: () => performance.now(),
  });
  const updates = createUpdateCheck({
    get: createGuardedGet({
      wayTo,
      authorities,
      resolve: systemResolve,
      kind: 'answer.version',
      redirects: 0,
      timeoutMs: 10_000,
      accept: 'application/json',
    }),
    settings,
    version: host.version,
    now: Date.now,
  });
  const rounds = createRounds({ send: sendCall, body: bodyOf, environment: environmentOf, reading, now: Date.now });
  const packs = createOpenPacks({
    reading,
    keyHolders: async (bytes) => [...new Set((await keys.find(bytes)).map(({ environmentId }) => nameOf(environmentId)))],
    searchedBy: { worker: host.searchWorker ?? null, onFault },
    onChange: () => events.emit('packs.changed', {}),
  });
  const recognise = (text: string) =>
    reading.run('pasted.read', text, { subject: 'The text', characters: text.length, bytes: 2 * text.length });
  const probes = createProbes({
    send: sendCall,
    cancelCall: (ticket) => calls.cancel(ticket),
    digest: (environmentId, parts) => keys.digest(environmentId, parts),
    environment: environmentOf,
    environments: listEnvironments,
    hasKey: (environmentId) => keys.fingerprint(environmentId) !== null,
    isSameKey: (one, other) => keys.isSame(one, other),
    confirm(environment, most, given) {
      const ask = () => ({ url: environment.baseUrl, call: null, run: null, probes: { calls: most } });
      confirmations.requireEach(environment, ask, given);
    },
    now: Date.now,
    pause,
    emit: (progress) => events.emit('probes.progressed', progress),
  });
  const doctor = createDoctor({
    keys,
    environment: environmentOf,
    environments: listEnvironments,
    now: () => performance.now(),
    emit: (progress) => events.emit('doctor.progressed', progress),
  });
  const gatewayFolder = join(home, 'sandbox', 'gateway');
  const gateway = createGateway({
    openEntrance: host.openEntrance,
    directory: gatewayFolder,
    exclusively: (work) => withLock(gatewayFolder, () => patiently(work)),
    connections,
    connectionsByDns,
    confirmations,
    environment: environmentOf,
    keys,
    recorder: history,
    readRequest: createPassedReader(reading),
    readResponse,
    nameOf,
    search: (environmentId, ticket, request, language) =>
      doctor.search({ environmentId, ticket, request, fidelity: 'exact', missing: [], deep: false, language }),
    now: Date.now,
    repeat: (id, environment) =>
      sender.repeat(repeatOf(history.sent(id), environment, Date.now()), createCancellation(), () => undefined),
    session: run.token,
    junit: async (report) => (await import('../runs/reports/junit.ts')).junitReport(report),
    onRecorded(id) {
      events.emit('calls.changed', { id });
      historyService.recorded();
    },
    emit: (call) => events.emit('gateway.passed', call),
    onFault,
  });
  const usualRules = LaunchRules.parse({});
  /** Of the built-in provider's games and replays, where its environment names none. */
  const builtInSigns = ['selector: #spin:not([disabled])', 'selector: body[data-state=replay]'];
  /** Reads one environment, because each launch of a list and each entry of a record asks. */
  function rulesOf(environmentId: string): LaunchRules {
    try {
      const { kind, launchRules } = environmentOf(environmentId);
      const named = kind !== 'sandbox' || launchRules.readySigns.length > 0;
      return named ? launchRules : { ...launchRules, readySigns: builtInSigns };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return usualRules;
    }
  }
  /** Returns the recorded answers of an environment; none of one that was removed. */
  function answersOf(environmentId: string): Environment['answers'] {
    return listEnvironments().find(({ id }) => id === environmentId)?.answers ?? {};
  }
  const tokens = createSessionTokens({
    path: join(home, 'token-commands.json'),
    knows: (environmentId) => environmentIds().includes(environmentId),
    nameOf,
    allowCommand: host.allowCommand,
    variables: () => variablesWithoutKeys(process.env, async (bytes) => (await keys.find(bytes)).length > 0),
    onChange: (environmentId) => events.emit('tokens.changed', { environmentId }),
  });
  const launchStore = createLaunchStore(database, rulesOf);
  const launcher = createLaunches({
    host,
    send: sendCall,
    call: callOf,
    body: bodyOf,
    reading,
    gamesTitled: (environmentId, title) => idsNamed(catalogue.known(environmentId), title),
    environment: environmentOf,
    rulesOf,
    sandboxOrigin: () => sandbox.status().baseUrl,
    authorities,
    privateHosts: privateHosts.of,
    store: launchStore,
    tokens,
    nameOf,
    allow(environmentId, given) {
      const environment = environmentOf(environmentId);
      const { effect } = effectOf('getLauncherURL', '', environment.answers);
      confirmations.require(environment, () => ({ url: environment.baseUrl, call: effect, run: null }), given);
    },
    resolve: systemResolve,
    // A game stays open when its environment is removed.
    wayTo: (environmentId, url) => wayTo(environmentOrNull(environmentId), url),
    now: Date.now,
    emit: events.emit,
    onFault,
  });
  const evidence = createEvidence({
    home,
    folder: join(home, 'evidence'),
    program: `Croupier ${host.version}`,
    launcher,
    picture: (id, number) => launchStore.picture(id, number),
    answersOf,
    reading,
    tester: () => settings.read()['tester' satisfies SettingName]?.trim() ?? '',
    call: callOf,
    body: bodyOf,
    pass,
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
    pass,
    version: host.version,
    runtime: runtimeName(),
    now: Date.now,
    later,
  });

  const collections = createLateCollections(ground, sending, {
    stop,
    tokens: () => new Set([...tokens.pools.tokens(), ...environmentIds().flatMap((id) => Object.values(sandbox.session(id)))]),
    games: (environmentId) => catalogue.known(environmentId),
    async walletTokens(environmentId, given) {
      const { kind, name } = environmentOf(environmentId);
      if (given.length > 0) {
        // The next test of this session needs no paste: those that were pasted may be replaced by then.
        const keep = (present: readonly string[]) =>
          present.forEach((token, index) => {
            const known = tokens.pools.find(environmentId, given[index] ?? '');
            if (known === undefined) void tokens.add(environmentId, JSON.stringify([{ token }]), '').catch(onFault);
            else tokens.pools.takeOne(environmentId, known)?.renewed(token);
          });
        return { tokens: given, giveBack: keep };
      }
      if (kind === 'sandbox') {
        const { players } = sandbox.status();
        const [first] = players;
        const two = players.filter(({ currency }) => currency === first?.currency).slice(0, 2);
        return { tokens: two.map(({ externalToken }) => externalToken), giveBack: () => undefined };
      }
      const allows = () => true;
      const take = () => [0, 1].flatMap(() => tokens.pools.take(environmentId, allows) ?? []);
      let taken = take();
      if (taken.length === 0 && tokens.command(environmentId) !== '') {
        await tokens.fetch(environmentId, { environmentName: name, gameId: '', playerId: '' }, `wallet-${Date.now()}`);
        taken = take();
      }
      if (taken.length === 0)
        throw new AppError(
          'refused',
          `There is no session token of ${name}. Give one of an open session, or add one to the pool.`,
        );
      return {
        tokens: taken.map(({ token }) => token),
        giveBack: (present) =>
          taken.forEach((one, index) => {
            const token = present[index] ?? one.token;
            if (token === one.token) one.back();
            else one.renewed(token);
          }),
      };
    },
  });

  const forget = createForget({
    history: historyService,
    historyPath: database.path,
    launcher,
    forgetVerdicts(naming) {
      sandbox.forget(({ bodyText, path }) => naming.text(`${path}\n${bodyText}`));
      gateway.forget(
        ({ callId, sentAt, request, subject, message, why }) =>
          (callId !== null && naming.call({ id: callId, sentAt })) ||
          subject.split(' · ').includes(naming.player) ||
          naming.text(`${request}\n${message ?? ''}\n${why}`),
      );
      events.emit('history.forgotten', {});
    },
    forgetTokens: (player) => tokens.pools.forget(player),
    collections: collections.records,
    evidenceFolder: join(home, 'evidence'),
    environments: listEnvironments,
    remembered: () => settings.read(),
    tabs: () => workspaces.texts(),
    tokenFields: () => [...new Set(listEnvironments().flatMap(({ answers }) => [...recordedNames(answers)]))],
    emit: (progress) => events.emit('history.forgetting', progress),
    monotonic: () => performance.now(),
  });

  // They outlive their environment until the next start, as its key does.
  const stopDropping =
    host.searchWorker === undefined
      ? null
      : dropLists({ store: snapshots, environmentIds, later, onDropped: () => events.emit('catalogue.changed', {}), onFault });

  return {
    catalogue,
    thumbnails,
    updates,
    packs,
    recognise,
    doctor,
    gateway,
    rounds,
    probes,
    tokens,
    launcher,
    evidence,
    exports,
    collections,
    forget,
    keptBeside: createKeptBeside(home, database, run),
    /** Null where game lists are not dropped. */
    stopDropping,
  };
}

/** Returns environment variables without those that hold a private key: a program that Croupier starts gets no key. */
export async function variablesWithoutKeys(
  variables: NodeJS.ProcessEnv,
  holdsKey: (text: Uint8Array) => Promise<boolean>,
): Promise<NodeJS.ProcessEnv> {
  const all = Object.entries(variables);
  if (!(await holdsKey(Buffer.from(all.map(([, value]) => value ?? '').join('\n'))))) return { ...variables };
  const kept: [string, string | undefined][] = [];
  for (const [name, value] of all) if (!(await holdsKey(Buffer.from(value ?? '')))) kept.push([name, value]);
  return Object.fromEntries(kept);
}
