import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

/** Listeners on this machine, one for each way out, that count what reaches them over TCP and UDP, IPv4 and IPv6. */
export interface Targets {
  readonly ports: Readonly<Record<string, number>>;
  /** The names of those that were reached. */
  reached(): string[];
  close(): void;
}

export async function startTargets(names: readonly string[]): Promise<Targets> {
  const reached = new Set<string>();
  const servers: Server[] = [];
  const sockets: UdpSocket[] = [];
  const ports: Record<string, number> = {};
  for (const name of names) {
    const server = createServer((connection) => {
      reached.add(name);
      connection.on('error', () => undefined).destroy();
    });
    servers.push(server);
    server.listen(0, '::');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    ports[name] = port;
    const socket = createSocket('udp6', () => void reached.add(name));
    sockets.push(socket);
    socket.bind(port, '::');
    await once(socket, 'listening');
  }
  return {
    ports,
    reached: () => names.filter((name) => reached.has(name)),
    close() {
      for (const server of servers) server.close();
      for (const socket of sockets) socket.close();
    },
  };
}
