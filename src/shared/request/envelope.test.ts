import { describe, expect, it } from 'vitest';
import { RequestDraft } from '../model/draft.ts';
import { Environment } from '../model/environment.ts';
import { operations, type OperationName } from '../provider/index.ts';
import { assembleBody, hashToSend, preparation, prepareRequest, type PreparedRequest } from './envelope.ts';

const environment = Environment.parse({
  id: 'test',
  name: 'Test',
  baseUrl: 'https://provider.example/api',
  platform: 7,
  partnerId: 9007199254740991,
  timeZone: 'Europe/Berlin',
});
const now = Date.UTC(2026, 10, 20, 9, 15, 30);
const digest = 'ab'.repeat(31) + 'c0';

function draft(operation: OperationName, text: string, overrides: RequestDraft['overrides'] = {}): RequestDraft {
  return RequestDraft.parse({ environmentId: 'test', operation, form: '', text, overrides });
}

function prepared(
  operation: OperationName,
  text: string,
  overrides: RequestDraft['overrides'] = {},
  settings: Partial<Environment> = {},
): PreparedRequest {
  const result = prepareRequest(draft(operation, text, overrides), { ...environment, ...settings }, now);
  if (!result.ok) throw new Error(result.error.message);
  return result.request;
}

function body(request: PreparedRequest): string {
  return assembleBody(request, hashToSend(request, digest));
}

function refusal(
  operation: OperationName,
  text: string,
  overrides: RequestDraft['overrides'] = {},
  settings: Partial<Environment> = {},
) {
  const result = prepareRequest(draft(operation, text, overrides), { ...environment, ...settings }, now);
  return result.ok ? null : result.error;
}

