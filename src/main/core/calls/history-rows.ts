import { Buffer } from 'node:buffer';
import type { Call, CallSummary, Failure } from '#shared/ipc/index.ts';

type Row = Record<string, unknown>;

/** The columns of a row of the list, in one place for every query. */
export const summaryColumns =
  'c.id, c.environment_id, c.environment_name, c.operation, c.url, c.sent_at, c.state, c.status, c.code, c.message, c.failure, ' +
  'c.duration_ms, c.request_bytes, c.response_bytes';

/** A stored row as the contract shows it. What the program wrote itself is trusted and not validated again. */
export function toSummary(row: Row): CallSummary {
  return {
    id: row['id'] as number,
    environmentId: row['environment_id'] as string,
    environmentName: row['environment_name'] as string,
    operation: row['operation'] as CallSummary['operation'],
    url: row['url'] as string,
    sentAt: row['sent_at'] as number,
    state: row['state'] as CallSummary['state'],
    status: row['status'] as number | null,
    code: row['code'] as number | null,
    message: row['message'] as string | null,
    failure: parseOr<Failure | null>(row['failure'], null),
    durationMs: row['duration_ms'] as number | null,
    requestBytes: row['request_bytes'] as number,
    responseBytes: row['response_bytes'] as number | null,
  };
}

/** A call's row joined with what was sent and received. */
export function toCall(row: Row): Call {
  const summary = toSummary(row);
  const body = toBuffer(row['request_body']);
  const time = row['time'] as string | null;
  const dataOffset = (row['data_offset'] as number | null) ?? 0;
  const dataLength = row['data_length'] as number | null;
  return {
    ...summary,
    draft: JSON.parse(row['draft'] as string) as Call['draft'],
    request: {
      headers: JSON.parse(row['request_headers'] as string) as Call['request']['headers'],
      bodyText: body.toString('utf8'),
      hashInput:
        time === null
          ? null
          : {
              time,
              dataJson: dataLength === null ? null : body.toString('utf8', dataOffset, dataOffset + dataLength),
              dataOffset,
              dataLength: dataLength ?? 0,
            },
      hash: row['hash'] as string | null,
      keyFingerprint: row['key_fingerprint'] as string | null,
    },
    response:
      summary.status === null
        ? null
        : {
            status: summary.status,
            headers: parseOr<Call['request']['headers']>(row['response_headers'], []),
            bodyBytes: summary.responseBytes ?? 0,
            truncated: row['truncated'] === 1,
          },
    timings: parseOr<Call['timings']>(row['timings'], null),
    clockOffsetMs: (row['clock_offset_ms'] as number | null) ?? null,
    findings: parseOr<Call['findings']>(row['findings'], []),
  };
}

/** A BLOB as a Buffer over the same bytes. */
export function toBuffer(value: unknown): Buffer {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : Buffer.alloc(0);
}

function parseOr<T>(value: unknown, otherwise: T): T {
  return typeof value === 'string' ? (JSON.parse(value) as T) : otherwise;
}
