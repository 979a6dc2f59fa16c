import { AppError } from '#shared/errors.ts';
import type { Reply, Transport } from '#shared/ipc/index.ts';
import { beat, mostCallBytes, offeredProtocols, tooLargeCall } from '#shared/page-socket.ts';
import { startWork, reportFault } from '#renderer/faults/faults.ts';
import { bytesIn, pictureBytes, receivedBytes, type BytesPlace } from './bytes.ts';
import { retryDelay, type Connection, type ConnectionState } from './connection.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createPendingCalls, type PendingCall } from './pending-calls.ts';
import { redeem, tokenIn, type Redeemed } from './session.ts';
import { eventNames, type EventName } from '#shared/ipc/event-names.ts';

/** The members of a browser's WebSocket that a line needs. */
export type LineSocket = Pick<WebSocket, 'send' | 'close' | 'onopen' | 'onmessage' | 'onclose'>;

/** Parts of the page that the transport needs. */
export interface LoopbackDeps {
  readonly session: string;
  /** Keeps another session for this tab. */
  readonly keepSession: (session: string) => void;
  /** The page's own origin. */
  readonly origin: string;
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  readonly openSocket: (protocols: string[]) => LineSocket;
  readonly now: () => number;
  /** Returns whether the page is about to go away. */
  readonly leaving: () => boolean;
  /** Returns whether the page can be seen; `onVisible` reports each change of that. */
  readonly visible: () => boolean;
  readonly onVisible: (listener: () => void) => void;
  /** Calls back once after a number of milliseconds; returns the function that cancels this. */
  readonly later: (run: () => void, milliseconds: number) => () => void;
}

/** A transport, the state of its line, and the way to end both. */
export interface LoopbackTransport {
  readonly transport: Transport;
  readonly connection: Connection;
  /** Returns a one-time token for another page of this browser; null if the host gives none. */
  readonly token: () => Promise<string | null>;
  readonly close: () => void;
}

/** Browsers keep 64 KiB of such bodies at a time; a character may be three bytes. */
const keptAlive = 21_000;

/** In the past tense: the sentence may still be on the screen when the workbench responds again. */
const gone = 'The workbench does not respond. What you typed is kept. Try again when it responds.';
const broken =
  'The connection to the workbench broke before it responded. The action may have been done: check before you try again.';
const ended = 'The workbench was restarted. Reconnect at the top of the page, then try again.';

/**
 * Connects to the browser host over one line, a WebSocket: calls, replies and events. Browsers open six other connections to a host
 * for all of their tabs, and slow calls would fill them. A call is never repeated by itself; only the line is opened again.
 */