describe('a service operation', () => {
  it('keeps the order of the spec and puts the hashed text into the body', () => {
    const request = prepared('roundReplayInfo', '{ "roundId": 9007199254740993, "logMonth": 0 }');
    expect(request).toMatchObject({
      url: 'https://provider.example/api/serviceApi.php',
      signed: true,
      time: '20-11-2026 10:15:30',
      dataJson: '{"roundId":9007199254740993,"logMonth":0}',
      serialization: 'php',
    });
    expect(body(request)).toBe(
      `{"action":"roundReplayInfo","platform":7,"partnerId":9007199254740991,"time":"20-11-2026 10:15:30","data":{"roundId":9007199254740993,"logMonth":0},"hash":"${digest}"}`,
    );
    const hashAt = (request.before + request.dataJson + request.between).length;
    expect(body(request).slice(hashAt, hashAt + 64)).toBe(digest);
  });

  it('writes data in the form of the environment, or of the recorded answer', () => {
    const text = '{"playerId": "é"}';
    expect(prepared('freeRounds', text).dataJson).toBe('{"playerId":"\\u00e9"}');
    expect(prepared('freeRounds', text, {}, { serialization: 'php-unicode' }).dataJson).toBe('{"playerId":"é"}');
    expect(prepared('freeRounds', text, {}, { serialization: 'verbatim' }).dataJson).toBe(text);
    const answered = prepared('freeRounds', text, {}, { answers: { 'hash.nonAscii': { value: 'php-unicode', note: '' } } });
    expect(answered).toMatchObject({ dataJson: '{"playerId":"é"}', serialization: 'php-unicode' });
  });

  it('has no data where the text is blank', () => {
    for (const serialization of ['php', 'verbatim'] as const) {
      const request = prepared('getGameRound', ' \n', {}, { serialization });
      expect(request.dataJson).toBeNull();
      expect(body(request)).not.toContain('"data"');
    }
  });

  it('says where the text is refused', () => {
    expect(refusal('getGameRound', '{\n  "roundId": 1,\n}')).toEqual({
      message: 'Trailing comma: remove it before the closing }',
      offset: 16,
      line: 2,
      column: 15,
    });
    expect(prepared('getGameRound', '{"roundId": 1,}', {}, { serialization: 'verbatim' }).dataJson).toBe('{"roundId": 1,}');
  });

  it('takes the order of time from the recorded answer', () => {
    const answers = { 'time.order': { value: 'ymd', note: '' } };
    expect(prepared('roundReplayInfo', '{}', {}, { answers }).time).toBe('2026-11-20 10:15:30');
  });

  it('needs the recorded action where the spec shows none', () => {
    expect(refusal('cancelFreeRounds', '{}')?.message).toContain("The spec doesn't show the action name of cancelFreeRounds");
    const answers = { 'cancelFreeRounds.action': { value: 'stopFreeRounds', note: '' } };
    expect(body(prepared('cancelFreeRounds', '{}', {}, { answers }))).toContain('{"action":"stopFreeRounds","platform":7');
    const invalid = { 'cancelFreeRounds.action': { value: 'stop them', note: '' } };
    expect(refusal('cancelFreeRounds', '{}', {}, { answers: invalid })?.message).toContain('cancelFreeRounds');
    expect(body(prepared('cancelFreeRounds', '{}', { omit: ['action'] }))).toMatch(/^\{"platform":7/);
  });

  it('goes to the recorded path of its own, signed without an action, or as plain JSON', () => {
    const at = (value: string) => ({ answers: { 'currencyList.action': { value, note: '' } } });
    const signed = prepared('currencyList', '{"a":"é"}', {}, at('/v1/currencies signed'));
    expect(signed.url).toMatch(/[^/]\/v1\/currencies$/);
    expect(signed.signed).toBe(true);
    expect(body(signed)).toMatch(/^\{"platform":7,"partnerId":9007199254740991,"time":"[^"]+","data":\{"a":"\\u00e9"\},"hash":"/);
    const plain = prepared('currencyList', '{}', {}, at('/currencies plain'));
    expect(plain).toMatchObject({ signed: false, time: null });
    expect(plain.url).toMatch(/[^/]\/currencies$/);
    expect(body(plain)).toBe('{}');
    expect(refusal('currencyList', '{}', { hash: 'wrong' }, at('/currencies plain'))?.message).toContain('without an envelope');
    expect(refusal('currencyList', '{}', {}, at('/currencies'))?.message).toMatch(
      /The recorded answer .* not valid.*signed or plain/,
    );
  });

  it('reports a zone that nobody knows', () => {
    expect(refusal('getGameRound', '{}', {}, { timeZone: 'Mars/Olympus' })?.message).toContain('Unknown time zone: Mars/Olympus');
    expect(prepared('getGameRound', '{}', { time: 'now' }, { timeZone: 'Mars/Olympus' }).time).toBe('now');
  });
});

describe('gameList', () => {
  const head = '{"action":"gameList","platform":7,"partnerId":9007199254740991,"time":"20-11-2026 10:15:30"';

  it('hashes key and time alone and has its extra fields last, as typed', () => {
    const request = prepared('gameList', '{\n "currency" : "EUR",\n "rate": 1.50 }');
    expect(request.dataJson).toBeNull();
    expect(body(request)).toBe(`${head},"hash":"${digest}","currency" : "EUR",\n "rate": 1.50}`);
    for (const text of ['', '{}', ' { } ']) expect(body(prepared('gameList', text))).toBe(`${head},"hash":"${digest}"}`);
  });

  it('refuses extra fields that are no object', () => {
    expect(refusal('gameList', '["EUR"]')?.message).toContain('must be a JSON object');
    expect(refusal('gameList', '{"currency": EUR}')).toMatchObject({ line: 1, column: 14 });
  });
});

describe('a wallet method', () => {
  it('is not signed and has its text as the whole body', () => {
    const text = '{ "amount": 1.10, "playerId": "Zo\\u00EB/中",\r\n  "amount": 1e400 }\n';
    const request = prepared('bet', text);
    expect(request).toMatchObject({ url: 'https://provider.example/api/bet', signed: false, time: null });
    expect(body(request)).toBe(text);
    expect(request.serialization).toBeNull();
    expect(assembleBody(request, null)).toBe(body(request));
  });

  it('is refused where it has no bytes: half of a surrogate pair', () => {
    expect(refusal('bet', '{\n"a":"x\ud83d"}')).toMatchObject({ offset: 8, line: 2, column: 7 });
    expect(refusal('bet', '\ude00\ud83d')).toMatchObject({ offset: 0 });
    expect(body(prepared('bet', '{"a":"😀"}'))).toBe('{"a":"😀"}');
  });

  it('goes to the wallet URL where there is one', () => {
    expect(prepared('win', '{}', {}, { walletUrl: 'https://wallet.example' }).url).toBe('https://wallet.example/win');
  });

  it('may have an empty body, and one that is not JSON', () => {
    for (const blank of ['', ' \t\r\n']) expect(body(prepared('cancel', blank))).toBe('');
    for (const text of ['{"amount": 1,}', 'amount=1', '\u00a0', '\ufeff{}', '[1]']) {
      for (const serialization of ['php', 'php-unicode', 'verbatim'] as const) {
        expect(body(prepared('bet', text, {}, { serialization }))).toBe(text);
      }
    }
  });
});

describe('overrides', () => {
  it('send a wrong hash or any text as the hash', () => {
    const wrong = prepared('getGameRound', '{}', { hash: 'wrong' });
    const sent = hashToSend(wrong, digest) as string;
    expect(sent).toMatch(/^[0-9a-f]{64}$/);
    expect(sent.split('').filter((digit, index) => digit !== digest[index])).toHaveLength(1);
    expect(body(prepared('getGameRound', '{}', { hash: 'a"b' }))).toMatch(/"hash":"a\\"b"\}$/);
    expect(body(prepared('getGameRound', '{}', { hash: '' }))).toMatch(/"hash":""\}$/);
  });

  it('hash the time that is sent, whatever it is', () => {
    const request = prepared('getGameRound', '{}', { time: '01-01-2001 "ü"' });
    expect(request.time).toBe('01-01-2001 "ü"');
    expect(JSON.parse(body(request))).toMatchObject({ time: '01-01-2001 "ü"' });
  });

  it('splice platform and partnerId as JSON text', () => {
    const request = prepared('getGameRound', '{}', { platform: ' "7" ', partnerId: '1e400' });
    expect(body(request)).toContain('"platform":"7","partnerId":1e400,');
    expect(refusal('getGameRound', '{}', { platform: 'seven' })?.message).toMatch(/^The override of platform is not JSON/);
    expect(refusal('getGameRound', '{}', { partnerId: '1,"x":2' })?.message).toMatch(/^The override of partnerId is not JSON/);
  });

  it('leave any set of fields out and the body valid', () => {
    const fields = ['action', 'platform', 'partnerId', 'time', 'data', 'hash'] as const;
    for (let set = 0; set < 1 << fields.length; set++) {
      const omit = fields.filter((_, index) => (set & (1 << index)) !== 0);
      const kept = fields.filter((field) => !omit.includes(field));
      expect(Object.keys(JSON.parse(body(prepared('getGameRound', '{"roundId":1}', { omit })))), omit.join()).toEqual(kept);
      const list = JSON.parse(body(prepared('gameList', '{"currency":"EUR"}', { omit })));
      expect(Object.keys(list), omit.join()).toEqual([...kept.filter((field) => field !== 'data'), 'currency']);
    }
  });

  it('still hash the time that is left out, and no data that is left out', () => {
    const request = prepared('getGameRound', '{"roundId":1}', { omit: ['time', 'data'] });
    expect(request).toMatchObject({ time: '20-11-2026 10:15:30', dataJson: null });
    expect(hashToSend(prepared('getGameRound', '{}', { omit: ['hash'] }), digest)).toBeNull();
  });
});

describe('every operation', () => {
  it.each(operations.map((operation) => [operation.name]))('%s gives a body that is one JSON value', (name) => {
    const answers = { 'cancelFreeRounds.action': { value: 'a', note: '' }, 'currencyList.action': { value: 'b', note: '' } };
    const request = prepared(name, '{"x":"é"}', {}, { answers });
    expect(JSON.parse(body(request))).toMatchObject(request.operation.payload === 'data' ? { data: { x: 'é' } } : { x: 'é' });
    expect(request.signed).toBe(request.operation.endpoint === 'service');
  });
});

describe('a request for another moment', () => {
  it('reads the text once, and is what would be prepared for that moment', () => {
    const text = '{"gameId": 1001, "mode": "fun"}';
    let reads = 0;
    const counted = Object.defineProperty(draft('getLauncherURL', text), 'text', { get: () => ((reads += 1), text) });
    const prepare = preparation(counted, environment);
    const read = reads;
    const moments = Array.from({ length: 100 }, (_, second) => now + second * 1_000);
    for (const moment of moments) {
      expect(prepare(moment)).toEqual(prepareRequest(draft('getLauncherURL', text), environment, moment));
    }
    expect(reads).toBe(read);
  });

  it('is refused for the time first, then for the text', () => {
    const prepare = (timeZone: string) => preparation(draft('getLauncherURL', '{"a":}'), { ...environment, timeZone })(now);
    expect(prepare('No/Where')).toMatchObject({ ok: false, error: { message: expect.stringContaining('No/Where') } });
    expect(prepare('Europe/Berlin')).toMatchObject({ ok: false, error: { offset: 5 } });
  });
});
