import { Buffer } from 'node:buffer';
import { AppError } from '#shared/errors.ts';
import { z } from '#shared/model/schema.ts';
import { CallReplaced, CallState, Failure, PassedFrom, Timings } from '#shared/ipc/calls.ts';
import { Finding } from '#shared/model/finding.ts';
import { OperationName, RequestDraft } from '#shared/model/draft.ts';
import { longestSubjectBody, subjectOf, type SubjectField } from '#shared/provider/subject.ts';
import type { Call, CallSummary, KeptPart } from '#shared/ipc/index.ts';

type Row = Record<string, unknown>;

const integer = (name: string) =>
  // A larger one cannot be read at all, and would take the whole page with it.
  `CASE WHEN c.${name} BETWEEN -9007199254740991 AND 9007199254740991 THEN c.${name} END AS ${name}`;

/** The columns of a row of the list, in one place for every query. */
export const summaryColumns =
  `c.id, c.environment_id, c.environment_name, c.operation, c.url, ${integer('sent_at')}, c.state, ${integer('status')}, ` +
  `${integer('code')}, c.message, c.failure, c.duration_ms, ${integer('request_bytes')}, ${integer('response_bytes')}, ` +
  `c.origin, c.run, c.pinned, c.note, ${integer('repeats')}, c.collection_run, c.request_path, c.masked_keys, c.subject, c.replaced, c.doubt, ` +
  // Rows of earlier versions.
  `CASE WHEN c.subject IS NULL AND c.request_bytes <= ${longestSubjectBody} THEN ` +
  '(SELECT body FROM call_requests WHERE call_id = c.id) END AS subject_body';

/** Everything of one call but what came as bytes. */
export const callQuery =
  `SELECT ${summaryColumns}, ${integer('raw_bytes')}, ${integer('request_raw_bytes')}, q.draft, q.headers AS request_headers, q.body AS request_body, q.time, q.data_offset, q.data_length, ` +
  'q.hash, q.key_fingerprint, r.headers AS response_headers, r.truncated, r.timings, r.clock_offset_ms, r.findings FROM calls c ' +
  'LEFT JOIN call_requests q ON q.call_id = c.id LEFT JOIN call_responses r ON r.call_id = c.id WHERE c.id = ?';

const partColumns: Readonly<Record<KeptPart, string>> = { body: 'r.body', raw: 'r.raw', sentRaw: 'q.raw' };

/** Those bytes, as `bytes`. SQLite reads only the table that it needs. */
export const partQuery = (part: KeptPart) =>
  `SELECT ${partColumns[part]} AS bytes FROM calls c LEFT JOIN call_requests q ON q.call_id = c.id ` +
  'LEFT JOIN call_responses r ON r.call_id = c.id WHERE c.id = ?';

/** Returns the error for a history without such a call. */
export function missingCall(id: number): AppError {
  return new AppError('not_found', `There is no call ${id} in the history.`);
}

/**
 * A stored row as the contract shows it. A row that this program cannot have written (a damaged page, another program) is shown with
 * what can be read of it and a failure that says so: it never keeps the rest of a page from being shown.
 */
export function toSummary(row: Row): CallSummary {
  const problems: string[] = [];
  const summary = readSummary(row, problems);
  return problems.length === 0 ? summary : unreadable(summary, problems);
}

function readSummary(row: Row, problems: string[]): CallSummary {
  const text = (name: string) => (typeof row[name] === 'string' ? row[name] : problem(problems, name, ''));
  const count = (name: string) => (Number.isSafeInteger(row[name]) ? (row[name] as number) : problem(problems, name, 0));
  const optional = (name: string) => (row[name] === null ? null : count(name));
  const duration = row['duration_ms'];
  const sentAt = count('sent_at');
  const day = dayOf(sentAt) ?? problem(problems, 'sent_at', '');
  return {
    id: row['id'] as number,
    environmentId: text('environment_id'),
    environmentName: text('environment_name'),
    operation:
      row['operation'] === '' ? null : (oneOf(operations, row['operation']) ?? problem(problems, 'operation', 'gameList')),
    ...(typeof row['origin'] === 'string'
      ? { origin: oneOf(origins, row['origin']) ?? problem(problems, 'origin', 'backend') }
      : {}),
    url: text('url'),
    sentAt,
    state: oneOf(states, row['state']) ?? problem(problems, 'state', 'failed'),
    status: optional('status'),
    code: optional('code'),
    message: row['message'] === null ? null : text('message'),
    failure: row['failure'] === null ? null : parsed(Failure, row['failure'], problems, 'failure', null),
    durationMs:
      duration === null || Number.isFinite(duration) ? (duration as number | null) : problem(problems, 'duration_ms', null),
    requestBytes: count('request_bytes'),
    responseBytes: optional('response_bytes'),
    run: text('run'),
    day,
    pinned: row['pinned'] === 1,
    note: text('note'),
    repeats: optional('repeats'),
    collectionRun: row['collection_run'] === null ? null : { id: text('collection_run'), path: text('request_path') },
    ...(typeof row['masked_keys'] === 'string'
      ? { maskedKeys: parsed(Names, row['masked_keys'], problems, 'masked_keys', []) }
      : {}),
    ...(typeof row['replaced'] === 'string' ? replacedIn(row['replaced'], problems) : {}),
    ...(typeof row['doubt'] === 'string' ? { doubt: row['doubt'] } : {}),
    ...subjectIn(row, problems),
  };
}

/** Returns the settings that were the call's alone. */
function replacedIn(text: string, problems: string[]): Pick<CallSummary, 'instead'> {
  const instead = parsed(CallReplaced, text, problems, 'replaced', null);
  return instead === null ? {} : { instead };
}

