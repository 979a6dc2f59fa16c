import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Failure } from '../ipc/calls.ts';
import { RequestDraft } from '../model/draft.ts';
import type { Call } from '../ipc/outputs/calls.ts';
import { Environment } from '../model/environment.ts';
import { utf8Length } from '../json/utf8.ts';
import { operations, type OperationName } from '../provider/index.ts';
import { assembleBody, hashToSend, prepareRequest } from '../request/envelope.ts';
import { someCall } from '#testing/some-call.ts';
import { bodyParts, departureOf, describeSent } from './sent-request.ts';
import { bytesFact, departureText, sentFact, sentProof, sentTitle, wholeStatement } from './sent-words.ts';

const key = 'the-key';
const now = Date.UTC(2026, 10, 20, 9, 15, 30);
type Settings = Partial<Environment>;

/** A call as core records it: the hash input's data is a slice of the body's bytes. */
function callOf(
  operation: OperationName,
  text: string,
  overrides: RequestDraft['overrides'] = {},
  settings: Settings = {},
): Call {
  const environment = {
    ...Environment.parse({ id: 'e', name: 'e', baseUrl: 'https://provider.example', platform: 7, partnerId: 42 }),
    ...settings,
  };
  const draft = RequestDraft.parse({ environmentId: 'e', operation, form: '', text, overrides });
  const prepared = prepareRequest(draft, environment, now);
  if (!prepared.ok) throw new Error(prepared.error.message);
  const { request } = prepared;
  const right = createHash('sha256')
    .update(key + (request.time ?? '') + (request.dataJson ?? ''))
    .digest('hex');
  const hash = hashToSend(request, right);
  const bodyText = assembleBody(request, hash);
  const { dataJson } = request;
  return someCall({
    id: 7,
    operation,
    url: request.url,
    sentAt: now,
    requestBytes: utf8Length(bodyText),
    draft,
    request: {
      headers: [],
      bodyText,
      hashInput: request.signed
        ? {
            time: request.time ?? '',
            dataJson,
            dataOffset: dataJson === null ? 0 : utf8Length(request.before),
            dataLength: dataJson === null ? 0 : utf8Length(dataJson),
          }
        : null,
      hash,
      keyFingerprint: null,
    },
  });
}

function failed(call: Call, phase: Failure['phase'], state: Call['state'] = 'failed'): Call {
  return {
    ...call,
    state,
    status: null,
    code: null,
    response: null,
    failure: { kind: 'timeout', phase, message: 'm', hint: 'h' },
  };
}

const round = '{"roundId": 9007199254740993, "logMonth": 0, "note": "Zoë 😀 a/b"}';

