import type { Call } from '#shared/ipc/index.ts';
import { doubtOf } from '#shared/provider/findings.ts';
import type { Outcome, OutgoingCall } from '../history/record.ts';
import { dayOf, recordedSubject } from '../history/rows.ts';

/** Returns a call as it is recorded, without reading it from the history. `run` is the session that sent it. */
export function toCall(id: number, run: string, outgoing: OutgoingCall, outcome: Outcome): Call {
  const { environment } = outgoing;
  const { draft, url, body, hashInput, hash } = outgoing.masked ?? outgoing;
  const { response, timings } = outcome;
  const subject = recordedSubject(body);
  const doubt = doubtOf(outcome.findings);
  return {
    id,
    environmentId: environment.id,
    environmentName: environment.name,
    operation: draft.operation,
    url,
    sentAt: outgoing.sentAt,
    state: outcome.state,
    status: response?.status ?? null,
    code: outcome.code,
    message: outcome.message,
    failure: outcome.failure,
    durationMs: timings?.total ?? null,
    requestBytes: outgoing.body.length,
    responseBytes: response?.body.length ?? null,
    run,
    day: dayOf(outgoing.sentAt) ?? '',
    pinned: false,
    note: '',
    repeats: outgoing.repeats,
    collectionRun: outgoing.collectionRun ?? null,
    ...(outgoing.instead ? { instead: { ...outgoing.instead } } : {}),
    ...(outgoing.masked ? { maskedKeys: [...outgoing.masked.keys] } : {}),
    ...(doubt === null ? {} : { doubt }),
    ...(subject.length === 0 ? {} : { subject }),
    draft,
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
      hash,
      keyFingerprint: outgoing.keyFingerprint,
    },
    response:
      response === null
        ? null
        : { status: response.status, headers: response.headers, bodyBytes: response.body.length, truncated: response.truncated },
    ...(outcome.raw === null ? {} : { rawBytes: outcome.raw.length }),
    timings,
    clockOffsetMs: outcome.clockOffsetMs,
    findings: outcome.findings,
  };
}