/** Returns what tells a call from others, if anything does: as it was recorded, or from the body in a row of an earlier version. */
function subjectIn(row: Row, problems: string[]): { readonly subject?: SubjectField[] } {
  const { subject: kept = null, subject_body: body } = row;
  if (kept === '[]') return {};
  const subject =
    kept !== null
      ? parsed<SubjectField[], SubjectField[]>(subjectText, kept, problems, 'subject', [])
      : body instanceof Uint8Array
        ? subjectOf(toBuffer(body).toString())
        : [];
  return subject.length === 0 ? {} : { subject };
}

/** Returns the column for a request that is recorded. A page reads it without the body. */
export function subjectColumn(body: Buffer): string {
  return JSON.stringify(recordedSubject(body).map(({ field, value, more }) => [field, value, more]));
}

/** Returns what tells a request that is recorded from others; empty if nothing does, or if its body is too long to be read for it. */
export function recordedSubject(body: Buffer): SubjectField[] {
  const known = subjects.get(body);
  if (known !== undefined) return known;
  const subject = body.length > longestSubjectBody ? [] : subjectOf(body.toString());
  subjects.set(body, subject);
  return subject;
}

// A call needs that of its request twice: for its row and for whoever sent it.
const subjects = new WeakMap<Buffer, SubjectField[]>();

/** Returns a call from its row joined with its request and response. */
export function toCall(row: Row): Call {
  const problems: string[] = [];
  const summary = readSummary(row, problems);
  const body = toBuffer(row['request_body']);
  const time = row['time'] as string | null;
  const dataOffset = (row['data_offset'] as number | null) ?? 0;
  const dataLength = row['data_length'] as number | null;
  // Absent if a damaged history lost the row of the other table.
  const unsent = {
    environmentId: summary.environmentId,
    operation: summary.operation ?? 'gameList',
    form: '',
    text: '',
    overrides: {},
  } as const;
  const call: Call = {
    ...summary,
    draft: parsed(RequestDraft, row['draft'], problems, 'draft', unsent),
    request: {
      headers: headersOf(row['request_headers'], problems),
      bodyText: body.toString(),
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
      ...(Number.isSafeInteger(row['request_raw_bytes']) ? { rawBytes: row['request_raw_bytes'] as number } : {}),
      keyFingerprint: row['key_fingerprint'] as string | null,
    },
    response:
      summary.status === null
        ? null
        : {
            status: summary.status,
            headers: row['response_headers'] === null ? [] : headersOf(row['response_headers'], problems),
            bodyBytes: summary.responseBytes ?? 0,
            truncated: row['truncated'] === 1,
          },
    ...(Number.isSafeInteger(row['raw_bytes']) ? { rawBytes: row['raw_bytes'] as number } : {}),
    timings: row['timings'] === null ? null : parsed(Timings, row['timings'], problems, 'timings', null),
    clockOffsetMs: (row['clock_offset_ms'] as number | null) ?? null,
    findings: row['findings'] === null ? [] : parsed(z.array(Finding), row['findings'], problems, 'findings', []),
  };
  return problems.length === 0 ? call : unreadable(call, problems);
}

/** YYYY-MM-DD in this machine's zone; null for a time that no calendar has. */
export function dayOf(milliseconds: number): string | null {
  const date = new Date(milliseconds);
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  if (Number.isNaN(year)) return null;
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** A BLOB as a Buffer over the same bytes. */
export function toBuffer(value: unknown): Buffer {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : Buffer.alloc(0);
}

function unreadable<T extends CallSummary>(call: T, problems: readonly string[]): T {
  return {
    ...call,
    state: 'failed',
    failure: {
      kind: 'unreadable',
      phase: 'send',
      message: `The row of call ${call.id} in the history is damaged: ${[...new Set(problems)].join(', ')} cannot be read.`,
      hint: "Croupier shows what it can read. Other calls aren't affected.",
    },
  };
}

function problem<T>(problems: string[], name: string, otherwise: T): T {
  problems.push(name);
  return otherwise;
}

// By hand: a page has fifty of them.
const subjectText: Schema<SubjectField[]> = {
  safeParse(value) {
    const list = Array.isArray(value) ? (value as unknown[]) : null;
    const isField = (one: unknown): one is [string, string, number] =>
      Array.isArray(one) && typeof one[0] === 'string' && typeof one[1] === 'string' && Number.isSafeInteger(one[2]);
    if (list?.every(isField) !== true) return { success: false };
    return { success: true, data: list.map(([field, text, more]) => ({ field, value: text, more })) };
  },
};

const Names = z.array(z.string());
const operations = new Set(OperationName.options);
const origins = new Set(PassedFrom.options);
const states = new Set(CallState.options);

/** Returns the value if it is one of the set. A page checks fifty rows: a set is quicker than a schema. */
function oneOf<T>(values: ReadonlySet<T>, value: unknown): T | null {
  return values.has(value as T) ? (value as T) : null;
}

interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false };
}

function known<T>(schema: Schema<T>, value: unknown): T | null {
  const found = schema.safeParse(value);
  return found.success ? found.data : null;
}

function parsed<T, O>(schema: Schema<T>, text: unknown, problems: string[], name: string, otherwise: O): T | O {
  try {
    const found = typeof text === 'string' ? known(schema, JSON.parse(text)) : null;
    return found ?? problem(problems, name, otherwise);
  } catch {
    return problem(problems, name, otherwise);
  }
}

function headersOf(text: unknown, problems: string[]): Call['request']['headers'] {
  const list = parsed<unknown, null>({ safeParse: (data) => ({ success: true, data }) }, text, problems, 'headers', null);
  const pair = (one: unknown) => Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === 'string');
  if (Array.isArray(list) && list.every(pair)) return list as Call['request']['headers'];
  if (list !== null) problems.push('headers');
  return [];
}
