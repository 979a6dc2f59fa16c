import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { keepPlaces, type PlaceLimits } from '#sandbox/connection-limits.ts';
import { AppError } from '#shared/errors.ts';
import type { KeptPart } from '#shared/ipc/kept-part.ts';
import { mostPages, offeredSession } from '#shared/page-socket.ts';
import { pageHeaders } from '#shared/page-policy.ts';
import type { Access } from './access.ts';
import { refusalOf, routeOf, upgradeRefusalOf, type Route } from './gate.ts';
import type { FramePage } from './game-frames.ts';
import { createLines, usualLineLimits, type LineLimits, type LinesOptions } from './page-sockets.ts';
import type { PageFile } from '../process/page-files.ts';
import { callIn, failure, isRecord, readJson } from './read-json.ts';

export interface LoopbackOptions extends Pick<LinesOptions, 'dispatch' | 'subscribe'> {
  /** 0 for a free one. */
  readonly port: number;
  readonly files: ReadonlyMap<string, PageFile>;
  readonly access: Access;
  /** Returns the content security policy; `line` is the origin of the page's WebSocket. */
  readonly policy: (line: string) => string;
  readonly body: (callId: number, part: KeptPart) => Promise<Uint8Array>;
  readonly picture: (id: string) => Promise<Uint8Array>;
  /** Returns the page that frames a game, once for each ticket. */
  readonly frame?: (ticket: string) => FramePage | null;
  /** Overrides of the limits of connections. */
  readonly limits?: Partial<PlaceLimits & LineLimits>;
  /** Gets method, route and status of each request; never a URL, a header or a body. */
  readonly log?: (line: string) => void;
}

export interface LoopbackServer {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** Number of open connections. */
  readonly connections: number;
  close(): Promise<void>;
}

/** Limits for a browser, which opens six connections, asks at once, and reads at full speed. */
const usualLimits: PlaceLimits & LineLimits = {
  ...usualLineLimits,
  pollMs: 2_000,
  headersMs: 5_000,
  bodyMs: 60_000,
  strangerMs: 15_000,
  stillMs: 10_000,
  idleMs: 5_000,
  halfClosedMs: 1_000,
  strangers: 2_048,
  known: 512,
};

/**
 * Starts the browser host's HTTP server: the built page, a line for each page's calls and events, a route for bytes,
 * and one for the last call of a closing page.
 * It listens on the address 127.0.0.1 and nowhere else, sets no cookie and never sends a CORS header.
 * Fails with `conflict` if the port is taken.
 */
