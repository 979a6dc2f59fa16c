import { join } from 'node:path';
import { callInputs } from '#shared/ipc/calls.ts';
import { environmentInputs } from '#shared/ipc/environments.ts';
import type { Call, Handlers, Payload, KeptPart } from '#shared/ipc/index.ts';
import { keyInputs } from '#shared/ipc/keys.ts';
import { productionInputs } from '#shared/ipc/production.ts';
import { sandboxInputs } from '#shared/ipc/sandbox.ts';
import { likeProduction } from '#shared/production/likeness.ts';
import { createBuiltInProvider } from '../built-in-provider/built-in-provider.ts';
import { createJudgedCallFinder } from '../built-in-provider/judged-call.ts';
import { createCalls } from '../calls/calls.ts';
import { createResponseReader } from '../calls/read-response.ts';
import { createSender, type SenderDeps } from '../calls/send.ts';
import { createUnrecordedBodies } from '../calls/unrecorded-bodies.ts';
import type { Keys } from '../keys/keys.ts';
import { createAuthorities } from '../network/authorities.ts';
import { createConnections, type Connections, type ConnectionsOptions, type Trust } from '../network/connections.ts';
import { askNameServers, systemResolve } from '../network/address-policy.ts';
import { createPac } from '../network/pac.ts';
import { createProxies } from '../network/proxies.ts';
import { createSystemProxy } from '../network/system-proxy.ts';
import type { Ground } from './ground.ts';
import { createReading } from './reading-jobs.ts';
import { later, laterAwake } from './runtime.ts';

/** Listeners to calls on higher floors. */
interface Listeners {
  readonly onDelivered: NonNullable<SenderDeps['onDelivered']>;
  readonly onVerdict: (verdict: Payload<'sandbox.judged'>) => void;
}

/** The parts that send calls: connections, the sender, the built-in provider. */
export type Sending = ReturnType<typeof createSending>;

/** Creates the parts that send calls. Their listeners may be created later: nothing is reported before this returns. */
export function createSending(ground: Ground, { onDelivered, onVerdict }: Listeners) {
  const { home, host, onFault, events, environments, confirmations, keys, nameOf, database, history, historyService } = ground;
  let changedByRun: (() => void) | null = null;
  function tellChangedByRun(): void {
    changedByRun = null;
    events.emit('history.changed', { ids: null });
  }
  const reading = createReading({ program: host.readingWorker, later: laterAwake });
  const authorities = createAuthorities(reading);
  const pac = createPac({ reading, resolve: systemResolve, authorities });
  const proxies = createProxies({
    authorities,
    env: process.env,
    system: createSystemProxy(process.env),
    pac,
    sign: keys.proxies.answer,
  });
  const wayTo = (environment: Trust | null, url: URL) => proxies.wayTo(environment?.proxy ?? 'system', url);
  const ways: ConnectionsOptions = {
    authority: (trust) => sandbox.authority(trust),
    authorities,
    clientCertificates: keys.certificates,
    wayTo,
  };
  const connections = createConnections(ways);
  let byDns: Connections | null = null;
  const readResponse = createResponseReader(reading, onFault);
  const unrecorded = createUnrecordedBodies();
  const sender = createSender({
    connections,
    keys,
    recorder: history,
    readResponse,
    nameOf,
    now: Date.now,
    userAgent: `Croupier/${host.version}`,
    onRecorded(id, collectionRun, ticket) {
      // A run records thousands in a second: listeners hear of them together.
      if (collectionRun === null) events.emit('calls.changed', { id, ...(ticket === undefined ? {} : { ticket }) });
      else changedByRun ??= later(tellChangedByRun, 100);
      historyService.recorded();
    },
    onUnrecorded: (id, received) => unrecorded.keep(id, received),
    onDelivered,
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
      onVerdict(verdict);
    },
    onFault,
  });

  return {
    sender,
    authorities,
    connections,
    /** Connections that ask the name servers, whatever the hosts file says. */
    connectionsByDns: () => (byDns ??= createConnections({ ...ways, lookup: askNameServers })),
    wayTo,
    readResponse,
    reading,
    unrecorded,
    calls,
    sandbox,
    /** The decoded body of a response, or other bytes of a call. Fails with `not_found`. */
    bodyOf: (id: number, part: KeptPart = 'body') => unrecorded.get(id)?.[part] ?? history.body(id, part),
  };
}

/** Schemas of the calls below, and of others of their topics. */
export const sendingInputs = { ...callInputs, ...environmentInputs, ...keyInputs, ...productionInputs, ...sandboxInputs };

/** Returns the handlers of the calls that a command makes which sends one request: they are there from the start. */
export function sendingHandlers({ environments, keys, confirmations }: Ground, { calls, sandbox }: Sending) {
  return {
    'calls.send': (request) => calls.send(request),
    'calls.repeat': (request) => calls.repeat(request),
    // Copies: core's own objects must not change under a caller's hands.
    'environments.list': () => structuredClone(environments.list()),
    'keys.status': ({ environmentId }) => keys.status(environments.get(environmentId).id),
    'keys.digest': async ({ environmentId, time, data }) => {
      const parts = data === null ? [Buffer.from(time)] : [Buffer.from(time), Buffer.from(data)];
      return { digest: await keys.digest(environments.get(environmentId).id, parts) };
    },
    'production.status': ({ environmentId }) => {
      const environment = environments.get(environmentId);
      return {
        notAskingUntil: confirmations.notAskingUntil(environment),
        like: likeProduction(environment, environments.list().environments, (one, other) => keys.isSame(one, other)),
      };
    },
    'sandbox.status': () => sandbox.status(),
  } satisfies Partial<Handlers>;
}

/** Finds in each outcome the proof that a new key is right. */
export type KeyProofs = ReturnType<typeof createKeyProofs>;

export function createKeyProofs(keys: Pick<Keys, 'prove'>, onFault: (error: unknown) => void) {
  const underWay = new Set<Promise<void>>();
  return {
    /** Lets the older of two keys go if this call proves the new one. Never throws. */
    prove(call: Call): void {
      const fingerprint = proves(call);
      if (fingerprint === null) return;
      const proof = keys.prove(call.environmentId, fingerprint, call.id).catch(onFault);
      underWay.add(proof);
      void proof.finally(() => underWay.delete(proof));
    },
    /** Settles when what the calls proved is done. */
    async close(): Promise<void> {
      await Promise.all(underWay);
    },
  };
}

/**
 * Returns the fingerprint of the key that this call proves to be right; null if it proves none. Only code 0 does: the spec does not show
 * before which of its codes a provider has checked the hash. A hash that was made wrong on purpose and still got code 0 shows a provider
 * that checks none.
 */
function proves({ code, request: { keyFingerprint }, draft }: Call): string | null {
  return code === 0 && draft.overrides.hash === undefined ? keyFingerprint : null;
}
