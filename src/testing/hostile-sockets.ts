import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/**
 * One way to hold on to a connection of an HTTP server. `path` leads to a file of the page that is larger than the system's
 * buffers.
 */
export interface HostileKind {
  readonly name: string;
  /** Returns the text written at once, and the text written again and again after it. */
  readonly parts: (authority: string, path: string) => readonly [string?, string?];
  /** `never`: it reads nothing. `slowly`: some bytes from time to time. */
  readonly read?: 'never' | 'slowly';
  /** True if it says that it sends no more. */
  readonly halfClose?: boolean;
}

const get = (authority: string, path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: ${authority}\r\n${more}\r\n`;
const post = (authority: string, path: string, more: string) =>
  `POST ${path} HTTP/1.1\r\nHost: ${authority}\r\nOrigin: http://${authority}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n${more}\r\n`;
const guess = `X-Croupier-Session: ${'A'.repeat(43)}\r\n`;

const guessedProtocols = `Sec-WebSocket-Protocol: croupier.line, croupier.session.${'A'.repeat(43)}\r\n`;

/** Slow readers and writers of every kind, none of which has a session. */
export const hostileKinds: readonly HostileKind[] = [
  { name: 'says nothing', parts: () => [] },
  { name: 'half a request line', parts: () => ['GET / HT'] },
  { name: 'headers that never end', parts: (authority) => [get(authority, '/').slice(0, -2)] },
  {
    name: 'headers byte by byte',
    parts: (authority) => [get(authority, '/').slice(0, -2), 'X-Pad: x\r\n'],
  },
  { name: 'a token that never comes', parts: (authority) => [post(authority, '/session', 'Content-Length: 60\r\n')] },
  {
    name: 'a token byte by byte',
    parts: (authority) => [post(authority, '/session', 'Content-Length: 4000\r\n'), ' '],
  },
  {
    name: 'a token in endless chunks',
    parts: (authority) => [post(authority, '/session', 'Transfer-Encoding: chunked\r\n'), '1\r\n \r\n'],
  },
  { name: 'a call with a guess', parts: (authority) => [post(authority, '/call', `${guess}Content-Length: 90000000\r\n`)] },
  {
    name: 'a line with a guess',
    parts: (authority) => [
      get(authority, '/line', `Origin: http://${authority}\r\nConnection: upgrade\r\nUpgrade: websocket\r\n${guessedProtocols}`),
    ],
  },
  { name: 'a file that is not read', parts: (authority, path) => [get(authority, path)], read: 'never' },
  { name: 'a file that is read slowly', parts: (authority, path) => [get(authority, path)], read: 'slowly' },
  { name: 'many files that are not read', parts: (authority, path) => [get(authority, path).repeat(20)], read: 'never' },
  { name: 'a page, and then nothing', parts: (authority) => [get(authority, '/')] },
  { name: 'half closed at once', parts: () => [], halfClose: true },
  { name: 'half closed in its headers', parts: (authority) => [get(authority, '/').slice(0, -2)], halfClose: true },
  { name: 'half closed, and reads nothing', parts: (authority, path) => [get(authority, path)], read: 'never', halfClose: true },
  {
    name: 'an upgrade, kept open',
    parts: (authority) => [get(authority, '/line', 'Connection: upgrade\r\nUpgrade: websocket\r\n')],
  },
  { name: 'a tunnel, kept open', parts: (authority) => [`CONNECT evil.test:443 HTTP/1.1\r\nHost: ${authority}\r\n\r\n`] },
  { name: 'no HTTP, kept open', parts: () => ['\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001'] },
  {
    name: 'a refusal that is not read',
    parts: (authority) => [get(authority, '/no', 'Origin: https://evil.test\r\n')],
    read: 'never',
  },
];

export interface Target {
  readonly port: number;
  readonly path: string;
  /** Milliseconds between two writes of a kind that writes again and again. */
  readonly dripMs: number;
  /** Uses TLS below HTTP. */
  readonly tls?: boolean;
}

/** Opens `count` connections of a kind, and settles once each has connected, or could not. Returns what ends them. */
export async function besiege(
  { port, path, dripMs, tls = false }: Target,
  kind: HostileKind,
  count: number,
): Promise<() => void> {
  const sockets: Socket[] = [];
  const timers: NodeJS.Timeout[] = [];
  const [first = '', ...more] = kind.parts(`${tls ? 'localhost' : '127.0.0.1'}:${port}`, path);
  const last = more.at(-1) ?? '';
  const opened = Array.from({ length: count }, () => {
    // Only the server may end it: its end is not answered by one of the client.
    const address = { port, host: '127.0.0.1', allowHalfOpen: true };
    const socket = tls ? connectTls({ ...address, rejectUnauthorized: false }) : connect(address);
    sockets.push(socket);
    socket.on('error', () => undefined);
    if (kind.read === undefined) socket.resume();
    return new Promise<void>((resolve) => {
      socket.once('error', () => resolve());
      socket.once(tls ? 'secureConnect' : 'connect', () => {
        if (kind.halfClose === true) socket.end(first);
        else if (first !== '') socket.write(first);
        if (last !== '') timers.push(setInterval(() => !socket.destroyed && socket.write(last), dripMs));
        if (kind.read === 'slowly') timers.push(setInterval(() => void socket.read(512), dripMs));
        resolve();
      });
    });
  });
  await Promise.all(opened);
  return () => {
    for (const timer of timers) clearInterval(timer);
    for (const socket of sockets) socket.destroy();
  };
}
