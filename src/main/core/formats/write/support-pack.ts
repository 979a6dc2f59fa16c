import { createHash } from 'node:crypto';
import { replacedText } from '#shared/calls/replaced.ts';
import { clockDifference, clockRange } from '#shared/calls/server-clock.ts';
import { AppError } from '#shared/errors.ts';
import type { Call, PassedFrom } from '#shared/ipc/index.ts';
import { otherRequest } from '#shared/provider/index.ts';
import { mostBytes } from '#shared/json/measure.ts';
import { packFormat } from '#shared/model/pack-environment.ts';
import { escapeHtml, htmlPageAround, htmlTable } from '../../files/html.ts';
import type { TokenMask } from '../../masking/token-mask.ts';
import {
  responseBody,
  aroundItems,
  dataPlace,
  itemsMark,
  jsonItem,
  masked,
  rawBytes,
  sentParts,
  sentRawBytes,
  type CallWriter,
  type RecordedCall,
  type WrittenBytes,
} from './recorded-call.ts';

/** The first members of a pack's JSON. `core/packs` opens such a file again. */
export const packMark = { format: packFormat, version: 1 } as const;

/** The head of a support pack: everything that the provider needs to find a fault. Tokens are masked unless the user keeps them. */
interface SupportPack {
  readonly madeAt: string;
  readonly program: string;
  readonly runtime: string;
  readonly tokensMasked: boolean;
}

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
    `A support pack of these calls would have more than ${mostBytes.toLocaleString('en')} bytes, too many for Croupier to open. ` +
      'Export fewer calls, or use jsonl for a larger call.',
    { tooLarge: true },
  );
}

/** Returns whether anything of a call is masked in a pack. */
export function isMasked(recorded: RecordedCall, mask: TokenMask): boolean {
  return supportCall(recorded, mask).masked.length > 0;
}

/** A call as the JSON of a pack has it. `masked` names the parts in which a token or another secret is masked. */
function supportCall(recorded: RecordedCall, mask: TokenMask) {
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
  const sentRaw = part('request bytes as they came', () => sentRawBytes(recorded, mask));
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
      ...(sentRaw === null || 'leftOut' in sentRaw ? {} : { raw: { bytes: recorded.sentRaw.length, ...sentRaw } }),
    },
    response:
      response === null
        ? null
        : {
            headers: part('response headers', () => masked(response.headers, mask)),
            bytes: response.bodyBytes,
            truncated: response.truncated,
            ...part('response body', () => responseBody(recorded, mask)),
          },
    ...(raw === null || 'leftOut' in raw ? {} : { raw: { bytes: recorded.raw.length, ...raw } }),
    timings: call.timings,
    clockOffsetMs: call.clockOffsetMs,
    findings: part('findings', () => masked(call.findings, mask)),
  };
  return {
    id: call.id,
    operation: call.operation,
    ...(call.origin === undefined ? {} : { origin: call.origin }),
    environment: part('environment', () => mask.text(call.environmentName)),
    sentAt: new Date(call.sentAt).toISOString(),
    masked: names,
    ...written,
  };
}

