import { X509Certificate } from 'node:crypto';
import { AppError } from '#shared/errors.ts';
import { inputs, type Environment, type EnvironmentDraft, type Handlers } from '#shared/ipc/index.ts';
import { followedSettings } from '#shared/ipc/settings.ts';
import { linkFields } from '../collections/environments/links.ts';
import { openedFields } from '../collections/opened-directories.ts';
import { answersForOther } from '../environments/shared-answers.ts';
import { keyIndexFields } from '../keys/key-index.ts';
import { readDeviceLists } from '../launches/device-lists.ts';
import { nameIn } from '../network/authorities.ts';
import { tokenCommandFields } from '../session-tokens/token-commands.ts';
import { unknownFiles } from '../settings/unknown-files.ts';
import { parseAddress } from '../network/connections.ts';
import { proxyAddress } from '../network/proxies.ts';
import { systemResolve } from '../network/address-policy.ts';
import { diagnosticsText, type DiagnosticsDeps } from './diagnostics.ts';
import type { Ground } from './ground.ts';
import { capabilitiesOf, hostHandlers } from './host-handlers.ts';
import { launchHandlers } from './launch-handlers.ts';
import type { Sending, sendingHandlers } from './sending.ts';
import { tokenHandlers } from './token-handlers.ts';
import { createUseCases, type UseCases } from './use-cases.ts';

/** Fields of the home's files, beside those of the settings. */
const knownFields = {
  'collections.json': openedFields,
  'keys.json': keyIndexFields,
  'token-commands.json': tokenCommandFields,
  'environment-links.json': linkFields,
};

/** Everything above the calls, with the schemas of all calls of the contract and the handlers that are not there from the start. */
export type Others = ReturnType<typeof createOthers>;

export function createOthers(ground: Ground, sending: Sending, stop: AbortSignal) {
  const useCases = createUseCases(ground, sending, stop);
  return { ...useCases, inputs, handlers: appHandlers(ground, sending, useCases) };
}