export async function startServer(options: LoopbackOptions): Promise<LoopbackServer> {
  let authority = '';
  const limits = { ...usualLimits, ...options.limits };
  const { giveFrame, giveBytes, giveFile, refuse, giveValue, giveFault } = createReplies(() =>
    pageHeaders(options.policy(`ws://${authority}`), { framesGames: options.frame !== undefined }),
  );

  const server = createServer(
    {
      connectionsCheckingInterval: limits.headersMs,
      maxHeaderSize: 16_384,
      // The gate refuses a missing or duplicate Host.
      requireHostHeader: false,
    },
    (request, response) => {
      const route = routeOf(request.url ?? '', (path) => options.files.has(path));
      if (options.log !== undefined) {
        response.once('close', () => options.log?.(`${request.method ?? ''} ${route.name} ${response.statusCode}`));
      }
      handle(request, response, route).catch((error: unknown) => giveFault(response, error));
    },
  );
  const places = keepPlaces(server, limits);
  const lines = createLines({ dispatch: options.dispatch, subscribe: options.subscribe, limits });
  server.on('upgrade', (request, socket, head) => {
    const route = routeOf(request.url ?? '', (path) => options.files.has(path));
    const status = openLine(request, socket as Socket, head, route);
    options.log?.(`${request.method ?? ''} ${route.name} ${status}`);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    dismiss(socket as Socket, error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request');
  });

  /** Opens a line and returns the HTTP status. */
  function openLine(request: IncomingMessage, socket: Socket, head: Buffer, route: Route): number {
    const refusal = upgradeRefusalOf(request, route, authority);
    const session = offeredSession(request.headers['sec-websocket-protocol']);
    const status = refusal?.status ?? (options.access.admits(session) ? 101 : 401);
    if (status !== 101) {
      dismiss(socket, `${status} ${STATUS_CODES[status] ?? ''}`);
      return status;
    }
    places.prove(socket);
    lines.open(request, socket, head, options.access.hold(session));
    return status;
  }

  async function handle(request: IncomingMessage, response: ServerResponse, route: Route): Promise<void> {
    const refusal = refusalOf(request, route, authority);
    if (refusal !== null) return refuse(response, refusal.status, refusal.reason);
    switch (route.name) {
      case 'page':
        return giveFile(response, options.files.get('/'));
      case 'file':
        return giveFile(response, options.files.get(route.path));
      case 'session':
        if (request.method === 'POST') return openSession(request, response);
        if (!options.access.admits(sessionOf(request))) return giveValue(response, 401, failure('refused', noSession), true);
        return giveValue(response, 200, {});
      case 'frame':
        return giveFrame(response, options.frame?.(route.ticket) ?? null);
      case 'call':
      case 'token':
      case 'body':
      case 'raw':
      case 'sentRaw':
      case 'picture':
        // Reads nothing of a request without a session.
        if (!options.access.admits(sessionOf(request))) return giveValue(response, 401, failure('refused', noSession), true);
        places.prove(request.socket);
        if (route.name === 'call') return call(request, response);
        if (route.name === 'token') return giveToken(request, response);
        return giveBytes(
          response,
          await (route.name === 'picture' ? options.picture(route.id) : options.body(route.callId, route.name)),
        );
      case 'line':
      case 'none':
        return refuse(response, 404, 'Not found.');
    }
  }

  async function openSession(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const input = await readJson('page.session', request);
    const token = input.ok && isRecord(input.value) ? input.value['token'] : undefined;
    if (typeof token !== 'string') return giveValue(response, 400, failure('invalid_input', 'The token is missing.'), true);
    const redeemed = options.access.redeem(token);
    if (!redeemed.ok) {
      const [status, message] = redeemed.why === 'full' ? ([503, full] as const) : ([401, usedUp] as const);
      return giveValue(response, status, failure('refused', message), true);
    }
    places.prove(request.socket);
    return giveValue(response, 200, { session: redeemed.secret });
  }

  /** Gives a token to another page of this browser that lost its session, so that it can open one as with a URL from the terminal. */
  async function giveToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const input = await readJson('page.session', request);
    if (!input.ok) return giveValue(response, input.status, failure('invalid_input', input.message), true);
    return giveValue(response, 200, { token: options.access.issue() });
  }

  async function call(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const input = callIn(await readJson('page.call', request));
    if (!input.ok) return giveValue(response, input.status, failure('invalid_input', input.message), true);
    return giveValue(response, 200, await options.dispatch(input.name, input.input));
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const what =
        cause.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${cause.code ?? cause.message})`;
      lines.close();
      server.close();
      reject(new AppError('conflict', `Port ${options.port} ${what}. Choose another with --port.`, undefined, { cause }));
    });
    // Simultaneous connections wait here; if it is full, a client tries again after a second.
    server.listen({ port: options.port, host: '127.0.0.1', backlog: limits.strangers }, () => resolve());
  });
  authority = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    origin: `http://${authority}`,
    get connections() {
      return places.size;
    },
    close: () =>
      new Promise((resolve) => {
        lines.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const noSession = 'This page has no session. Open a new URL from the terminal.';
const usedUp = 'This address was already used or is too old. Press Enter in the terminal for a new one.';
const full = `${mostPages} pages of this workbench are open, which is the limit. Close one, then try again.`;

/** Sends a last status and closes the socket without waiting for the other side. */
function dismiss(socket: Socket, status: string): void {
  socket.on('error', () => undefined);
  if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
  socket.destroySoon();
}

function sessionOf(request: IncomingMessage): string {
  const given = request.headers['x-croupier-session'];
  return typeof given === 'string' ? given : '';
}

/** Writes the replies of the browser host. `headers` returns the headers of every reply that is not a frame of a game. */
function createReplies(headers: () => Record<string, string>) {
  /** Writes a whole reply, which nothing keeps. */
  function give(response: ServerResponse, status: number, type: string, content: string | Uint8Array, more = {}): void {
    response.writeHead(status, { ...headers(), 'content-type': type, 'cache-control': 'no-store', ...more });
    response.end(content);
  }

  /** Serves a frame page without a session, because a frame cannot send its header, and the ticket is good for one load. */
  function giveFrame(response: ServerResponse, page: FramePage | null): void {
    if (page === null)
      return refuse(response, 404, 'This page of the game was already used or has expired. Launch the game again.');
    const own = { ...pageHeaders(page.policy, { framesGames: true }), 'x-frame-options': 'SAMEORIGIN' };
    give(response, 200, 'text/html; charset=utf-8', page.html, own);
  }

  /** Serves bytes that are never interpreted as a document of this origin. */
  function giveBytes(response: ServerResponse, bytes: Uint8Array): void {
    give(response, 200, 'application/octet-stream', bytes, { 'content-length': bytes.length });
  }

  async function giveFile(response: ServerResponse, file: PageFile | undefined): Promise<void> {
    const bytes = await file?.read();
    if (file === undefined || !bytes) return refuse(response, 404, 'Not found.');
    give(response, 200, file.type, bytes, { 'content-length': bytes.length, 'cache-control': file.caching });
  }

  function refuse(response: ServerResponse, status: number, reason: string): void {
    give(response, status, 'text/plain; charset=utf-8', `${reason}\n`, { connection: 'close' });
  }

  function giveValue(response: ServerResponse, status: number, value: unknown, close = false): void {
    const more = close ? { connection: 'close' } : {};
    give(response, status, 'application/json; charset=utf-8', JSON.stringify(value), more);
  }

  function giveFault(response: ServerResponse, error: unknown): void {
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    if (!(error instanceof AppError))
      return giveValue(response, 500, failure('internal', 'Something went wrong in the workbench.'), true);
    const reply = { ok: false as const, error: { code: error.code, message: error.message, details: error.details } };
    giveValue(response, error.code === 'not_found' ? 404 : 400, reply);
  }

  return { giveFrame, giveBytes, giveFile, refuse, giveValue, giveFault };
}
