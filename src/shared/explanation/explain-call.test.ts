import { describe, expect, it } from 'vitest';
import type { Overrides } from '../model/draft.ts';
import type { Call } from '../ipc/outputs/calls.ts';
import { Environment } from '../model/environment.ts';
import type { OperationName } from '../model/operations.ts';
import { operations, templateText } from '../provider/index.ts';
import { someCall } from '#testing/some-call.ts';
import { compareCalls } from '../calls/compare-calls.ts';
import { assembleBody, hashToSend, prepareRequest } from '../request/envelope.ts';
import { explainCall } from './explain-call.ts';
import type { Evidence, Explanation } from './explanation.ts';
import { printReason, reasonHeader, type ProviderReason } from './provider-reason.ts';
import { plainText } from './sentence.ts';

const noon = Date.UTC(2026, 10, 20, 12, 0, 0);
const digest = 'ab'.repeat(32);

interface Made {
  readonly id?: number;
  readonly operation?: OperationName;
  readonly text?: string;
  readonly overrides?: Overrides;
  readonly change?: Partial<Environment>;
  readonly code?: number | null;
  readonly status?: number;
  readonly fingerprint?: string;
  readonly reason?: Partial<ProviderReason>;
  readonly repeats?: number;
  readonly more?: Partial<Call>;
}

function environmentOf(change: Partial<Environment> = {}): Environment {
  return Environment.parse({
    id: 'staging-1a2b',
    name: 'staging',
    baseUrl: 'https://provider.example',
    platform: 7,
    partnerId: 31,
    ...change,
  });
}

/** A call as the sender makes it, with a response. */
function made(given: Made = {}): Call {
  const { operation = 'getGameRound', overrides = {}, code = 8, status = 200, reason } = given;
  const environment = environmentOf({
    ...(reason === undefined ? {} : { id: 'sandbox', kind: 'sandbox', baseUrl: 'https://localhost:8443' }),
    ...given.change,
  });
  const { forms, name } = operations.find((one) => one.name === operation)!;
  const form = forms[0]?.id ?? '';
  const text =
    given.text ??
    templateText(
      operations.find((one) => one.name === operation)!,
      form,
      environment.defaults,
    );
  const draft = { environmentId: environment.id, operation, form, text, overrides };
  const prepared = prepareRequest(draft, environment, noon);
  if (!prepared.ok) throw new Error(`${name}: ${prepared.error.message}`);
  const { request } = prepared;
  const hash = hashToSend(request, digest);
  const headers: [string, string][] = [['content-type', 'application/json']];
  if (reason !== undefined && reason.why !== undefined) {
    headers.push([
      reasonHeader,
      printReason({ why: '', standsIn: false, byte: null, isReason: false, mistake: false, ...reason }),
    ]);
  }
  return someCall({
    id: given.id ?? 20,
    environmentId: environment.id,
    environmentName: environment.name,
    operation,
    url: request.url,
    sentAt: noon,
    status,
    code,
    message: 'a message',
    repeats: given.repeats ?? null,
    draft,
    request: {
      headers: [],
      bodyText: assembleBody(request, hash),
      hashInput: request.signed
        ? { time: request.time ?? '', dataJson: request.dataJson, dataOffset: request.before.length, dataLength: 0 }
        : null,
      hash,
      keyFingerprint: request.signed ? (given.fingerprint ?? '7f3e-91') : null,
    },
    response: { status, headers, bodyBytes: 10, truncated: false },
    ...given.more,
  });
}

function explain(call: Call, evidence: Partial<Evidence> & { good?: Call } = {}): Explanation {
  const { good, ...rest } = evidence;
  const accepted = good === undefined ? null : { call: good, comparison: compareCalls(good, call) };
  const explanation = explainCall({
    call,
    environment: environmentOf(),
    accepted,
    keys: null,
    finding: null,
    responseText: null,
    ...rest,
  });
  if (explanation === null) throw new Error('Nothing is explained.');
  return explanation;
}

