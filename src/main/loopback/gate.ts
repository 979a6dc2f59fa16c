import type { IncomingMessage } from 'node:http';
import { keptPartIn, type KeptPart } from '#shared/ipc/kept-part.ts';
import { linePath } from '#shared/page-socket.ts';

/** Route of a request. `none` is every route that the browser host does not know. */
export type Route =
  | { readonly name: 'page' }
  | { readonly name: 'file'; readonly path: string }
  | { readonly name: 'session' }
  | { readonly name: 'call' }
  | { readonly name: 'token' }
  | { readonly name: 'line' }
  | { readonly name: KeptPart; readonly callId: number }
  | { readonly name: 'picture'; readonly id: string }
  | { readonly name: 'frame'; readonly ticket: string }
  | { readonly name: 'none' };

/** Refusal of a request: the HTTP status and a short reason for people. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
}

/** Returns the route of a request target, compared as received: nothing is decoded, joined or normalised. */
export function routeOf(target: string, isFile: (path: string) => boolean): Route {
  if (target === '/' || target === '/index.html') return { name: 'page' };
  if (target === '/session') return { name: 'session' };
  if (target === '/call') return { name: 'call' };
  if (target === '/token') return { name: 'token' };
  if (target === linePath) return { name: 'line' };
  const received = keptPartIn(target);
  if (received !== null) return { name: received.part, callId: received.callId };
  const picture = /^\/picture\/([0-9a-f]{64})$/.exec(target)?.[1];
  if (picture !== undefined) return { name: 'picture', id: picture };
  const frame = /^\/frame\/([A-Za-z0-9_-]{43})$/.exec(target)?.[1];
  if (frame !== undefined) return { name: 'frame', ticket: frame };
  return isFile(target) ? { name: 'file', path: target } : { name: 'none' };
}

type Facts = Pick<IncomingMessage, 'method' | 'headers' | 'rawHeaders'>;

/**
 * Checks a request before any part of it is used; null if it may go on. `authority` is `127.0.0.1:<port>`.
 * A page that reached this port through a rebound name sends neither Origin nor Sec-Fetch-Site on a GET, so Host is checked first.
 */
export function refusalOf(request: Facts, route: Route, authority: string): Refusal | null {
  const misdirected = hostRefusal(request, authority);
  if (misdirected !== null) return misdirected;
  const { origin } = request.headers;
  if (origin !== undefined && origin !== `http://${authority}`) return { status: 403, reason: 'Origin not allowed.' };
  if (request.method !== 'GET' && request.method !== 'POST') {
    return request.method === 'OPTIONS'
      ? { status: 403, reason: 'Origin not allowed.' }
      : { status: 405, reason: 'Method not allowed.' };
  }
  switch (route.name) {
    case 'page':
      return request.method === 'GET' ? pageRefusal(request) : { status: 405, reason: 'Method not allowed.' };
    case 'file':
      return request.method === 'GET' ? fileRefusal(request) : { status: 405, reason: 'Method not allowed.' };
    case 'line':
      return { status: 426, reason: 'Connect with a WebSocket.' };
    case 'body':
    case 'raw':
    case 'sentRaw':
    case 'picture':
      return request.method === 'GET' ? apiRefusal(request) : { status: 405, reason: 'Method not allowed.' };
    case 'frame':
      return request.method === 'GET' ? frameRefusal(request) : { status: 405, reason: 'Method not allowed.' };
    case 'session':
      // With GET a page asks whether its session is known.
      if (request.method === 'GET') return apiRefusal(request);
      return apiRefusal(request) ?? jsonRefusal(request);
    case 'call':
    case 'token':
      return request.method === 'POST'
        ? (apiRefusal(request) ?? jsonRefusal(request))
        : { status: 405, reason: 'Method not allowed.' };
    case 'none':
      return { status: 404, reason: 'Not found.' };
  }
}

/** Checks an upgrade request: only a page's line, with the page's own origin. */
export function upgradeRefusalOf(request: Facts, route: Route, authority: string): Refusal | null {
  const misdirected = hostRefusal(request, authority);
  if (misdirected !== null) return misdirected;
  const { origin, upgrade, 'sec-fetch-site': site } = request.headers;
  const isLine = route.name === 'line' && request.method === 'GET' && upgrade?.toLowerCase() === 'websocket';
  if (!isLine) return { status: 403, reason: 'Connect with a WebSocket.' };
  // Browsers send the origin of every WebSocket, but not all send fetch metadata.
  if (origin !== `http://${authority}`) return { status: 403, reason: 'Origin not allowed.' };
  return site === undefined || site === 'same-origin' ? null : { status: 403, reason: 'Site not allowed.' };
}

function hostRefusal({ headers, rawHeaders }: Facts, authority: string): Refusal | null {
  if (headerCount(rawHeaders, 'host') === 1 && headers.host === authority) return null;
  return { status: 421, reason: 'Open the URL that Croupier printed.' };
}

/** Checks a request for the page, which holds no secret: a link may lead to it (the redirect file is another site), but nobody may embed it. */
function pageRefusal({ headers }: Facts): Refusal | null {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'none' || site === 'same-origin') {
    return headers['sec-fetch-dest'] === 'iframe' ? { status: 403, reason: 'Frames are not allowed.' } : null;
  }
  const opened = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return opened ? null : { status: 403, reason: 'Site not allowed.' };
}

function fileRefusal({ headers }: Facts): Refusal | null {
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'none' || site === 'same-origin' ? null : { status: 403, reason: 'Site not allowed.' };
}

/** Checks a request for a frame page, which only a frame of the workbench's page may load. */
function frameRefusal({ headers }: Facts): Refusal | null {
  const framed =
    headers['sec-fetch-site'] === 'same-origin' &&
    headers['sec-fetch-dest'] === 'iframe' &&
    headers['sec-fetch-mode'] === 'navigate';
  return framed ? null : { status: 403, reason: 'Only a frame of the workbench can use this.' };
}

function apiRefusal({ method, headers }: Facts): Refusal | null {
  if (headers['sec-fetch-site'] !== 'same-origin') return { status: 403, reason: 'Only the workbench can use this.' };
  if ((headers['sec-fetch-dest'] ?? 'empty') !== 'empty') return { status: 403, reason: 'Only the workbench can use this.' };
  if (method === 'POST' && headers.origin === undefined) return { status: 403, reason: 'The Origin header is missing.' };
  return null;
}

function jsonRefusal({ headers }: Facts): Refusal | null {
  const type = headers['content-type']?.toLowerCase().replaceAll(' ', '');
  if (type !== 'application/json' && type !== 'application/json;charset=utf-8')
    return { status: 415, reason: 'Send application/json.' };
  if (headers['content-encoding'] !== undefined) return { status: 415, reason: 'Send no Content-Encoding.' };
  return null;
}

function headerCount(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}
