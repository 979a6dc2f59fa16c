import { isIP, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { AddressVerdict } from '../host/host.ts';
import { replyWithin } from '../host/within.ts';
import { lookupOf } from '../network/address-policy.ts';
import { authorityCodes, trustingAlso, watchRefusal, type Authorities, type Authority } from '../network/authorities.ts';

/** The judged addresses of a server, or the proxy on the way to it. */
export type Reachable = Extract<AddressVerdict, { ok: true }>;

/** The outcome of a connection to a game's origin. `untrusted`: its certificate did not pass; `reason` completes a sentence. */
export type OriginReach =
  | { readonly outcome: 'reached' }
  | { readonly outcome: 'untrusted' | 'unreached'; readonly reason: string };

/** Milliseconds for the connection and its certificate. */
const timeoutMs = 5_000;

/** The certificate checks that fail most often, in words that complete a sentence. */
const certificateWords: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: "comes from an authority that this machine doesn't know",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "comes from an authority that this machine doesn't know",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "comes from an authority that this machine doesn't know",
};

/**
 * Connects to the origin of a launcher URL and checks its certificate by the public authorities and this computer's, as a browser does
 * that knows none of the environment's own. It asks for nothing: a launch token may be good only once. Never fails.
 */
export async function reachOrigin(origin: string, judged: Reachable, authorities: Authorities): Promise<OriginReach> {
  // A command that sends nothing does not load it.
  const { connect } = await import('node:tls');
  const { hostname } = new URL(origin);
  const name = hostname.replace(/^\[|\]$/g, '');

  async function reach(added: readonly Authority[]): Promise<OriginReach> {
    const place = await placeOf(origin, judged).catch((error: unknown) =>
      error instanceof Error ? error : new Error(String(error)),
    );
    if (place instanceof Error) return { outcome: 'unreached', reason: place.message.replace(/\.$/, '') };
    const { promise, resolve } = Promise.withResolvers<OriginReach>();
    const socket = connect({
      ...place,
      // A server name is never an address (RFC 6066, 3); the certificate is then checked for the address.
      ...(isIP(name) === 0 ? { servername: name } : {}),
      ALPNProtocols: ['http/1.1'],
      ...(added.length === 0 ? {} : { secureContext: await trustingAlso('', added) }),
    });
    const chain = watchRefusal(socket);
    const end = (reached: OriginReach) => {
      resolve(reached);
      socket.destroy();
    };
    socket.setTimeout(timeoutMs, () => end({ outcome: 'unreached', reason: `no response within ${timeoutMs / 1_000} s` }));
    socket.once('secureConnect', () => end({ outcome: 'reached' }));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const words = certificateWords[error.code ?? ''];
      if (words === undefined) return end({ outcome: 'unreached', reason: error.code ?? error.message });
      const untrusted: OriginReach = { outcome: 'untrusted', reason: words };
      if (added.length > 0 || !authorityCodes.has(error.code)) return end(untrusted);
      void authorities(chain()).then((found) => (found.length === 0 ? end(untrusted) : resolve(reach(found))));
    });
    return promise;
  }
  return reach([]);
}

/** Returns where to connect to: a judged address, or the connection that the proxy made. Fails as `Proxy.tunnel` does. */
async function placeOf(url: string, { addresses, proxy }: Reachable): Promise<{ host: string; port: number; socket?: Socket }> {
  const { hostname, port } = new URL(url);
  const place = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443) };
  if (proxy === undefined) return { ...place, host: addresses[0] ?? place.host };
  return {
    ...place,
    socket: await proxy.tunnel(`${hostname}:${place.port}`, { signal: AbortSignal.any([]), lookup: lookupOf(addresses) }),
  };
}

/** The answer to a request for a page's address alone. */
export interface BareResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** Statuses of servers that do not know HEAD. */
const withoutHead: readonly number[] = [404, 405, 501];

/**
 * Asks for the address of a launcher URL without its parameters, because a launch token may be good only once, and follows no redirect. `ca`
 * is trusted beside the public authorities. Returns null if no response came in time. Never fails.
 */
export async function askBare(url: string, judged: Reachable, ca: string): Promise<BareResponse | null> {
  const head = await ask('HEAD', url, judged, ca);
  return head !== null && withoutHead.includes(head.status) ? ask('GET', url, judged, ca) : head;
}

async function ask(method: string, url: string, judged: Reachable, ca: string): Promise<BareResponse | null> {
  const { request } = await import('node:https');
  const { rootCertificates } = await import('node:tls');
  const { connect } = await import('node:tls');
  const { hostname, host, pathname } = new URL(url);
  const name = hostname.replace(/^\[|\]$/g, '');
  const place = await placeOf(url, judged).catch(() => null);
  if (place === null) return null;
  const { promise, resolve } = Promise.withResolvers<BareResponse | null>();
  const asked = request(
    {
      method,
      ...place,
      ...(place.socket === undefined ? {} : { createConnection: (options) => connect(options as ConnectionOptions) }),
      path: pathname,
      headers: { host, accept: 'text/html' },
      agent: false,
      ...(isIP(name) === 0 ? { servername: name } : {}),
      ...(ca === '' ? {} : { ca: [...rootCertificates, ca] }),
    },
    ({ statusCode = 0, rawHeaders }) => {
      const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));
      // Its body is of no use.
      resolve({ status: statusCode, headers: pairs });
    },
  );
  asked.once('error', () => undefined);
  asked.once('close', () => resolve(null));
  asked.end();
  const response = await replyWithin(timeoutMs, promise);
  asked.destroy();
  return response;
}
