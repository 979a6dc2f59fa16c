import { describe, expect, it } from 'vitest';
import type { Call } from '../ipc/outputs/calls.ts';
import { someCall } from '#testing/some-call.ts';
import { compareCalls, compareHeaders } from './compare-calls.ts';
import { differenceSentence, firstFinding, lastGoodSentence, momentText, spanText, zoneText } from './comparison-words.ts';

interface Made {
  readonly id?: number;
  readonly time?: string;
  readonly data?: string | null;
  readonly key?: string | null;
  readonly hash?: string;
  readonly body?: string;
  readonly unsigned?: boolean;
  readonly hashOverride?: string;
  readonly sentAt?: number;
}

const noon = Date.UTC(2026, 10, 20, 12, 0, 0);

function made(change: Made = {}): Call {
  const {
    id = 1,
    time = '20-11-2026 12:00:00',
    data = '{"a":1}',
    key = 'aaaa-aa keychain 01',
    hash = `of ${time}${data ?? ''}`.replaceAll('"', ''),
    unsigned = false,
  } = change;
  const body =
    change.body ?? `{"action":"x","platform":1,"time":"${time}"${data === null ? '' : `,"data":${data}`},"hash":"${hash}"}`;
  return someCall({
    id,
    operation: 'getGameRound',
    environmentName: 'staging',
    sentAt: change.sentAt ?? noon,
    durationMs: 38.2,
    requestBytes: body.length,
    draft: { ...someCall().draft, overrides: change.hashOverride === undefined ? {} : { hash: change.hashOverride } },
    request: {
      headers: [['Content-Type', 'application/json']],
      bodyText: body,
      hashInput: unsigned ? null : { time, dataJson: data, dataOffset: 0, dataLength: 0 },
      hash: unsigned ? null : hash,
      keyFingerprint: unsigned ? null : key,
    },
    response: { status: 200, headers: [['Date', 'x']], bodyBytes: 10, truncated: false },
  });
}

function signed(left: Made, right: Made) {
  const { hashInput } = compareCalls(made(left), made(right));
  if (hashInput.verdict !== 'signed') throw new Error('Not signed.');
  return hashInput;
}

function different(left: string, right: string) {
  const { data } = signed({ data: left }, { data: right });
  if (data.verdict !== 'different') throw new Error(data.verdict);
  return data.difference;
}

const words = (left: Made, right: Made) => firstFinding(compareCalls(made(left), made(right))).words;

