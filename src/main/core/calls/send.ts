import { AppError } from '#shared/errors.ts';
import type { Call, CollectionRunOfCall, Environment, RequestDraft } from '#shared/ipc/index.ts';
import { operationByName } from '#shared/provider/index.ts';
import type { Cancellation } from './cancellation.ts';
import type { Connections } from './connections.ts';
import { checkAddress } from '../environments/address.ts';
import { dayOf } from './history-rows.ts';
import { toOutcome } from './outcome.ts';
import { prepareCall } from './prepare.ts';
import type { HeaderList, Outcome, OutgoingCall, Recorder } from './record.ts';
import { signRequest } from './sign.ts';
import { refusedAddress, transmit } from './transmit.ts';

/** What signing needs of the keys. */
export interface SenderKeys {
  digest(environmentId: string, parts: readonly Uint8Array[]): Promise<string>;
  /** How a person recognises the key that `digest` used; null where it is not known. */
  fingerprint(environmentId: string): string | null;
}

export interface SenderDeps {
  readonly connections: Connections;
  readonly keys: SenderKeys;
  readonly recorder: Recorder;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly userAgent: string;
  /** Told when a row was written: as pending, and with its outcome. */
  readonly onRecorded?: (id: number, collectionRun: CollectionRunOfCall | null) => void;
}

/** A call whose outcome is recorded, with the decoded body of its answer; empty where there is none. */
export interface Delivered {
  readonly call: Call;
  readonly body: Buffer;
}

/**
 * The one way to send a call: record as pending, transmit, check, record the outcome. Every verb rejects only where nothing was sent:
 * what could not be prepared, signed or repeated, and with `storage` where the call could not be recorded first.
 */
export interface Sender {
  /** Prepares and signs a draft, then sends it. */
  send(draft: RequestDraft, environment: Environment, cancellation: Cancellation): Promise<Call>;
  /** The same for a request of a collection's run, which looks into the answer. */
  sendInRun(
    draft: RequestDraft,
    environment: Environment,
    cancellation: Cancellation,
    collectionRun: CollectionRunOfCall,
  ): Promise<Delivered>;
  /** Sends what `repeatOf` made of a recorded call; nothing is prepared or signed. */
  repeat(outgoing: OutgoingCall, cancellation: Cancellation): Promise<Call>;
}

export function createSender({ connections, keys, recorder, now, userAgent, onRecorded }: SenderDeps): Sender {
  async function deliver(outgoing: OutgoingCall, cancellation: Cancellation): Promise<Delivered> {
    const { environment, draft, url, headers, body, collectionRun = null } = outgoing;
    // Checked when the environment is saved, too. Here it holds for every way a request can come about.
    const address = checkAddress(url, 'The address');
    const id = await recorder.begin(outgoing);
    onRecorded?.(id, collectionRun);
    const transmitted = address.ok
      ? await transmit(connections, { environment, url: new URL(url), headers, body }, cancellation)
      : refusedAddress(address.message);
    const outcome = await record(recorder, id, toOutcome(operationByName(draft.operation), draft.form, transmitted));
    onRecorded?.(id, collectionRun);
    return { call: toCall(id, recorder.run, outgoing, outcome), body: outcome.response?.body ?? nothing };
  }

  async function prepareAndDeliver(
    draft: RequestDraft,
    environment: Environment,
    cancellation: Cancellation,
    collectionRun: CollectionRunOfCall | null,
  ): Promise<Delivered> {
    const sentAt = now();
    const request = prepareCall(draft, environment, sentAt);
    const signed = await untilCancelled(
      signRequest(request, (parts) => keys.digest(environment.id, parts)),
      cancellation,
    );
    const { url } = request;
    const outgoing: OutgoingCall = {
      environment,
      draft,
      url,
      sentAt,
      headers: requestHeaders(URL.parse(url)?.host ?? '', signed.body.length, userAgent),
      body: signed.body,
      hashInput: signed.hashInput,
      hash: signed.hash,
      keyFingerprint: signed.usedKey ? keys.fingerprint(environment.id) : null,
      repeats: null,
      collectionRun,
    };
    return deliver(outgoing, cancellation);
  }

  return {
    send: async (draft, environment, cancellation) => (await prepareAndDeliver(draft, environment, cancellation, null)).call,
    sendInRun: prepareAndDeliver,
    repeat: async (outgoing, cancellation) => (await deliver(outgoing, cancellation)).call,
  };
}

