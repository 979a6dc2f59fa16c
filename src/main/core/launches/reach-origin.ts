import { isIP } from 'node:net';
import { replyWithin } from '../host/within.ts';

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
 * Connects to the origin of a launcher URL and checks its certificate by the public authorities, as a browser does that knows none of
 * the environment's own. It asks for nothing: a launch token may be good only once. `addresses` have been judged. Never fails.
 */
export async function reachOrigin(origin: string, addresses: readonly string[]): Promise<OriginReach> {
  // A command that sends nothing does not load it.
  const { connect } = await import('node:tls');
  const { hostname, port } = new URL(origin);
  const name = hostname.replace(/^\[|\]$/g, '');
  const { promise, resolve } = Promise.withResolvers<OriginReach>();
  const socket = connect({
    host: addresses[0] ?? name,
    port: Number(port || 443),
    // A server name is never an address (RFC 6066, 3); the certificate is then checked for the address.
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ALPNProtocols: ['http/1.1'],
  });
  const end = (reach: OriginReach) => {
    resolve(reach);
    socket.destroy();
  };
  socket.setTimeout(timeoutMs, () => end({ outcome: 'unreached', reason: `no response within ${timeoutMs / 1_000} s` }));
  socket.once('secureConnect', () => end({ outcome: 'reached' }));
  socket.once('error', (error: NodeJS.ErrnoException) => {
    const words = certificateWords[error.code ?? ''];
    if (words !== undefined) end({ outcome: 'untrusted', reason: words });
    else end({ outcome: 'unreached', reason: error.code ?? error.message });
  });
  return promise;
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
export async function askBare(url: string, addresses: readonly string[], ca: string): Promise<BareResponse | null> {
  const head = await ask('HEAD', url, addresses, ca);
  return head !== null && withoutHead.includes(head.status) ? ask('GET', url, addresses, ca) : head;
}

async function ask(method: string, url: string, addresses: readonly string[], ca: string): Promise<BareResponse | null> {
  const { request } = await import('node:https');
  const { rootCertificates } = await import('node:tls');
  const { hostname, host, port, pathname } = new URL(url);
  const name = hostname.replace(/^\[|\]$/g, '');
  const { promise, resolve } = Promise.withResolvers<BareResponse | null>();
  const asked = request(
    {
      method,
      host: addresses[0] ?? name,
      port: Number(port || 443),
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
