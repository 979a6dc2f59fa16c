import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Page } from './game-pages.ts';
import type { Handler } from './listener.ts';
import type { Soon } from './soon.ts';
import { beyond, readers } from '#shared/model/readers.ts';

/** The provider's answers. None of them throws or rejects. */
export interface ProviderPages {
  /** Returns whether the path is one of the API, which accepts POST only. */
  isCall(path: string): boolean;
  page(path: string, query: URLSearchParams): Soon<Page>;
  /** Answers a POST whose body arrived whole. */
  post(path: string, request: IncomingMessage, body: Uint8Array): Soon<Page>;
  /** Refuses a request whose body was not read. */
  refuse(path: string, request: IncomingMessage, status: number, why: string): Page;
  /** Keeps a connection open whose request gets no response. */
  hold(socket: Socket): void;
}

/** Milliseconds from which a connection is kept open on purpose: those without a proven secret end after 30 seconds. */
const longWaitMs = 10_000;
/** Most requests whose body is being read; a further one gets HTTP 503. */
const maxInFlight = 256;

/** Admits requests to `names`, reads their bodies within limits and sends the answers. */
export function createRequestHandler(pages: ProviderPages, names: readonly string[]): Handler {
  let inFlight = 0;

  /** Sends a page when it is there and its time has come, unless the connection has ended by then. */
  function respond(request: IncomingMessage, response: ServerResponse, page: Soon<Page>): void {
    if (page instanceof Promise) return void page.then((made) => respond(request, response, made));
    if (response.destroyed) return;
    const { waitMs = 0, isCut = false } = page;
    if (waitMs === 0) return isCut ? void request.socket.destroy() : send(request, response, page);
    if (waitMs >= longWaitMs) pages.hold(request.socket);
    if (waitMs === Infinity) return;
    const timer = setTimeout(() => respond(request, response, { ...page, waitMs: 0 }), waitMs);
    response.once('close', () => clearTimeout(timer));
  }

  return (request, response) => {
    const path = pathOf(request.url ?? '/');
    const host = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
    // Refuses a page that reached this port under another name (DNS rebinding).
    if (!['127.0.0.1', '[::1]', ...names].includes(host)) {
      const body = `This provider responds only to ${names.join(' and ')}.\n`;
      send(request, response, { status: 421, headers: textHeaders, body });
      return;
    }
    if (request.method !== 'POST') {
      const isPage = !pages.isCall(path) && (request.method === 'GET' || request.method === 'HEAD');
      const why = `The method is ${request.method ?? '?'}; only POST is accepted.`;
      respond(request, response, isPage ? pages.page(path, queryOf(request.url)) : pages.refuse(path, request, 405, why));
      return;
    }
    if (inFlight >= maxInFlight) {
      send(request, response, pages.refuse(path, request, 503, `More than ${maxInFlight} requests are being read at once.`));
      return;
    }
    inFlight += 1;
    readBody(request, (body) => {
      inFlight -= 1;
      if (body === 'broken') return;
      if (body === 'too large') {
        response.setHeader('connection', 'close');
        send(
          request,
          response,
          pages.refuse(path, request, 413, `The body ${beyond('provider.request', { bytes: Number.POSITIVE_INFINITY })}`),
        );
        return;
      }
      respond(request, response, pages.post(path, request, body));
    });
  };
}

const textHeaders = { 'content-type': 'text/plain; charset=utf-8' };

function send(request: IncomingMessage, response: ServerResponse, page: Page): void {
  const body = Buffer.from(page.body);
  response.writeHead(page.status, {
    ...page.headers,
    'content-length': body.length,
    ...(page.status === 405 ? { allow: 'POST' } : {}),
  });
  if (request.method === 'HEAD') response.end();
  else if (page.pace === 'cutBody') response.write(body.subarray(0, body.length >> 1), () => request.socket.destroy());
  else if (page.pace === 'drip') drip(response, body);
  else response.end(body);
}

/** Sends a body byte by byte. */
function drip(response: ServerResponse, body: Buffer, from = 0): void {
  if (response.destroyed) return;
  if (from >= body.length) response.end();
  else response.write(body.subarray(from, from + 1), () => setImmediate(drip, response, body, from + 1));
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

function queryOf(url = ''): URLSearchParams {
  const query = url.indexOf('?');
  return new URLSearchParams(query === -1 ? '' : url.slice(query + 1));
}

/** A body that is too large is read and forgotten up to here, in bytes: a client that writes before it reads would lose the refusal. */
const drainedBytes = 64 * 1_024 * 1_024;

const { bytes: keptBytes } = readers['provider.request'];

/** Reads a body and calls back once, with the bytes or the reason why there are none. The server limits the time that it may take. */
export function readBody(request: IncomingMessage, done: (body: Uint8Array | 'too large' | 'broken') => void): void {
  let chunks: Buffer[] = [];
  let size = 0;
  let finished = false;

  function finish(body: Uint8Array | 'too large' | 'broken'): void {
    if (finished) return;
    finished = true;
    chunks = [];
    done(body);
  }

  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= keptBytes) chunks.push(chunk);
    else chunks = [];
    if (size > drainedBytes) finish('too large');
  });
  request.on('end', () => {
    if (size > keptBytes) finish('too large');
    else finish(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
  });
  request.on('close', () => finish('broken'));
  request.on('error', () => finish('broken'));
}
