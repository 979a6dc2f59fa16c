import type { Reply } from '#shared/ipc/index.ts';
import { openLine } from '#testing/loopback-driver.ts';

/** Calls a browser host as its page does. */
export interface HostClient {
  /** Resolves to null if the line broke before a reply. */
  call(name: string, input: unknown): Promise<Reply | null>;
  close(): void;
}

/** Opens a session with the URL that the host printed. */
export async function hostClient(address: string): Promise<HostClient> {
  const { origin, hash } = new URL(address);
  const headers = { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const body = JSON.stringify({ token: hash.slice(1) });
  const opened = await fetch(`${origin}/session`, { method: 'POST', headers, body });
  const { session } = (await opened.json()) as { session: string };
  const line = await openLine({ origin }, session);
  const broken = new Promise<null>((resolve) => line.socket.once('close', () => resolve(null)));
  return {
    call: (name, input) => Promise.race([line.call(name, input), broken]),
    close: () => line.socket.terminate(),
  };
}
