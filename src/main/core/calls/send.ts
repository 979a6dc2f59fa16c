import { AppError } from '#shared/errors.ts';
import type { Call, CollectionRunOfCall, Environment, Finding, RequestDraft } from '#shared/ipc/index.ts';
import type { Cancellation } from './cancellation.ts';
import { parseAddress, type Connections } from '../network/connections.ts';
import { operationByName } from '#shared/provider/index.ts';
import { toCall, toOutcome } from './outcome.ts';
import type { HeldKey } from '../keys/keys.ts';
import { markRefusal, maskedFinding, maskRequest, maskResponse, textOf, unaskedRefusal } from './held-keys.ts';
import type { Replaced } from '#shared/calls/replaced.ts';
import { keyMark } from '#shared/secrets/key-mark.ts';
import { createOutgoing, untilCancelled, type OutgoingDeps } from './outgoing.ts';
import type { Outcome, OutgoingCall, Recorder } from '../history/record.ts';
import type { ReadResponse, ResponseReader } from './read-response.ts';
import { refusedAddress, transmit, type Cut, type Transmitted } from './transmit.ts';
import type { Received } from './unrecorded-bodies.ts';

export interface SenderDeps extends OutgoingDeps {
  readonly connections: Connections;
  readonly recorder: Recorder;
  readonly readResponse: ResponseReader;
  /** Given what came for a call whose outcome could not be recorded, before anybody hears of the call. */
  readonly onUnrecorded?: (id: number, received: Received) => void;
  /** Called when a row was written: as pending, with the ticket of a call that leaves now, and with its outcome. */
  readonly onRecorded?: (id: number, collectionRun: CollectionRunOfCall | null, ticket?: string) => void;
  /** Called with each outcome and the decoded body of the response, once the outcome was written; for a run's call at once. Whoever waits for the call waits for it. */
  readonly onDelivered?: (call: Call, body: Buffer, environment: Environment) => Promise<void> | undefined;
}

/** A call whose outcome is known and on its way into the history, and what came. */
export interface Delivered extends Received {
  readonly call: Call;
  /** Null once its outcome was written, or why it could not be; never rejects. Nothing is won by waiting for it before the next call. */
  readonly recorded: Promise<string | null>;
}

/** A call that is signed and in the history, and has not left. */
export interface Announced {
  /** Milliseconds since the epoch: when it was signed. */
  readonly sentAt: number;
  /** To be called once, and not after `withdraw`. Never rejects. */
  send(cancellation: Cancellation): Promise<Delivered>;
  /** It is not sent: nothing of it stays in the history. Never rejects. */
  withdraw(): Promise<void>;
}

/** Calls `write`, which puts a row on its way into the history, after those of the calls that leave before it. */
export type InTurn = <T>(write: () => Promise<T>) => Promise<T>;

/**
 * The one way to send a call: record as pending, transmit, check, record the outcome. Every verb rejects only if nothing was sent:
 * for a call that could not be prepared, signed or repeated, and with `storage` if it could not be recorded first.
 */
export type Sender = ReturnType<typeof createSender>;

/** Milliseconds that the outcome of a run's call waits to be written together with the next calls. */
const outcomeWithinMs = 20;

