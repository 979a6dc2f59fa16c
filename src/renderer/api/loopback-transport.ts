import { AppError } from '#shared/errors.ts';
import { events, type EventName, type Reply, type Transport } from '#shared/ipc/index.ts';
import { bodyBytes, bytesIn, pictureBytes, type BytesPlace } from './bytes.ts';
import { retryDelay, type Connection, type ConnectionState } from './connection.ts';
import { createEventStreamParser } from './event-stream.ts';

/** What the transport needs of the page it runs in. */
export interface LoopbackDeps {
  readonly session: string;
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  readonly now: () => number;
  /** Whether the page is about to go away. */
  readonly leaving: () => boolean;
  /** Calls back once after some milliseconds; gives back the function that calls it off. */
  readonly later: (run: () => void, milliseconds: number) => () => void;
}

/** A transport, the state of its line, and the way to end both. */
export interface LoopbackTransport {
  readonly transport: Transport;
  readonly connection: Connection;
  readonly close: () => void;
}

/** Browsers take 64 KiB of such bodies at a time; a character may be three bytes. */
const keptAlive = 21_000;

const gone = 'The workbench is not answering. What you typed is kept; send again when the line is back.';
const ended =
  'This page’s session has ended. Press Enter in the terminal for a new address; what you typed stays here until you close the page.';

/**
 * Speaks to the browser host: a POST for each call, one long GET for events, which is also how a broken line is noticed.
 * A call is never repeated by itself; only the event stream is opened again.
 */
export function createLoopbackTransport(deps: LoopbackDeps): LoopbackTransport {
  const headers = { 'x-croupier-session': deps.session };
  const listeners = new Set<(name: EventName, payload: unknown) => void>();
  const watchers = new Set<(state: ConnectionState) => void>();
  let state: ConnectionState = { state: 'open' };
  let stream: AbortController | null = null;
  let callOff: (() => void) | null = null;
  let attempt = 0;
  let closed = false;

  function become(next: ConnectionState): void {
    state = next;
    for (const watcher of watchers) watcher(next);
  }

  function end(): void {
    callOff?.();
    callOff = null;
    stream?.abort();
    if (state.state !== 'ended') become({ state: 'ended', message: ended });
  }

  function lose(): void {
    if (closed || state.state === 'ended' || callOff !== null) return;
    attempt += 1;
    const wait = retryDelay(attempt);
    callOff = deps.later(reopen, wait);
    become({ state: 'lost', attempt, nextTryAt: deps.now() + wait });
  }

  function reopen(): void {
    callOff?.();
    callOff = null;
    stream?.abort();
    void listen();
  }

  async function listen(): Promise<void> {
    const mine = new AbortController();
    stream = mine;
    try {
      const response = await deps.fetch('/events', { headers, signal: mine.signal, cache: 'no-store' });
      if (response.status === 401) return end();
      if (!response.ok || response.body === null) throw new AppError('internal', gone);
      attempt = 0;
      become({ state: 'open' });
      const parser = createEventStreamParser();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        for (const data of parser.push(value)) tell(data);
      }
    } catch {
      // Whatever broke it, the answer is the same: try again, unless it was we who ended it.
    }
    if (stream === mine && !mine.signal.aborted) lose();
  }

  function tell(data: string): void {
    const heard: unknown = JSON.parse(data);
    if (typeof heard !== 'object' || heard === null || !('name' in heard) || !('payload' in heard)) return;
    const { name, payload } = heard;
    if (typeof name !== 'string' || !Object.hasOwn(events, name)) return;
    for (const listener of listeners) listener(name as EventName, payload);
  }

  async function bytesAt(place: BytesPlace): Promise<Uint8Array<ArrayBuffer>> {
    const response = await deps.fetch(place.path, { headers, cache: 'no-store' }).catch(() => null);
    if (response === null) {
      lose();
      throw new AppError('internal', gone);
    }
    if (response.status === 401) end();
    return bytesIn(response, place);
  }

  void listen();

  return {
    transport: {
      async call(name, input): Promise<Reply> {
        const body = JSON.stringify({ name, input });
        try {
          const response = await deps.fetch('/call', {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body,
            cache: 'no-store',
            // A page that goes away takes its requests along, unless they ask to stay.
            keepalive: deps.leaving() && body.length <= keptAlive,
          });
          if (response.status === 401) {
            end();
            return { ok: false, error: { code: 'refused', message: ended } };
          }
          return (await response.json()) as Reply;
        } catch {
          lose();
          return { ok: false, error: { code: 'internal', message: gone } };
        }
      },
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      body: (callId) => bytesAt(bodyBytes(callId)),
      picture: (id) => bytesAt(pictureBytes(id)),
    },
    connection: {
      hasLine: true,
      lastWords: keptAlive,
      get: () => state,
      watch(watcher) {
        watchers.add(watcher);
        return () => watchers.delete(watcher);
      },
      retry() {
        if (state.state === 'lost') reopen();
      },
    },
    close() {
      closed = true;
      callOff?.();
      stream?.abort();
    },
  };
}
