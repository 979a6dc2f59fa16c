import { createHash } from 'node:crypto';
import type { Call } from '#shared/ipc/index.ts';
import { aroundItems, itemsMark, jsonItem, type CallWriter } from './call-writer.ts';
import { sentBody } from './layout.ts';
import { answerBody, masked, type AnswerBody, type RecordedCall } from './recorded-call.ts';
import { supportPageAround, supportSection } from './support-page.ts';
import type { TokenMask } from '../../masking/token-mask.ts';

/** Stands for the key in the hash input. */
const keyMark = '<PRIVATE_KEY>';

/** A part of the hash input after the key, as it was hashed. */
export interface Segment {
  readonly name: 'time' | 'data';
  readonly bytes: number;
  /** Lowercase hexadecimal SHA-256 of the bytes that were hashed, tokens included. */
  readonly sha256: string;
}

/** What stands in front of the calls: what the provider needs to find out why one went wrong. Tokens are masked unless they were asked for. */
export interface SupportPack {
  readonly madeAt: string;
  readonly program: string;
  readonly runtime: string;
  readonly tokensMasked: boolean;
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

/** A page to read and its JSON, of what is known of the calls, for the provider. `title` is that of the page. */
export function supportWriter(name: string, title: string, pack: SupportPack, mask: TokenMask): CallWriter {
  const page = supportPageAround(title, pack);
  const json = aroundItems({ ...pack, calls: [itemsMark] });
  return {
    files: [
      { name: `${name}-support.html`, mediaType: 'text/html' },
      { name: `${name}-support.json`, mediaType: 'application/json' },
    ],
    head: () => [page[0], json[0]],
    call(recorded, index) {
      const call = supportCall(recorded, mask);
      return [`${index === 0 ? '' : '\n'}${supportSection(call)}`, jsonItem(call, 2, index)];
    },
    tail: () => [page[1], json[1]],
  };
}

/** Whether anything of a call is masked in a pack. */
export function isMasked(recorded: RecordedCall, mask: TokenMask): boolean {
  const before = mask.masked();
  supportCall(recorded, mask);
  return mask.masked() > before;
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
