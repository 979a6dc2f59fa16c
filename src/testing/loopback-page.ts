import { WebSocket } from 'ws';
import { createLoopbackTransport, type LineSocket } from '#renderer/api/loopback-transport.ts';
import { openSession } from '#renderer/api/session.ts';
import type { Transport } from '#shared/ipc/index.ts';
import { pagePolicy } from '#shared/page-policy.ts';
import { linePath } from '#shared/page-socket.ts';
import { createAccess } from '../main/loopback/access.ts';
import type { createFrames } from '../main/loopback/game-frames.ts';
import { startServer } from '../main/loopback/server.ts';
import type { TestApp } from './app.ts';

/** A page's transport over a browser host in this process. */
export interface LoopbackPage {
  readonly transport: Transport;
  close(): Promise<void>;
}

/** Opens a page on the real server: both ends of the wire, with a browser's headers added by hand. */
export async function openLoopbackPage(app: TestApp['app'], frames: ReturnType<typeof createFrames>): Promise<LoopbackPage> {
  const access = createAccess({ now: () => performance.now() });
  const server = await startServer({
    port: 0,
    files: new Map(),
    access,
    policy: (line) => pagePolicy({ frame: 'self', line }),
    dispatch: (name, input) => app.dispatch(name, input),
    subscribe: (listener) => app.subscribe(listener),
    body: (callId, part) => app.body(callId, part),
    picture: (id) => app.picture(id),
    frame: (ticket) => frames.take(ticket),
  });
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${server.origin}${path}`, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), origin: server.origin, 'sec-fetch-site': 'same-origin' },
    });
  const stored = new Map<string, string>();
  const outcome = await openSession({
    token: access.issue(),
    forget: () => undefined,
    storage: {
      getItem: (name) => stored.get(name) ?? null,
      setItem: (name, value) => void stored.set(name, value),
      removeItem: (name) => void stored.delete(name),
    },
    fetch: ask,
  });
  if (outcome.state !== 'open') throw new Error(`The session did not open: ${outcome.state}`);
  const page = createLoopbackTransport({
    leaving: () => false,
    session: outcome.session,
    keepSession: () => undefined,
    origin: server.origin,
    fetch: ask,
    openSocket: (protocols) =>
      new WebSocket(server.origin.replace('http', 'ws') + linePath, protocols, {
        origin: server.origin,
      }) as unknown as LineSocket,
    visible: () => true,
    onVisible: () => undefined,
    now: () => Date.now(),
    later(run, milliseconds) {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
  });
  return {
    transport: page.transport,
    async close() {
      page.close();
      await server.close();
    },
  };
}
