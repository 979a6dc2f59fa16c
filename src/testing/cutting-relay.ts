import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A relay in front of a server, as somebody on the way could be: it reads nothing of TLS and can end a connection at any byte. */
export interface CuttingRelay {
  readonly port: number;
  /** Returns the number of bytes that the server's side has sent through it. */
  passed(): number;
  /** Ends every connection, and settles when the clients have closed theirs. */
  cut(): Promise<void>;
  close(): Promise<void>;
}

export interface CuttingRelayOptions {
  /** The way of ending: a FIN, as a close, or a RST. The server's own end is relayed in the same way. */
  readonly how: 'fin' | 'reset';
  /** Number of the server's bytes that pass before it ends the connection; Infinity for never. */
  readonly after: number;
}

/** Starts a relay on a free port of 127.0.0.1, before the server on `target`. */
export async function startCuttingRelay(target: number, options: CuttingRelayOptions): Promise<CuttingRelay> {
  let passed = 0;
  const clients = new Set<Socket>();
  const upstreams = new Set<Socket>();
  const end = (client: Socket) => void (options.how === 'fin' ? client.end() : client.resetAndDestroy());
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect(target, '127.0.0.1');
    clients.add(client);
    upstreams.add(upstream);
    for (const [socket, all] of [
      [client, clients],
      [upstream, upstreams],
    ] as const) {
      socket.on('error', () => undefined);
      socket.once('close', () => all.delete(socket));
    }
    client.on('data', (chunk: Buffer) => upstream.write(chunk));
    client.once('close', () => upstream.destroy());
    client.once('end', () => client.end());
    upstream.on('data', (chunk: Buffer) => {
      const room = options.after - passed;
      passed += chunk.length;
      client.write(chunk.subarray(0, Math.max(0, Math.min(chunk.length, room))));
      if (chunk.length >= room) {
        upstream.destroy();
        // A reset throws away what the other side has not read yet: it reads first.
        client.write('', () => end(client));
      }
    });
    upstream.once('end', () => end(client));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    passed: () => passed,
    async cut() {
      const closed = [...clients].map((client) => once(client, 'close'));
      for (const client of clients) end(client);
      await Promise.all(closed);
    },
    async close() {
      server.close();
      for (const socket of [...clients, ...upstreams]) socket.destroy();
      await once(server, 'close');
    },
  };
}
