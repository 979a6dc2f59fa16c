import { join } from 'node:path';
import type { Payload, ReceivedPart } from '#shared/ipc/index.ts';
import { createBuiltInProvider } from '../built-in-provider/built-in-provider.ts';
import { createJudgedCallFinder } from '../built-in-provider/judged-call.ts';
import { createCalls } from '../calls/calls.ts';
import { createResponseReader } from '../calls/read-response.ts';
import { createSender, type SenderDeps } from '../calls/send.ts';
import { createUnrecordedBodies } from '../calls/unrecorded-bodies.ts';
import { createConnections } from '../network/connections.ts';
import type { Ground } from './ground.ts';
import { createReading } from './reading-jobs.ts';
import { later, laterAwake } from './runtime.ts';

/** Listeners to calls on higher floors. */
interface Listeners {
  readonly onDelivered: NonNullable<SenderDeps['onDelivered']>;
  readonly onVerdict: (verdict: Payload<'sandbox.judged'>) => void;
}

/** The parts that send calls: connections, the sender, the built-in provider. */
export type Sending = ReturnType<typeof createSending>;

/** Creates the parts that send calls. Their listeners may be created later: nothing is reported before this returns. */
export function createSending(ground: Ground, { onDelivered, onVerdict }: Listeners) {
  const { home, host, onFault, events, environments, confirmations, keys, nameOf, database, history, historyService } = ground;
  let changedByRun: (() => void) | null = null;
  function tellChangedByRun(): void {
    changedByRun = null;
    events.emit('history.changed', { ids: null });
  }
  const connections = createConnections({ authority: (trust) => sandbox.authority(trust) });
  const reading = createReading({ program: host.readingWorker, later: laterAwake });
  const unrecorded = createUnrecordedBodies();
  const sender = createSender({
    connections,
    keys,
    recorder: history,
    readResponse: createResponseReader(reading, onFault),
    nameOf,
    now: Date.now,
    userAgent: `Croupier/${host.version}`,
    onRecorded(id, collectionRun, ticket) {
      // A run records thousands in a second: listeners hear of them together.
      if (collectionRun === null) events.emit('calls.changed', { id, ...(ticket === undefined ? {} : { ticket }) });
      else changedByRun ??= later(tellChangedByRun, 100);
      historyService.recorded();
    },
    onUnrecorded: (id, received) => unrecorded.keep(id, received),
    onDelivered,
  });
  const calls = createCalls({
    sender,
    confirmations,
    now: Date.now,
    environment: (id) => environments.get(id),
    sent: (id) => history.sent(id),
  });
  const sandbox = createBuiltInProvider({
    host,
    environments,
    keys,
    directory: join(home, 'sandbox'),
    judgedCall: createJudgedCallFinder(database),
    onVerdict: (verdict) => {
      events.emit('sandbox.judged', verdict);
      onVerdict(verdict);
    },
    onFault,
  });

  return {
    connections,
    reading,
    unrecorded,
    calls,
    sandbox,
    /** The decoded body of a response, or the bytes as they came. Fails with `not_found`. */
    bodyOf: (id: number, part: ReceivedPart = 'body') => unrecorded.get(id)?.[part] ?? history.body(id, part),
  };
}
