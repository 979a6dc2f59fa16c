// A stand-in for testing/https-server.ts in a test of the page: the server is in the process of the tests, its replies are the test's.
import { outside } from './playwright.ts';

interface Arrived {
  readonly id: number;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
type Ended = { readonly status: number; readonly headers: Record<string, string>; readonly body: string } | 'destroyed';

const servers = new Map<number, (arrived: Arrived) => void>();

/** Hands a request that arrived outside to the server of the test; called by the line that brings what happened there. */
export const serve = ({ server, arrived }: { server: number; arrived: Arrived }): void => servers.get(server)?.(arrived);

/** Starts an https server that hands each complete request to `answer`. */
export async function startHttpsServer(answer: (received: unknown, response: unknown) => unknown) {
  const { server, ...address } = await outside.startServer();
  servers.set(server, ({ id, url, method, headers, body }) => {
    const sent = { status: 200, headers: {} as Record<string, string> };
    let written = '';
    const end = (ended: Ended) => void outside.endReply(id, ended);
    const destroy = () => end('destroyed');
    const response = {
      set statusCode(status: number) {
        sent.status = status;
      },
      setHeader: (name: string, value: string) => (sent.headers[name] = value),
      writeHead(status: number, more: Record<string, string> = {}) {
        sent.status = status;
        Object.assign(sent.headers, more);
        return response;
      },
      write: (text: string) => (written += text),
      end: (text = '') => end({ ...sent, body: written + text }),
      destroy,
      socket: { destroy },
    };
    answer({ request: { url, method, headers }, body }, response);
  });
  return {
    ...address,
    close: async () => {
      servers.delete(server);
      await outside.closeServer(server);
    },
  };
}