const nothing = Buffer.alloc(0);

/** What the history cannot take any more, the caller still gets: the answer matters more than the row. */
async function record(recorder: Recorder, id: number, outcome: Outcome): Promise<Outcome> {
  try {
    await recorder.finish(id, outcome);
    return outcome;
  } catch (error) {
    const message = error instanceof AppError ? error.message : 'The history cannot be written.';
    return {
      ...outcome,
      findings: [
        {
          rule: 'history.outcome',
          severity: 'error',
          path: '',
          message: `This outcome is not in the history, which shows the call as sent only. Copy what you need now. ${message}`,
        },
        ...outcome.findings,
      ],
    };
  }
}

/** An unlock prompt of the keychain may stand for long: the user's stop ends the waiting, not the prompt. */
function untilCancelled<T>(work: Promise<T>, cancellation: Cancellation): Promise<T> {
  return new Promise((resolve, reject) => {
    cancellation.listen(() => reject(new AppError('cancelled', 'The call was cancelled before anything was sent.')));
    work.then(
      (value) => {
        // Before anyone else can listen.
        cancellation.listen(null);
        resolve(value);
      },
      (error: unknown) => {
        cancellation.listen(null);
        reject(error);
      },
    );
  });
}

/** In the order in which they go out; the first two are the HTTP client's own. */
function requestHeaders(host: string, bodyLength: number, userAgent: string): HeaderList {
  return [
    ['host', host],
    ['connection', 'keep-alive'],
    ['content-type', 'application/json'],
    ['accept', 'application/json'],
    ['accept-encoding', 'identity'],
    ['user-agent', userAgent],
    ['content-length', String(bodyLength)],
  ];
}

function toCall(id: number, run: string, outgoing: OutgoingCall, outcome: Outcome): Call {
  const { environment, body, hashInput } = outgoing;
  const { response, timings } = outcome;
  return {
    id,
    environmentId: environment.id,
    environmentName: environment.name,
    operation: outgoing.draft.operation,
    url: outgoing.url,
    sentAt: outgoing.sentAt,
    state: outcome.state,
    status: response?.status ?? null,
    code: outcome.code,
    message: outcome.message,
    failure: outcome.failure,
    durationMs: timings?.total ?? null,
    requestBytes: body.length,
    responseBytes: response?.body.length ?? null,
    run,
    day: dayOf(outgoing.sentAt) ?? '',
    pinned: false,
    note: '',
    repeats: outgoing.repeats,
    collectionRun: outgoing.collectionRun ?? null,
    draft: outgoing.draft,
    request: {
      headers: outgoing.headers,
      bodyText: body.toString('utf8'),
      hashInput:
        hashInput === null
          ? null
          : {
              time: hashInput.time,
              dataJson: hashInput.hasData
                ? body.toString('utf8', hashInput.dataOffset, hashInput.dataOffset + hashInput.dataLength)
                : null,
              dataOffset: hashInput.hasData ? hashInput.dataOffset : 0,
              dataLength: hashInput.dataLength,
            },
      hash: outgoing.hash,
      keyFingerprint: outgoing.keyFingerprint,
    },
    response:
      response === null
        ? null
        : { status: response.status, headers: response.headers, bodyBytes: response.body.length, truncated: response.truncated },
    timings,
    clockOffsetMs: outcome.clockOffsetMs,
    findings: outcome.findings,
  };
}
