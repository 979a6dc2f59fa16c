import type { GameViewEvent } from '#core/host/host.ts';
import type { GameProxyEvent } from '#core/network/game-proxy.ts';

/** A request as `webRequest` names it in each of its events. */
export interface Asked {
  readonly method: string;
  readonly url: string;
}

/**
 * What a game tried, told once. `webRequest` knows address and method, but of a connection that failed behind a proxy only that it failed; the
 * proxy knows why, but only for which server. Some attempts only one of the two hears of.
 */
export interface Attempts {
  /** A request leaves. */
  begin(asked: Asked): void;
  /** Its response has begun. */
  responded(asked: Asked): void;
  /** It has ended well, or is another one from now on. Gives its time in milliseconds. */
  end(asked: Asked): number;
  /** It has failed, with Chromium's name for that. */
  fail(asked: Asked, error: string): void;
  proxied(event: GameProxyEvent): void;
  /** Forgets what has not ended. */
  reset(): void;
}

interface Begun {
  readonly at: number;
  waits: boolean;
}

/** More requests at once than this are not followed. */
const mostFollowed = 10_000;

export function createAttempts(tell: (event: GameViewEvent) => void): Attempts {
  // By method and address: a request that is redirected keeps its number and is another request all the same.
  const begun = new Map<string, Begun[]>();
  /** By server: how many requests have no response yet, the failures of the proxy that are to be told, and how many of it have been told. */
  const waiting = new Map<string, number>();
  const untold = new Map<string, string[]>();
  const told = new Map<string, number>();

  function count(counts: Map<string, number>, server: string, more: 1 | -1): boolean {
    const now = (counts.get(server) ?? 0) + more;
    if (now > 0) counts.set(server, now);
    else counts.delete(server);
    return now >= 0;
  }

  /** What no request can be the one for any more is told by itself. */
  function settle(server: string): void {
    const messages = untold.get(server) ?? [];
    while (messages.length > (waiting.get(server) ?? 0)) {
      const error = messages.shift() ?? '';
      tell({ type: 'request', method: 'CONNECT', url: `https://${server}/`, status: null, error, ms: 0 });
      count(told, server, 1);
    }
    if (messages.length === 0) untold.delete(server);
  }

  /** What to tell of a request that got no tunnel: the proxy's words, nothing where they have been told, and Chromium's where there are none. */
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

  const attempts: Attempts = {
    begin({ method, url }) {
      if (begun.size >= mostFollowed) attempts.reset();
      const key = `${method} ${url}`;
      begun.set(key, [...(begun.get(key) ?? []), { at: performance.now(), waits: true }]);
      count(waiting, serverOf(url), 1);
    },
    responded({ method, url }) {
      const first = begun.get(`${method} ${url}`)?.find(({ waits }) => waits);
      if (first === undefined) return;
      first.waits = false;
      count(waiting, serverOf(url), -1);
      settle(serverOf(url));
    },
    end(asked) {
      const ms = take(asked);
      settle(serverOf(asked.url));
      return ms;
    },
    fail(asked, error) {
      const ms = take(asked);
      const server = serverOf(asked.url);
      const reason = error === 'net::ERR_TUNNEL_CONNECTION_FAILED' ? reasonOf(server, error) : error;
      // A page that goes elsewhere takes its open requests with it.
      if (reason !== null && error !== 'net::ERR_ABORTED') tell({ type: 'request', ...asked, status: null, error: reason, ms });
      settle(server);
    },
    proxied(event) {
      if (event.type === 'tunnel') return;
      const server = serverOf(event.url);
      if (event.type === 'failed') untold.set(server, [...(untold.get(server) ?? []), event.message]);
      else {
        tell(event);
        count(told, server, 1);
      }
      settle(server);
    },
    reset() {
      begun.clear();
      waiting.clear();
      untold.clear();
      told.clear();
    },
  };
  return attempts;
}

/** `wss:` and `https:` have the same port where none is named. */
function serverOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}
