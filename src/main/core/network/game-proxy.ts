import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AddressVerdict } from '../host.ts';

/** The one way out of a game's session. Answers only whoever has its credentials. */
export interface GameProxy {
  readonly port: number;
  /** For this proxy alone; made anew for each. */
  readonly username: string;
  readonly password: string;
  /** Ends every connection through it. */
  close(): Promise<void>;
}

/** What became of a connection that a page asked for. `url` is `https://host:port/`: more than that a tunnel does not show. */
export type GameProxyEvent =
  | {
      readonly type: 'tunnel';
      readonly url: string;
      readonly address: string;
      readonly judgeMs: number;
      readonly connectMs: number;
    }
  | { readonly type: 'refused'; readonly url: string; readonly message: string; readonly local: boolean }
  | { readonly type: 'failed'; readonly url: string; readonly message: string };

export interface GameProxyOptions {
  /** Asked once for each connection; the connection goes to an address it gave, and to none else. */
  readonly judge: (url: string) => Promise<AddressVerdict>;
  readonly onEvent: (event: GameProxyEvent) => void;
  /** How long judging and connecting may take together. */
  readonly timeoutMs?: number;
}

/** The first byte of a TLS handshake. */
const handshake = 0x16;

/**
 * Starts a CONNECT proxy on a loopback port. It judges the name, connects to the address that was judged, and lets TLS through and nothing
 * else. Chromium shows one and the same error for whatever a proxy refuses: what happened is told through `onEvent`.
 */
export async function startGameProxy({ judge, onEvent, timeoutMs = 15_000 }: GameProxyOptions): Promise<GameProxy> {
  const [username, password] = ['croupier', randomBytes(32).toString('base64url')];
  const expected = Buffer.from(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);
  const open = new Set<Duplex>();

  function track(socket: Duplex): void {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    // An end that breaks off closes the other one; there is nobody to tell.
    socket.on('error', () => undefined);
  }

  function isAdmitted({ headers }: IncomingMessage): boolean {
    const given = Buffer.from(headers['proxy-authorization'] ?? '');
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  async function tunnel(target: string, client: Duplex, head: Buffer): Promise<void> {
    const url = `https://${target}/`;
    const end = (status: string) => client.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    const parsed = URL.parse(url);
    if (parsed === null || parsed.pathname !== '/' || parsed.username !== '') return void end('400 Bad Request');
    const [deadline, started] = [AbortSignal.timeout(timeoutMs), performance.now()];
    const verdict = await Promise.race([judge(parsed.href), aborted(deadline)]);
    if (client.destroyed) return;
    if (verdict === null) {
      onEvent({ type: 'failed', url: parsed.href, message: `The name was not looked up within ${timeoutMs / 1_000} s.` });
      return void end('504 Gateway Timeout');
    }
    if (!verdict.ok) {
      onEvent({ type: 'refused', url: parsed.href, message: verdict.message, local: verdict.local });
      return void end('403 Forbidden');
    }
    const judgeMs = performance.now() - started;
    const upstream = connect({
      host: parsed.hostname.replace(/^\[|\]$/g, ''),
      port: Number(parsed.port || 443),
      lookup: lookupOf(verdict.addresses),
      noDelay: true,
    });
    track(upstream);
    const giveUp = () => upstream.destroy();
    deadline.addEventListener('abort', giveUp, { once: true });
    client.once('close', () => upstream.destroy());
    const problem = await connected(upstream);
    deadline.removeEventListener('abort', giveUp);
    if (problem !== null) {
      onEvent({ type: 'failed', url: parsed.href, message: problem });
      return void end('502 Bad Gateway');
    }
    onEvent({
      type: 'tunnel',
      url: parsed.href,
      address: upstream.remoteAddress ?? '',
      judgeMs,
      connectMs: performance.now() - started - judgeMs,
    });
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    const first = head.length > 0 ? head : await firstBytes(client);
    if (first === null) return void upstream.destroy();
    if (first[0] !== handshake) {
      onEvent({ type: 'refused', url: parsed.href, message: 'It is not encrypted.', local: false });
      client.destroy();
      return;
    }
    upstream.write(first);
    upstream.once('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  }

  const server = createServer((request, response) => {
    // A request for a http address, which comes whole. Chromium shows our answer as the server's, so it says whose it is.
    if (!isAdmitted(request)) {
      response.writeHead(407, { 'proxy-authenticate': challenge }).end();
      return;
    }
    const url = request.url ?? '';
    onEvent({ type: 'refused', url, message: 'It is http://, which is not encrypted.', local: false });
    response.writeHead(403, { 'x-croupier-refused': '1' }).end();
  });
  server.on('connection', track);
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    if (!isAdmitted(request)) {
      client.end(
        `HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: ${challenge}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
      );
      return;
    }
    tunnel(request.url ?? '', client, head).catch(() => client.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    username,
    password,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      return closed;
    },
  };
}

const challenge = 'Basic realm="Croupier"';

function lookupOf(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (_host, wanted, callback) => {
    const [first] = found;
    if (first === undefined) callback(new Error('No address'), '', 0);
    else if (wanted.all === true) callback(null, found);
    else callback(null, first.address, first.family);
  };
}

function connected(socket: Socket): Promise<string | null> {
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(null));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(`The connection failed (${error.code ?? error.name}).`));
    socket.once('close', () => resolve('The connection was given up.'));
  });
}

function firstBytes(client: Duplex): Promise<Buffer | null> {
  return new Promise((resolve) => {
    client.once('close', () => resolve(null));
    client.once('data', (chunk: Buffer) => {
      client.pause();
      resolve(chunk);
    });
  });
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
}
