import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { AppError } from '#shared/errors.ts';
import type { EventName, Reply } from '#shared/ipc/index.ts';
import { pagePolicy } from '#shared/page-policy.ts';
import { createAccess, type Access } from '../main/loopback/access.ts';
import type { PageFile } from '../main/process/page-files.ts';
import { WebSocket } from 'ws';
import { linePath, offeredProtocols } from '#shared/page-socket.ts';
import { startServer, type LoopbackOptions, type LoopbackServer } from '../main/loopback/server.ts';

/** Response of the server. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** The page and one of its files. */
export const page: PageFile = {
  read: () => Promise.resolve(Buffer.from('<!doctype html><title>Croupier</title>')),
  type: 'text/html; charset=utf-8',
  caching: 'no-store',
};
export const script: PageFile = {
  read: () => Promise.resolve(Buffer.from('export {};')),
  type: 'text/javascript; charset=utf-8',
  caching: 'private',
};

/** A file larger than the system's buffers of a connection. */
const large: PageFile = { ...script, read: () => Promise.resolve(Buffer.alloc(24 * 1_048_576, '/')) };

/** The one picture that the server's core has. */
export const knownPicture = '7'.repeat(64);

/** Starts a server whose core has nothing to say; `options` are what a test is about. */
export function startQuiet(options: Pick<LoopbackOptions, 'access'> & Partial<LoopbackOptions>): Promise<LoopbackServer> {
  return startServer({
    port: 0,
    files: new Map(),
    policy: () => pagePolicy({ frame: 'self' }),
    dispatch: () => Promise.resolve({ ok: true, value: null }),
    subscribe: () => () => undefined,
    body: () => Promise.resolve(new Uint8Array()),
    picture: () => Promise.resolve(new Uint8Array()),
    ...options,
  });
}

/** Starts a server whose core only notes what reaches it, and replies after `before`. */
export async function startRecorded(limits?: LoopbackOptions['limits'], before?: (name: string) => Promise<void>) {
  let now = 0;
  const reached: { name: string; input: unknown }[] = [];
  const listeners = new Set<(name: EventName, payload: unknown) => void>();
  const log: string[] = [];
  const access = createAccess({ now: () => now });
  const server = await startServer({
    port: 0,
    files: new Map([
      ['/', page],
      ['/index.html', page],
      ['/assets/main.js', script],
      ['/assets/large.js', large],
    ]),
    access,
    policy: (line) => pagePolicy({ frame: null, line }),
    async dispatch(name, input): Promise<Reply> {
      reached.push({ name, input });
      await before?.(name);
      return { ok: true, value: { name, input } };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    body(callId) {
      reached.push({ name: 'body', input: callId });
      return callId === 7
        ? Promise.resolve(new Uint8Array([0, 255, 10, 13, 0]))
        : Promise.reject(new AppError('not_found', 'There is no such call.'));
    },
    picture(id) {
      reached.push({ name: 'picture', input: id });
      return id === knownPicture
        ? Promise.resolve(new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'))
        : Promise.reject(new AppError('not_found', 'There is no such picture.'));
    },
    log: (line) => log.push(line),
    ...(limits === undefined ? {} : { limits }),
  });
  return { server, access, reached, listeners, log, pass: (milliseconds: number) => (now += milliseconds) };
}

/** A running server with what reached its core. */
export type Recorded = Awaited<ReturnType<typeof startRecorded>>;

/** One request. */
export interface Ask {
  method?: string;
  path?: string;
  headers?: Record<string, string | string[] | undefined>;
  body?: string | Buffer;
}

/** Sends exactly this request; a header that is undefined is left out. */
export function ask(server: LoopbackServer, { method = 'GET', path = '/', headers = {}, body }: Ask): Promise<Answer> {
  const { port, host } = new URL(server.origin);
  const given = Object.fromEntries(Object.entries({ host, ...headers }).filter(([, value]) => value !== undefined)) as Record<
    string,
    string | string[]
  >;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { port, host: '127.0.0.1', method, path, headers: given, setHost: false, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
        response.on('error', reject);
      },
    );
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: '' });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Sends text as it is and returns everything that comes until the connection ends. */
export function raw(server: LoopbackServer, text: string): Promise<string> {
  const { port } = new URL(server.origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.end(text.replaceAll('PORT', port)));
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}

/** Returns the headers of the page's own requests. */
export const own = (server: LoopbackServer) => ({
  origin: server.origin,
  'sec-fetch-site': 'same-origin',
  'sec-fetch-dest': 'empty',
});
/** The content type of the page's posts. */
export const json = { 'content-type': 'application/json' };

/** Exchanges a new token as the page does. */
export function openSession({ server, access }: { server: LoopbackServer; access: Access }): Promise<Answer> {
  const body = JSON.stringify({ token: access.issue() });
  return ask(server, { method: 'POST', path: '/session', headers: { ...own(server), ...json }, body });
}

/** Returns the secret of a new session. */
export async function sessionSecret(recorded: Recorded): Promise<string> {
  const { session } = JSON.parse((await openSession(recorded)).text) as { session: string };
  return session;
}

/** A page's open line: what it says and what it hears. */
export interface TestLine {
  readonly socket: WebSocket;
  /** Everything that came, in its order. */
  readonly heard: readonly string[];
  call(name: string, input: unknown): Promise<Reply>;
}

/** Opens a line as a browser does: with our origin, and the session among the protocols. */
export function openLine(server: Pick<LoopbackServer, 'origin'>, session: string): Promise<TestLine> {
  const { host } = new URL(server.origin);
  const socket = new WebSocket(`ws://${host}${linePath}`, offeredProtocols(session), { origin: server.origin });
  const heard: string[] = [];
  const replies = new Map<string, (reply: Reply) => void>();
  let number = 0;
  socket.on('message', (data: Buffer) => {
    const text = data.toString();
    heard.push(text);
    const [, at = '', reply = ''] = /^(\d+) (.*)$/s.exec(text) ?? [];
    replies.get(at)?.(JSON.parse(reply) as Reply);
  });
  const line: TestLine = {
    socket,
    heard,
    call(name, input) {
      number += 1;
      const { promise, resolve } = Promise.withResolvers<Reply>();
      replies.set(String(number), resolve);
      socket.send(`${number} ${JSON.stringify({ name, input })}`);
      return promise;
    },
  };
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(line));
    socket.once('error', reject);
    socket.on('error', () => undefined);
  });
}

/** Returns the headers of a browser's handshake for a line. */
export const handshake = (session: string) => ({
  connection: 'upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  'sec-websocket-protocol': offeredProtocols(session).join(', '),
});