describe('the hash inputs of two calls', () => {
  it('says what the key is by hashes of one input, whatever the fingerprints are', () => {
    for (const key of ['bbbb-bb keychain 01', 'bbbb-bb session 02', 'bbbb-bb', null]) {
      expect(signed({}, { key })).toMatchObject({ key: { verdict: 'same', proof: 'hash' }, count: 0 });
    }
    expect(signed({}, { hash: 'other' })).toMatchObject({ key: { verdict: 'different', proof: 'hash' }, count: 1 });
    expect(signed({ hash: 'aa0' }, { hash: 'aa1', hashOverride: 'wrong' }).key).toEqual({ verdict: 'same', proof: 'hash' });
    expect(signed({ hash: 'aa0' }, { hash: 'aa0', hashOverride: 'wrong' }).key.verdict).toBe('different');
    expect(signed({}, { hash: 'typed', hashOverride: 'typed', key: null }).key).toEqual({
      verdict: 'cannot be compared',
      proof: 'missing',
    });
  });

  it.each([
    ['aaaa-aa keychain 01', 'same', 'fingerprint'],
    ['bbbb-bb keychain 01', 'different', 'fingerprint'],
    ['aaaa-aa keychain 02', 'cannot be compared', 'sessions'],
    ['aaaa-aa session 03', 'cannot be compared', 'sessions'],
    ['bbbb-bb session 03', 'cannot be compared', 'sessions'],
    ['aaaa-aa', 'same', 'fingerprint'],
    ['bbbb-bb', 'cannot be compared', 'kind'],
    [null, 'cannot be compared', 'missing'],
  ] as const)('of other inputs, by the fingerprint %s, says that the key is %s', (key, verdict, proof) => {
    const later = { time: '20-11-2026 12:05:00', sentAt: noon + 300_000 };
    expect(signed({}, { ...later, key })).toMatchObject({ key: { verdict, proof }, count: Number(verdict === 'different') });
  });

  it('takes a time of its own sending for no difference, and any other for one', () => {
    const later = { time: '20-11-2026 12:05:00', sentAt: noon + 300_000 };
    expect(signed({}, later)).toMatchObject({ time: { verdict: 'own', apartMs: 300_000 }, count: 0 });
    expect(signed({}, { time: '2026-11-20 12:00:00' })).toMatchObject({ time: { verdict: 'form', apartMs: 0 }, count: 1 });
    expect(signed({}, { time: 'now' })).toMatchObject({ time: { verdict: 'form', apartMs: null }, count: 1 });
    expect(signed({ time: 'then' }, { time: 'now' }).time.verdict).toBe('form');
    expect(signed({}, { time: '20-11-2026 11:53:00' })).toMatchObject({
      time: { verdict: 'moment', right: { aheadMs: -420_000, zoneMinutes: null } },
      count: 1,
    });
    expect(signed({}, { time: '20-11-2026 17:30:02' }).time).toMatchObject({ verdict: 'moment', right: { zoneMinutes: 330 } });
    expect(signed({}, { time: '21-11-2026 12:00:00' }).time.right.zoneMinutes).toBeNull();
    expect(signed({}, { time: '31-02-2026 12:00:00' }).time.right.form).toBe('other');
    expect(signed({}, { time: '20-11-2026 12:00:00' }).time.verdict).toBe('equal');
  });

  it('names the first differing byte, in data and behind the key', () => {
    const { first, afterKey, at } = different('{"a":"é/"}', String.raw`{"a":"é\/"}`);
    expect(first).toMatchObject({ byteOffset: 8, charOffset: 7, left: { byte: '2f' }, right: { byte: '5c' } });
    expect(afterKey).toEqual({ left: 27, right: 27 });
    expect(at).toMatchObject({ kind: 'spelling', spelling: 'slashes', pointer: '/a' });
  });

  it.each([
    ['{"a":"/"}', String.raw`{"a":"\/"}`, ['slashes']],
    ['{"a":1}', '{ "a" : 1 }', ['white space']],
    ['[ 1]', '[1 ]', ['white space']],
    ['{"a":1,"b":2}', '{"b":2,"a":1}', ['order']],
    ['{"a":1,"b":2.0}', '{"b":2,"a":1}', ['number', 'order']],
    ['{"a":1,"b":2}', '{"b":2, "a":1}', []],
    ['{"a":1.0}', '{"a":1}', ['number']],
    ['{"a":1.0}', '{"a": 1}', ['number', 'white space']],
    [String.raw`["é \" ,"]`, String.raw`["\u00e9 \" ,"]`, ['escapes']],
    [String.raw`["\u00E9"]`, String.raw`["\u00e9"]`, ['hex case']],
  ])('is certain of the way in which %s and %s differ', (left, right, only) => {
    expect(different(left, right)).toMatchObject({ sameValues: true, only });
  });

  it('gives no reason where values differ, or where a text is not JSON', () => {
    expect(different(String.raw`{"a":"\/","b":1}`, '{"a":"/","b":2}')).toMatchObject({
      sameValues: false,
      only: [],
      at: { kind: 'spelling' },
    });
    expect(different('{"a":1}', '{"a":12}').at).toMatchObject({ kind: 'changed', pointer: '/a' });
    expect(different('{"a":1}', '{"a":1,"b":2}').at).toBeNull();
    expect(different('{a:1}', '{"a":1}')).toMatchObject({ json: null, sameValues: false, only: [] });
    expect(different('["\ud800"]', '["\udfff"]')).toMatchObject({ first: null, afterKey: null });
    const many = (space: string) => `[${Array.from({ length: 1_200 }, () => `1${space}`).join(',')}]`;
    expect(different(many('.0'), many(''))).toMatchObject({ sameValues: true, only: [] });
  });

  it('handles no data and no signature', () => {
    expect(signed({ data: null }, { data: null }).data).toEqual({ verdict: 'none' });
    expect(signed({ data: null }, {})).toMatchObject({ data: { verdict: 'right only' }, count: 1 });
    expect(signed({}, { data: null }).data.verdict).toBe('left only');
    const verdict = (left: Made, right: Made) => compareCalls(made(left), made(right)).hashInput.verdict;
    expect(verdict({ unsigned: true }, { unsigned: true })).toBe('unsigned');
    expect(verdict({ unsigned: true }, {})).toBe('left unsigned');
    expect(verdict({}, { unsigned: true })).toBe('right unsigned');
  });
});

