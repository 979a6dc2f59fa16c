import { AppError } from '#shared/errors.ts';
import type { EventName, Reply, Transport } from '#shared/ipc/index.ts';
import { bytesIn, pictureBytes, receivedBytes, type BytesPlace } from './bytes.ts';

/** Functions that the desktop host's preload puts into the page. */
export interface Bridge {
  call(name: string, input: unknown): Promise<Reply>;
  subscribe(listener: (name: EventName, payload: unknown) => void): () => void;
}

declare global {
  interface Window {
    readonly croupier?: Bridge;
  }
}

/** Connects to the workbench through the preload; bytes come from the page's own origin. */
export function createBridgeTransport(bridge: Bridge, ask: typeof fetch): Transport {
  const bytesAt = async (place: BytesPlace) => {
    const response = await ask(place.path).catch(() => null);
    if (response === null) throw new AppError('internal', 'Croupier could not read the bytes. Try again.');
    return bytesIn(response, place);
  };
  return {
    call: (name, input) => bridge.call(name, input),
    subscribe: (listener) => bridge.subscribe(listener),
    body: (callId, part) => bytesAt(receivedBytes(callId, part)),
    picture: (id) => bytesAt(pictureBytes(id)),
  };
}
