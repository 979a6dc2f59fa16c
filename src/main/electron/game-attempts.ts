import type { GameViewEvent } from '#core/host/host.ts';
import type { GameProxyEvent } from '#core/network/game-proxy.ts';

/** A request as the events of `webRequest` identify it. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly resourceType: string;
}

/**
 * Reports each request that a game tried, once. `webRequest` knows URL and method, but not why a connection failed behind a proxy; the
 * proxy knows why, but only for which server. Some attempts reach only one of the two.
 */
export type Attempts = ReturnType<typeof createAttempts>;

interface Begun {
  readonly at: number;
  waits: boolean;
}

/** Most requests to follow at once. */
const mostFollowed = 10_000;

export function createAttempts(tell: (event: GameViewEvent) => void) {
  // By method and URL, because a redirected request keeps its number but is another request.
  const begun = new Map<string, Begun[]>();
  /** By server: requests without a response, failures of the proxy not reported yet, and the number of those reported. */
  const waiting = new Map<string, number>();
  const untold = new Map<string, string[]>();
  const told = new Map<string, number>();

  function count(counts: Map<string, number>, server: string, more: 1 | -1): boolean {
    const now = (counts.get(server) ?? 0) + more;
    if (now > 0) counts.set(server, now);
    else counts.delete(server);
    return now >= 0;
  }

  /** Reports the proxy's failures that no pending request can explain. */
  function settle(server: string): void {
    const messages = untold.get(server) ?? [];
    while (messages.length > (waiting.get(server) ?? 0)) {
      const error = messages.shift() ?? '';
      tell({ type: 'request', method: 'CONNECT', url: `https://${server}/`, resourceType: 'other', status: null, error, ms: 0 });
      count(told, server, 1);
    }
    if (messages.length === 0) untold.delete(server);
  }

  /** Returns the reason for a request without a tunnel: the proxy's, null if it was reported, or Chromium's if the proxy has none. */
  function reasonOf(server: string, error: string): string | null {
    const message = untold.get(server)?.shift();
    if (message !== undefined) return message;
    return count(told, server, -1) ? null : error;
  }

  function take({ method, url }: Asked): number {
    const key = `${method} ${url}`;
    const [first, ...others] = begun.get(key) ?? [];
    if (others.length === 0) begun.delete(key);
    else begun.set(key, others);
    if (first?.waits === true) count(waiting, serverOf(url), -1);
    return first === undefined ? 0 : performance.now() - first.at;
  }

  const attempts = {
    /** Notes that a request leaves. */
    begin({ method, url }: Asked): void {
      if (begun.size >= mostFollowed) attempts.reset();
      const key = `${method} ${url}`;
      begun.set(key, [...(begun.get(key) ?? []), { at: performance.now(), waits: true }]);
      count(waiting, serverOf(url), 1);
    },
    /** Notes that its response has begun. */
    responded({ method, url }: Asked): void {
      const first = begun.get(`${method} ${url}`)?.find(({ waits }) => waits);
      if (first === undefined) return;
      first.waits = false;
      count(waiting, serverOf(url), -1);
      settle(serverOf(url));
    },
    /** Notes that it succeeded, or was redirected. Returns its time in milliseconds. */
    end(asked: Asked): number {
      const ms = take(asked);
      settle(serverOf(asked.url));
      return ms;
    },
    /** Notes that it failed, with Chromium's name of the error. */
    fail(asked: Asked, error: string): void {
      const ms = take(asked);
      const server = serverOf(asked.url);
      const reason = error === 'net::ERR_TUNNEL_CONNECTION_FAILED' ? reasonOf(server, error) : error;
      // A page that navigates away aborts its open requests.
      if (reason !== null && error !== 'net::ERR_ABORTED') tell({ type: 'request', ...asked, status: null, error: reason, ms });
      settle(server);
    },
    proxied(event: GameProxyEvent): void {
      if (event.type === 'tunnel') return;
      const server = serverOf(event.url);
      if (event.type === 'failed') untold.set(server, [...(untold.get(server) ?? []), event.message]);
      else {
        tell(event);
        count(told, server, 1);
      }
      settle(server);
    },
    /** Forgets requests that have not ended. */
    reset(): void {
      begun.clear();
      waiting.clear();
      untold.clear();
      told.clear();
    },
  };
  return attempts;
}

/** Returns the server of a URL; `wss:` and `https:` have the same default port. */
function serverOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}
