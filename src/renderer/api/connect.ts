import type { Transport } from '#shared/ipc/index.ts';
import { createBridgeTransport } from './bridge-transport.ts';
import { createSteadyConnection, type Connection } from './connection.ts';
import { createLoopbackTransport } from './loopback-transport.ts';
import { openSession, type SessionOutcome } from './session.ts';

/** A page that can speak to its workbench, or why it cannot. */
export type Connected =
  | { readonly state: 'open'; readonly transport: Transport; readonly connection: Connection }
  | Exclude<SessionOutcome, { state: 'open' }>;

/** Finds the transport of the host that shows this page: the desktop's bridge where there is one, else HTTP with a session. */
export async function connect(page: Window): Promise<Connected> {
  const ask = (path: string, init?: RequestInit) => page.fetch(path, init);
  if (page.croupier !== undefined) {
    return {
      state: 'open',
      transport: createBridgeTransport(page.croupier, page.fetch.bind(page)),
      connection: createSteadyConnection(),
    };
  }
  const outcome = await openSession({
    fragment: page.location.hash,
    forget: () => page.history.replaceState(null, '', page.location.pathname),
    storage: page.sessionStorage,
    fetch: ask,
  });
  if (outcome.state !== 'open') return outcome;
  let leaving = false;
  for (const type of ['beforeunload', 'pagehide']) {
    page.addEventListener(type, () => {
      leaving = true;
      // Runs only where the user stays after all.
      page.setTimeout(() => (leaving = false));
    });
  }
  const { transport, connection } = createLoopbackTransport({
    leaving: () => leaving,
    session: outcome.session,
    fetch: ask,
    now: () => Date.now(),
    later(run, milliseconds) {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
  });
  return { state: 'open', transport, connection };
}
