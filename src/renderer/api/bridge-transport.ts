import { AppError } from '#shared/errors.ts';
import type { EventName, Reply, Transport } from '#shared/ipc/index.ts';

/** What the desktop host's preload puts into the page. */
export interface Bridge {
  call(name: string, input: unknown): Promise<Reply>;
  subscribe(listener: (name: EventName, payload: unknown) => void): () => void;
}

declare global {
  interface Window {
    readonly croupier?: Bridge;
  }
}

/** Speaks to the workbench through the preload; bodies come from the page's own origin. */
export function createBridgeTransport(bridge: Bridge, fetchBody: typeof fetch): Transport {
  return {
    call: (name, input) => bridge.call(name, input),
    subscribe: (listener) => bridge.subscribe(listener),
    async body(callId) {
      const response = await fetchBody(`/body/${callId}`);
      if (!response.ok) throw new AppError('not_found', 'The body of this answer is not there any more.');
      return new Uint8Array(await response.arrayBuffer());
    },
  };
}
