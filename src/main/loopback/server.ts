import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { keepPlaces, type PlaceLimits } from '#sandbox/places.ts';
import { AppError, type ErrorReply } from '#shared/errors.ts';
import { inputLimits } from '#shared/ipc/contract.ts';
import type { EventName, Reply } from '#shared/ipc/index.ts';
import { pageHeaders } from '#shared/page-policy.ts';
import type { Access } from './access.ts';
import { refusalOf, routeOf, type Route } from './gate.ts';
import type { FramePage } from './frames.ts';
import type { PageFile } from './page-files.ts';
import { readJson, type BodyLimits } from './read-json.ts';

export interface LoopbackOptions {
  /** 0 for a free one. */
  readonly port: number;
  readonly files: ReadonlyMap<string, PageFile>;
  readonly access: Access;
  /** The content security policy of this moment: it names the built-in provider's origin while that runs. */
  readonly policy: () => string;
  readonly dispatch: (name: string, input: unknown) => Promise<Reply>;
  readonly subscribe: (listener: (name: EventName, payload: unknown) => void) => () => void;
  readonly body: (callId: number) => Promise<Uint8Array>;
  readonly picture: (id: string) => Promise<Uint8Array>;
  /** The page that frames a game, once for each ticket. */
  readonly frame?: (ticket: string) => FramePage | null;
  /** Other bounds for what connections may hold on to. */
  readonly limits?: Partial<PlaceLimits>;
  /** Gets method, route and status of each request; never an address, a header or a body. */
  readonly log?: (line: string) => void;
}

export interface LoopbackServer {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** How many connections are open. */
  readonly connections: number;
  close(): Promise<void>;
}