describe('envelope, headers and facts', () => {
  it('compares the envelope member by member with the exact text of each', () => {
    const { envelope } = compareCalls(made({ body: '{"a":1.0,"b":2,"x":{"y":1}}' }), made({ body: '{"b":2,"a":1,"z":null}' }));
    expect(envelope).toMatchObject({ equal: false, byMembers: true, count: 3, reordered: true });
    expect(envelope.lines).toEqual([
      { name: 'a', occurrence: null, left: '1.0', right: '1', equal: false },
      { name: 'b', occurrence: null, left: '2', right: '2', equal: true },
      { name: 'x', occurrence: null, left: '{"y":1}', right: null, equal: false },
      { name: 'z', occurrence: null, left: null, right: 'null', equal: false },
    ]);
    expect(compareCalls(made({ body: '{"a":1}' }), made({ body: '{"a": 1}' })).envelope).toMatchObject({
      count: 1,
      equal: false,
    });
    expect(compareCalls(made({ body: '' }), made({ body: '[]' })).envelope).toMatchObject({ byMembers: false, count: 1 });
    expect(compareCalls(made({ body: '' }), made({ body: '' })).envelope).toMatchObject({
      byMembers: false,
      count: 0,
      equal: true,
    });
  });

  it('puts what means something first, and what always differs last', () => {
    const body =
      '{"hash":"h","time":"t","externalToken":"x","note":1,"transactionId":"8","currency":"EUR","amount":1,"playerId":"p"}';
    const { envelope } = compareCalls(made({ body, unsigned: true }), made({ body, unsigned: true }));
    expect(envelope.lines.map(({ name }) => name).join(' ')).toBe(
      'playerId amount currency note externalToken transactionId time hash',
    );
    const changed = made({ body: body.replace('"8"', '"9"').replace(':1,"p', ':2,"p').replace('"x"', '"y"'), unsigned: true });
    expect(firstFinding(compareCalls(made({ body, unsigned: true }), changed)).words).toBe('the body, in amount: 1 against 2');
  });

  it('compares headers by name in either case, repeated ones in their order', () => {
    const { lines, count, reordered } = compareHeaders(
      [
        ['Date', 'a'],
        ['Set-Cookie', 'x=1'],
        ['set-cookie', 'y=2'],
        ['Server', 's'],
      ],
      [
        ['server', 's'],
        ['set-cookie', 'x=1'],
        ['Set-Cookie', 'y=3'],
        ['Set-Cookie', 'z'],
        ['via', 'p'],
      ],
    );
    expect({ count, reordered }).toEqual({ count: 4, reordered: true });
    expect(lines.map(({ name, occurrence, left, right }) => [name, occurrence, left, right])).toEqual([
      ['date', null, 'a', null],
      ['set-cookie', 1, 'x=1', 'x=1'],
      ['set-cookie', 2, 'y=2', 'y=3'],
      ['server', null, 's', 's'],
      ['set-cookie', 3, null, 'z'],
      ['via', null, null, 'p'],
    ]);
  });

  it('compares what became of the two', () => {
    const unanswered = { ...made(), state: 'failed', status: null, code: null, message: null, response: null } as Call;
    const { facts, receivedHeaders } = compareCalls(made(), { ...unanswered, failure: { message: 'No connection' } } as Call);
    expect(facts.lines.find(({ name }) => name === 'code')).toMatchObject({ left: '0', right: null, equal: false });
    expect(facts.lines.find(({ name }) => name === 'failure')).toMatchObject({ left: null, right: 'No connection' });
    expect(facts.lines.find(({ name }) => name === 'duration, ms')).toMatchObject({ left: '38', equal: true });
    expect(receivedHeaders.count).toBe(1);
  });
});

