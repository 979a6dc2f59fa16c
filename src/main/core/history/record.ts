import type {
  Call,
  CallState,
  CollectionRunOfCall,
  Environment,
  Failure,
  Finding,
  PassedFrom,
  RequestDraft,
  Timings,
} from '#shared/ipc/index.ts';
import type { Replaced } from '#shared/calls/replaced.ts';
import type { HeaderList } from '../network/http-message.ts';

/** A call as it is about to leave: what the history keeps before the first byte is sent. */
export interface OutgoingCall {
  readonly environment: Environment;
  readonly draft: RequestDraft;
  readonly url: string;
  /** Milliseconds since the epoch by our clock. */
  readonly sentAt: number;
  readonly headers: HeaderList;
  readonly body: Buffer;
  /** The hash input: `data` is the slice `[dataOffset, dataOffset + dataLength)` of `body`. Null for a call that is not signed. */
  readonly hashInput: {
    readonly time: string;
    readonly hasData: boolean;
    readonly dataOffset: number;
    readonly dataLength: number;
  } | null;
  readonly hash: string | null;
  readonly keyFingerprint: string | null;
  /** The call whose bytes these are; null for a request that was signed. */
  readonly repeats: number | null;
  /** Absent for a call of its own. */
  readonly collectionRun?: CollectionRunOfCall | null;
  /** Settings that were this call's alone. Absent for nearly every call. */
  readonly instead?: Replaced;
  /** Masked fields, kept instead of the originals if the request holds private keys. Absent for nearly every call. */
  readonly masked?: MaskedRequest | null;
  /** A request of somebody else that the gateway passed; absent for Croupier's own. */
  readonly passed?: PassedRequest;
}

export interface PassedRequest {
  readonly origin: PassedFrom;
  /** False if it fits no operation: of its draft only the text means something. */
  readonly isOperation: boolean;
  /** The bytes as they came; null if headers and a body in UTF-8 hold all of them so. */
  readonly raw: Buffer | null;
}

/** A request with the private keys in it masked. */
export interface MaskedRequest extends Pick<OutgoingCall, 'draft' | 'url' | 'body' | 'hashInput' | 'hash'> {
  /** Names of the environments whose keys it holds. */
  readonly keys: readonly string[];
  /** The parts of the request that hold one, for a person. */
  readonly where: readonly string[];
}

/** A call as the history has it, with the very bytes that left. */
export interface SentCall {
  readonly call: Call;
  readonly body: Buffer;
}

/** The outcome of a call: a response, a failure, or a response that broke off. */
export interface Outcome {
  readonly state: Exclude<CallState, 'pending'>;
  readonly response: {
    readonly status: number;
    readonly headers: HeaderList;
    readonly body: Buffer;
    readonly truncated: boolean;
  } | null;
  /** The bytes that came, as they came, where `response` does not hold all of them so. Null for nearly every call. */
  readonly raw: Buffer | null;
  readonly failure: Failure | null;
  readonly timings: Timings | null;
  readonly clockOffsetMs: number | null;
  readonly code: number | null;
  readonly message: string | null;
  readonly findings: Finding[];
}

/** The recorder of calls. `begin` must make the row durable before it settles, because only then may the request leave. */
export interface Recorder {
  /** Names the run that the rows belong to. */
  readonly run: string;
  begin(call: OutgoingCall): Promise<number>;
  /**
   * Records an outcome. `withinMs`: time that it may wait for others to be written with. Whoever reads through the recorder has it
   * at once.
   */
  finish(id: number, outcome: Outcome, withinMs?: number): Promise<void>;
  /** Takes a row back whose call never left. */
  withdraw(id: number): Promise<void>;
}