const sessionLimits: BodyLimits = { bytes: 4_096, depth: 4, values: 16 };
/** The longest text that a call takes, every second character of it escaped; the envelope around the input is one level. */
const callLimits: BodyLimits = { bytes: 16_000_000, depth: inputLimits.depth + 1, values: inputLimits.values };
/** A page that reads no events while this much waits for it is let go; it opens the stream again. */
const eventBacklogLimit = 8 * 1_048_576;
const heartbeatMs = 15_000;
/** A browser opens six connections, asks at once, and reads as fast as the machine can. */
const usualLimits: PlaceLimits = {
  lookMs: 2_000,
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
 * The browser host's HTTP server: the built page, one way to call, one way to listen, one way to fetch bytes.
 * It listens on the address 127.0.0.1 and nowhere else, sets no cookie and never sends a CORS header.
 * Fails with `conflict` where the port is taken.
 */
export async function startServer(options: LoopbackOptions): Promise<LoopbackServer> {
  let authority = '';
  const streams = new Set<ServerResponse>();
  const limits = { ...usualLimits, ...options.limits };

  const server = createServer(
    {
      connectionsCheckingInterval: limits.lookMs,
      maxHeaderSize: 16_384,
      // Our own gate answers a missing or doubled Host.
      requireHostHeader: false,
    },
    (request, response) => {
      const route = routeOf(request.url ?? '', (path) => options.files.has(path));
      if (options.log !== undefined) {
        response.once('close', () => options.log?.(`${request.method ?? ''} ${route.name} ${response.statusCode}`));
      }
      handle(request, response, route).catch((error: unknown) => answerFault(response, error));
    },
  );
  const places = keepPlaces(server, limits);
  server.on('upgrade', (request, socket) => {
    dismiss(socket as Socket, request.headers.host === authority ? '403 Forbidden' : '421 Misdirected Request');
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    dismiss(socket as Socket, error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request');
  });

  async function handle(request: IncomingMessage, response: ServerResponse, route: Route): Promise<void> {
    const refusal = refusalOf(request, route, authority);
    if (refusal !== null) return refuse(response, refusal.status, refusal.reason);
    switch (route.name) {
      case 'page':
        return giveFile(response, '/');
      case 'file':
        return giveFile(response, route.path);
      case 'session':
        return openSession(request, response);
      case 'frame':
        return giveFrame(response, route.ticket);
      case 'call':
      case 'events':
      case 'body':
      case 'picture':
        // Before a session is shown, nothing of the request is read.
        if (!options.access.admits(sessionOf(request))) {
          return answer(
            response,
            401,
            failure('refused', 'This page has no session. Open a new address from the terminal.'),
            true,
          );
        }
        places.prove(request.socket);
        if (route.name === 'call') return call(request, response);
        if (route.name === 'events') return listen(response);
        return giveBytes(response, await (route.name === 'body' ? options.body(route.callId) : options.picture(route.id)));
      case 'none':
        return refuse(response, 404, 'Not here.');
    }
  }

  /** No session is asked for: a frame sends no header of ours, and the ticket is worth one load. */
  function giveFrame(response: ServerResponse, ticket: string): void {
    const page = options.frame?.(ticket) ?? null;
    if (page === null) return refuse(response, 404, 'This game was opened already, or too long ago. Launch it again.');
    response.writeHead(200, {
      ...pageHeaders(page.policy, { framesGames: true }),
      'x-frame-options': 'SAMEORIGIN',
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    });
    response.end(page.html);
  }

  async function openSession(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const input = await readJson(request, sessionLimits);
    const token = input.ok && isRecord(input.value) ? input.value['token'] : undefined;
    if (typeof token !== 'string') return answer(response, 400, failure('invalid_input', 'A token is expected.'), true);
    const session = options.access.redeem(token);
    if (session === null) {
      const message = 'This address was used already or is too old. Press Enter in the terminal for a new one.';
      return answer(response, 401, failure('refused', message), true);
    }
    places.prove(request.socket);
    return answer(response, 200, { session });
  }

  async function call(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const input = await readJson(request, callLimits);
    if (!input.ok) return answer(response, input.status, failure('invalid_input', input.message), true);
    const { value } = input;
    if (!isRecord(value) || typeof value['name'] !== 'string') {
      return answer(response, 400, failure('invalid_input', 'A call has a name and an input.'), true);
    }
    return answer(response, 200, await options.dispatch(value['name'], value['input']));
  }

  function listen(response: ServerResponse): void {
    response.writeHead(200, { ...headers(), 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(': ready\n\n');
    const send = (text: string) => {
      if (response.writableLength <= eventBacklogLimit) return void response.write(text);
      leave();
      response.destroy();
    };
    const unsubscribe = options.subscribe((name, payload) => send(`data: ${JSON.stringify({ name, payload })}\n\n`));
    const heartbeat = setInterval(() => send(': \n\n'), heartbeatMs);
    streams.add(response);
    response.once('close', leave);
    function leave(): void {
      unsubscribe();
      clearInterval(heartbeat);
      streams.delete(response);
    }
  }

  /** Whatever they are, they are no document of this origin. */
  function giveBytes(response: ServerResponse, bytes: Uint8Array): void {
    response.writeHead(200, {
      ...headers(),
      'content-type': 'application/octet-stream',
      'content-length': bytes.length,
      'cache-control': 'no-store',
    });
    response.end(bytes);
  }

  function giveFile(response: ServerResponse, path: string): void {
    const file = options.files.get(path);
    if (file === undefined) return refuse(response, 404, 'Not here.');
    response.writeHead(200, {
      ...headers(),
      'content-type': file.type,
      'content-length': file.bytes.length,
      'cache-control': file.caching,
    });
    response.end(file.bytes);
  }

  function refuse(response: ServerResponse, status: number, reason: string): void {
    response.writeHead(status, {
      ...headers(),
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      connection: 'close',
    });
    response.end(`${reason}\n`);
  }

  function answer(response: ServerResponse, status: number, value: unknown, close = false): void {
    response.writeHead(status, {
      ...headers(),
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...(close ? { connection: 'close' } : {}),
    });
    response.end(JSON.stringify(value));
  }

  function answerFault(response: ServerResponse, error: unknown): void {
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    if (!(error instanceof AppError))
      return answer(response, 500, failure('internal', 'Something went wrong in the workbench.'), true);
    const reply = { ok: false as const, error: { code: error.code, message: error.message, details: error.details } };
    answer(response, error.code === 'not_found' ? 404 : 400, reply);
  }

  function headers(): Record<string, string> {
    return pageHeaders(options.policy(), { framesGames: options.frame !== undefined });
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const what =
        cause.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${cause.code ?? cause.message})`;
      reject(new AppError('conflict', `Port ${options.port} ${what}. Choose another with --port.`, undefined, { cause }));
    });
    // Many that come at once wait here; one that finds it full tries again after a second.
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
        for (const stream of streams) stream.end();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A last word, after which nobody waits for the other side to close. */
function dismiss(socket: Socket, status: string): void {
  socket.on('error', () => undefined);
  if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
  socket.destroySoon();
}

function sessionOf(request: IncomingMessage): string {
  const given = request.headers['x-croupier-session'];
  return typeof given === 'string' ? given : '';
}

function failure(code: ErrorReply['code'], message: string): Reply {
  return { ok: false, error: { code, message } };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
