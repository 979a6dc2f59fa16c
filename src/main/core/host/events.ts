import type { EventName, Payload } from '#shared/ipc/index.ts';

type Listener = (name: EventName, payload: unknown) => void;

/** Reports events of core to every listener. */
export interface Events {
  readonly emit: <E extends EventName>(name: E, payload: Payload<E>) => void;
  subscribe(listener: Listener): () => void;
  close(): void;
}

/** A listener that throws is reported to `onFault` and does not keep the others from hearing. */
export function createEvents(onFault: (error: unknown) => void): Events {
  const listeners = new Set<{ listener: Listener }>();
  return {
    emit(name, payload) {
      for (const { listener } of listeners) {
        try {
          listener(name, payload);
        } catch (error) {
          onFault(error);
        }
      }
    },
    subscribe(listener) {
      const entry = { listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    close: () => listeners.clear(),
  };
}
