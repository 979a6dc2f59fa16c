import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createTunnel, refuseTunnel, type TunnelOptions } from './game-tunnel.ts';

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

/**
 * Number of connections at most: more than Chromium opens to one proxy; another program that finds the port must not take the
 * memory of this one. As many again may be open without credentials: one more, and the one that came first goes, so that none of
 * them keeps the game out.
 */
export const mostConnections = 1_024;

/** The connections of a proxy; the proxy knows which of them have shown its credentials. */
function createProxyConnections() {
  const [username, password] = ['croupier', randomBytes(32).toString('base64url')];
  const expected = Buffer.from(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);
  const open = new Set<Duplex>();
  /** Connections that have not shown the credentials, in the order in which they came. */
  const strangers = new Set<Duplex>();
  let admitted = 0;

  /** Counts a connection that the proxy makes. */
  function track(socket: Duplex): void {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    // An end that breaks off closes the other one; there is nobody to report it to.
    socket.on('error', () => undefined);
  }

  /** Counts a connection that comes in, and ends the oldest without credentials if there are too many. */
  function takeIn(socket: Socket): void {
    track(socket);
    strangers.add(socket);
    socket.once('close', () => strangers.delete(socket));
    const [first] = strangers;
    if (strangers.size > mostConnections) first?.destroy();
  }

  /** Returns whether a request has the credentials; its connection then goes before those that have none. */
  function isAdmitted({ headers, socket }: IncomingMessage): boolean {
    const given = Buffer.from(headers['proxy-authorization'] ?? '');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
    if (strangers.delete(socket)) {
      admitted += 1;
      socket.once('close', () => (admitted -= 1));
    }
    return true;
  }

  return {
    /** For this proxy alone; another one for each. */
    username,
    password,
    get size(): number {
      return open.size;
    },
    /** True if more connections have shown the credentials than may be open. */
    get isFull(): boolean {
      return admitted > mostConnections;
    },
    track,
    takeIn,
    isAdmitted,
    endAll(): void {
      for (const socket of open) socket.destroy();
    },
  };
}
