import { replacedText } from '#shared/calls/replaced.ts';
import { originWords } from '#shared/calls/sent-words.ts';
import { departureOf } from '#shared/calls/sent-request.ts';
import { doubtsOf } from '#shared/provider/findings.ts';
import { otherRequest } from '#shared/provider/index.ts';
import { harHeaders, harQuery, harRequest, harResponse, harTime } from './har-parts.ts';
import type { TokenMask } from '../../masking/token-mask.ts';
import {
  responseBody,
  aroundItems,
  type CallWriter,
  itemsMark,
  jsonItem,
  rawBytes,
  type RecordedCall,
  sentBody,
  sentRawBytes,
  type WrittenBytes,
} from './recorded-call.ts';

/** Writes HAR 1.2 of the calls, as other tools read it. Unknown values are -1 or left out, as the format demands. */
export function harWriter(name: string, mask: TokenMask, creator: { name: string; version: string }): CallWriter {
  const around = () => {
    const comment =
      mask.masked() > 0
        ? 'Session and replay tokens are masked, so request bodies that contained one no longer match their hash.'
        : '';
    return aroundItems({ log: { version: '1.2', creator, entries: [itemsMark], ...(comment === '' ? {} : { comment }) } });
  };
  return {
    files: [{ name: `${name}.har`, mediaType: 'application/json' }],
    head: () => [around()[0]],
    call: (recorded, index) => [jsonItem(entryOf(recorded, mask), 3, index)],
    tail: () => [around()[1]],
  };
}

function entryOf(recorded: RecordedCall, mask: TokenMask) {
  const { call } = recorded;
  const replaced = replacedText(call);
  const { timings, time } = timesOf(recorded);
  const sentRaw = sentRawBytes(recorded, mask);
  const text = sentBody(call, mask);
  return {
    startedDateTime: new Date(call.sentAt).toISOString(),
    time,
    request: {
      ...harRequest(mask.text(call.url), {
        headers: harHeaders(call.request.headers, mask.text),
        queryString: harQuery(call.url, mask.text),
        text,
        bodySize: call.requestBytes,
      }),
      ...(call.origin === undefined ? {} : passedMembers(recorded, text)),
      ...rawMember(recorded.sentRaw, sentRaw),
    },
    response: responseOf(recorded, mask),
    cache: {},
    timings,
    comment: mask.text(
      `Call ${call.id}: ${call.operation ?? otherRequest} to ${call.environmentName}, ${call.code === null ? 'no readable code' : `code ${call.code}`}.` +
        (call.origin === undefined ? '' : ` It came ${originWords[call.origin]}.`) +
        (call.repeats === null
          ? ''
          : ` ${departureOf(call) === 'answered' ? 'Sent exactly as' : 'An exact repeat of'} call ${call.repeats}, with its time and hash.`) +
        (replaced === null ? '' : ` ${replaced}`) +
        (sentRaw !== null && 'leftOut' in sentRaw ? ` ${sentRaw.leftOut}` : ''),
    ),
  };
}

/** Returns the method of a request that the gateway passed, and the type of its body, which are those of Croupier's own otherwise. */
function passedMembers({ call: { operation, request }, sentRaw }: RecordedCall, text: string) {
  const type = request.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'x-unknown';
  return {
    method: operation === null ? (/^[A-Z]+(?= )/.exec(Buffer.from(sentRaw).toString('latin1', 0, 32))?.[0] ?? '') : 'POST',
    postData: text === '' ? undefined : { mimeType: type, text },
  };
}

function responseOf(recorded: RecordedCall, mask: TokenMask) {
  const { response, failure } = recorded.call;
  const header = (name: string) => response?.headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? '';
  const raw = rawBytes(recorded, mask);
  const remarks = [
    ...(failure === null ? [] : [mask.text(failure.message)]),
    ...recorded.call.findings.filter(({ rule }) => rule === 'call.unseen').map(({ message }) => message),
    ...doubtsOf(recorded.call.findings).map(({ message }) => mask.text(message)),
    ...(response?.truncated === true ? ['Only the beginning of the body was recorded.'] : []),
    ...(raw === null ? [] : ['leftOut' in raw ? raw.leftOut : '_raw has the bytes as received.']),
  ];
  return harResponse({
    status: response?.status ?? 0,
    headers: harHeaders(response?.headers ?? [], mask.text),
    content: {
      size: response?.bodyBytes ?? 0,
      mimeType: header('content-type') === '' ? 'x-unknown' : header('content-type'),
      ...harText(responseBody(recorded, mask)),
    },
    redirectURL: mask.text(header('location')),
    // The packed bytes of a response are not recorded.
    bodySize: response === null || header('content-encoding') !== '' ? -1 : response.bodyBytes,
    ...rawMember(recorded.raw, raw),
    ...(remarks.length === 0 ? {} : { comment: remarks.join(' ') }),
  });
}

function rawMember({ length }: Uint8Array, raw: ReturnType<typeof rawBytes>) {
  return raw === null || 'leftOut' in raw ? {} : { _raw: { size: length, ...harText(raw) } };
}

function harText(bytes: WrittenBytes) {
  return 'text' in bytes ? { text: bytes.text } : { text: bytes.base64, encoding: 'base64' };
}

/** In milliseconds. `connect` includes `ssl`, and `time` is the sum of the rest, as the format wants it. */
function timesOf({ call: { timings } }: RecordedCall) {
  const known = (value: number | null | undefined) => value ?? 0;
  const ssl = timings?.tls ?? -1;
  const dns = timings?.dns ?? -1;
  const connect = typeof timings?.connect === 'number' ? harTime(timings.connect + known(timings.tls)) : -1;
  const wait = known(timings?.firstByte);
  const receive = known(timings?.download);
  const rest = known(timings?.total) - Math.max(dns, 0) - Math.max(connect, 0) - wait - receive;
  const blocked = rest > 0 ? harTime(rest) : -1;
  const time = harTime(Math.max(blocked, 0) + Math.max(dns, 0) + Math.max(connect, 0) + wait + receive);
  return { timings: { blocked, dns, connect, send: 0, wait, receive, ssl }, time };
}