/** An explanation as lines: the title, facts with a dash, steps with a number and what they do. */
function lines({ title, facts, steps }: Explanation): string[] {
  return [
    plainText(title),
    ...facts.map((fact) => `- ${plainText(fact)}`),
    ...steps.map(({ text, action }, at) => `${at + 1}. ${plainText(text)}${action === null ? '' : ` [${action.kind}]`}`),
  ];
}

const setKey = 'Set the key again: one trailing space or line break changes the hash. [setKey]';

describe('a response with two members of one name', () => {
  const twice = (severity: 'error' | 'warning' = 'error') => ({
    findings: [
      { rule: 'undocumented', severity: 'warning', path: '', message: 'Another one.' },
      { rule: 'duplicate-key', severity, path: '/code', message: 'It occurs twice.' },
    ] as Call['findings'],
  });
  it.each<[name: string, given: Made, tone: Explanation['tone'], second: string]>([
    ['no code that all parsers read', { code: null, more: twice() }, 'warn', ''],
    ['a wallet response without a code', { operation: 'bet', code: null, more: twice() }, 'warn', ''],
    ['code 0', { code: 0, more: twice('warning') }, 'warn', '- Accepted. Another one.'],
    ['code 8', { code: 8, more: twice('warning') }, 'bad', "- According to the spec, code 8 means that the hash doesn't match."],
    ['a code that is not listed', { code: 7, more: twice() }, 'warn', "- The spec doesn't list code 7."],
    ['the built-in provider’s reason', { code: 8, reason: { why: 'Why.' }, more: twice() }, 'bad', '- Why.'],
  ])('says so first: %s', (_, given, tone, second) => {
    const explained = explain(made(given));
    expect(explained.tone).toBe(tone);
    expect([...lines(explained), ''].slice(0, 2)).toEqual(['It occurs twice.', second]);
  });

  it('says so before anything about a launcher URL', () => {
    const responseText = '{"code":0,"data":{"launcherURL":"https://g.example/?lang=en"}}';
    const call = made({ operation: 'getLauncherURL', code: 0, more: twice() });
    expect(plainText(explain(call, { responseText }).title)).toBe('It occurs twice.');
  });
});

