import type { Segment } from './support-page.ts';
import { createHash } from 'node:crypto';
import { AppError } from '#shared/errors.ts';
import type { Call } from '#shared/ipc/index.ts';
import { aroundItems, itemsMark, jsonItem, type CallWriter } from './call-writer.ts';
import { dataPlace, sentParts } from './body-parts.ts';
import { answerBody, masked, rawBytes, type RecordedCall } from './recorded-call.ts';
import { packMark, type SupportCall, type SupportPack, supportPageAround, supportSection } from './support-page.ts';
import type { TokenMask } from '../../masking/token-mask.ts';
import { mostBytes } from '#shared/json/measure.ts';

/** Replaces the key in the hash input. */
const keyMark = '<PRIVATE_KEY>';

/**
 * Writes a page to read and its JSON, with everything that is known of the calls, for the provider. `title` is that of the page. The JSON ends with
 * a list of SHA-256: that of the page, and that of the JSON itself up to the list. Fails with `refused` as soon as the JSON is larger than Croupier
 * opens again.
 */
export function supportWriter(name: string, title: string, pack: SupportPack, mask: TokenMask): CallWriter {
  const page = supportPageAround(title, pack);
  const json = aroundItems({ ...packMark, ...pack, calls: [itemsMark] });
  const digests = [createHash('sha256'), createHash('sha256')] as const;
  let bytes = listBytes;
  const counted = (texts: readonly [page: string, json: string]) => {
    for (const [at, text] of texts.entries()) digests[at]?.update(text, 'utf8');
    bytes += Buffer.byteLength(texts[1]);
    refuseExcess(bytes);
    return texts;
  };
  return {
    files: [
      { name: `${name}-support.html`, mediaType: 'text/html' },
      { name: `${name}-support.json`, mediaType: 'application/json' },
    ],
    head: () => counted([page[0], json[0]]),
    call(recorded, index) {
      const call = supportCall(recorded, mask);
      return counted([`${index === 0 ? '' : '\n'}${supportSection(call)}`, jsonItem(call, 2, index)]);
    },
    tail() {
      const end = json[1].slice(0, json[1].lastIndexOf('\n}'));
      counted([page[1], end]);
      const [ofPage, ofJson] = digests.map((digest) => digest.digest('hex'));
      const list = JSON.stringify({ page: ofPage, json: ofJson }, null, 2).replaceAll('\n', '\n  ');
      return [page[1], `${end}${digestsMark}${list}\n}\n`];
    },
  };
}

/** Stands between the JSON and its list of SHA-256. */
export const digestsMark = ',\n  "sha256": ';

/** Size of the list at the end, at most. */
const listBytes = 200;

/** Fails if the JSON is too large to be opened. A value takes a line of it, so that no pack within these bytes has too many values. */
function refuseExcess(bytes: number): void {
  if (bytes <= mostBytes) return;
  throw new AppError(
    'refused',
    `A support pack of these calls would have more than ${mostBytes.toLocaleString('en')} bytes, and Croupier opens no larger one. ` +
      'Export fewer calls; as jsonl, one call may be larger.',
    { tooLarge: true },
  );
}

/** Returns whether anything of a call is masked in a pack. */
export function isMasked(recorded: RecordedCall, mask: TokenMask): boolean {
  return supportCall(recorded, mask).masked.length > 0;
}

function supportCall(recorded: RecordedCall, mask: TokenMask): SupportCall {
  const { call } = recorded;
  const { request, response } = call;
  const { state, status, code, message, failure } = call;
  const names: string[] = [];
  const part = <T>(name: string, work: () => T): T => {
    const before = mask.masked();
    const made = work();
    if (mask.masked() > before) names.push(name);
    return made;
  };
  const body = part('request body', () => sentParts(call, mask));
  const raw = part('bytes as they came', () => rawBytes(recorded, mask));
  const written = {
    outcome: part('outcome', () => masked({ state, status, code, message, failure }, mask)),
    repeats: call.repeats,
    ...(call.instead === undefined ? {} : { instead: call.instead }),
    overrides: part('overrides', () => masked(call.draft.overrides, mask)),
    hashInput: part('hash input', () => hashInputOf(call, mask, body)),
    request: {
      url: part('URL', () => mask.text(call.url)),
      headers: part('request headers', () => masked(request.headers, mask)),
      bytes: call.requestBytes,
      body: body.join(''),
    },
    response:
      response === null
        ? null
        : {
            headers: part('response headers', () => masked(response.headers, mask)),
            bytes: response.bodyBytes,
            truncated: response.truncated,
            ...part('response body', () => answerBody(recorded, mask)),
          },
    ...(raw === null || 'leftOut' in raw ? {} : { raw: { bytes: recorded.raw.length, ...raw } }),
    timings: call.timings,
    clockOffsetMs: call.clockOffsetMs,
    findings: part('findings', () => masked(call.findings, mask)),
  };
  return {
    id: call.id,
    operation: call.operation,
    environment: part('environment', () => mask.text(call.environmentName)),
    sentAt: new Date(call.sentAt).toISOString(),
    masked: names,
    ...written,
  };
}

/** `body`: what stands before `data` in the masked body, `data`, and the rest. */
function hashInputOf(call: Call, mask: TokenMask, [before = '', data = '']: readonly string[]): SupportCall['hashInput'] {
  const { hashInput, hash } = call.request;
  if (hashInput === null) return null;
  const { time, dataJson } = hashInput;
  const segments = [segment('time', time), ...(dataJson === null ? [] : [segment('data', dataJson)])];
  const masked = mask.text(time);
  return {
    text: `${keyMark}${masked}${dataJson === null ? '' : mask.text(dataJson)}`,
    time: masked,
    data: dataPlace(call).length === 0 ? null : { offset: Buffer.byteLength(before), length: Buffer.byteLength(data) },
    segments,
    hash: hash === null ? null : mask.text(hash),
  };
}

function segment(name: Segment['name'], text: string): Segment {
  const bytes = Buffer.from(text, 'utf8');
  return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