/** `body`: what stands before `data` in the masked body, `data`, and the rest. */
function hashInputOf(call: Call, mask: TokenMask, [before = '', data = '']: readonly string[]) {
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

/** A part of the hash input after the key, as it was hashed: tokens included. */
function segment(name: 'time' | 'data', text: string) {
  const bytes = Buffer.from(text, 'utf8');
  return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

type SupportCall = ReturnType<typeof supportCall>;

/** Returns the text before and after the calls in a support pack's HTML file, which has no script and loads nothing. */
function supportPageAround(title: string, pack: SupportPack): readonly [head: string, tail: string] {
  const facts = [
    ['Made', `${pack.madeAt} by ${pack.program} on ${pack.runtime}`],
    [
      'Tokens',
      pack.tokensMasked
        ? 'masked as [token], other secrets as [secret]; lengths and SHA-256 are those of the sent bytes'
        : 'as they were sent',
    ],
    ['Private key', 'not in this pack; <PRIVATE_KEY> replaces it'],
  ];
  const table = htmlTable(
    [],
    facts.map((cells) => ({ cells })),
  );
  const [head, tail] = htmlPageAround(title);
  return [`${head}${table}\n`, tail];
}

/** Returns the section of one call. */
function supportSection(call: SupportCall): string {
  return `<h2>${escapeHtml(`Call ${call.id}: ${call.operation ?? otherRequest}`)}</h2>
${htmlTable(
  [],
  facts(call).map((cells) => ({ cells })),
)}
${hashInput(call)}
<h3>Request</h3>
<pre>${escapeHtml(`${call.operation === null ? '' : 'POST '}${call.request.url}\n${headerLines(call.request.headers)}`)}</pre>
<pre>${escapeHtml(call.request.body)}</pre>
${raw(call.request)}<h3>Response</h3>
${response(call)}
${raw(call)}<h3>Timings, in milliseconds</h3>
${htmlTable([], timings(call))}
${findings(call)}`;
}

function facts({ environment, sentAt, outcome, repeats, instead, overrides, request, origin, ...call }: SupportCall): string[][] {
  const { code, message, status, failure, state } = outcome;
  const parts = [
    code === null ? null : `code ${code}`,
    message === null || message === '' ? null : message,
    status === null ? null : `HTTP ${status}`,
  ].filter((part) => part !== null);
  const replaced = replacedText({
    url: request.url,
    environmentName: environment,
    ...(instead === undefined ? {} : { instead }),
  });
  const faults = Object.entries(overrides).map(([name, value]) => `${name}: ${String(value)}`);
  return [
    ['Environment', environment],
    ...(origin === undefined ? [] : [['Sender', `${senders[origin]}, through Croupier's gateway`]]),
    ['Sent', `${sentAt} (UTC, by ${clockOf(origin)} clock)`],
    ...(repeats === null ? [] : [['Repeats', `call ${repeats}, byte for byte, with its old time and hash`]]),
    ...(replaced === null ? [] : [['For this call only', replaced]]),
    ['Outcome', failure === null ? (parts.length === 0 ? state : parts.join(', ')) : failure.message],
    ...(faults.length === 0 ? [] : [['Set by hand', faults.join('; ')]]),
    ['Clock difference', clockWords(call, origin)],
  ];
}

/** Senders, as the provider reads of them. */
const senders: Readonly<Record<PassedFrom, string>> = { backend: "the operator's backend", provider: 'the provider' };

const clockOf = (origin: PassedFrom | undefined) => (origin === undefined ? "the sender's" : "the gateway's");

function clockWords(call: Pick<SupportCall, 'clockOffsetMs' | 'timings'>, origin: PassedFrom | undefined): string {
  const range = clockRange(call);
  if (range === null) return 'unknown';
  const difference = clockDifference(range, clockOf(origin));
  return difference === null
    ? 'none visible in the Date header of this response'
    : `the ${origin === 'provider' ? "wallet's" : "provider's"} clock is ${difference}`;
}

function hashInput({ hashInput: input, origin }: SupportCall): string {
  if (input === null)
    return `<h3>Hash input</h3>\n<p>${origin === undefined ? 'This method is not signed.' : 'This request has none.'}</p>`;
  return `<h3>Hash input</h3>
<pre>${escapeHtml(input.text)}</pre>
${htmlTable(
  ['Segment', 'Bytes', 'SHA-256 of the segment alone'],
  input.segments.map(({ name, bytes, sha256 }) => ({ cells: [name, String(bytes), sha256] })),
)}
<p>hash as sent: <code>${escapeHtml(input.hash ?? 'none')}</code></p>`;
}

function response({ response: came, outcome }: SupportCall): string {
  if (came === null) return `<p>${escapeHtml(outcome.failure?.message ?? 'None.')}</p>`;
  return `<pre>${escapeHtml(`HTTP ${outcome.status ?? ''}\n${headerLines(came.headers)}`)}</pre>
${bytesShown(came)}${came.truncated ? '\n<p>Only the beginning of the body was recorded.</p>' : ''}`;
}

function raw({ raw: came }: Pick<SupportCall, 'raw'> | SupportCall['request']): string {
  return came === undefined ? '' : `<h3>As it came, ${came.bytes.toLocaleString('en')} bytes</h3>\n${bytesShown(came)}\n`;
}

function bytesShown(bytes: WrittenBytes): string {
  return `<pre>${escapeHtml('text' in bytes ? bytes.text : `Not UTF-8, so in base64:\n${bytes.base64}`)}</pre>`;
}

function headerLines(headers: readonly (readonly [string, string])[]): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}

function timings({ timings: phases }: SupportCall) {
  return Object.entries(phases ?? {}).flatMap(([name, value]) =>
    typeof value === 'number' ? [{ cells: [name, String(value)] }] : [],
  );
}

function findings({ findings: list }: SupportCall): string {
  if (list.length === 0) return '';
  const rows = list.map(({ severity, path, message }) => ({ cells: [severity, path, message], mark: severity }));
  return `<h3>Findings</h3>\n${htmlTable(['', 'Place', 'What'], rows)}`;
}