describe('code 8', () => {
  it('with nothing known but the bytes: what is known not to be the cause, then the key', () => {
    expect(lines(explain(made()))).toEqual([
      "According to the spec, code 8 means that the hash doesn't match.",
      '- data is ASCII and stays the same when PHP re-encodes it.',
      `1. ${setKey}`,
    ]);
  });

  it('of a call that one of two keys signed names that key and the other one, by the call’s own fingerprint', () => {
    const fingerprint = (digits: string) => `${digits} keychain 4c1d2e8f`;
    const other = { state: 'present', storage: 'keychain', fingerprint: fingerprint('12ab-cd'), bytes: 9, setAt: null } as const;
    const keys = { fingerprint: fingerprint('7f3e-91'), pair: { signs: 'new', other } } as const;
    const last = (digits: string) => lines(explain(made({ fingerprint: fingerprint(digits) }), { keys })).at(-1);
    expect(last('7f3e-91')).toBe(
      '1. This call was signed with the new key, 7f3e-91. The older key is still there and can sign instead. [chooseKey]',
    );
    expect(last('12ab-cd')).toBe(
      '1. This call was signed with the older key, 12ab-cd. The new key is still there and can sign instead. [chooseKey]',
    );
    // A key that is there no more, or one of another keychain.
    expect(last('0000-00')).toBe(`1. ${setKey}`);
    expect(lines(explain(made({ fingerprint: '7f3e-91 session 00000000' }), { keys })).at(-1)).toBe(`1. ${setKey}`);
  });

  it('of gameList says what its hash covers', () => {
    expect(lines(explain(made({ operation: 'gameList' })))).toEqual([
      "According to the spec, code 8 means that the hash doesn't match.",
      '- gameList has no data: the hash input is only the key and time.',
      `1. ${setKey}`,
    ]);
  });

  it('with \\/ in verbatim data: the byte first, and what PHP makes of it', () => {
    const text = '{"exitURL":"https:\\/\\/casino.example"}';
    const change = { serialization: 'verbatim' } as const;
    const explained = explain(made({ operation: 'getLauncherURL', text, change }), { environment: environmentOf(change) });
    expect(lines(explained)).toEqual([
      'PHP changes data at byte 18: this call sent `\\/\\/casino.example`, PHP writes //casino.example.',
      '- PHP writes an escaped slash \\/ as /, because JSON_UNESCAPED_SLASHES is set. A provider that decodes and re-encodes it hashes other bytes.',
      '1. Set the serialization to php. [setSerialization]',
      `2. ${setKey}`,
    ]);
  });

  it('with text outside ASCII: how it was hashed, and the other form', () => {
    const text = '{"roundId":1,"logMonth":0,"playerId":"Zoë-7"}';
    expect(lines(explain(made({ text })))).toEqual([
      "data has `ë` at byte 40, sent as `Zo\\u00eb-7`. The spec doesn't show which form the provider hashes.",
      '1. Set the serialization to php-unicode. [setSerialization]',
      '2. Record which form the provider accepts. [openPoint]',
      `3. ${setKey}`,
    ]);
    const change = { serialization: 'php-unicode' } as const;
    const bare = explain(made({ text, change }), { environment: environmentOf(change) });
    expect(plainText(bare.title)).toContain('data has `ë` at byte 40, sent as `Zoë-7`.');
    expect(bare.steps[0]?.action).toEqual({ kind: 'setSerialization', value: 'php' });
  });

  it('does not propose a form that is recorded as right, nor one that is already set', () => {
    const text = '{"playerId":"Zoë"}';
    const answers = { 'hash.nonAscii': { value: 'php', note: '' } };
    const explained = explain(made({ text }), { environment: environmentOf({ answers }) });
    expect(explained.steps.map(({ action }) => action?.kind)).toEqual(['setKey']);
    const gone = explain(made({ text }), { environment: null });
    expect(gone.steps.map(({ action }) => action?.kind)).toEqual(['openPoint', 'setKey']);
  });

  it('says of a form what the recorded answer says, and one step once', () => {
    const text = '{"playerId": "Zoë"}';
    const change = { serialization: 'verbatim' } as const;
    const said = (recorded: string) => {
      const environment = environmentOf({ ...change, answers: { 'hash.nonAscii': { value: recorded, note: '' } } });
      return lines(explain(made({ text, change }), { environment }));
    };
    expect(said('php').slice(2)).toEqual([
      '- data has `ë` at byte 16, sent as `Zoë`. According to the recorded answer, the provider hashes `Zo\\u00eb`.',
      '1. Set the serialization to php. [setSerialization]',
      `2. ${setKey}`,
    ]);
    for (const agreeing of ['php-unicode', 'received']) {
      expect(said(agreeing)[2]).toBe('- data has `ë` at byte 16, sent as `Zoë`, which matches the recorded answer.');
    }
  });

  it('an override that makes the hash wrong stands first and is what the test should get', () => {
    const cases: [Overrides, string][] = [
      [{ hash: 'wrong' }, 'The last digit of the hash was changed on purpose: code 8 is expected.'],
      [{ hash: 'abc' }, "This request has a custom hash: abc. Croupier didn't compute it."],
      [{ omit: ['hash'] }, 'The hash was left out on purpose: code 8 is expected.'],
      [{ omit: ['time'] }, 'time was left out of the body on purpose, but the hash covers it: code 8 is expected.'],
    ];
    for (const [overrides, title] of cases) {
      expect(lines(explain(made({ overrides })))).toEqual([title]);
      expect(explain(made({ overrides })).tone).toBe('good');
    }
  });

  it("a hash that was set by hand is told with the doctor's finding about it", () => {
    const found = explain(made({ overrides: { hash: 'abc' } }), { finding: 'Your backend escapes the slashes.' });
    expect(found.facts.map(plainText)).toEqual(['The doctor: Your backend escapes the slashes.']);
  });

  it('an override that alone makes no hash wrong is a fact and no verdict', () => {
    const time = explain(made({ overrides: { time: '01-01-2020 00:00:00' } }));
    expect(plainText(time.title)).toBe('time was set by hand: `01-01-2020 00:00:00`. The hash covers this text.');
    expect(time.tone).toBe('bad');
    expect(plainText(explain(made({ overrides: { omit: ['data'] } })).title)).toContain('data was left out on purpose');
  });

  it('the clock is told where the call has a finding about it, and not where time was set by hand', () => {
    const message = "The server's clock is about 42 s ahead of this machine's.";
    const findings = [{ rule: 'answer.clock', severity: 'warning' as const, path: '', message }];
    expect(plainText(explain(made({ more: { findings } })).title)).toBe(message);
    expect(lines(explain(made())).join()).not.toContain('clock');
    expect(lines(explain(made({ overrides: { time: 'x' }, more: { findings } }))).join()).not.toContain('clock');
  });

  it('does not say that PHP writes a text again which it does not read', () => {
    expect(lines(explain(made({ text: "{'roundId': 1}", change: { serialization: 'verbatim' } })))).toEqual([
      "PHP can't read data as JSON. Single quotes are not JSON: use double quotes (line 1, column 2).",
      `1. ${setKey}`,
    ]);
  });

  it('an accepted call with the same key leaves no step for the key', () => {
    const good = made({ id: 7, code: 0 });
    const explained = explain(made(), { good });
    expect(lines(explained)).toEqual([
      "According to the spec, code 8 means that the hash doesn't match.",
      '- data is ASCII and stays the same when PHP re-encodes it.',
      '- The last accepted call of getGameRound, call 7, was sent with the same key, the same time and the same data.',
    ]);
    expect(explained.links).toEqual([{ kind: 'openDoctor' }, { kind: 'compare', callId: 7, number: '7' }]);
    const earlier = made({ id: 7, code: 0, text: '{"roundId":2,"logMonth":0}' });
    const other = explain(made({ fingerprint: '0000-00' }), { good: earlier });
    expect(lines(other)).toContain(`1. ${setKey}`);
    expect(lines(other).join()).not.toContain('The key is');
    const elsewhere = { ...made(), request: { ...made().request, hash: 'cd'.repeat(32) } };
    expect(plainText(explain(elsewhere, { good }).title)).toBe(
      'The key differs from that of the last accepted call, 7: the same time and data gave another hash.',
    );
  });

  it('what alone differs from the last accepted call stands first', () => {
    const text = '{"roundId":1,"logMonth":0,"playerId":"Zoë-7"}';
    const ascii = made({ id: 7, code: 0, text: text.replace('ë', 'e') });
    expect(lines(explain(made({ text }), { good: ascii })).slice(0, 2)).toEqual([
      'data of the last accepted call, 7, is ASCII; this call has `Zoë-7`, sent as `Zo\\u00eb-7`.',
      '- The key is the same as in the last accepted call, 7.',
    ]);
    const good = made({ id: 7, code: 0, text, change: { serialization: 'php-unicode' } });
    expect(plainText(explain(made({ text }), { good }).title)).toMatch(
      /^data differs from that of the last accepted call, 7, at byte 40: .* the values are the same, only the escaping of characters differs\.$/,
    );
    const timed = made({ id: 7, code: 0, overrides: { time: '2026-11-20 12:00:00' } });
    expect(plainText(explain(made(), { good: timed }).title)).toMatch(/^time differs from that of the last accepted call, 7: /);
  });

  it('of a wallet method: it carries no hash', () => {
    expect(lines(explain(made({ operation: 'bet' })))).toEqual([
      'A wallet method has no hash, so this call had none to check.',
      "- According to the spec, code 8 means that the hash doesn't match.",
      '1. Check that the wallet URL points to a wallet. [openEnvironment]',
    ]);
  });

  it('judged here: what the provider hashed', () => {
    const change = { serialization: 'verbatim' } as const;
    const text = '{"exitURL":"https:\\/\\/casino.example"}';
    const reason = { why: 'The received hash matches the received text.', byte: 18, isReason: true, mistake: true };
    const explained = explain(made({ operation: 'getLauncherURL', text, change, reason }), {
      environment: environmentOf(change),
    });
    expect(lines(explained)).toEqual([
      'At byte 18 of data, the provider hashed //casino.example; this call sent `\\/\\/casino.example`.',
      '- PHP writes an escaped slash \\/ as /, because JSON_UNESCAPED_SLASHES is set.',
      '- The built-in provider confirms it: the hash is right for data as sent, so the key and time match.',
      '1. Set the serialization to php. [setSerialization]',
    ]);
    expect(explained.links).toEqual([{ kind: 'openDoctor' }, { kind: 'openLog' }]);
  });

  it.each([
    ['verbatim', '{"roundId":1.50}', 14, '1.5', '1.50', 'PHP writes the number 1.50 as 1.5'],
    [
      'verbatim',
      '{"roundId": 9007199254740993, "logMonth": 0}',
      11,
      '9007199254740993',
      '`·9007199254740993`',
      'PHP drops the whitespace between values',
    ],
    ['verbatim', '{"a":1}\n', 7, 'nothing more', '`⏎`', 'PHP drops the whitespace'],
    ['verbatim', '{\n  "a":1}', 1, '`"a"`', '`⏎··"a"`', 'PHP drops the whitespace'],
    [
      'verbatim',
      '{"a": 123456789012345678901234567890.50}',
      5,
      '`1.2345678901234568e+29`',
      '`·12345678901234567890123…`',
      'PHP drops the whitespace between values',
    ],
    ['php-unicode', '{"playerId":"Zoë-7"}', 15, '`Zo\\u00eb-7`', '`Zoë-7`', 'ë is not ASCII'],
  ] as const)('judged here: the word or number that holds the byte (%s)', (serialization, text, byte, theirs, ours, why) => {
    const change = { serialization };
    const reason = { why: 'The received hash matches the received text.', byte, isReason: true, mistake: true };
    const all = lines(explain(made({ text, change, reason }), { environment: environmentOf(change) }));
    expect(all[0]).toBe(`At byte ${byte} of data, the provider hashed ${theirs}; this call sent ${ours}.`);
    expect(all[1]).toContain(why);
    expect(all.at(-1)).toBe('1. Set the serialization to php. [setSerialization]');
  });

  it('judged here with another key: its words, and the key', () => {
    const why = 'None of the usual mistakes in data, time, order or spelling gives this hash; check the private key.';
    expect(lines(explain(made({ reason: { why } })))).toEqual([why, `1. ${setKey}`]);
    expect(lines(explain(made({ reason: { why }, repeats: 3 })))).toEqual([
      why,
      '- This call repeated the bytes of call 3, with the old time and hash.',
    ]);
  });
});

