import { constants, getPriority, setPriority } from 'node:os';
import process from 'node:process';
import { whyInspected } from './no-debugger.ts';
import { AppError } from '#shared/errors.ts';
import { readyId, type AgentReply, type AgentRequest } from './agent-messages.ts';
import { leaveNothingInCoreDumps } from './core-dumps.ts';
import { faultOf } from './key-faults.ts';
import { createKeychain } from './keychain.ts';
import { createKeyHolder } from './key-holder.ts';
import { createKnownKeys } from './known-keys.ts';

/** The end of the channel to the parent, whichever kind of child this is. */
interface ParentPort {
  post(reply: AgentReply): void;
  listen(listener: (request: AgentRequest) => void): void;
}

/** Electron's replacement of `process.send` in a utility process. */
interface UtilityPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
}

function openPort(): ParentPort {
  // The parent sends nothing but requests: nobody else holds the other end of the channel.
  const utility = (process as { parentPort?: UtilityPort }).parentPort;
  if (utility !== undefined) {
    return {
      post: (reply) => utility.postMessage(reply),
      listen: (listener) => utility.on('message', (event) => listener(event.data as AgentRequest)),
    };
  }
  process.on('disconnect', endNow);
  /** Replies to the requests of the message that is being read. */
  let together: AgentReply[] | null = null;
  // The parent may be gone between a request and its reply; then `disconnect` follows.
  const send = (replies: AgentReply[]) => process.send?.(replies, undefined, undefined, () => undefined);
  return {
    post: (reply) => void (together === null ? send([reply]) : together.push(reply)),
    listen(listener) {
      process.on('message', (requests) => {
        const replies: AgentReply[] = (together = []);
        (requests as AgentRequest[]).forEach(listener);
        together = null;
        if (replies.length > 0) send(replies);
      });
    },
  };
}

/** Not `process.exit`, which waits for a keychain call that never comes back. */
function endNow(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** Serves the parent's requests until its end; in a process that others may look into it refuses all of them. */
export function start(): void {
  leaveNothingInCoreDumps();
  // Ctrl+C reaches the whole group of processes. The parent decides when the agent goes, so that its requests are still served.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const port = openPort();
  const inspected = whyInspected();
  // The reply to every request. The parent sends no key before it has the opener to seal it to.
  const serve = (listener: (request: AgentRequest) => void) => {
    port.listen(listener);
    port.post({ id: readyId, ok: true, value: null });
  };
  if (inspected !== null) return serve(({ id }) => port.post({ id, ok: false, fault: 'refused', message: inspected }));
  const known = createKnownKeys();
  const holder = createKeyHolder({ keychain: createKeychain(known.redact), known });

  function fail(id: number, error: unknown): void {
    const fault = faultOf(error) ?? 'refused';
    const text =
      error instanceof AppError
        ? error.message
        : `The key agent failed: ${error instanceof Error ? error.message : 'unknown fault'}`;
    port.post({ id, ok: false, fault, message: known.redact(text) });
  }

  serve((request) => {
    if (request.op === 'search') stepBack();
    try {
      const result = holder.handle(request);
      if (!(result instanceof Promise)) port.post({ id: request.id, ok: true, value: result });
      else
        result.then(
          (value) => port.post({ id: request.id, ok: true, value }),
          (error: unknown) => fail(request.id, error),
        );
    } catch (error) {
      fail(request.id, error);
    }
  });
}

/** Lets everything else of the machine go before this process. */
export function stepBack(): void {
  const { PRIORITY_BELOW_NORMAL: step, PRIORITY_LOW: lowest } = constants.priority;
  try {
    setPriority(Math.min(getPriority() + step, lowest));
  } catch {
    // A system that refuses it: then the search has as much of the machine as any other program.
  }
}
