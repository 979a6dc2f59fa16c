import { Buffer } from 'node:buffer';
import type { LookupFunction } from 'node:net';
import { addressKind } from '#shared/network/address-kind.ts';
import { beyond, readers, type Kind } from '#shared/model/readers.ts';
import type { Authorities } from './authorities.ts';
import {
  createConnections,
  RefusedAddress,
  type Connection,
  type Connections,
  type ConnectionsOptions,
  type Trust,
} from './connections.ts';
import { lookupOf, problemOf, type Resolve } from './address-policy.ts';
import { startDeadline } from '../host/deadline.ts';
import { createResponseReader } from './http-message.ts';

/** The bytes of an address, or a sentence that says why there are none. */
type Fetched = { readonly ok: true; readonly bytes: Buffer<ArrayBuffer> } | { readonly ok: false; readonly message: string };

export type GuardedGet = ReturnType<typeof createGuardedGet>;

/**
 * Fetches what a provider names: https alone, no cookies and no credentials, a few redirects, each judged again. Local and
 * private addresses are out of reach except on the environment's own origin. It connects to the judged address.
 */
export function createGuardedGet(options: {
  wayTo?: NonNullable<ConnectionsOptions['wayTo']>;
  clientCertificates?: NonNullable<ConnectionsOptions['clientCertificates']>;
  authorities: Authorities;
  resolve: Resolve;
  /** Hosts of an environment that may lead to a private address. */
  privateHosts?: (environmentId: string) => readonly string[];
  kind: Kind<'answer'>;
  redirects: number;
  timeoutMs: number;
  accept: string;
}) {
  const { authorities, resolve, privateHosts = () => [], kind, redirects, timeoutMs, accept, ...ways } = options;
  const { bytes: maxBytes } = readers[kind];
  /** By the hosts that may be local: each has a look-up of its own. */
  const connections = new Map<string, Connections>();

  /** Used by the connection itself, so that a name cannot change between the check and the connection. */
  const lookup =
    (ownHost: string, allowed: readonly string[]): LookupFunction =>
    (hostname, wanted, callback) => {
      resolve(hostname).then(
        (found) => {
          const problem = (address: string) =>
            hostname === ownHost ? null : problemOf(address, hostname, allowed.includes(hostname));
          const refused = found.map(problem).find((one) => one !== null);
          if (refused === undefined) lookupOf(found)(hostname, wanted, callback);
          else callback(new RefusedAddress(`The name ${hostname} resolves to ${refused}`), '', 0);
        },
        () => lookupOf([])(hostname, wanted, callback),
      );
    };

  function connectionsOf(baseUrl: string, allowed: readonly string[]): Connections {
    const ownHost = URL.parse(baseUrl)?.hostname ?? '';
    const key = [ownHost, ...allowed].join('\n');
    const known = connections.get(key) ?? createConnections({ authorities, lookup: lookup(ownHost, allowed), ...ways });
    connections.set(key, known);
    return known;
  }

  function refusal(url: URL | null, ownOrigin: string | null, allowed: readonly string[]): string | null {
    if (url === null) return 'It is not a web URL.';
    if (url.protocol !== 'https:') return `It starts with ${url.protocol.slice(0, 20)}, but Croupier loads only https.`;
    if (url.username !== '' || url.password !== '') return 'It contains a user name or password.';
    if (url.origin === ownOrigin) return null;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const kind = addressKind(host);
    const isAllowed = allowed.includes(url.hostname);
    if (kind === 'name' || (isAllowed && kind === 'localName')) return null;
    const problem = problemOf(host, url.hostname, isAllowed);
    return problem === null ? null : `${url.hostname} is ${problem}`;
  }

  return {
    /** GETs an https address through the environment's trust. Never rejects; `signal` ends it early. */
    async get(environment: Trust, address: string, signal: AbortSignal): Promise<Fetched> {
      const ownOrigin = URL.parse(environment.baseUrl)?.origin ?? null;
      const allowed = privateHosts(environment.id);
      const late = new AbortController();
      const deadline = startDeadline(timeoutMs, () => late.abort(), { unref: true });
      const limit = AbortSignal.any([signal, late.signal]);
      try {
        let url = URL.parse(address);
        for (let hop = 0; ; hop += 1) {
          const refused = refusal(url, ownOrigin, allowed);
          if (url === null || refused !== null) return { ok: false, message: refused ?? '' };
          const connection = await connectionsOf(environment.baseUrl, allowed).take(environment, url);
          const { status, location, body } = await getOnce(connection, url, accept, maxBytes, limit);
          if (status >= 300 && status < 400 && location !== null) {
            if (hop === redirects)
              return { ok: false, message: redirects === 0 ? 'It redirects.' : `It redirects more than ${redirects} times.` };
            url = URL.parse(location, url.href);
            continue;
          }
          if (status !== 200) return { ok: false, message: `The server answered HTTP ${status}.` };
          if (body.length > maxBytes) return { ok: false, message: `It ${beyond(kind, { bytes: Number.POSITIVE_INFINITY })}` };
          return { ok: true, bytes: body };
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
    async close(): Promise<void> {
      await Promise.all(Array.from(connections.values(), (one) => one.close()));
      connections.clear();
    },
  };
}

/** Sends a GET and reads its response, of a body at most one byte more than `mostBytes`. Fails if it does not come whole. */
function getOnce(connection: Connection, url: URL, accept: string, mostBytes: number, signal: AbortSignal) {
  return new Promise<{ status: number; location: string | null; body: Buffer<ArrayBuffer> }>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const reader = createResponseReader({
      onHead: () => undefined,
      onBody(bytes) {
        chunks.push(Buffer.from(bytes));
        size += bytes.length;
        if (size > mostBytes) settle();
      },
    });
    const stop = () => fail(new Error('It was stopped'));

    function end(): void {
      signal.removeEventListener('abort', stop);
      if (reader.isReusable() && size <= mostBytes) connection.release();
      else connection.destroy();
    }
    function fail(error: Error): void {
      end();
      reject(error);
    }
    function settle(): void {
      reader.settle();
      if (reader.fault !== null || reader.status === null) return fail(new Error('The connection was lost.'));
      end();
      const location = reader.headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? null;
      resolve({ status: reader.status, location, body: Buffer.concat(chunks) });
    }

    signal.addEventListener('abort', stop);
    if (signal.aborted) return stop();
    const lines = [
      `GET ${url.pathname}${url.search} HTTP/1.1`,
      `host: ${url.host}`,
      `accept: ${accept}`,
      'accept-encoding: identity',
      'connection: keep-alive',
    ];
    connection.send(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), {
      onReady: () => undefined,
      onBytes(bytes) {
        reader.add(bytes);
        if (reader.state !== 'reading') settle();
      },
      onEnd(marked) {
        reader.end(marked);
        settle();
      },
      onError: fail,
    });
  });
}