describe('code 9', () => {
  it('of another provider says what the spec says, and what was sent', () => {
    expect(lines(explain(made({ code: 9 })))).toEqual([
      'According to the spec, code 9 means that platform or partnerId is wrong.',
      '- This call sent platform 7 and partnerId 31.',
      '1. Compare platform and partnerId with the values from your provider. [openEnvironment]',
    ]);
  });

  it('says that the environment has other values by now', () => {
    const explained = explain(made({ code: 9 }), { environment: environmentOf({ partnerId: 42 }) });
    expect(lines(explained)).toContain('- The environment now has platform 7 and partnerId 42.');
  });

  it('an override stands first', () => {
    const explained = explain(made({ code: 9, overrides: { partnerId: '"x"', omit: ['platform'] } }));
    expect(lines(explained)).toEqual([
      'Overrides changed platform and partnerId on purpose: code 9 is expected.',
      '- This call sent no platform and partnerId `"x"`.',
    ]);
  });

  it('the values of the last accepted call stand first where they differ', () => {
    const good = made({ id: 7, code: 0, change: { partnerId: 42 } });
    const explained = explain(made({ code: 9 }), { good });
    expect(plainText(explained.title)).toBe('The last accepted call, 7, sent partnerId 42 where this call sent 31.');
    expect(explained.links).toEqual([{ kind: 'compare', callId: 7, number: '7' }]);
    expect(plainText(explain(made({ code: 9 }), { good: made({ id: 7, code: 0 }) }).title)).toContain(
      'According to the spec, code 9',
    );
  });

  it('of a wallet method: it carries neither', () => {
    expect(plainText(explain(made({ code: 9, operation: 'win' })).title)).toContain('has neither platform nor partnerId');
  });
});

