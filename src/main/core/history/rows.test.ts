import { describe, expect, it } from 'vitest';
import type { CallSummary } from '#shared/ipc/index.ts';
import { dayOf, toBuffer, toCall, toSummary } from './rows.ts';

const sentAt = new Date(2026, 0, 2, 3, 4, 5).getTime();
const finding = { rule: 'r', severity: 'note', path: '', message: 'm' };
const draft = { environmentId: 'e', operation: 'bet', form: '', text: '{"a":1}', overrides: {} };
const timings = { dns: 1, connect: 2, tls: 3, firstByte: 4, download: 5, total: 15, reused: false };

/** A row of a call as the queries give it, with everything that a call can have. */
const row = {
  id: 7,
  environment_id: 'e',
  environment_name: 'Staging',
  operation: 'bet',
  url: 'https://p.example/bet',
  sent_at: sentAt,
  state: 'answered',
  status: 200,
  code: 8,
  message: 'refused',
  failure: null,
  duration_ms: 15.5,
  request_bytes: 13,
  response_bytes: 2,
  run: 'session',
  pinned: 1,
  note: 'a note',
  repeats: 3,
  collection_run: 'run',
  request_path: 'folder/bet.yaml',
  masked_keys: '["Live"]',
  subject: '[["playerIds","a",2]]',
  draft: JSON.stringify(draft),
  request_headers: '[["a","b"]]',
  request_body: Buffer.from('é{"a":1}rest'),
  time: '02-01-2026 03:04:05',
  data_offset: 2,
  data_length: 7,
  hash: 'x',
  key_fingerprint: 'abcd-ef',
  response_headers: '[["c","d"]]',
  truncated: 1,
  timings: JSON.stringify(timings),
  clock_offset_ms: -3,
  findings: JSON.stringify([finding]),
};
const summary = {
  id: 7,
  environmentId: 'e',
  environmentName: 'Staging',
  operation: 'bet',
  url: 'https://p.example/bet',
  sentAt,
  state: 'answered',
  status: 200,
  code: 8,
  message: 'refused',
  failure: null,
  durationMs: 15.5,
  requestBytes: 13,
  responseBytes: 2,
  run: 'session',
  day: '2026-01-02',
  pinned: true,
  note: 'a note',
  repeats: 3,
  collectionRun: { id: 'run', path: 'folder/bet.yaml' },
  maskedKeys: ['Live'],
  subject: [{ field: 'playerIds', value: 'a', more: 2 }],
};
const call = {
  ...summary,
  draft,
  request: {
    headers: [['a', 'b']],
    bodyText: 'é{"a":1}rest',
    hashInput: { time: '02-01-2026 03:04:05', dataJson: '{"a":1}', dataOffset: 2, dataLength: 7 },
    hash: 'x',
    keyFingerprint: 'abcd-ef',
  },
  response: { status: 200, headers: [['c', 'd']], bodyBytes: 2, truncated: true },
  timings,
  clockOffsetMs: -3,
  findings: [finding],
};

