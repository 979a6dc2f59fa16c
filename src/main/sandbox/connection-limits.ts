import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Limits of the time and number of connections. */
export interface PlaceLimits {
  /** Milliseconds between polls of connections; the other limits are exact to this. */
  readonly pollMs: number;
  /** From the first byte, or the start, until a request's headers are complete; up to twice as long, because Node checks at this interval. */
  readonly headersMs: number;
  /** From there until the body is complete. */
  readonly bodyMs: number;
  /** From there until the response has left, for a connection without a proven secret. */
  readonly strangerMs: number;
  /** Without a byte in either direction while data waits to be sent. */
  readonly stillMs: number;
  /** Between two requests. */
  readonly idleMs: number;
  /** After the peer has closed its side. */
  readonly halfClosedMs: number;
  /** Most connections without a proven secret. A further one ends the least recently used. */
  readonly strangers: number;
  /** Most connections with a proven secret, or without limits for another reason, which strangers cannot displace. */
  readonly known: number;
}

interface Place {
  readonly socket: Socket;
  known: boolean;
  /** Number of requests under way. */
  requests: number;
  /** Moment since which there is a request. */
  askedAt: number;
  endedAt: number | null;
}

/**
 * Limits what clients of a server can occupy. Anyone who reaches a port can open connections and leave them, write and read
 * slowly, or close one side only, and none of this may keep others out. Node's own limits are checked every half minute, end only incoming
 * requests, and turn newcomers away.
 */
export function keepPlaces(server: Server, limits: PlaceLimits, tls = false) {
  const places = new Map<string, Place>();
  let known = 0;
  let counted = 0;
  let polledAt = performance.now();
  let timer: NodeJS.Timeout | null = null;

  /** Milliseconds in which this process ran, because clients are not slow while it is suspended. */
  function running(): number {
    return counted + Math.min(performance.now() - polledAt, 2 * limits.pollMs);
  }

  function drop(key: string, place: Place): void {
    if (!places.delete(key)) return;
    if (place.known) known -= 1;
    place.socket.destroy();
  }

  function makeRoom(newcomer: string): void {
    if (places.size - known <= limits.strangers) return;
    for (const [key, place] of places) {
      if (place.known || key === newcomer) continue;
      drop(key, place);
      return;
    }
  }

  function poll(): void {
    count();
    let waits = false;
    for (const [key, place] of places) {
      const isGone = place.endedAt !== null && counted - place.endedAt >= limits.halfClosedMs;
      const isAsking = !place.known && place.requests > 0;
      if (isGone || (isAsking && counted - place.askedAt >= limits.strangerMs)) drop(key, place);
      else waits ||= isAsking || place.endedAt !== null;
    }
    if (!waits) stopPolling();
  }

  function count(): void {
    counted = running();
    polledAt = performance.now();
  }

  /** Timer of the checks, which runs only while a time limit applies. */
  function startPolling(): void {
    if (timer !== null) return;
    count();
    timer = setInterval(poll, limits.pollMs).unref();
  }

  function stopPolling(): void {
    if (timer !== null) clearInterval(timer);
    timer = null;
  }

  /** Connections, least recently used first. */
  function used(key: string, place: Place): void {
    if (places.delete(key)) places.set(key, place);
  }

  function watchEnd(place: Place, socket: Socket): void {
    socket.once('end', () => {
      startPolling();
      place.endedAt = running();
    });
  }

  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket);
    const place: Place = { socket, known: false, requests: 0, askedAt: 0, endedAt: null };
    places.set(key, place);
    socket.once('close', () => {
      if (places.get(key) === place) drop(key, place);
    });
    if (!tls) watchEnd(place, socket);
    makeRoom(key);
  });
  if (tls) {
    server.on('secureConnection', (socket: Socket) => {
      const place = places.get(keyOf(socket));
      if (place !== undefined) watchEnd(place, socket);
    });
  }
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const key = keyOf(request.socket);
    const place = places.get(key);
    if (place === undefined) return;
    startPolling();
    if (place.requests === 0) place.askedAt = running();
    place.requests += 1;
    used(key, place);
    response.once('close', () => {
      place.requests -= 1;
      used(key, place);
    });
  });
  // A call has no time limit, but data that waits to be sent shows a client that does not read.
  server.timeout = limits.stillMs;
  server.on('timeout', (socket: Socket) => {
    const place = places.get(keyOf(socket));
    if (place !== undefined && place.requests > 0 && socket.writableLength === 0) return;
    const read = socket.bytesRead;
    // After a suspension, timers fire first, so received data is read before a connection is ended.
    setImmediate(() => {
      if (socket.bytesRead === read) socket.destroy();
    });
  });
  server.headersTimeout = limits.headersMs;
  server.requestTimeout = limits.bodyMs;
  server.keepAliveTimeout = limits.idleMs;
  server.once('close', stopPolling);

  return {
    /** Marks a connection that has shown a secret, or is held: strangers cannot displace it, and its requests have no time limit. */
    prove(socket: Socket): void {
      const place = places.get(keyOf(socket));
      if (place === undefined || place.known || known >= limits.known) return;
      place.known = true;
      known += 1;
    },
    /** Number of open connections. */
    get size(): number {
      return places.size;
    },
  };
}

/** Returns one key for a connection and for the TLS in it. */
function keyOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
