import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { EventName, Reply } from '#shared/ipc/index.ts';
import { beat, lineProtocol, mostCallBytes } from '#shared/page-socket.ts';
import { callIn, failure, readBytes } from './read-json.ts';

/** Limits of a page's line. */
export interface LineLimits {
  /** Milliseconds between two checks of all lines: a line that sent nothing since its ping is ended at the next check. */
  readonly heartbeatMs: number;
  /** Most bytes of events that wait to be sent. The line of a page that does not read them is ended; the page opens it again. */
  readonly eventBytes: number;
  /** Most calls of one page at the same time. */
  readonly calls: number;
}

export interface LinesOptions {
  readonly dispatch: (name: string, input: unknown) => Promise<Reply>;
  readonly subscribe: (listener: (name: EventName, payload: unknown) => void) => () => void;
  readonly limits: LineLimits;
}

export const usualLineLimits: LineLimits = { heartbeatMs: 15_000, eventBytes: 8 * 1_048_576, calls: 1_000 };

/** Longest number of a call, and the space after it. */
const numberBytes = 16;

/** The lines of all pages: each carries a page's calls, their replies and every event. */
export function createLines({ dispatch, subscribe, limits }: LinesOptions) {
  const server = new WebSocketServer({
    noServer: true,
    // The gate has already checked the session.
    handleProtocols: () => lineProtocol,
    maxPayload: numberBytes + mostCallBytes,
    // Compressed data could expand to any size, and on one machine compression gains nothing.
    perMessageDeflate: false,
  });
  const timer = setInterval(poll, limits.heartbeatMs).unref();
  /** Bytes that each line had sent at the last check. */
  const lines = new Map<WebSocket, { readonly socket: Socket; read: number }>();

  function poll(): void {
    for (const [line, { socket, read }] of lines) {
      if (socket.bytesRead === read) {
        // If the whole program was suspended, received data is read before a line is ended.
        setImmediate(() => void (socket.bytesRead === read && line.terminate()));
        continue;
      }
      lines.set(line, { socket, read: socket.bytesRead });
      // The page sends at least its pong.
      line.ping();
    }
  }

  function serve(line: WebSocket, socket: Socket): void {
    let waiting = 0;
    let underWay = 0;
    let eventBytes = 0;
    // In order, so that a cancel comes after the call it cancels.
    let reading = Promise.resolve();
    const unsubscribe = subscribe((name, payload) => {
      const text = JSON.stringify({ name, payload });
      if (eventBytes > limits.eventBytes) return leave();
      eventBytes += text.length;
      line.send(text, () => (eventBytes -= text.length));
    });
    lines.set(line, { socket, read: -1 });
    line.on('close', leave);
    function leave(): void {
      unsubscribe();
      lines.delete(line);
      line.terminate();
    }
    // An invalid or too long frame: the line ends by itself, with the reason.
    line.on('error', () => undefined);
    line.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return line.close(1003, 'Only text is accepted.');
      if (data.length === beat.length && data.toString('latin1') === beat) return line.send(beat);
      waiting += data.length;
      if (waiting > mostCallBytes) line.pause();
      reading = reading
        .then(() => take(data))
        .finally(() => {
          waiting -= data.length;
          if (line.isPaused && waiting <= mostCallBytes) line.resume();
        });
    });

    async function take(data: Buffer): Promise<void> {
      const number = /^(\d{1,15}) /.exec(data.toString('latin1', 0, numberBytes))?.[1];
      if (number === undefined) return line.close(1008, 'A call needs a number.');
      const say = (reply: Reply) => line.send(`${number} ${JSON.stringify(reply)}`);
      const body = data.subarray(number.length + 1);
      if (underWay >= limits.calls) {
        return say(failure('conflict', `${limits.calls.toLocaleString('en')} calls of this page are under way. Try again soon.`));
      }
      const call = callIn(await readBytes('page.call', body));
      if (!call.ok) return say(failure('invalid_input', call.message));
      underWay += 1;
      // Not awaited, because the next call may cancel this one.
      void dispatch(call.name, call.input).then((reply) => {
        underWay -= 1;
        say(reply);
      });
    }
  }

  return {
    /** Turns an admitted request into a line. `onEnd` is called once when the line ends, for any reason. */
    open(request: IncomingMessage, socket: Socket, head: Buffer, onEnd: () => void): void {
      socket.once('close', onEnd);
      server.handleUpgrade(request, socket, head, (line) => serve(line, socket));
    },
    close(): void {
      clearInterval(timer);
      for (const line of lines.keys()) line.terminate();
      server.close();
    },
  };
}