export function createLoopbackTransport(deps: LoopbackDeps): LoopbackTransport {
  const events = createEventListeners();
  const calls = createPendingCalls();
  const watchers = new Set<(state: ConnectionState) => void>();
  let { session } = deps;
  let state: ConnectionState = { state: 'open' };
  let line: LineSocket | null = null;
  let isOpen = false;
  let callOff: (() => void) | null = null;
  let attempt = 0;
  let closed = false;
  let asking = false;
  const heartbeat = createHeartbeat({
    now: deps.now,
    later: deps.later,
    visible: deps.visible,
    ask: () => isOpen && line?.send(beat),
    onSilent: () => state.state === 'open' && become({ state: 'silent' }),
    onBack: () => state.state === 'silent' && become({ state: 'open' }),
  });
  deps.onVisible(() => isOpen && heartbeat.seen());

  const headers = () => ({ 'x-croupier-session': session });

  function become(next: ConnectionState): void {
    state = next;
    for (const watcher of watchers) watcher(next);
  }

  /** Leaves the line as it is and ignores what still comes over it. */
  function drop(): void {
    const old = line;
    line = null;
    isOpen = false;
    heartbeat.stop();
    old?.close();
    calls.giveUp(({ posted, stays }) => (posted && !stays ? failed('internal', broken) : null));
  }

  function end(): void {
    callOff?.();
    callOff = null;
    drop();
    calls.giveUp(() => failed('refused', ended));
    if (state.state !== 'ended') become({ state: 'ended' });
  }

  function lose(): void {
    drop();
    calls.giveUp(({ stays }) => (stays ? null : failed('internal', gone)));
    if (closed || state.state === 'ended' || callOff !== null) return;
    attempt += 1;
    const wait = retryDelay(attempt);
    callOff = deps.later(() => startWork(reopen()), wait);
    become({ state: 'lost', attempt, nextTryAt: deps.now() + wait });
  }

  /** Opens the line again. A failed handshake does not say why, so the host is asked first whether it knows this page. */
  async function reopen(): Promise<void> {
    callOff?.();
    callOff = null;
    if (asking) return;
    asking = true;
    const asked = session;
    const response = await deps.fetch('/session', { headers: headers(), cache: 'no-store' }).catch(() => null);
    asking = false;
    // Meanwhile the page may have got another session.
    if (closed || asked !== session) return;
    if (response === null) lose();
    else if (response.status === 401) end();
    else open();
  }

  function open(): void {
    drop();
    const mine = deps.openSocket(offeredProtocols(session));
    line = mine;
    heartbeat.expect();
    mine.onopen = () => {
      if (line !== mine) return;
      isOpen = true;
      attempt = 0;
      heartbeat.heard();
      for (const call of calls.all()) post(call);
      become({ state: 'open' });
    };
    mine.onmessage = ({ data }: MessageEvent) => {
      if (line !== mine) return;
      heartbeat.heard();
      if (typeof data === 'string' && data !== beat && !calls.take(data)) events.tell(JSON.parse(data));
    };
    mine.onclose = () => {
      if (line === mine) lose();
    };
  }

  function post(call: PendingCall): void {
    call.posted = true;
    line?.send(call.text);
  }

  /** Sends a call while the page goes away, as a request that outlives it; its line does not. */
  async function leave(body: string): Promise<Reply> {
    const request = { ...posting(body), headers: { ...posting(body).headers, ...headers() }, keepalive: true };
    const response = await deps.fetch('/call', request).catch(() => null);
    return response === null ? failed('internal', gone) : ((await response.json()) as Reply);
  }

  async function bytesAt(place: BytesPlace): Promise<Uint8Array<ArrayBuffer>> {
    const response = await deps.fetch(place.path, { headers: headers(), cache: 'no-store' }).catch(() => null);
    // If the host is gone, the line reports it by itself.
    if (response === null) throw new AppError('internal', gone);
    if (response.status === 401) end();
    return bytesIn(response, place);
  }

  async function rejoin(address: string): Promise<string | null> {
    const url = URL.canParse(address.trim()) ? new URL(address.trim()) : null;
    const token = tokenIn(url === null ? address.trim() : url.hash);
    if (token === null) return 'This is not a Croupier address. Copy the whole line from the terminal, from http:// to its end.';
    if (url !== null && url.origin !== deps.origin) {
      return `That workbench is at ${url.host}, but this page belongs to ${new URL(deps.origin).host}. Save what you typed, then open the address in a new tab.`;
    }
    const redeemed: Redeemed = await redeem(deps.fetch, token);
    if (redeemed.state !== 'open') return rejoinWords[redeemed.state];
    ({ session } = redeemed);
    deps.keepSession(session);
    callOff?.();
    callOff = null;
    attempt = 0;
    open();
    return null;
  }

  open();

  return {
    transport: {
      call(name, input) {
        const body = JSON.stringify({ name, input });
        if (isTooLarge(body)) return Promise.resolve(failed('invalid_input', tooLargeCall));
        if (deps.leaving() && body.length <= keptAlive) return leave(body);
        const stays = name === 'calls.cancel';
        if (state.state === 'ended') return Promise.resolve(failed('refused', ended));
        if (state.state === 'lost' && !stays) return Promise.resolve(failed('internal', gone));
        return new Promise((settle, fail) => {
          const call = calls.add(body, stays, { settle, fail });
          if (isOpen) post(call);
        });
      },
      subscribe: events.subscribe,
      body: (callId, part) => bytesAt(receivedBytes(callId, part)),
      picture: (id) => bytesAt(pictureBytes(id)),
    },
    connection: {
      hasLine: true,
      lastWords: keptAlive,
      host: new URL(deps.origin).host,
      get: () => state,
      watch(watcher) {
        watchers.add(watcher);
        return () => watchers.delete(watcher);
      },
      retry() {
        if (state.state === 'lost') startWork(reopen());
      },
      rejoin,
    },
    async token() {
      const request = posting('{}');
      const response = await deps
        .fetch('/token', { ...request, headers: { ...request.headers, ...headers() } })
        .catch(() => null);
      return response?.ok === true ? ((await response.json()) as { token: string }).token : null;
    },
    close() {
      closed = true;
      callOff?.();
      drop();
    },
  };
}

const rejoinWords = {
  expired: 'This address was already used or is too old. Press Enter in the terminal for a new one.',
  full: 'Too many pages of this workbench are open. Close one, then press Enter here again.',
  unreachable: 'No workbench responds there. Start it again, then paste the address it prints.',
};

function posting(body: string) {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body, cache: 'no-store' } as const;
}

function isTooLarge(body: string): boolean {
  // A character is three bytes at most.
  if (body.length * 3 <= mostCallBytes) return false;
  return body.length > mostCallBytes || new TextEncoder().encode(body).length > mostCallBytes;
}

function failed(code: 'internal' | 'refused' | 'invalid_input', message: string): Reply {
  return { ok: false, error: { code, message } };
}

type Listener = (name: EventName, payload: unknown) => void;

const known: ReadonlySet<string> = new Set(eventNames);

/** Listeners to the host's events. */
function createEventListeners() {
  const listeners = new Set<Listener>();
  return {
    /** Adds a listener. Returns the function that removes it. */
    subscribe(listener: Listener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Calls all listeners with an event; ignores anything else. A listener that throws does not keep it from the others. */
    tell(heard: unknown) {
      if (typeof heard !== 'object' || heard === null || !('name' in heard) || !('payload' in heard)) return;
      const { name, payload } = heard;
      if (typeof name !== 'string' || !known.has(name)) return;
      for (const listener of listeners) {
        try {
          listener(name as EventName, payload);
        } catch (error) {
          reportFault(error);
        }
      }
    },
  };
}
