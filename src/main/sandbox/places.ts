import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a connection may do what, and how many there may be. */
export interface PlaceLimits {
  /** How often connections are looked at while time may end one of them; its limits are exact to this. */
  readonly lookMs: number;
  /** From its first byte, or from its start, until a request's headers are there: twice as long at the most, as Node looks so often. */
  readonly headersMs: number;
  /** From there until its body is there. */
  readonly bodyMs: number;
  /** From there, for a connection that has proved nothing, until its response has left. */
  readonly strangerMs: number;
  /** Without a byte in either direction while some wait to leave. */
  readonly stillMs: number;
  /** Between two requests. */
  readonly idleMs: number;
  /** After its peer said that it sends no more. */
  readonly halfClosedMs: number;
  /** Connections that have proved nothing. One more, and the one that was of use the longest ago goes. */
  readonly strangers: number;
  /** Connections that have proved whose they are and keep their place before strangers. */
  readonly known: number;
}

export interface Places {
  /** This connection has shown a secret: strangers do not take its place, and its requests may take their time. */
  prove(socket: Socket): void;
  /** How many are open. */
  readonly size: number;
}

interface Place {
  readonly socket: Socket;
  known: boolean;
  /** Requests that are read or answered. */
  requests: number;
  /** Since when there is one. */
  askedAt: number;
  endedAt: number | null;
}

/**
 * Bounds what those who connect to a server can hold on to. Whoever can reach a port can open connections and leave them, write and read as
 * slowly as they like, or close one side alone: none of it keeps others out. Node's own limits are looked at every half minute, end only what
 * is on its way in, and turn newcomers away.
 */
export function keepPlaces(server: Server, limits: PlaceLimits, tls = false): Places {
  const places = new Map<string, Place>();
  let known = 0;
  let counted = 0;
  let lookedAt = performance.now();
  let looking: NodeJS.Timeout | null = null;

  /** Milliseconds in which this process ran: while it is suspended nobody is slow but itself. */
  function running(): number {
    return counted + Math.min(performance.now() - lookedAt, 2 * limits.lookMs);
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

  function look(): void {
    count();
    let waits = false;
    for (const [key, place] of places) {
      const isGone = place.endedAt !== null && counted - place.endedAt >= limits.halfClosedMs;
      const isAsking = !place.known && place.requests > 0;
      if (isGone || (isAsking && counted - place.askedAt >= limits.strangerMs)) drop(key, place);
      else waits ||= isAsking || place.endedAt !== null;
    }
    if (!waits) stopLooking();
  }

  function count(): void {
    counted = running();
    lookedAt = performance.now();
  }

  /** Only while time may end one of them: connections at rest wake nobody. */
  function startLooking(): void {
    if (looking !== null) return;
    count();
    looking = setInterval(look, limits.lookMs).unref();
  }

  function stopLooking(): void {
    if (looking !== null) clearInterval(looking);
    looking = null;
  }

  /** The last in the order is the one that was of use last. */
  function used(key: string, place: Place): void {
    if (places.delete(key)) places.set(key, place);
  }

  function watchEnd(place: Place, socket: Socket): void {
    socket.once('end', () => {
      startLooking();
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
    startLooking();
    if (place.requests === 0) place.askedAt = running();
    place.requests += 1;
    used(key, place);
    response.once('close', () => {
      place.requests -= 1;
      used(key, place);
    });
  });
  // A call may take its time; what waits to leave and does not is not read by anybody.
  server.timeout = limits.stillMs;
  server.on('timeout', (socket: Socket) => {
    const place = places.get(keyOf(socket));
    if (place !== undefined && place.requests > 0 && socket.writableLength === 0) return;
    const read = socket.bytesRead;
    // A process that was suspended hears of its timers first: what has come meanwhile is read before anybody is sent away.
    setImmediate(() => {
      if (socket.bytesRead === read) socket.destroy();
    });
  });
  server.headersTimeout = limits.headersMs;
  server.requestTimeout = limits.bodyMs;
  server.keepAliveTimeout = limits.idleMs;
  server.once('close', stopLooking);

  return {
    prove(socket) {
      const place = places.get(keyOf(socket));
      if (place === undefined || place.known || known >= limits.known) return;
      place.known = true;
      known += 1;
    },
    get size() {
      return places.size;
    },
  };
}

/** Returns the same for a connection and for the TLS in it. */
function keyOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
