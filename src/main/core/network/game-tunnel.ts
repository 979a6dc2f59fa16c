import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { startDeadline } from '../host/deadline.ts';
import type { AddressVerdict } from '../host/host.ts';
import { lookupOf } from './address-policy.ts';

/** The outcome of a connection that a page requested. `url` is `https://host:port/`, since a tunnel shows no more. */
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

export interface TunnelOptions {
  /** Called once for each connection; the connection goes to an address that it returned, and to no other. */
  readonly judge: (url: string) => Promise<AddressVerdict>;
  readonly onEvent: (event: GameProxyEvent) => void;
  /** Most milliseconds for the request, then for judging and connecting together, and then for the first byte. */
  readonly timeoutMs: number;
  /** Receives the connection to the server. */
  readonly track: (socket: Duplex) => void;
}

/** The first byte of a TLS handshake. */
const handshake = 0x16;

/** Matches a host and its port as Chromium writes them, and nothing that a parser of URLs could read in another way. */
const authority = /^(?:[^\s/\\?#@:%[\]]+|\[[\da-f:.]+\]):\d{1,5}$/i;

/** Most milliseconds for a refused connection to close. */
const lingerMs = 2_000;

/** Makes tunnels: judges the name, connects to the judged address, and lets TLS through and nothing else. */
export function createTunnel({ judge, onEvent, timeoutMs, track }: TunnelOptions) {
  const refuse = (client: Duplex, status: string) => refuseTunnel(client, status, timeoutMs);

  /** Returns the judgement, or a sentence if there is none: then nothing is connected to. */
  async function verdictOf(url: string, deadline: AbortSignal): Promise<AddressVerdict | string> {
    try {
      return (await Promise.race([judge(url), aborted(deadline)])) ?? `The name lookup took longer than ${timeoutMs / 1_000} s.`;
    } catch {
      return 'The address could not be checked.';
    }
  }

  /** Connects to a judged address, or through the proxy. Returns a sentence if it cannot. */
  async function reach(
    { hostname, port }: { readonly hostname: string; readonly port: number },
    { addresses, proxy }: Extract<AddressVerdict, { ok: true }>,
    signal: AbortSignal,
  ): Promise<Socket | string> {
    if (proxy !== undefined) {
      try {
        const tunnel = await proxy.tunnel(`${hostname}:${port}`, { signal, lookup: lookupOf(addresses) });
        track(tunnel);
        return tunnel;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    }
    const upstream = connect({ host: hostname.replace(/^\[|\]$/g, ''), port, lookup: lookupOf(addresses), noDelay: true });
    track(upstream);
    signal.addEventListener('abort', () => upstream.destroy(), { once: true });
    return (await connected(upstream)) ?? upstream;
  }

  return async function tunnel(target: string, client: Duplex, head: Buffer): Promise<void> {
    const parsed = authority.test(target) ? URL.parse(`https://${target}/`) : null;
    if (parsed === null || parsed.port === '0') return refuse(client, '400 Bad Request');
    const url = parsed.href;
    const late = new AbortController();
    const deadline = startDeadline(timeoutMs, () => late.abort(), { unref: true });
    client.once('close', () => deadline.clear());
    const started = performance.now();
    const verdict = await verdictOf(url, late.signal);
    if (client.destroyed) return;
    if (typeof verdict === 'string') {
      onEvent({ type: 'failed', url, message: verdict });
      return refuse(client, late.signal.aborted ? '504 Gateway Timeout' : '502 Bad Gateway');
    }
    if (!verdict.ok) {
      onEvent({ type: 'refused', url, message: verdict.message, local: verdict.local });
      return refuse(client, '403 Forbidden');
    }
    const judgeMs = performance.now() - started;
    const gone = new AbortController();
    client.once('close', () => gone.abort());
    const place = { hostname: parsed.hostname, port: Number(parsed.port || 443) };
    const upstream = await reach(place, verdict, AbortSignal.any([late.signal, gone.signal]));
    deadline.clear();
    if (client.destroyed) return;
    if (typeof upstream === 'string') {
      onEvent({ type: 'failed', url, message: upstream });
      return refuse(client, '502 Bad Gateway');
    }
    onEvent({
      type: 'tunnel',
      url,
      address: upstream.remoteAddress ?? '',
      judgeMs,
      connectMs: performance.now() - started - judgeMs,
    });
    client.once('close', () => upstream.destroy());
    // The server's last bytes still reach the page.
    upstream.once('close', () => (client as Socket).destroySoon());
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    const silence = startDeadline(timeoutMs, () => client.destroy());
    const first = head.length > 0 ? head : await firstBytes(client);
    silence.clear();
    if (first === null || upstream.destroyed) return void upstream.destroy();
    if (first[0] !== handshake) {
      onEvent({ type: 'refused', url, message: 'It is not encrypted.', local: false });
      client.destroy();
      return;
    }
    upstream.write(first);
    // A browser does not close one direction alone.
    client.once('end', () => upstream.destroySoon());
    client.pipe(upstream).pipe(client);
  };
}

/** Refuses, and waits only until its words have left: the client may keep its own side open. */
export function refuseTunnel(client: Duplex, status: string, timeoutMs: number, headers = ''): void {
  client.end(`HTTP/1.1 ${status}\r\n${headers}connection: close\r\ncontent-length: 0\r\n\r\n`);
  client.resume();
  const timer = setTimeout(() => client.destroy(), Math.min(timeoutMs, lingerMs));
  client.once('close', () => clearTimeout(timer));
}

/** Meanings of the system's error codes of failed connections. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The server refused the connection',
  ECONNRESET: 'The server reset the connection',
  ETIMEDOUT: 'The server did not respond',
  EHOSTUNREACH: 'There is no route to the server',
  ENETUNREACH: 'There is no route to the server',
};

function connected(socket: Socket): Promise<string | null> {
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(null));
    socket.once('error', ({ code = 'unknown' }: NodeJS.ErrnoException) =>
      resolve(`${reasons[code] ?? 'The connection failed'} (${code}).`),
    );
    socket.once('close', () => resolve('The server did not respond in time.'));
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
