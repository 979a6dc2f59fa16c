import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TestCertificate } from '#testing/https-server.ts';

/** Listeners on this machine, one for each way out, that count what reaches them over TCP and UDP, IPv4 and IPv6. */
export interface Targets {
  readonly ports: Readonly<Record<string, number>>;
  /** Returns the names of the targets that got a connection or a datagram. */
  reached(): string[];
  /** Returns the names of those that got a request or a datagram: more than a connection or a handshake. Needs a certificate. */
  asked(): string[];
  close(): void;
}

/** Starts the targets. With a `certificate`, they speak TLS to clients that begin it. */
export async function startTargets(names: readonly string[], certificate?: TestCertificate): Promise<Targets> {
  const reached = new Set<string>();
  const asked = new Set<string>();
  const servers: Server[] = [];
  const sockets: UdpSocket[] = [];
  const ports: Record<string, number> = {};
  for (const name of names) {
    const hear = (connection: Socket) => {
      connection.on('error', () => undefined);
      connection.once('data', () => {
        asked.add(name);
        connection.destroy();
      });
    };
    const tls = createTlsServer(certificate ?? {}, hear).on('tlsClientError', () => undefined);
    const server = createServer((connection) => {
      reached.add(name);
      connection.on('error', () => undefined);
      if (certificate === undefined) return void connection.destroy();
      connection.once('data', (first: Buffer) => {
        connection.pause();
        connection.unshift(first);
        if (first[0] === handshake) return void tls.emit('connection', connection);
        hear(connection);
        connection.resume();
      });
    });
    const socket = await listenOnOnePort(server);
    socket.on('message', () => {
      reached.add(name);
      asked.add(name);
    });
    servers.push(server);
    sockets.push(socket);
    ports[name] = socket.address().port;
  }
  return {
    ports,
    reached: () => names.filter((name) => reached.has(name)),
    asked: () => names.filter((name) => asked.has(name)),
    close() {
      for (const server of servers) server.close();
      for (const socket of sockets) socket.close();
    },
  };
}

/** Listens for TCP, and for UDP on the same port; on another one if somebody has that of UDP. */
async function listenOnOnePort(server: Server): Promise<UdpSocket> {
  for (;;) {
    server.listen(0, '::');
    await once(server, 'listening');
    const socket = createSocket('udp6');
    socket.bind((server.address() as AddressInfo).port, '::');
    try {
      await once(socket, 'listening');
      return socket;
    } catch (error) {
      socket.close();
      server.close();
      await once(server, 'close');
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    }
  }
}

/** The first byte of a TLS handshake. */
const handshake = 0x16;
