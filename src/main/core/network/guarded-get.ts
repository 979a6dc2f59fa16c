import type { LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { addressKind, addressKindWords } from '#shared/network/address-kind.ts';
import type { Environment } from '#shared/ipc/index.ts';
import { trustOf } from './connections.ts';
import type { Resolve } from './address-policy.ts';
import { startDeadline } from '../time/deadline.ts';
import { checkedEnd } from './checked-connector.ts';

/** The bytes of an address, or a sentence that says why there are none. */
type Fetched = { readonly ok: true; readonly bytes: Buffer<ArrayBuffer> } | { readonly ok: false; readonly message: string };

export interface GuardedGet {
  /** GETs an https address through the environment's trust. Never rejects; `signal` ends it early. */
  get(environment: Pick<Environment, 'ca' | 'kind' | 'baseUrl'>, address: string, signal: AbortSignal): Promise<Fetched>;
  close(): Promise<void>;
}

const redirectLimit = 3;

/**
 * Fetches what a provider names: https alone, no cookies and no credentials, at most three redirects, each judged again. Local and
 * private addresses are out of reach except on the environment's own origin. It connects to the judged address.
 */
export function createGuardedGet(options: { resolve: Resolve; maxBytes: number; timeoutMs: number; accept: string }): GuardedGet {
  const { resolve, maxBytes, timeoutMs, accept } = options;
  const agents = new Map<string, Promise<Agent>>();

  /** Used by the connection itself, so that a name cannot change between the check and the connection. */
  const lookup =
    (ownHost: string): LookupFunction =>
    (hostname, wanted, callback) => {
      const settle = (error: Error | null, found: readonly string[]) => {
        const addresses = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        const [first] = addresses;
        if (error !== null || first === undefined) callback(error ?? new Error(`The name ${hostname} does not resolve.`), '', 0);
        else if (wanted.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      };
      resolve(hostname).then(
        (found) => {
          const local = hostname === ownHost ? undefined : found.find((address) => addressKind(address) !== 'public');
          const words = local === undefined ? '' : addressKindWords[addressKind(local)];
          settle(local === undefined ? null : new Error(`The name ${hostname} leads to ${words}.`), found);
        },
        () => settle(new Error(`The name ${hostname} does not resolve.`), []),
      );
    };

  async function makeAgent({ ca, kind, baseUrl }: Pick<Environment, 'ca' | 'kind' | 'baseUrl'>): Promise<Agent> {
    // The parts that calls load: the package's entry would be a second copy of them in the build.
    const [{ default: HttpAgent }, { default: buildConnector }, tls] = await Promise.all([
      import('undici/lib/dispatcher/agent.js'),
      import('undici/lib/core/connect.js'),
      import('node:tls'),
    ]);
    const secureContext = tls.createSecureContext({ minVersion: 'TLSv1.2', ...trustOf({ ca, kind }, tls.getCACertificates) });
    const connect = checkedEnd(
      buildConnector({ secureContext, rejectUnauthorized: true, timeout: timeoutMs }),
      lookup(URL.parse(baseUrl)?.hostname ?? ''),
    );
    return new HttpAgent({
      connect: (options, callback) => void connect(options, callback),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      connections: 8,
      pipelining: 1,
    });
  }

  function agentFor(environment: Pick<Environment, 'ca' | 'kind' | 'baseUrl'>): Promise<Agent> {
    const key = `${environment.kind}\n${environment.baseUrl}\n${environment.ca}`;
    const known = agents.get(key) ?? makeAgent(environment);
    agents.set(key, known);
    return known;
  }

  function refusal(url: URL | null, ownOrigin: string | null): string | null {
    if (url === null) return 'It is not a web URL.';
    if (url.protocol !== 'https:') return `It starts with ${url.protocol.slice(0, 20)}, and only https is loaded.`;
    if (url.username !== '' || url.password !== '') return 'It holds a user name or a password.';
    if (url.origin === ownOrigin) return null;
    const kind = addressKind(url.hostname);
    return kind === 'public' || kind === 'name' ? null : `${url.hostname} is ${addressKindWords[kind]}.`;
  }

  return {
    async get(environment, address, signal) {
      const ownOrigin = URL.parse(environment.baseUrl)?.origin ?? null;
      const late = new AbortController();
      const deadline = startDeadline(timeoutMs, () => late.abort(), { unref: true });
      const limit = AbortSignal.any([signal, late.signal]);
      try {
        const agent = await agentFor(environment);
        const { default: request } = await import('undici/lib/api/api-request.js');
        let url = URL.parse(address);
        for (let hop = 0; ; hop += 1) {
          const refused = refusal(url, ownOrigin);
          if (url === null || refused !== null) return { ok: false, message: refused ?? '' };
          const { statusCode, headers, body } = await request.call(agent, {
            origin: url.origin,
            path: `${url.pathname}${url.search}`,
            method: 'GET',
            headers: { accept, 'accept-encoding': 'identity' },
            signal: limit,
          });
          // Whoever releases a body before its end gets an error.
          body.on('error', () => undefined);
          const location = statusCode >= 300 && statusCode < 400 ? headers['location'] : undefined;
          if (typeof location === 'string') {
            await body.dump({ limit: 65_536 });
            if (hop === redirectLimit) return { ok: false, message: `It redirects more than ${redirectLimit} times.` };
            url = URL.parse(location, url.href);
            continue;
          }
          if (statusCode !== 200) {
            body.destroy();
            return { ok: false, message: `The server answered HTTP ${statusCode}.` };
          }
          const chunks: Buffer[] = [];
          let size = 0;
          for await (const chunk of body as AsyncIterable<Buffer>) {
            size += chunk.length;
            if (size > maxBytes) return { ok: false, message: `It is larger than ${Math.round(maxBytes / 1_024)} kB.` };
            chunks.push(chunk);
          }
          return { ok: true, bytes: Buffer.concat(chunks) };
        }
      } catch (error) {
        if (signal.aborted) return { ok: false, message: 'It was cancelled.' };
        if (limit.aborted) return { ok: false, message: `The server took longer than ${timeoutMs / 1_000} s.` };
        return {
          ok: false,
          message: `It could not be loaded: ${error instanceof Error ? error.message : String(error)}.`.replace(/\.\.$/, '.'),
        };
      } finally {
        deadline.clear();
      }
    },
    async close() {
      const made = await Promise.allSettled(agents.values());
      agents.clear();
      await Promise.all(made.map(async (agent) => (agent.status === 'fulfilled' ? agent.value.destroy() : undefined)));
    },
  };
}