export function createSender(deps: SenderDeps) {
  const { connections, keys, recorder, readResponse, nameOf, onRecorded, onUnrecorded, onDelivered } = deps;
  const prepare = createOutgoing(deps);

  /** A look that fails, as where the list of keys was damaged since the request was signed, must not lose the response. */
  const findOrNone = (text: Uint8Array): Promise<readonly HeldKey[]> => keys.find(text).catch(() => []);

  async function announce(outgoing: OutgoingCall, withinMs = 0, ticket?: string, cut?: Cut): Promise<Announced> {
    const { environment, url, headers, body, sentAt, collectionRun = null, masked = null, instead } = outgoing;
    const ownTimeout = (instead?.timeoutMs ?? null) !== null;
    // Checked when the environment is saved, too. Here it holds for every way a request can come about.
    const address = parseAddress(url, 'The URL');
    const id = await recorder.begin(outgoing);
    onRecorded?.(id, collectionRun, ticket);
    return {
      sentAt,
      async send(cancellation) {
        const came = address.ok
          ? await transmit(
              connections,
              { environment, url: address.url, headers, body, ownTimeout, ...(cut === undefined ? {} : { cut }) },
              cancellation,
            )
          : refusedAddress(address.message);
        // Before anybody reads it: the response that is shown, checked, taken from and kept has no key.
        const { transmitted, keys: leaked } = await maskResponse(came, findOrNone, nameOf, cancellation);
        const operation = operationByName(outgoing.draft.operation);
        const response = await readIt(outgoing, transmitted, cancellation);
        const read = toOutcome(transmitted, response, operation, environment.answers);
        const withoutRaw = came.raw !== null && transmitted.raw === null;
        const outcome =
          leaked.length === 0
            ? read
            : { ...read, findings: [maskedFinding(leaked, masked !== null, withoutRaw), ...read.findings] };
        const call = toCall(id, recorder.run, outgoing, outcome);
        const [decoded, raw] = [outcome.response?.body ?? noBytes, outcome.raw ?? noBytes];
        const deliver = () => onDelivered?.(call, decoded, environment);
        const recorded = record(recorder, id, outcome, withinMs).then(async (problem) => {
          if (problem !== null && decoded.length + raw.length > 0) onUnrecorded?.(id, { body: decoded, raw });
          onRecorded?.(id, collectionRun);
          if (collectionRun === null) await deliver();
          return problem;
        });
        // The next request of a run does not wait for the disk, and may be checked against values of this one.
        if (collectionRun !== null) await deliver();
        return { call, body: decoded, raw, recorded };
      },
      // A row that cannot be taken back stays pending, and is interrupted when the program ends.
      withdraw: () =>
        recorder.withdraw(id).then(
          () => onRecorded?.(id, collectionRun),
          () => undefined,
        ),
    };
  }

  /** Reads the response; null without one, or if only a part came, which shows nothing about the whole. */
  async function readIt(
    { draft, body: sentBody, masked, environment: { answers } }: OutgoingCall,
    { response, failure }: Transmitted,
    cancellation: Cancellation,
  ): Promise<ReadResponse | null> {
    if (response === null || failure !== null) return null;
    const { body, status } = response;
    const { operation, form } = draft;
    return readResponse({ operation, form, requestBody: masked?.body ?? sentBody, body, status, answers }, cancellation);
  }

  async function sendNow(outgoing: OutgoingCall, cancellation: Cancellation): Promise<Call> {
    const { call, recorded } = await (await announce(outgoing, 0, cancellation.ticket)).send(cancellation);
    const problem = await recorded;
    return problem === null ? call : { ...call, findings: [notInHistory(problem), ...call.findings] };
  }

  return {
    /**
     * Prepares and signs a draft, then sends it. `replaced`: what of `environment` is this call's alone. If `confirm` throws, it fails with that: then nothing was recorded, and nothing
     * left. `confirm` has to ask if the request is `masked`: its record holds no key.
     */
    async send(
      draft: RequestDraft,
      environment: Environment,
      cancellation: Cancellation,
      confirm: (outgoing: OutgoingCall) => void,
      replaced: Replaced | null = null,
    ): Promise<Call> {
      const prepared = await prepare(draft, environment, cancellation, null);
      const outgoing = replaced === null ? prepared : { ...prepared, instead: replaced };
      confirm(outgoing);
      return sendNow(outgoing, cancellation);
    },
    /**
     * Prepares a request of a collection's run: several that are announced together share one flush to the disk. Fails with `refused`
     * if it holds a private key, because nobody can be asked, or the mark of one, which can only come from a response.
     */
    async announce(
      draft: RequestDraft,
      environment: Environment,
      cancellation: Cancellation,
      collectionRun: CollectionRunOfCall,
      inTurn: InTurn,
      cut?: Cut,
    ): Promise<Announced> {
      const outgoing = await prepare(draft, environment, cancellation, collectionRun);
      if (outgoing.masked) throw unaskedRefusal(outgoing.masked);
      if (outgoing.body.includes(keyMark)) throw markRefusal();
      return inTurn(() => announce(outgoing, outcomeWithinMs, undefined, cut));
    },
    /**
     * Sends the result of `repeatOf`; nothing is prepared or signed. Fails with `refused` if it holds a private key, and with
     * whatever `confirm` throws.
     */
    async repeat(outgoing: OutgoingCall, cancellation: Cancellation, confirm: () => void): Promise<Call> {
      // Recorded before Croupier looked, or with a key that was stored since.
      const masked = maskRequest(outgoing, await untilCancelled(keys.find(textOf(outgoing)), cancellation), nameOf);
      if (masked !== null) throw unaskedRefusal(masked);
      confirm();
      return sendNow(outgoing, cancellation);
    },
  };
}

const noBytes = Buffer.alloc(0);

/** Records an outcome. If the history cannot take it, the caller still gets it, because the response matters more than the row. */
async function record(recorder: Recorder, id: number, outcome: Outcome, withinMs: number): Promise<string | null> {
  try {
    await recorder.finish(id, outcome, withinMs);
    return null;
  } catch (error) {
    return error instanceof AppError ? error.message : 'The history cannot be written.';
  }
}

function notInHistory(problem: string): Finding {
  return {
    rule: 'history.outcome',
    severity: 'error',
    path: '',
    message: `The outcome was not saved: the history shows only that the call was sent. Copy what you need now. ${problem}`,
  };
}