describe('code 404', () => {
  const token = (externalToken: unknown) => JSON.stringify({ externalToken, playerId: 'p' });

  it('of another provider says what the spec says', () => {
    expect(lines(explain(made({ code: 404, operation: 'bet', text: token('t') })))).toEqual([
      "According to the spec, code 404 means that the session token isn't valid.",
      '1. Use the token of a running player session.',
      "2. The spec doesn't show how long a token lives: ask the provider, and record it. [openPoint]",
    ]);
  });

  it.each([
    ['an empty one', '{"externalToken":""}', 'This call sent an empty externalToken.'],
    ['none', '{}', 'This call sent no externalToken.'],
    ['a number', '{"externalToken":5}', "externalToken of this call isn't a string."],
  ])('with %s in the request says so first', (_, text, title) => {
    expect(plainText(explain(made({ code: 404, operation: 'bet', text })).title)).toBe(title);
  });

  it('knows the fun mode, the field of generateNewToken, and operations without a token', () => {
    const fun = made({ code: 404, operation: 'getLauncherURL', text: '{"gameMode":"fun","externalToken":""}' });
    expect(plainText(explain(fun).title)).toContain('in fun mode, where the spec allows it');
    const renewed = made({ code: 404, operation: 'generateNewToken', text: '{"newGameId":"1"}' });
    expect(plainText(explain(renewed).title)).toBe('This call sent no token.');
    expect(plainText(explain(made({ code: 404 })).title)).toBe('The spec shows no session token in getGameRound requests.');
  });

  it('does not ask for an answer that is recorded', () => {
    const answers = { 'token.lifetime': { value: '24 hours', note: '' } };
    const call = made({ code: 404, operation: 'bet', text: token('t') });
    const explained = explain(call, { environment: environmentOf({ answers }) });
    expect(explained.steps).toHaveLength(1);
    expect(lines(explained)).toContain(
      '- According to the recorded answer, a token is valid for 24 hours. Check how old this one is.',
    );
  });
});

