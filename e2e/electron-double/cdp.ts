import type { Readable, Writable } from 'node:stream';
import type { CDPSession } from '@playwright/test';

/** A line to one target (or to the browser itself) in Chromium's debugging protocol. */
export interface CdpSession {
  readonly id: string;
  readonly send: CDPSession['send'];
  readonly on: CDPSession['on'];
  /** Calls `listener` with every event. */
  onAny(listener: (method: string, params: unknown) => void): void;
  /** Returns the line to a target that was attached with `flatten`. */
  child(sessionId: string): CdpSession;
  /** Ends the line, and nothing else. */
  detach(): Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Opened {
  readonly session: CdpSession;
  readonly listeners: Map<string, ((params: unknown) => void)[]>;
  readonly all: ((method: string, params: unknown) => void)[];
}

/** Speaks the protocol over Chromium's pipe: JSON, each message ended by a zero byte. The browser ends with the pipe. */
export function connectCdp(output: Writable, input: Readable): CdpSession {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void; method: string }>();
  const sessions = new Map<string, Opened>();
  let nextId = 0;
  let rest = '';

  input.setEncoding('utf8');
  input.on('data', (piece: string) => {
    const parts = (rest + piece).split('\0');
    rest = parts.pop() ?? '';
    for (const part of parts) receive(JSON.parse(part) as Message);
  });
  input.on('close', () => {
    for (const { reject, method } of waiting.values()) reject(new Error(`${method}: the browser is gone`));
    waiting.clear();
  });
  output.on('error', () => undefined);
  input.on('error', () => undefined);

  function receive(message: Message): void {
    if (message.id === undefined) {
      const { method = '', params } = message;
      const opened = sessions.get(message.sessionId ?? '');
      for (const listener of opened?.listeners.get(method) ?? []) listener(params);
      for (const listener of opened?.all ?? []) listener(method, params);
      return;
    }
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) asked?.resolve(message.result);
    else asked?.reject(new Error(`${asked.method}: ${message.error.message}`));
  }

  function open(sessionId: string): CdpSession {
    const known = sessions.get(sessionId);
    if (known !== undefined) return known.session;
    const listeners: Opened['listeners'] = new Map();
    const all: Opened['all'] = [];
    const session = {
      id: sessionId,
      send: (method: string, params: object = {}) =>
        new Promise((resolve, reject) => {
          const id = ++nextId;
          waiting.set(id, { resolve, reject, method });
          output.write(`${JSON.stringify({ id, method, params, ...(sessionId === '' ? {} : { sessionId }) })}\0`);
        }),
      on(event: string, listener: (params: unknown) => void) {
        listeners.set(event, [...(listeners.get(event) ?? []), listener]);
      },
      onAny: (listener: Opened['all'][number]) => void all.push(listener),
      child: open,
      async detach() {
        sessions.delete(sessionId);
        await open('').send('Target.detachFromTarget', { sessionId });
      },
    } as unknown as CdpSession;
    sessions.set(sessionId, { session, listeners, all });
    return session;
  }
  return open('');
}