describe('a row of the history', () => {
  it('is read with all that it holds', () => {
    expect(toSummary(row)).toEqual(summary);
    expect(toCall(row)).toEqual(call);
  });

  it('is read where the gateway passed a request, which may fit no operation', () => {
    const passed = { operation: '', origin: 'provider', request_raw_bytes: 99 };
    expect(toSummary({ ...row, ...passed })).toEqual({ ...summary, operation: null, origin: 'provider' });
    expect(toCall({ ...row, ...passed })).toMatchObject({ operation: null, draft, request: { rawBytes: 99 } });
  });

  it('is read where it holds the least', () => {
    const nothing = {
      status: null,
      code: null,
      message: null,
      duration_ms: null,
      response_bytes: null,
      pinned: 0,
      repeats: null,
      collection_run: null,
      request_path: null,
      masked_keys: null,
      subject: '[]',
      time: null,
      data_offset: null,
      data_length: null,
      hash: null,
      key_fingerprint: null,
      response_headers: null,
      truncated: null,
      timings: null,
      clock_offset_ms: null,
      findings: null,
    };
    const { maskedKeys: _keys, subject: _subject, ...rest } = summary;
    const least = {
      ...rest,
      status: null,
      code: null,
      message: null,
      durationMs: null,
      responseBytes: null,
      pinned: false,
      repeats: null,
      collectionRun: null,
    };
    expect(toSummary({ ...row, ...nothing })).toEqual(least);
    expect(toCall({ ...row, ...nothing })).toEqual({
      ...least,
      draft,
      request: { ...call.request, hashInput: null, hash: null, keyFingerprint: null },
      response: null,
      timings: null,
      clockOffsetMs: null,
      findings: [],
    });
    // Signed without data; a response without a body, and one that was not cut.
    const { request, response } = toCall({ ...row, data_offset: null, data_length: null, response_bytes: null, truncated: 0 });
    expect(request.hashInput).toEqual({ time: row.time, dataJson: null, dataOffset: 0, dataLength: 0 });
    expect(response).toEqual({ ...call.response, bodyBytes: 0, truncated: false });
    expect(toCall({ ...row, response_headers: null })).toMatchObject({ failure: null, response: { headers: [] } });
  });

  /** The failure of a call of which some columns cannot be read. */
  const damaged = (names: string) => ({
    state: 'failed',
    failure: {
      kind: 'unreadable',
      phase: 'send',
      message: `The row of call 7 in the history is damaged: ${names} cannot be read.`,
      hint: "Croupier shows what it can read. Other calls aren't affected.",
    },
  });

  it.each<[column: keyof typeof row | 'origin', value: unknown, fields: Partial<CallSummary>]>([
    ['environment_id', undefined, { environmentId: '' }],
    ['environment_name', 5, { environmentName: '' }],
    ['operation', 'unheard of', { operation: 'gameList' }],
    ['origin', 'unheard of', { origin: 'backend' }],
    ['url', null, { url: '' }],
    ['status', 0.5, { status: 0 }],
    ['code', '8', { code: 0 }],
    ['message', 8, { message: '' }],
    ['failure', '{"not": ', {}],
    ['failure', '{}', {}],
    ['failure', 7, {}],
    ['duration_ms', Number.POSITIVE_INFINITY, { durationMs: null as never }],
    ['duration_ms', '15', { durationMs: null as never }],
    ['request_bytes', null, { requestBytes: 0 }],
    ['response_bytes', 2 ** 53, { responseBytes: 0 }],
    ['run', null, { run: '' }],
    ['note', null, { note: '' }],
    ['repeats', -0.1, { repeats: 0 }],
    ['collection_run', 1, { collectionRun: { id: '', path: 'folder/bet.yaml' } }],
    ['request_path', null, { collectionRun: { id: 'run', path: '' } }],
    ['masked_keys', '[7]', { maskedKeys: [] }],
    ['state', 'confused', {}],
  ])('is shown as damaged, with all else of it: %s is %j', (column, value, fields) => {
    const spoiled = { ...row, [column]: value };
    expect(toSummary(spoiled)).toEqual({ ...summary, ...fields, ...damaged(column) });
    expect(toCall(spoiled)).toMatchObject({ ...fields, ...damaged(column), findings: [finding] });
  });

  it.each<[column: keyof typeof row, value: unknown, name: string, fields: object]>([
    ['draft', 'no JSON', 'draft', { draft: { ...draft, text: '' } }],
    ['draft', '{}', 'draft', { draft: { ...draft, text: '' } }],
    ['request_headers', '7', 'headers', { request: { ...call.request, headers: [] } }],
    ['request_headers', '[["a"]]', 'headers', { request: { ...call.request, headers: [] } }],
    ['request_headers', '[["a", 1]]', 'headers', { request: { ...call.request, headers: [] } }],
    ['request_headers', '[["a", "b"], {}]', 'headers', { request: { ...call.request, headers: [] } }],
    ['response_headers', 'null', 'headers', { response: { ...call.response, headers: [] } }],
    ['timings', '[]', 'timings', { timings: null }],
    ['findings', '[{]', 'findings', { findings: [] }],
    ['findings', '{}', 'findings', { findings: [] }],
  ])('has its call shown as damaged alone, which holds more than the list shows: %s is %j', (column, value, name, fields) => {
    const spoiled = { ...row, [column]: value };
    expect(toSummary(spoiled)).toEqual(summary);
    expect(toCall(spoiled)).toEqual({ ...call, ...damaged(name), ...fields });
  });

  it.each(['[["playerId",7,0]]', '{}', '[', 7])('is shown as damaged, and without its subject where that is %j', (subject) => {
    const { subject: _subject, ...rest } = summary;
    expect(toSummary({ ...row, subject })).toEqual({ ...rest, ...damaged('subject') });
  });

  it('names each column once that cannot be read', () => {
    const spoiled = { ...row, sent_at: null, request_headers: '7', response_headers: '7', url: null };
    expect(toCall(spoiled).failure?.message).toContain('damaged: sent_at, url, headers cannot be read.');
    expect(toSummary({ ...row, sent_at: Number.MAX_SAFE_INTEGER })).toEqual({
      ...summary,
      sentAt: Number.MAX_SAFE_INTEGER,
      day: '',
      ...damaged('sent_at'),
    });
    // The request is gone with its table's row.
    const { draft: unsent, request } = toCall({ ...row, draft: null, request_headers: null, request_body: null, time: null });
    expect(unsent).toEqual({ ...draft, text: '' });
    expect(request).toMatchObject({ headers: [], bodyText: '', hashInput: null });
  });
});

it('a day is written with four digits of its year and two of the others, or not at all', () => {
  expect(dayOf(new Date(2026, 10, 30).getTime())).toBe('2026-11-30');
  const early = new Date(2000, 0, 2);
  early.setFullYear(987);
  expect(dayOf(early.getTime())).toBe('0987-01-02');
  expect(dayOf(8.64e15 + 1)).toBeNull();
});

it('bytes of a row are taken as they are, without a copy', () => {
  const bytes = new Uint8Array([1, 2, 3, 4]);
  const buffer = toBuffer(bytes.subarray(1, 3));
  expect([...buffer]).toEqual([2, 3]);
  expect(buffer.buffer).toBe(bytes.buffer);
  expect(toBuffer('text')).toHaveLength(0);
});