describe('a code that stands in for another reason', () => {
  it.each([
    [404, 'bet' as const, 'The balance of 1000 EUR does not cover the bet of 99999.'],
    [9, 'freeRounds' as const, 'betLevel 50 is too high: the last bet of game 1001 has the index 5.'],
  ])('%i of %s is explained by the reason and never by the code', (code, operation, why) => {
    const explained = explain(made({ code, operation, reason: { why, standsIn: true }, status: 400 }));
    expect(lines(explained)).toEqual([
      why,
      `- The built-in provider uses code ${code} here. The spec shows no code for this reason, so another provider may return another.`,
    ]);
    expect(explained.links).toEqual([{ kind: 'openLog' }]);
  });

  it('recorded without a reason is known by its HTTP status', () => {
    const old = made({ code: 9, operation: 'freeRounds', reason: {}, status: 400 });
    expect(plainText(explain(old).title)).toContain('for a reason that has no code in the spec');
    const shown = made({ code: 9, operation: 'freeRounds', reason: {}, status: 200 });
    expect(plainText(explain(shown).title)).toContain('According to the spec, code 9');
  });

  it('is believed from the built-in provider alone', () => {
    const forged = made({ code: 9, reason: { why: 'Trust me.', standsIn: true }, more: { environmentId: 'staging-1a2b' } });
    expect(lines(explain(forged)).join()).not.toContain('Trust me');
    expect(explain(forged).links).toEqual([]);
  });

  it('where the code is the right one, its reason stands first', () => {
    const identity = explain(made({ code: 9, reason: { why: 'partnerId is 31 and should be 42.' } }));
    expect(lines(identity).slice(0, 2)).toEqual([
      'partnerId is 31 and should be 42.',
      '- This call sent platform 7 and partnerId 31.',
    ]);
    const token = explain(made({ code: 404, operation: 'playerInfo', reason: { why: 'No session has this externalToken.' } }));
    expect(plainText(token.title)).toBe('No session has this externalToken.');
  });
});

