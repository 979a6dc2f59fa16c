/** Code that runs in the page. Sent there as source text: no imports, nothing from outside a function. */

interface World {
  expose?: (key: string, api: unknown) => void;
}
interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}
type Outcome = { ok: true; value: unknown } | { ok: false; error: string };

/**
 * Installs contextBridge between the two worlds of a page: synchronous DOM events carry structured clones, functions travel by
 * number.
 */
export function installBridge(me: 'main' | 'preload', token: string): World {
  const peer = me === 'main' ? 'preload' : 'main';
  const functions = new Map<number, (...given: unknown[]) => unknown>();
  const pending = new Map<number, Waiting>();
  let next = 0;
  let returned: Outcome | null = null;

  const emit = (kind: string, detail: unknown) =>
    void window.dispatchEvent(new CustomEvent(`${token}:${peer}:${kind}`, { detail }));
  const on = (kind: string, listener: (detail: never) => void) =>
    window.addEventListener(`${token}:${me}:${kind}`, (event) => {
      event.stopImmediatePropagation();
      listener((event as CustomEvent).detail as never);
    });
  const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
  const isPlain = (value: unknown): value is Record<string, unknown> => {
    if (typeof value !== 'object' || value === null) return false;
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null;
  };

  function encode(value: unknown): unknown {
    if (typeof value === 'function') {
      functions.set(++next, value as (...given: unknown[]) => unknown);
      return { $function: next };
    }
    if (value instanceof Promise) {
      const id = ++next;
      value.then(
        (settled) => emit('settle', { id, ok: true, value: encode(settled) }),
        (error: unknown) => emit('settle', { id, ok: false, error: textOf(error) }),
      );
      return { $promise: id };
    }
    if (Array.isArray(value)) return value.map(encode);
    return isPlain(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encode(item)])) : value;
  }

  function decode(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(decode);
    if (!isPlain(value)) return value;
    const { $function: called, $promise: promised } = value;
    if (typeof promised === 'number') return new Promise((resolve, reject) => pending.set(promised, { resolve, reject }));
    if (typeof called !== 'number') return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decode(item)]));
    return (...given: unknown[]) => {
      returned = null;
      emit('call', { id: called, given: given.map(encode) });
      const outcome = returned as Outcome | null;
      if (outcome === null) throw new Error('The other world of the electron double did not answer.');
      if (!outcome.ok) throw new Error(outcome.error);
      return decode(outcome.value);
    };
  }

  on('return', (outcome: Outcome) => {
    returned = outcome;
  });
  on('call', ({ id, given }: { id: number; given: unknown[] }) => {
    try {
      const value = functions.get(id)?.(...given.map(decode));
      emit('return', { ok: true, value: encode(value) });
    } catch (error) {
      emit('return', { ok: false, error: textOf(error) });
    }
  });
  on('settle', (outcome: Outcome & { id: number }) => {
    const waiting = pending.get(outcome.id);
    pending.delete(outcome.id);
    if (outcome.ok) waiting?.resolve(decode(outcome.value));
    else waiting?.reject(new Error(outcome.error));
  });
  if (me === 'preload') return { expose: (key, api) => emit('expose', { key, api: encode(api) }) };
  on('expose', ({ key, api }: { key: string; api: unknown }) => {
    Object.defineProperty(window, key, { value: Object.freeze(decode(api)), enumerable: true });
  });
  return {};
}

/** Runs a sandboxed preload in its world: `require('electron')` and a trace of `process`, nothing else; in the top frame only. */
export function runPreload(
  bridge: World,
  clone: { write(value: unknown): string; read(text: string): unknown },
  send: (text: string) => void,
  receive: string,
  source: (exports: object, require: (name: string) => unknown, module: object, process: object) => void,
): void {
  if (window.top !== window) return;
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, Set<(...given: unknown[]) => void>>();
  let next = 0;

  Object.defineProperty(globalThis, receive, {
    value(text: string) {
      const message = clone.read(text) as { id?: number; channel?: string; values?: unknown[] } & Outcome;
      if (message.id === undefined) {
        for (const listener of listeners.get(message.channel ?? '') ?? [])
          listener({ sender: ipcRenderer, ports: [] }, ...(message.values ?? []));
        return;
      }
      const asked = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.ok) asked?.resolve(message.value);
      else asked?.reject(new Error(message.error));
    },
  });

  const ipcRenderer = {
    invoke: (channel: string, ...values: unknown[]) =>
      new Promise((resolve, reject) => {
        const id = ++next;
        const text = clone.write({ kind: 'invoke', id, channel, values });
        waiting.set(id, { resolve, reject });
        send(text);
      }),
    send: (channel: string, ...values: unknown[]) => send(clone.write({ kind: 'send', id: 0, channel, values })),
    on(channel: string, listener: (...given: unknown[]) => void) {
      const heard = (listeners.get(channel) ?? new Set()).add(listener);
      listeners.set(channel, heard);
      // Node only warns on standard error.
      if (heard.size > 10) throw new Error(`MaxListenersExceededWarning: ${heard.size} ${channel} listeners added.`);
      return ipcRenderer;
    },
  };
  const electron = { contextBridge: { exposeInMainWorld: bridge.expose }, ipcRenderer };
  const module = { exports: {} };
  source(
    module.exports,
    (name) => {
      if (name === 'electron' || name === 'electron/renderer') return electron;
      throw new Error(`module not found: ${name}`);
    },
    module,
    { type: 'renderer', sandboxed: true, contextIsolated: true, versions: {} },
  );
}