describe('what left as a call', () => {
  it.each(['php', 'php-unicode', 'verbatim'] as const)(
    'finds the signed bytes in the body of every operation, %s',
    (serialization) => {
      for (const { name, endpoint, payload } of operations) {
        const call = callOf(
          name,
          payload === 'envelope' ? '{"currency": "EUR"}' : round,
          { omit: ['action'] },
          { serialization },
        );
        const sent = describeSent(call);
        const bytes = Buffer.from(call.request.bodyText);
        const slice = (kind: string) => {
          const part = sent.parts.find((one) => one.kind === kind);
          return part === undefined ? null : bytes.subarray(part.firstByte, part.endByte).toString();
        };
        expect(sent.differences, name).toEqual([]);
        if (endpoint === 'wallet') {
          expect([sent.parts, wholeStatement(sentFact(sent))], name).toEqual([[], 'not signed']);
          continue;
        }
        // What stands there, hashed behind the key, is the hash that stands there.
        const data = slice('data') ?? '';
        expect(slice('hash'), name).toBe(
          createHash('sha256')
            .update(`${key}${slice('time')}${data}`)
            .digest('hex'),
        );
        expect(wholeStatement(sentFact(sent)), name).toMatch(
          payload === 'envelope' ? /^signed = sent: time, bytes \d+ to \d+$/ : /^signed = sent, bytes \d+ to \d+$/,
        );
        expect(bodyParts(call.request.bodyText), name).toEqual(sent.parts);
      }
    },
  );

  it('counts bytes from 0 and gives both ends', () => {
    const call = callOf('getGameRound', '{"a":"ë"}', {}, { serialization: 'verbatim' });
    const from = call.request.bodyText.indexOf('{"a"');
    expect(sentFact(describeSent(call))).toEqual({
      text: 'signed = sent',
      where: `bytes ${from} to ${from + 9}`,
      tone: 'good',
    });
    expect(sentProof(describeSent(call)).join(' ')).toContain(
      `and bytes ${from} to ${from + 9} (data) of the body, counted from 0, are the same`,
    );
  });

  it.each<[string, RequestDraft['overrides'], string, string]>([
    ['time left out', { omit: ['time'] }, 'signed and sent differ', 'time is in the hash input but not in the body.'],
    [
      'data left out of both',
      { omit: ['data'] },
      'signed = sent: time, bytes 61 to 79',
      '(time) of the body, counted from 0, are the same',
    ],
    ['hash left out', { omit: ['hash'] }, 'sent without a hash', 'would have been hashed'],
    [
      'hash and time left out',
      { omit: ['hash', 'time'] },
      'sent without a hash',
      'time is in the hash input but not in the body.',
    ],
    ['hash given', { hash: 'abc' }, 'custom hash', 'would have been hashed'],
    ['an empty hash given', { hash: '' }, 'custom hash', 'would have been hashed'],
    ['wrong digit', { hash: 'wrong' }, 'hash digit changed', 'are the same as in the hash input'],
    [
      'wrong digit without time',
      { hash: 'wrong', omit: ['time'] },
      'signed and sent differ',
      'One digit of the hash was changed',
    ],
    ['own time', { time: 'yesterday' }, 'signed = sent, bytes', 'are the same as'],
    ['time with escapes', { time: 'a"b' }, 'signed and sent differ', 'time is escaped in the body'],
    ['an empty time', { time: '' }, 'signed = sent, bytes', 'time is empty.'],
    ['other platform', { platform: '"x"', partnerId: 'null' }, 'signed = sent, bytes', 'are the same as'],
  ])('says of an override what it does to the bytes: %s', (_, overrides, fact, proof) => {
    const sent = describeSent(callOf('getGameRound', round, overrides));
    expect(wholeStatement(sentFact(sent))).toContain(fact);
    expect(sentProof(sent).join(' ')).toContain(proof);
  });

  it.each([
    ['{"time": "other"}', 'The body has time more than once.'],
    ['{"hash": "other"}', 'The body has hash more than once.'],
    ['{"data": {}}', 'data is in the body but not in the hash input.'],
  ])('does not call it signed where gameList’s extra fields repeat the envelope: %s', (text, difference) => {
    const sent = describeSent(callOf('gameList', text));
    expect(sentFact(sent)).toEqual({ text: 'signed and sent differ', tone: 'bad' });
    expect(sentProof(sent)).toContain(difference);
  });

  it('sees a record whose bytes are not those of its hash input', () => {
    const call = callOf('getGameRound', round);
    const other = (hashInput: Partial<NonNullable<Call['request']['hashInput']>>): Call => ({
      ...call,
      request: { ...call.request, hashInput: call.request.hashInput && { ...call.request.hashInput, ...hashInput } },
    });
    expect(describeSent(other({ dataOffset: 3 })).differences).toEqual(['data in the body differs from the hash input.']);
    expect(describeSent(other({ dataJson: '{}' })).differences).toEqual(['data in the body differs from the hash input.']);
    expect(describeSent(other({ time: 'x' })).differences).toEqual(['time in the body differs from the hash input.']);
    expect(describeSent({ ...call, requestBytes: call.requestBytes + 1 }).differences[0]).toMatch(
      /The record has .* of the body's/,
    );
    expect(describeSent({ ...call, request: { ...call.request, hash: 'x' } }).differences).toEqual([
      'hash in the body differs from the record.',
    ]);
  });

  it('does not judge the bytes of a call whose record has a key masked', () => {
    const call = callOf('getGameRound', round);
    const sent = describeSent({ ...call, requestBytes: call.requestBytes + 1, maskedKeys: ['Staging', 'Live'] });
    expect(sentFact(sent)).toEqual({ text: 'key masked, not compared', tone: 'plain' });
    expect(sentProof(sent)).toEqual([
      'The private key of Staging and Live was in the request. It is masked here, so these are not the bytes that left.',
    ]);
  });

  it('does not judge the bytes of a call whose request a support pack masks', () => {
    const call = callOf('getGameRound', round);
    const masked = { ...call, requestBytes: call.requestBytes + 1, maskedParts: ['request body', 'hash input'] };
    expect(sentFact(describeSent(masked))).toEqual({ text: 'masked, not compared', tone: 'plain' });
    expect(sentProof(describeSent(masked))).toEqual([
      'The support pack masks parts of this request, so these are not the bytes that left.',
    ]);
    expect(wholeStatement(sentFact(describeSent({ ...call, maskedParts: ['response body'] })))).toMatch(/^signed = sent/);
  });

  it('claims no signature of its own for an exact repeat', () => {
    const sent = describeSent({ ...callOf('getGameRound', round), repeats: 4 });
    expect(wholeStatement(sentFact(sent))).toBe('old bytes, not re-signed');
    expect(sentProof(sent)[0]).toBe('These are the bytes of call 4, with its time and its hash. Nothing was re-signed.');
  });

  it.each<[Failure['phase'], Call['state'], string]>([
    ['address', 'failed', 'nothing'],
    ['dns', 'failed', 'nothing'],
    ['connect', 'cancelled', 'nothing'],
    ['tls', 'failed', 'nothing'],
    ['headers', 'failed', 'begun'],
    ['headers', 'cancelled', 'begun'],
    ['body', 'failed', 'begun'],
    ['send', 'interrupted', 'unknown'],
  ])('of a call that failed in phase %s (%s) knows: %s', (phase, state, departure) => {
    for (const overrides of [{}, { hash: 'wrong' }, { hash: 'abc' }, { omit: ['hash'] }] as RequestDraft['overrides'][]) {
      for (const repeats of [null, 4]) {
        const call = { ...failed(callOf('getGameRound', round, overrides), phase, state), repeats };
        expect(departureOf(call)).toBe(departure);
        const sent = describeSent(call);
        const said = [
          wholeStatement(sentFact(sent)),
          wholeStatement(bytesFact(sent)),
          departureText(sent) ?? '',
          sentTitle(sent),
          ...sentProof(sent),
        ];
        for (const text of said) expect(text).not.toMatch(/signed = sent|as it was sent|^Sent$|^sent/);
        expect(departureText(sent)).toMatch(departure === 'nothing' ? /^Nothing was sent\..*would have been sent/ : /not known/);
      }
    }
  });

  it('keeps what is known where a response came and broke off, and where none came yet', () => {
    const call = callOf('getGameRound', round);
    const broken = { ...failed(call, 'body'), response: call.response };
    expect([departureOf(broken), sentTitle(describeSent(broken))]).toEqual(['answered', 'Sent']);
    const pending: Call = { ...call, state: 'pending', response: null };
    expect(departureText(describeSent(pending))).toMatch(/^No outcome yet/);
    expect(wholeStatement(sentFact(describeSent(pending)))).not.toMatch(/sent/);
  });

  it('describes a payload of a megabyte without reading the data twice', () => {
    const text = `{"players":["${'ë'.repeat(999_000)}"]}`;
    expect(wholeStatement(sentFact(describeSent(callOf('getGameRound', text, {}, { serialization: 'verbatim' }))))).toMatch(
      /^signed = sent/,
    );
  });
});
