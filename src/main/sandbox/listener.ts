import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createSecureContext, type TLSSocket } from 'node:tls';
import { AppError } from '#shared/errors.ts';
import { keepPlaces, type PlaceLimits } from './connection-limits.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Attaches to a server whoever answers on its connections. */
export type Serve = (server: Server) => void;

/** Answers requests as Node reads them. */
export const byRequest =
  (handler: Handler): Serve =>
  (server) =>
    void server.on('request', handler);

/** Gives each connection away as it is, behind its handshake: its client may close one side and wait for what comes on the other. */
export const byConnection =
  (onConnection: (socket: TLSSocket) => void): Serve =>
  (server) =>
    void Object.assign(server, { allowHalfOpen: true })
      .removeAllListeners('secureConnection')
      .on('secureConnection', onConnection);

/** Certificate and key as PEM. */
interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

export interface ListenerTls extends KeyPair {
  /** Name of the listener, for messages, as `built-in provider`. */
  readonly name: string;
  /** Called at each connection: null if the certificate is good, otherwise resolves after it was replaced. Never fails. */
  readonly renew?: () => Promise<void> | null;
}

export interface Listening {
  readonly port: number;
  /** Presents this certificate to new connections. */
  present(pair: KeyPair): void;
  /** Exempts a connection from the limits: it ends when its client leaves or the provider closes. */
  hold(socket: Socket): void;
  /** Number of open connections. */
  readonly connections: number;
  /** Stops listening and ends every connection. */
  close(): Promise<void>;
}

/** Limits for clients of the API, which may keep a connection between calls; a call is small and gets its response at once. */
const usualLimits: PlaceLimits = {
  pollMs: 2_000,
  headersMs: 10_000,
  bodyMs: 30_000,
  strangerMs: 30_000,
  stillMs: 10_000,
  idleMs: 65_000,
  halfClosedMs: 1_000,
  strangers: 1_024,
  // Those that a planted fault holds, which get no response.
  known: 64,
};

const minVersion = 'TLSv1.2';

/** Addresses of this machine alone, those of all its networks, or one of them. */
const addresses = { loopback: ['127.0.0.1', '::1'], network: ['0.0.0.0', '::'] } as const;
export type Reach = keyof typeof addresses | { readonly address: string };

/** Listens on an address, and on that of IPv6 with the same port if the machine has it. */
export async function listen(
  port: number,
  tls: ListenerTls,
  serve: Serve,
  limits: Partial<PlaceLimits> = {},
  reach: Reach = 'loopback',
): Promise<Listening> {
  const [address, address6] = typeof reach === 'string' ? addresses[reach] : [reach.address];
  for (let attempt = 0; ; attempt += 1) {
    const first = createListener(tls, serve, { ...usualLimits, ...limits });
    const chosen = await bind(first, address, port, tls.name);
    if (address6 === undefined) return listening(chosen, [first]);
    const second = createListener(tls, serve, { ...usualLimits, ...limits });
    try {
      await bind(second, address6, chosen, tls.name);
      return listening(chosen, [first, second]);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'conflict')) return listening(chosen, [first]);
      await closeAll([first]);
      if (port !== 0 || attempt === 20) throw error;
    }
  }
}

function listening(port: number, listeners: readonly Listener[]): Listening {
  return {
    port,
    get connections() {
      return listeners.reduce((sum, { places }) => sum + places.size, 0);
    },
    present(pair) {
      for (const listener of listeners) listener.present(pair);
    },
    hold(socket) {
      for (const { places } of listeners) places.prove(socket);
    },
    close: () => closeAll(listeners),
  };
}

type Listener = ReturnType<typeof createListener>;

function createListener(tls: ListenerTls, serve: Serve, limits: PlaceLimits) {
  const { renew = () => null } = tls;
  const secure = ({ key, cert }: KeyPair) => ({ key, cert, minVersion }) as const;
  let context = createSecureContext(secure(tls));
  const server = createServer({
    ...secure(tls),
    // A client that names the host waits while a certificate is made. One that uses an address gets the present one.
    SNICallback(_, done) {
      const renewing = renew();
      if (renewing === null) done(null, context);
      else void renewing.then(() => done(null, context));
    },
    // Node alone would refuse a client that names the older one alone, as curl does where it is told to.
    ALPNProtocols: ['http/1.1', 'http/1.0'],
    noDelay: true,
    handshakeTimeout: limits.headersMs,
    connectionsCheckingInterval: limits.headersMs,
  });
  serve(server);
  const sockets = new Set<Socket>();
  server.maxHeadersCount = 100;
  server.on('connection', (socket: Socket) => {
    void renew();
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    server,
    /** All sockets, also those that are still in their handshake. */
    sockets,
    places: keepPlaces(server, limits, true),
    present(pair: KeyPair): void {
      context = createSecureContext(secure(pair));
      server.setSecureContext(secure(pair));
    },
  };
}

function bind({ server }: Listener, address: string, port: number, name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE' || error.code === 'EACCES';
      const message = taken
        ? `Port ${port} on ${address} is in use or not allowed. Choose another port for the ${name}.`
        : `The ${name} cannot listen on ${address}: ${error.message}`;
      reject(new AppError(taken ? 'conflict' : 'internal', message, undefined, { cause: error }));
    });
    server.listen({ host: address, port, ipv6Only: address.startsWith('::'), backlog: usualLimits.strangers }, () => {
      server.removeAllListeners('error');
      // A client may break off during the handshake.
      server.on('tlsClientError', () => {});
      server.on('error', () => {});
      resolve((server.address() as AddressInfo).port);
    });
  });
}

async function closeAll(listeners: readonly Listener[]): Promise<void> {
  await Promise.all(
    listeners.map(
      ({ server, sockets }) =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          for (const socket of sockets) socket.destroy();
        }),
    ),
  );
}