/** Creates the handlers of the inside contract but for those of `sendingHandlers`: here its names meet the services that do the work. */
function appHandlers(
  ground: Ground,
  sending: Sending,
  useCases: UseCases,
): Omit<Handlers, keyof ReturnType<typeof sendingHandlers>> {
  const { host, home, run, history, historyService, settings, privateHosts, workspaces, environments, keys, events } = ground;
  const { catalogue, collections, doctor, exports, forget, keptBeside, launcher, packs, probes, tokens } = useCases;
  const findEnvironment = (id: string) => environments.list().environments.find((one) => one.id === id) ?? null;
  // One that follows no file needs no code of collections.
  const saveEnvironment = (environment: Environment) =>
    ground.environmentLinks.all().has(environment.id) ? collections.saveEnvironment(environment) : environments.save(environment);
  /** Saves the one whose recorded answers an environment shares, if they change with it. */
  async function saveOther(environment: EnvironmentDraft, stored: Environment | null): Promise<void> {
    const other = answersForOther(environment, stored, findEnvironment);
    if (other !== null) await saveEnvironment(other);
  }
  function proxyOf(text: string): string {
    const found = proxyAddress(text, 'The proxy');
    if ('problem' in found) throw new AppError('invalid_input', found.problem);
    return found.address;
  }
  async function askedWay(text: string | undefined, environmentId: string | undefined): Promise<DiagnosticsDeps['asked']> {
    const environment = environmentId === undefined ? null : environments.get(environmentId);
    if (text === undefined && environment === null) return null;
    const parsed = parseAddress(text ?? environment?.baseUrl ?? '', 'The URL');
    if (!parsed.ok) throw new AppError('invalid_input', parsed.message);
    const way = await sending.wayTo(environment, parsed.url);
    return { url: parsed.url, way, loginKept: way.proxy === null ? null : keys.proxies.kept(way.proxy.address) };
  }
  function certificateStatus(environmentId: string) {
    const found = keys.certificates.of(environmentId);
    if (found === null) return { certificate: null, storage: null };
    const { subject, issuer, validToDate } = new X509Certificate(found.certificate);
    const certificate = { name: nameIn(subject), issuer: nameIn(issuer), expiresAt: validToDate.getTime() };
    return { certificate, storage: found.storage };
  }
  return {
    'app.info': async () => ({
      version: host.version,
      host: host.name,
      capabilities: capabilitiesOf(host),
      screenReader: host.screenReader?.heard() ?? null,
      home,
      keychainMessage: await keys.keychainMessage(),
      calls: countOrNone(() => history.count()),
      run: run.token,
    }),
    'app.diagnostics': async ({ url, environmentId }) => ({
      text: await diagnosticsText({
        home,
        host,
        env: process.env,
        asked: await askedWay(url, environmentId),
        resolve: systemResolve,
        keychainMessage: () => keys.keychainMessage(),
        environments: () => environments.list().environments,
        calls: () => history.count(),
        faults: () => ground.faults.recent(),
        holdsKey: ground.holdsKey,
      }),
    }),
    'app.checkUpdate': ({ now }) => useCases.updates.check(now),
    ...hostHandlers(host),
    'gateway.start': (start) => useCases.gateway.start(start).finally(() => events.emit('gateway.changed', {})),
    'gateway.stop': () => useCases.gateway.close().finally(() => events.emit('gateway.changed', {})),
    'gateway.status': () => useCases.gateway.status(),
    'gateway.setFaults': ({ faults }) => {
      const status = useCases.gateway.setFaults(faults);
      events.emit('gateway.changed', {});
      return status;
    },
    'gateway.report': async ({ failOn }) => ({ text: await useCases.gateway.report(failOn) }),
    'gateway.log': (query) => useCases.gateway.log(query),
    'sandbox.log': (query) => sending.sandbox.log(query),
    'environments.create': async ({ environment }) => {
      await saveOther(environment, null);
      return structuredClone(await environments.create(environment));
    },
    'environments.save': async ({ environment }) => {
      await saveOther(environment, findEnvironment(environment.id));
      return structuredClone(await saveEnvironment(environment));
    },
    'environments.way': async ({ id }) => {
      const environment = environments.get(id);
      if (environment.kind === 'sandbox') return { proxy: null, why: 'It runs on this computer.', problem: null, login: null };
      const { proxy, why, problem = null } = await sending.wayTo(environment, new URL(environment.baseUrl));
      const login = proxy === null ? null : proxy.hasLogin ? 'address' : keys.proxies.kept(proxy.address);
      return { proxy: proxy?.address ?? null, why, problem, login };
    },
    'environments.privateHosts': ({ id }) => ({ hosts: [...privateHosts.of(environments.get(id).id)] }),
    'environments.setPrivateHosts': async ({ id, hosts }) => {
      await privateHosts.set(environments.get(id).id, hosts);
      // Other pages of this home show them with the environment.
      events.emit('environments.changed', {});
      return { hosts: [...privateHosts.of(id)] };
    },
    'environments.remove': async ({ id }) => structuredClone(await environments.remove(id)),
    'keys.set': async ({ environmentId, key }) => {
      const status = await keys.setKey(environments.get(environmentId).id, key);
      // The key may have been typed into a tab first. Settings that cannot be read or written are reported where they are used.
      await settings.clean().catch(() => undefined);
      await workspaces.clean().catch(() => undefined);
      return status;
    },
    'keys.setProxyLogin': async ({ proxy: text, user, password }) => {
      const proxy = proxyOf(text);
      if (/[:\p{Cc}]/u.test(user)) throw new AppError('invalid_input', 'The user name contains a colon or a control character.');
      if (/\p{Cc}/u.test(password)) throw new AppError('invalid_input', 'The password contains a control character.');
      await keys.proxies.set(proxy, `${user}:${password}`);
      return { proxy, kept: keys.proxies.kept(proxy) };
    },
    'keys.removeProxyLogin': async ({ proxy: text }) => {
      const proxy = proxyOf(text);
      await keys.proxies.remove(proxy);
      return { proxy, kept: keys.proxies.kept(proxy) };
    },
    'keys.clientCertificate': ({ environmentId }) => certificateStatus(environments.get(environmentId).id),
    'keys.setClientCertificate': async ({ environmentId, files, passphrase }) => {
      const { id } = environments.get(environmentId);
      const { readClientCertificate } = await import('../environments/client-certificate.ts');
      const read = readClientCertificate(
        files.map((file) => Buffer.from(file, 'base64')),
        passphrase,
      );
      await keys.certificates.set(id, read.certificate, read.key);
      return certificateStatus(id);
    },
    'keys.removeClientCertificate': async ({ environmentId }) => {
      const { id } = environments.get(environmentId);
      await keys.certificates.remove(id);
      return certificateStatus(id);
    },
    'keys.remove': ({ environmentId }) => keys.removeKey(environments.get(environmentId).id),
    'keys.choose': ({ environmentId, key }) => keys.choose(environments.get(environmentId).id, key),
    'keys.discard': ({ environmentId, key }) => keys.discard(environments.get(environmentId).id, key),
    'calls.cancel': ({ ticket }) => {
      // A launch runs its token command before it sends.
      const stopped = tokens.cancel(ticket);
      return { cancelled: sending.calls.cancel(ticket) || stopped };
    },
    ...collections.handlers,
    'calls.list': (query) => (query.pack === undefined ? historyService.list(query) : packs.calls(query.pack, query)),
    'calls.get': ({ id }) => (id < 0 ? packs.get(id) : history.get(id)),
    'exports.create': (request) => exports.create(request),
    'exports.read': ({ id }) => exports.read(id),
    'exports.cancel': async ({ id }) => ({ cancelled: await exports.cancel(id) }),
    'calls.pin': ({ id, pinned }) => {
      historyService.pin(id, pinned);
      return {};
    },
    'calls.note': ({ id, note }) => {
      historyService.note(id, note);
      return {};
    },
    'calls.delete': ({ ids }) => ({ deleted: historyService.remove(ids) }),
    'calls.restore': ({ ids }) => ({ restored: historyService.restore(ids) }),
    'history.status': () => historyService.status(),
    'history.preview': (retention) => historyService.preview(retention),
    'history.retain': ({ retention, removes }) => historyService.retain(retention, removes),
    'history.settle': ({ does, calls }) => historyService.settle(does, calls),
    'history.forget': (input) => forget.run(input),
    'history.kept': async () => ({ kept: await keptBeside.list() }),
    'history.removeKept': async ({ kind, count }) => ({ removed: await keptBeside.remove(kind, count) }),
    'history.compact': ({ ticket }) =>
      historyService.compact(ticket, (done, total) => events.emit('history.compacting', { ticket, done, total })),
    'history.cancelCompact': ({ ticket }) => ({ cancelled: historyService.cancelCompact(ticket) }),
    'history.clean': async () => ({ remains: await historyService.clean() }),
    'history.cancelForget': ({ ticket }) => ({ cancelled: forget.cancel(ticket) }),
    'catalogue.fetch': (request) => catalogue.fetch(request),
    'catalogue.snapshots': async ({ environmentId }) => ({ snapshots: await catalogue.snapshots(environmentId) }),
    'catalogue.games': ({ snapshotId }) => catalogue.games(snapshotId),
    'catalogue.compare': ({ from, to }) => catalogue.compare(from, to),
    'catalogue.thumbnail': ({ environmentId, url }) => {
      const environment = environments.get(environmentId);
      if (!catalogue.names(environmentId, url)) return { problem: 'No game list contains this picture.', cancelled: false };
      return useCases.thumbnails.load(environment, url);
    },
    'catalogue.cancelThumbnails': ({ environmentId, urls }) => ({ cancelled: useCases.thumbnails.cancel(environmentId, urls) }),
    'doctor.recognise': ({ text }) => useCases.recognise(text),
    'doctor.compare': (question) => doctor.compare(question),
    'doctor.search': (question) => doctor.search(question),
    'doctor.cancel': ({ ticket }) => ({ cancelled: doctor.cancel(ticket) }),
    ...launchHandlers(launcher, useCases.evidence, () => readDeviceLists(home)),
    ...tokenHandlers(tokens, launcher, (id) => environments.get(id), host.allowCommand !== undefined),
    'packs.upload': (input) => {
      packs.upload(input);
      return {};
    },
    'packs.open': (input) => packs.open(input),
    'packs.list': () => ({ packs: packs.list() }),
    'packs.close': async ({ id }) => ({ closed: await packs.close(id) }),
    'probes.plan': ({ environmentId }) => probes.plan(environmentId),
    'probes.start': (question) => probes.start(question),
    'probes.cancel': ({ ticket }) => ({ cancelled: probes.cancel(ticket) }),
    'production.ask': ({ environmentId }) => ({ asked: ground.confirmations.ask(environmentId) }),
    'rounds.lookup': (question) => useCases.rounds.lookup(question),
    'settings.read': async () => {
      await settings.settled();
      return { values: settings.read(), unknown: unknownFiles(home, knownFields) };
    },
    async 'settings.write'({ name, value, order }) {
      const written = await settings.write(name, value, order);
      const followed = followedSettings.find((one) => one === name);
      if (followed !== undefined)
        events.emit('settings.changed', { name: followed, value: settings.read()[name] ?? '', page: order?.page ?? null });
      return written;
    },
    'workspaces.open': (input) => workspaces.open(input),
    'workspaces.read': (input) => workspaces.read(input),
    'workspaces.write': (input) => workspaces.write(input),
    'workspaces.list': (input) => workspaces.list(input),
    'workspaces.take': (input) => workspaces.take(input),
    'workspaces.drop': (input) => workspaces.drop(input),
  };
}

/** Counts, or returns 0: a history that cannot be read is reported where it is asked for, and must not fail the program's start. */
function countOrNone(count: () => number): number {
  try {
    return count();
  } catch {
    return 0;
  }
}
