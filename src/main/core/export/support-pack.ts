import { createHash } from 'node:crypto';
import type { Call } from '#shared/ipc/index.ts';
import { sentBody } from './layout.ts';
import { answerBody, masked, type AnswerBody, type RecordedCall } from './recorded-call.ts';
import type { TokenMask } from './token-mask.ts';

/** Stands for the key in the hash input. */
const keyMark = '<PRIVATE_KEY>';

/** A part of the hash input after the key, as it was hashed. */
export interface Segment {
  readonly name: 'time' | 'data';
  readonly bytes: number;
  /** Lowercase hexadecimal SHA-256 of the bytes that were hashed, tokens included. */
  readonly sha256: string;
}

/** What the provider needs to find out why a call went wrong. Tokens are masked unless they were asked for. */
export interface SupportPack {
  readonly madeAt: string;
  readonly program: string;
  readonly runtime: string;
  readonly tokensMasked: boolean;
  readonly calls: readonly SupportCall[];
}

export interface SupportCall {
  readonly id: number;
  readonly operation: string;
  readonly environment: string;
  readonly sentAt: string;
  readonly outcome: Pick<Call, 'state' | 'status' | 'code' | 'message' | 'failure'>;
  /** The call whose bytes were sent again, with their old time and hash; null for a request that was made anew. */
  readonly repeats: number | null;
  /** Faults that the sender made on purpose. */
  readonly overrides: Call['draft']['overrides'];
  /** Null for a call that is not signed. */
  readonly hashInput: { readonly text: string; readonly segments: readonly Segment[]; readonly hash: string | null } | null;
  readonly request: {
    readonly url: string;
    readonly headers: Call['request']['headers'];
    readonly bytes: number;
    readonly body: string;
  };
  readonly response: ({ readonly headers: Call['request']['headers']; readonly truncated: boolean } & AnswerBody) | null;
  readonly timings: Call['timings'];
  /** Positive: the provider's clock is ahead. It tells whole seconds. */
  readonly clockOffsetMs: number | null;
  readonly findings: Call['findings'];
}

/** Puts together what is known of the calls, for the provider. */
export function supportPack(
  calls: readonly RecordedCall[],
  mask: TokenMask,
  maker: Pick<SupportPack, 'madeAt' | 'program' | 'runtime'>,
): SupportPack {
  const written = calls.map((recorded) => supportCall(recorded, mask));
  return { ...maker, tokensMasked: mask.masked() > 0, calls: written };
}

function supportCall(recorded: RecordedCall, mask: TokenMask): SupportCall {
  const { call } = recorded;
  const { request, response } = call;
  const { state, status, code, message, failure } = call;
  return {
    id: call.id,
    operation: call.operation,
    environment: mask.text(call.environmentName),
    sentAt: new Date(call.sentAt).toISOString(),
    outcome: masked({ state, status, code, message, failure }, mask),
    repeats: call.repeats,
    overrides: masked(call.draft.overrides, mask),
    hashInput: hashInputOf(call, mask),
    request: {
      url: mask.text(call.url),
      headers: masked(request.headers, mask),
      bytes: call.requestBytes,
      body: sentBody(call, mask),
    },
    response:
      response === null
        ? null
        : { headers: masked(response.headers, mask), truncated: response.truncated, ...answerBody(recorded, mask) },
    timings: call.timings,
    clockOffsetMs: call.clockOffsetMs,
    findings: masked(call.findings, mask),
  };
}

function hashInputOf({ request: { hashInput, hash } }: Call, mask: TokenMask): SupportCall['hashInput'] {
  if (hashInput === null) return null;
  const { time, dataJson } = hashInput;
  const segments = [segment('time', time), ...(dataJson === null ? [] : [segment('data', dataJson)])];
  return { text: `${keyMark}${mask.text(time)}${dataJson === null ? '' : mask.text(dataJson)}`, segments, hash };
}

function segment(name: Segment['name'], text: string): Segment {
  const bytes = Buffer.from(text, 'utf8');
  return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
