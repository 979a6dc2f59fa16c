import type { Segment } from './support-page.ts';
import { createHash } from 'node:crypto';
import type { Call } from '#shared/ipc/index.ts';
import { aroundItems, itemsMark, jsonItem, type CallWriter } from './call-writer.ts';
import { sentBody } from './body-parts.ts';
import { answerBody, masked, type RecordedCall } from './recorded-call.ts';
import { type SupportCall, type SupportPack, supportPageAround, supportSection } from './support-page.ts';
import type { TokenMask } from '../../masking/token-mask.ts';

/** Replaces the key in the hash input. */
const keyMark = '<PRIVATE_KEY>';

/**
 * Writes a page to read and its JSON, with everything that is known of the calls, for the provider. `title` is that of the page.
 */
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

/** Returns whether anything of a call is masked in a pack. */
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
