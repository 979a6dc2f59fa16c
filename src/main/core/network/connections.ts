import type { TLSSocket } from 'node:tls';
import type { Agent } from 'undici';
import type { Environment } from '#shared/ipc/index.ts';
import { checkedEnd, type Connector } from './checked-connector.ts';

/** Progress of a new connection; times of `performance.now()`, null until it happened. */
export interface ConnectionAttempt {
  readonly startedAt: number;
  lookedUpAt: number | null;
  connectedAt: number | null;
  securedAt: number | null;
  readonly socket: TLSSocket;
}

/** Keeps connections open per environment configuration, so that a change of trust never reuses an old connection. */
export interface Connections {
  /** The agent whose connections follow the environment's settings. The first use loads the HTTP client. */
  agentFor(environment: Environment): Promise<Agent> | Agent;
  /**
   * Runs `dispatch`, which must hand its request to the agent before it returns, and returns the new connection that was started
   * for it; null if an open one is used.
   */
  watch(dispatch: () => void): ConnectionAttempt | null;
  close(): Promise<void>;
}

/** Gives the authority (PEM) that the built-in provider's next connection has to trust. */
export type CurrentAuthority = (environment: Environment) => string | Promise<string>;

/** TLS 1.2 or newer, certificates always checked whatever the process environment says. */
export function createConnections(authority: CurrentAuthority = ({ ca }) => ca): Connections {
  const agents = new Map<string, Agent>();
  const known = new WeakMap<Environment, Agent>();
  // Set while `dispatch` runs: a connector that is called then works for that call. See `watch`.
  let watching = false;
  let started: ConnectionAttempt | null = null;

  function track({ socket, raw }: ReturnType<Connector>): void {
    const attempt: ConnectionAttempt = {
      startedAt: performance.now(),
      lookedUpAt: null,
      connectedAt: null,
      securedAt: null,
      socket,
    };
    // Before undici, which writes the request as soon as it hears of the connection: that time belongs to the next phase.
    raw.prependOnceListener('lookup', () => (attempt.lookedUpAt = performance.now()));
    raw.prependOnceListener('connect', () => (attempt.connectedAt = performance.now()));
    socket.prependOnceListener('secureConnect', () => (attempt.securedAt = performance.now()));
    if (watching) started = attempt;
  }

  async function load(environment: Environment): Promise<Agent> {
    // These two parts alone: the rest of the client (fetch, caches, sockets) doubles the time in which a command line starts.
    const [{ default: HttpAgent }, { default: buildConnector }, tls] = await Promise.all([
      import('undici/lib/dispatcher/agent.js'),
      import('undici/lib/core/connect.js'),
      import('node:tls'),
    ]);
    const key = configurationKey(environment);
    let agent = agents.get(key);
    if (agent === undefined) {
      const secureContext = tls.createSecureContext({ minVersion: 'TLSv1.2', ...trustOf(environment, tls.getCACertificates) });
      const connect = checkedEnd(
        buildConnector({
          secureContext,
          // Stated, since NODE_TLS_REJECT_UNAUTHORIZED would otherwise decide.
          rejectUnauthorized: true,
          // The phases of a call have timers of their own, which are exact and know their phase.
          timeout: 0,
        }),
      );
      agent = new HttpAgent({
        connect: (options, callback) => track(connect(options, callback)),
        pipelining: 1,
        // Shorter than what servers usually allow (5 s and more): a call must not go out on a connection that is being closed.
        keepAliveTimeout: 4_000,
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      agents.set(key, agent);
    }
    known.set(environment, agent);
    return agent;
  }

  return {
    agentFor(environment) {
      if (environment.kind !== 'sandbox') return known.get(environment) ?? load(environment);
      const ca = authority(environment);
      const trusting = (current: string) =>
        agents.get(configurationKey({ ...environment, ca: current })) ?? load({ ...environment, ca: current });
      return typeof ca === 'string' ? trusting(ca) : ca.then(trusting);
    },
    watch(dispatch) {
      // undici starts a connection, if one is needed, before `dispatch` returns.
      watching = true;
      started = null;
      try {
        dispatch();
        return started;
      } finally {
        watching = false;
        started = null;
      }
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
      agents.clear();
    },
  };
}

/** Returns the authorities to trust: for the built-in provider its own alone; for others the public ones and the extra one. */
export function trustOf(
  environment: Pick<Environment, 'ca' | 'kind'>,
  publicAuthorities: (type: 'default') => string[],
): { ca?: string[]; allowPartialTrustChain?: boolean } {
  if (environment.ca === '') return {};
  if (environment.kind === 'sandbox') return { ca: [environment.ca] };
  // A pinned certificate need not be an authority: then the chain ends at it.
  return { ca: [...publicAuthorities('default'), environment.ca], allowPartialTrustChain: true };
}

function configurationKey({ kind, ca }: Environment): string {
  return `${kind}\n${ca}`;
}