describe('every code of every operation', () => {
  const table = operations.flatMap(({ name }) => [8, 9, 404, 17].map((code) => [code, name] as const));
  const answers = {
    'cancelFreeRounds.action': { value: 'cancelFR', note: '' },
    'currencyList.action': { value: 'currencies', note: '' },
  };

  it.each(table)('%i of %s: a fact first, at most three steps, nothing of another provider', (code, operation) => {
    for (const given of [{}, { reason: { why: 'This is why.', standsIn: code !== 8 } }] as Made[]) {
      const explained = explain(made({ code, operation, change: { answers }, ...given }), {
        environment: environmentOf({ answers }),
      });
      const all = lines(explained);
      expect(all[0]).toMatch(/^[A-Za-z].*\.$/);
      for (const line of all) expect(line).toMatch(/[.\]]$/);
      expect(explained.steps.length).toBeLessThanOrEqual(3);
      expect(explained.links.some(({ kind }) => kind === 'openLog')).toBe(given.reason !== undefined);
      if (given.reason !== undefined && code !== 17) {
        expect(all.findIndex((line) => line.includes('This is why.'))).toBe(code === 8 && operationIsWallet(operation) ? -1 : 0);
      }
    }
  });

  it('that the spec does not list means what is recorded', () => {
    const recorded = { 'codes.complete': { value: '{"17":"the round is closed"}', note: '' } };
    const explained = explain(made({ code: 17 }), { environment: environmentOf({ answers: recorded }) });
    expect(lines(explained)).toEqual([
      'Recorded meaning of code 17: the round is closed.',
      "- The provider's message is `a message`.",
    ]);
  });

  it('that the spec does not list is said to be so', () => {
    expect(lines(explain(made({ code: 17 })))).toEqual([
      "The spec doesn't list code 17.",
      "- The provider's message is `a message`.",
      "- Its list of codes isn't complete.",
      '1. Ask the provider what the code means, and record it. [openPoint]',
    ]);
    expect(lines(explain(made({ operation: 'bet', code: 17 })))).toEqual([
      "The spec doesn't list code 17.",
      "- The wallet's message is `a message`.",
      "- Its list of codes isn't complete.",
      '1. Ask the provider what they make of this code from a wallet, and record it. [openPoint]',
    ]);
  });
});

function operationIsWallet(name: OperationName): boolean {
  return operations.find((operation) => operation.name === name)?.endpoint === 'wallet';
}

