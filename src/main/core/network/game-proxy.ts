import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createTunnel, refuseTunnel, type TunnelOptions } from './game-tunnel.ts';
import { createProxyConnections } from './proxy-connections.ts';

export type { GameProxyEvent } from './game-tunnel.ts';

/** The one way out of a game's session. Serves only requests with its credentials. */
export type GameProxy = Awaited<ReturnType<typeof startGameProxy>>;

export interface GameProxyOptions extends Pick<TunnelOptions, 'judge' | 'onEvent'> {
  /** Most milliseconds for the request, then for judging and connecting together, and then for the first byte. */
  readonly timeoutMs?: number;
}

/**
 * Starts a CONNECT proxy on a loopback port. It judges the name, connects to the judged address, and lets TLS through and nothing
 * else. Chromium shows the same error for whatever a proxy refuses: `onEvent` reports what happened.
 */
export async function startGameProxy({ judge, onEvent, timeoutMs = 15_000 }: GameProxyOptions) {
  const connections = createProxyConnections();
  const { username, password, isAdmitted } = connections;
  const tunnel = createTunnel({ judge, onEvent, timeoutMs, track: connections.track });
  const limits = {
    headersTimeout: timeoutMs,
    requestTimeout: timeoutMs,
    connectionsCheckingInterval: Math.min(timeoutMs, 5_000),
  };
  const server = createServer(limits, (request, response) => {
    // A request for an http URL, which comes whole. Chromium shows our response as the server's, so it names its sender.
    if (!isAdmitted(request)) {
      response.writeHead(407, { 'proxy-authenticate': challenge }).end();
      return;
    }
    const url = request.url ?? '';
    if (url === roundTripUrl) return void response.writeHead(204, { 'cache-control': 'no-store' }).end();
    onEvent({ type: 'refused', url, message: 'It is http://, which is not encrypted.', local: false });
    response.writeHead(403, { 'x-croupier-refused': '1' }).end();
  });
  server.on('connection', connections.takeIn);
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    if (!isAdmitted(request)) {
      return refuseTunnel(client, '407 Proxy Authentication Required', timeoutMs, `proxy-authenticate: ${challenge}\r\n`);
    }
    if (connections.isFull) return refuseTunnel(client, '503 Service Unavailable', timeoutMs);
    tunnel(request.url ?? '', client, head).catch(() => client.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, resolve);
  });
  // One that could not be accepted is one less.
  server.on('error', () => undefined);
  return {
    port: (server.address() as AddressInfo).port,
    /** For this proxy alone; another one for each. */
    username,
    password,
    /** Number of open connections to it and from it. */
    get connections(): number {
      return connections.size;
    },
    /** Ends every connection through it. */
    close(): Promise<void> {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      connections.endAll();
      return closed;
    },
  };
}

/** URL that the proxy itself answers at once: the time that it takes a page is that of the network which the page was given. */
export const roundTripUrl = 'http://round-trip.croupier.invalid/';

const challenge = 'Basic realm="Croupier"';
