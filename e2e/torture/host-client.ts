import type { Reply } from '#shared/ipc/index.ts';

/** Calls a browser host as its page does. */
export interface HostClient {
  /** Null where the line broke before a reply. */
  call(name: string, input: unknown): Promise<Reply | null>;
  close(): void;
}

/** Opens a session with the address that the host printed. */
export async function hostClient(address: string): Promise<HostClient> {
  const { origin, hash } = new URL(address);
  const headers = { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const opened = await fetch(`${origin}/session`, { method: 'POST', headers, body: JSON.stringify({ token: hash.slice(1) }) });
  const { session } = (await opened.json()) as { session: string };
  return {
    async call(name, input) {
      try {
        const response = await fetch(`${origin}/call`, {
          method: 'POST',
          headers: { ...headers, 'x-croupier-session': session },
          body: JSON.stringify({ name, input }),
        });
        return (await response.json()) as Reply;
      } catch {
        return null;
      }
    },
    close: () => undefined,
  };
}