describe('code 0 and no code', () => {
  const launched = (url: string, more: Made = {}) =>
    explainCall({
      call: made({
        operation: 'getLauncherURL',
        code: 0,
        text: '{"gameMode":"fun","gameId":"1042","lang":"en","exitURL":""}',
        ...more,
      }),
      environment: environmentOf(),
      accepted: null,
      keys: null,
      finding: null,
      responseText: JSON.stringify({ code: 0, message: 'ok', data: { launcherURL: url } }),
    });

  it('has nothing to say of a call that is as it should be', () => {
    const call = made({ code: 0 });
    expect(explainCall({ call, environment: null, accepted: null, keys: null, finding: null, responseText: null })).toBeNull();
    expect(
      explainCall({
        call: made({ code: null, operation: 'playerInfo' }),
        environment: null,
        accepted: null,
        keys: null,
        finding: null,
        responseText: '{}',
      }),
    ).toBeNull();
    expect(
      explainCall({
        call: { ...call, response: null, state: 'failed' },
        environment: null,
        accepted: null,
        keys: null,
        finding: null,
        responseText: null,
      }),
    ).toBeNull();
  });

  it('of a support pack is not judged by what the pack masks', () => {
    const maskedParts = ['request body', 'hash input', 'response body'];
    const text = '{"playerId": "Zoë", "exitURL":"https:\\/\\/a.example"}';
    expect(lines(explain({ ...made({ text }), maskedParts }))).toEqual([
      "According to the spec, code 8 means that the hash doesn't match.",
      "- The support pack masks parts of this request, so Croupier can't judge its bytes.",
    ]);
    const url = 'https://g.example/?partnerId=31&gameId=1042&gameMode=fun&lang=en&platform=7&exitURL=';
    const call = { ...made({ operation: 'getLauncherURL', code: 0, text: '{"gameMode":"fun"}' }), maskedParts };
    const responseText = JSON.stringify({ code: 0, message: 'ok', data: { launcherURL: url } });
    expect(explainCall({ call, environment: null, accepted: null, keys: null, finding: null, responseText })).toBeNull();
  });

  it('compares a launcher URL with its request', () => {
    const url = 'https://g.example/?partnerId=31&gameId=1042&gameMode=fun&lang=en&platform=7&exitURL=';
    const good = launched(url);
    expect(good?.tone).toBe('good');
    expect(lines(good!)).toEqual(['The launcher URL matches the request: 6 of 6 parameters present.']);
    expect(good?.links).toEqual([{ kind: 'openLauncher' }, { kind: 'copyUrl', url }]);
    expect(lines(launched(url.replace('partnerId=31', 'partnerId=32').replace('gameMode=fun', 'gameMode=real'))!)).toEqual([
      'partnerId of the launcher URL is 32; this call sent 31.',
      '- gameMode of the launcher URL is real; this call sent fun.',
    ]);
    expect(lines(launched(url.replace('https', 'http').replace('&platform=7', ''))!)).toEqual([
      'The launcher URL has no platform; this call sent 7.',
      '- The URL is http. The spec requires HTTPS.',
    ]);
  });

  it('says first what is off in an accepted response', () => {
    const findings = ['data is missing.', 'code is missing.'].map((message) => ({
      rule: 'missing',
      severity: 'warning' as const,
      path: '/data',
      message,
    }));
    expect(lines(explain(made({ code: 0, more: { findings } })))).toEqual(['Accepted. data is missing.', '- 1 more finding.']);
  });

  it('repeats what the built-in provider says of a success', () => {
    const why = 'This transaction was already processed; no money was moved this time.';
    expect(lines(explain(made({ code: 0, operation: 'bet', reason: { why } })))).toEqual([why]);
  });

  it('says what came where there is no code', () => {
    const findings = [{ rule: 'json', severity: 'error' as const, path: '', message: 'The response is not JSON.' }];
    const html = made({ code: null, status: 502, more: { findings } });
    const response = { ...html.response!, headers: [['Content-Type', 'text/html'] as [string, string]] };
    expect(lines(explain({ ...html, response }))).toEqual([
      'The response is not JSON.',
      '- Its content type is text/html.',
      '- HTTP 502 from `https://provider.example/serviceApi.php`.',
      '1. Check the base URL, and whether a proxy or a login page answered instead. [openEnvironment]',
    ]);
  });
});
