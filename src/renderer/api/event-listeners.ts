import { reportFault } from '#renderer/faults/faults.ts';
import { eventNames, type EventName } from '#shared/ipc/event-names.ts';

type Listener = (name: EventName, payload: unknown) => void;

/** Listeners to the host's events. */
export interface EventListeners {
  /** Adds a listener. Returns the function that removes it. */
  subscribe(listener: Listener): () => void;
  /** Calls all listeners with an event; ignores anything else. A listener that throws does not keep it from the others. */
  tell(heard: unknown): void;
}

const known: ReadonlySet<string> = new Set(eventNames);

export function createEventListeners(): EventListeners {
  const listeners = new Set<Listener>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell(heard) {
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
