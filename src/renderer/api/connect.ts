import { linePath } from '#shared/page-socket.ts';
import type { Transport } from '#shared/ipc/index.ts';
import { createBridgeTransport } from './bridge-transport.ts';
import { createSteadyConnection, type Connection, type ConnectionState } from './connection.ts';
import { createLoopbackTransport } from './loopback-transport.ts';
import { rejoinPages } from './rejoin-pages.ts';
import { openSession, storedAs, tokenIn, type SessionOutcome } from './session.ts';

/** A page that can speak to its workbench, or why it cannot. */
export type Connected =
  | { readonly state: 'open'; readonly transport: Transport; readonly connection: Connection }
  | Exclude<SessionOutcome, { state: 'open' }>;

/**
 * Finds the transport of the host that shows this page: the desktop's bridge if there is one, else a line with a session for
 * `token`.
 */
export async function connect(page: Window, token: string | null): Promise<Connected> {
  const ask = (path: string, init?: RequestInit) => page.fetch(path, init);
  if (page.croupier !== undefined) {
    return {
      state: 'open',
      transport: createBridgeTransport(page.croupier, page.fetch.bind(page)),
      connection: createSteadyConnection(),
    };
  }
  let leaving = false;
  for (const type of ['beforeunload', 'pagehide']) {
    page.addEventListener(type, () => {
      leaving = true;
      // Runs only if the user stays after all.
      page.setTimeout(() => (leaving = false));
    });
  }
  const lineWith = (session: string) =>
    createLoopbackTransport({
      leaving: () => leaving,
      session,
      keepSession: (session) => page.sessionStorage.setItem(storedAs, session),
      origin: page.location.origin,
      fetch: ask,
      openSocket: (protocols) => new WebSocket(`ws://${page.location.host}${linePath}`, protocols),
      now: clock.now,
      visible: () => !page.document.hidden,
      onVisible: (listener) => page.document.addEventListener('visibilitychange', listener),
      later: clock.later,
    });
  const kept = token === null ? page.sessionStorage.getItem(storedAs) : null;
  let line = kept === null ? null : lineWith(kept);
  // A line that opens answers for its session; a failed handshake does not say why.
  if (line === null || (await new Promise<ConnectionState>(line.connection.watch)).state !== 'open') {
    const outcome = await openSession({ token, forget: () => forgetToken(page), storage: page.sessionStorage, fetch: ask });
    if (outcome.state !== 'open') {
      line?.close();
      return outcome;
    }
    line ??= lineWith(outcome.session);
  }
  const { transport, connection, token: nextToken } = line;
  rejoinPages({ channel: new BroadcastChannel('croupier'), connection, token: nextToken, page: crypto.randomUUID() });
  return { state: 'open', transport, connection };
}

/** The machine's clock: a host's silence must not depend on the page's clock, which a test may have moved. */
const clock = (() => {
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  const now = Date.now;
  return {
    now: () => now(),
    later(run: () => void, milliseconds: number) {
      const timer = start(run, milliseconds);
      return () => stop(timer);
    },
  };
})();

/** Returns the token in the page's address. */
export function tokenOf(page: Window): string | null {
  return tokenIn(page.location.hash);
}

/** Takes the token out of the address bar and the browser's history. */
export function forgetToken(page: Window): void {
  page.history.replaceState(null, '', page.location.pathname);
}
