import type { TokenMask } from '../../masking/token-mask.ts';
import { responseBody, type CallWriter, masked, rawBytes, type RecordedCall, sentBody, sentRawBytes } from './recorded-call.ts';

/** Writes one line of JSON for each call: the request, the response, the findings. Bodies are text, so no digit is lost. */
export function jsonLinesWriter(name: string, mask: TokenMask): CallWriter {
  return {
    files: [{ name: `${name}.jsonl`, mediaType: 'application/jsonl' }],
    head: () => [''],
    call: (recorded) => [`${JSON.stringify(lineOf(recorded, mask))}\n`],
    tail: () => [''],
  };
}

function lineOf(recorded: RecordedCall, mask: TokenMask) {
  const { call } = recorded;
  const before = mask.masked();
  const { request, response } = call;
  const raw = rawBytes(recorded, mask);
  const sentRaw = sentRawBytes(recorded, mask);
  const line = {
    id: call.id,
    sentAt: new Date(call.sentAt).toISOString(),
    environment: mask.text(call.environmentName),
    operation: call.operation,
    ...(call.origin === undefined ? {} : { origin: call.origin }),
    state: call.state,
    repeats: call.repeats,
    ...(call.instead === undefined ? {} : { instead: call.instead }),
    url: mask.text(call.url),
    request: {
      headers: masked(request.headers, mask),
      bodyText: sentBody(call, mask),
      hashInput:
        request.hashInput === null
          ? null
          : {
              time: mask.text(request.hashInput.time),
              dataJson: request.hashInput.dataJson === null ? null : mask.text(request.hashInput.dataJson),
            },
      hash: request.hash === null ? null : mask.text(request.hash),
      ...(sentRaw === null ? {} : { raw: { bytes: recorded.sentRaw.length, ...sentRaw } }),
    },
    response:
      response === null
        ? null
        : {
            status: response.status,
            headers: masked(response.headers, mask),
            ...bodyOf(recorded, mask),
            truncated: response.truncated,
          },
    ...(raw === null ? {} : { raw: { bytes: recorded.raw.length, ...raw } }),
    code: call.code,
    message: call.message === null ? null : mask.text(call.message),
    failure: masked(call.failure, mask),
    timings: call.timings,
    clockOffsetMs: call.clockOffsetMs,
    findings: masked(call.findings, mask),
  };
  return { ...line, tokensMasked: mask.masked() > before };
}

function bodyOf(recorded: RecordedCall, mask: TokenMask) {
  const body = responseBody(recorded, mask);
  return 'text' in body ? { bodyText: body.text } : { bodyBase64: body.base64 };
}