describe('what is found first, in words', () => {
  it.each<[Made, Made, string]>([
    [{}, { unsigned: true }, 'the hash input: only one call has one'],
    [{}, { key: 'bbbb-bb keychain 01', data: '{}' }, 'the key: their fingerprints differ'],
    [{}, { hash: 'other' }, 'the key: the same time and data gave another hash'],
    [{}, { key: 'bbbb-bb session 02', data: '{}' }, 'data, at byte 1: " (0x22) against } (0x7d)'],
    [
      {},
      { time: '2026-11-20 12:00:00', data: '{}' },
      `time: "20-11-2026 12:00:00" (dd-mm-yyyy hh:mm:ss, as documented) against "2026-11-20 12:00:00" (yyyy-mm-dd hh:mm:ss, as in one of the spec's samples)`,
    ],
    [
      {},
      { time: '20-11-2026 11:53:00' },
      'time: one is its sending time in UTC, the other is 7 min before it was sent, read as UTC',
    ],
    [
      { data: '{"u":"a/b"}' },
      { data: String.raw`{"u":"a\/b"}` },
      String.raw`data, at byte 7: / (0x2f) against \/ (0x5c); the values are the same, only the escaping of slashes differs`,
    ],
    [
      { data: '{"a":{"b":1}}' },
      { data: '{"a":{"b":2}}' },
      'data, at byte 10: 1 (0x31) against 2 (0x32); the value of /a/b was changed',
    ],
    [
      { data: String.raw`["\u00e9","x"]` },
      { data: String.raw`["\u00e8","y"]` },
      String.raw`data, at byte 7: \u00e9 (0x39) against \u00e8 (0x38); the value of /0 was changed`,
    ],
    [{ data: '[1]' }, { data: '[1' }, 'data, at byte 2: ] (0x5d) against the end'],
    [{}, { data: null }, 'data: only one call has it'],
    [{ body: '{"platform":1,"hash":"a"}' }, { body: '{"platform":2,"hash":"b"}' }, 'the envelope, in platform: 1 against 2'],
    [
      { body: '{"platform":1,"hash":"a"}' },
      { body: '{"hash":"b","platform":1}', time: '20-11-2026 12:05:00', sentAt: noon + 300_000 },
      'the envelope, in the order of its fields',
    ],
    [{ body: '{"hash":"a"}' }, { body: '{"hash": "a"}' }, "the envelope's text"],
    [{ body: '[1]', unsigned: true }, { body: '[2]', unsigned: true }, "the body's text"],
    [{ hash: 'aa0' }, { hash: 'aa1', hashOverride: 'wrong' }, 'the envelope, in hash: "aa0" against "aa1"'],
    [{}, { hash: 'other', time: '20-11-2026 12:05:00', sentAt: noon + 300_000 }, ''],
  ])('%j against %j', (left, right, said) => {
    expect(words(left, right)).toBe(said);
  });

  it('makes a sentence of an accepted call and a refused one', () => {
    const good = made({ id: 7 });
    expect(lastGoodSentence(compareCalls(good, made({ data: '{"a":2}' })), good)).toBe(
      'The last accepted call of getGameRound, call 7, differs, apart from the sending time, first in data, at byte 5: 1 (0x31) against 2 (0x32); the value of /a was changed.',
    );
    expect(lastGoodSentence(compareCalls(good, made({ time: '20-11-2026 12:05:00', sentAt: noon + 300_000 })), good)).toBe(
      'The last accepted call of getGameRound, call 7, was sent with the same key, a time in the same format and the same data.',
    );
  });

  it('says of two calls without a difference only what is the same, and of no key that cannot be compared', () => {
    const sentence = (left: Made, right: Made) => differenceSentence(compareCalls(made(left), made(right)), 'They');
    const later = { time: '20-11-2026 12:05:00', sentAt: noon + 300_000 };
    expect(sentence({}, {})).toBe('They were sent with the same key, the same time and the same data.');
    expect(sentence({}, { ...later, key: null })).toBe('They were sent with a time in the same format and the same data.');
    expect(sentence({ data: null }, { ...later, data: null })).toBe(
      'They were sent with the same key, a time in the same format and no data.',
    );
    expect(sentence({}, { ...later, data: '{"a":2}' })).toContain('They differ, apart from the sending time, first in data,');
    expect(sentence({}, { time: 'noon' })).toContain('They differ first in time:');
  });

  it('writes zones and spans', () => {
    expect([zoneText(0), zoneText(330), zoneText(-210)]).toEqual(['UTC', 'UTC+05:30', 'UTC-03:30']);
    expect([0, 61_000, 7_200_000, 90_061_000, 86_400_000 * 3_000].map(spanText)).toEqual([
      '0 s',
      '1 min 1 s',
      '2 h',
      '1 d 1 h',
      '3,000 d',
    ]);
    expect(momentText({ text: 'x', form: 'other', aheadMs: null, zoneMinutes: null })).toContain('not in the documented format');
  });
});
