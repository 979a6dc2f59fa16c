import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TestCertificate } from './https-server.ts';

export interface ConnectProxyOptions {
  /** `user:password`; without one, everybody is let through. */
  readonly login?: string;
  /** The questions of a proxy with a login, as values of Proxy-Authenticate. */
  readonly asks?: readonly string[];
  /** Speaks TLS itself. */
  readonly certificate?: TestCertificate;
  /** Refuses with this status line in place of a tunnel; null never answers. */
  readonly refuses?: string | null;
  /** The port on this computer that stands for a target; by default its own. */
  readonly leadsTo?: (target: string) => number;
}

/** A CONNECT proxy on a loopback port that resolves every name to this computer. */
export async function startConnectProxy({
  login,
  asks = ['Basic realm="office"'],
  certificate,
  refuses,
  leadsTo,
}: ConnectProxyOptions = {}) {
  /** The heads that came: the target, with what was sent in Proxy-Authorization. */
  const asked: { target: string; authorization: string | null }[] = [];
  const sockets = new Set<Duplex>();
  const server = certificate === undefined ? createServer() : createHttpsServer({ key: certificate.key, cert: certificate.cert });
  server.on(certificate === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.on('tlsClientError', () => undefined);
  server.on('connect', ({ url: target = '', headers }: IncomingMessage, client: Duplex) => {
    const authorization = headers['proxy-authorization'] ?? null;
    asked.push({ target, authorization });
    if (refuses === null) return;
    if (refuses !== undefined) return void client.end(`HTTP/1.1 ${refuses}\r\ncontent-length: 4\r\n\r\nsorry`.slice(0, -1));
    if (login !== undefined && !isRight(authorization, login, target)) {
      const lines = asks.map((ask) => `Proxy-Authenticate: ${ask}\r\n`).join('');
      return void client.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${lines}content-length: 0\r\n\r\n`);
    }
    const upstream = connect({ host: '127.0.0.1', port: leadsTo?.(target) ?? Number(target.split(':').at(-1)) });
    sockets.add(upstream);
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
    upstream.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `${certificate === undefined ? 'http' : 'https'}://localhost:${port}`,
    asked,
    async close(): Promise<void> {
      server.close();
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
    },
  };
}

/** Judges an answer by its own reading of RFC 7616 and 7617. */
function isRight(authorization: string | null, login: string, target: string): boolean {
  if (authorization === null) return false;
  if (authorization === `Basic ${Buffer.from(login).toString('base64')}`) return true;
  const sent = Object.fromEntries(
    [...authorization.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)].map(([, name, a, b]) => [name, a ?? b]),
  );
  const [user, password] = login.split(':');
  const hash = (text: string) =>
    createHash(/^sha-256/i.test(sent['algorithm'] ?? '') ? 'sha256' : 'md5')
      .update(text)
      .digest('hex');
  let own = hash(`${user}:${sent['realm']}:${password}`);
  if (/-sess$/i.test(sent['algorithm'] ?? '')) own = hash(`${own}:${sent['nonce']}:${sent['cnonce']}`);
  const middle = sent['qop'] === undefined ? '' : `${sent['nc']}:${sent['cnonce']}:${sent['qop']}:`;
  return (
    authorization.startsWith('Digest ') &&
    sent['username'] === user &&
    sent['uri'] === target &&
    sent['response'] === hash(`${own}:${sent['nonce']}:${middle}${hash(`CONNECT:${target}`)}`)
  );
}
