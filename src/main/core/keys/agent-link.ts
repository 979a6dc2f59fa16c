import { startWait } from '../host/deadline.ts';
import { within } from '../host/within.ts';
import { readyId, type AgentResult, type AgentOperation, type AgentProcess } from './agent-messages.ts';
import { keyError } from './key-faults.ts';

interface Pending {
  resolve(value: AgentResult): void;
  reject(error: Error): void;
  /** Begins to count the time for the reply: not before the agent listens, since its start is not the question's. */
  begin(): void;
  clear(): void;
}

interface Running {
  readonly process: AgentProcess;
  readonly pending: Map<number, Pending>;
  listens: boolean;
}

/** Milliseconds for an agent to start. */
const startMs = 30_000;
/** Milliseconds that `close` waits for killed processes to end. */
const closeWithinMs = 1_000;

/** A line to one key agent at a time. */
export type AgentLink = ReturnType<typeof createAgentLink>;

/**
 * Starts an agent on first use, and another for the next question after a crash. One that takes longer than `deadlineMs` for a reply is killed, with all that it was
 * asked, or `lives` on, if it holds what would be lost: then only that question fails. `named` begins a sentence about it. `silence` makes the message for the question that had no reply of what
 * was seen, as `startWait` does. `onLost` is called when an agent is given up with everything that it held, before its questions fail.
 */
export function createAgentLink(options: {
  spawn: () => AgentProcess;
  deadlineMs: number;
  named: string;
  silence: (seen: string) => string;
  lives?: boolean;
  onLost?: () => void;
}) {
  const { spawn, deadlineMs, named, silence, lives = false, onLost } = options;
  let running: Running | null = null;
  /** Of every process that was started and has not been reported as gone, also of one killed a moment ago. */
  const leaving = new Set<Promise<void>>();
  let nextId = 1;
  let closed = false;

  function start(): Running {
    let agent: AgentProcess;
    try {
      agent = spawn();
    } catch {
      throw keyError('ended', `${named} could not be started. Check the system's free memory and process limit.`);
    }
    const gone = Promise.withResolvers<void>();
    leaving.add(gone.promise);
    const started: Running = { process: agent, pending: new Map(), listens: false };
    const starting = startWait(startMs, (seen) => {
      agent.kill();
      abandon(started, keyError('not_answering', `${named} did not start ${seen}. Try again.`));
    });
    agent.onReply((reply) => {
      if (reply.id === readyId) {
        starting.clear();
        started.listens = true;
        for (const waiting of started.pending.values()) waiting.begin();
        return;
      }
      const waiting = started.pending.get(reply.id);
      if (waiting === undefined) return;
      started.pending.delete(reply.id);
      waiting.clear();
      if (reply.ok) waiting.resolve(reply.value);
      else waiting.reject(keyError(reply.fault, reply.message));
    });
    agent.onExit(() => {
      starting.clear();
      abandon(started, keyError('ended', `${named} ended unexpectedly. Try again.`));
      leaving.delete(gone.promise);
      gone.resolve();
    });
    return started;
  }

  function abandon(agent: Running, error: Error): void {
    if (running === agent) {
      running = null;
      onLost?.();
    }
    for (const waiting of agent.pending.values()) {
      waiting.clear();
      waiting.reject(error);
    }
    agent.pending.clear();
  }

  return {
    /** Starts an agent if none runs, for a question that will follow; a failure is that question's. */
    start(): void {
      try {
        if (!closed) running ??= start();
      } catch {
        // The question tries again, and reports the failure.
      }
    },
    /** Ends the agent, unless it is being asked something; the next question starts another. */
    end(): void {
      if (running === null || running.pending.size > 0) return;
      running.process.kill();
      running = null;
    },
    /** Fails with an AppError made by `keyError`, at the latest after the deadline. */
    ask(operation: AgentOperation): Promise<AgentResult> {
      return new Promise((resolve, reject) => {
        if (closed) throw keyError('closed', 'Croupier is closing and no longer uses keys.');
        running ??= start();
        const agent = running;
        const id = nextId++;
        let wait: { clear(): void } | null = null;
        // A limit of time for each question: an agent that hangs must not hold a call for good.
        const begin = () => {
          wait = startWait(deadlineMs, (seen) => {
            const error = keyError('not_answering', silence(seen));
            if (lives) {
              agent.pending.delete(id);
              return reject(error);
            }
            agent.process.kill();
            abandon(agent, error);
          });
        };
        agent.pending.set(id, { resolve, reject, begin, clear: () => wait?.clear() });
        if (agent.listens) begin();
        agent.process.post({ id, ...operation });
      });
    },
    /** Kills the agent and waits until it is gone, a second at most; earlier and later questions fail. */
    async close(): Promise<void> {
      closed = true;
      if (running !== null) {
        running.process.kill();
        abandon(running, keyError('closed', 'Croupier is closing, so it did not use the key.'));
      }
      if (leaving.size > 0) await within(closeWithinMs, Promise.all(leaving));
    },
  };
}
