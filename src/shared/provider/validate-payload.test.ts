import { fc } from '#testing/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { validatePayload } from './validate-payload.ts';
import { combinedLength } from './combined-values.ts';
import { contextOf } from './request-context.ts';
import { formOfPayload } from './forms.ts';
import { formOf, operationByName, operations } from './operations.ts';
import type { Answers } from './model.ts';
import type { Serialization } from '../model/environment.ts';
import type { RequestContext } from './request-context.ts';
import type { OperationName } from '../model/operations.ts';

const now = Date.UTC(2026, 10, 20, 10, 15, 30);

const valid: Record<string, Record<string, unknown>> = {
  'gameList main': { currency: 'EUR' },
  'getGameRound main': { roundId: 9007199254740991, logMonth: 0 },
  'getLauncherURL main': {
    gameMode: 'real',
    gameId: '1042',
    lang: 'en',
    externalToken: 'tok',
    playerId: 'p',
    country: 'DE',
    ip: '203.0.113.9',
    exitURL: 'https://casino.example/lobby',
  },
  'freeRounds single': {
    playerId: 'p',
    externalReferenceId: 'r',
    freeRoundValidity: '27-11-2026 10:15:30',
    numberOfFreeRounds: 10,
    betLevel: 0,
    gameIds: ['1042'],
  },
  'freeRounds multi': {
    playerIds: ['p', 'q'],
    externalReferenceIds: ['r', 's'],
    freeRoundValidity: '27-11-2026 10:15:30',
    numberOfFreeRounds: 10,
    betLevel: 0,
    gameIds: ['1042'],
  },
  'freeRounds multiAmount': {
    playerIds: ['p', 'q'],
    externalReferenceIds: ['r', 's'],
    freeRoundValidity: '27-11-2026 10:15:30',
    numberOfFreeRounds: 10,
    amount: 1.5,
    currency: 'EUR',
    gameIds: ['1042'],
  },
  'bet main': { externalToken: 'tok', playerId: 'p', gameId: '1042', transactionId: 't', amount: 1.5, currency: 'EUR' },
};

const plain = contextOf({ answers: {}, serialization: 'php', timeZone: 'UTC', walletUrl: '' }, {}, now);

function check(id: string, text: string, context: Partial<RequestContext> = {}) {
  const [name, form = ''] = id.split(' ') as [OperationName, string?];
  return validatePayload(operationByName(name), form, text, { ...plain, ...context });
}

/** `undefined` leaves the field out; a JSON text that JavaScript cannot hold is given as `raw`. */
function changed(id: string, change: Record<string, unknown>): string {
  return JSON.stringify({ ...valid[id], ...change });
}

function raw(id: string, field: string, json: string): string {
  return changed(id, { [field]: '@@' }).replace('"@@"', json);
}

const summary = (findings: ReturnType<typeof check>) => findings.map(({ rule, severity, path }) => `${severity} ${rule} ${path}`);

describe('a payload as the spec has it', () => {
  it.each(Object.keys(valid))('%s: nothing to say', (id) => {
    expect(check(id, JSON.stringify(valid[id]))).toEqual([]);
    expect(check(id, JSON.stringify(valid[id], null, 4))).toEqual([]);
  });
});

describe('each rule', () => {
  it.each([
    // JSON itself
    ['getGameRound main', '{"roundId":1,}', ['error json ']],
    ['getGameRound main', '', ['warning missing-payload ']],
    ['getGameRound main', ' \n', ['warning missing-payload ']],
    ['getGameRound main', '[]', ['error not-object ']],
    ['getGameRound main', '"text"', ['error not-object ']],
    ['getGameRound main', '{"roundId":1,"logMonth":0,"roundId":2}', ['warning duplicate-key /roundId']],
    // presence
    ['getLauncherURL main', changed('getLauncherURL main', { gameId: undefined }), ['warning required /gameId']],
    ['getLauncherURL main', changed('getLauncherURL main', { exitURL: undefined }), ['warning required /exitURL']],
    ['getLauncherURL main', changed('getLauncherURL main', { gameId: '' }), ['warning empty /gameId']],
    ['getLauncherURL main', changed('getLauncherURL main', { exitURL: '' }), []],
    ['gameList main', '{}', ['warning required /currency']],
    ['getGameRound main', '{"roundId":1}', ['note left-out /logMonth']],
    ['freeRounds single', changed('freeRounds single', { playerId: '' }), ['note empty /playerId']],
    ['freeRounds single', changed('freeRounds single', { gameIds: [] }), ['note empty /gameIds']],
    ['freeRounds single', changed('freeRounds single', { gameIds: ['1042', ''] }), ['warning empty /gameIds/1']],
    // the token
    ['getLauncherURL main', changed('getLauncherURL main', { externalToken: undefined }), ['warning required /externalToken']],
    ['getLauncherURL main', changed('getLauncherURL main', { externalToken: '' }), ['warning required /externalToken']],
    ['getLauncherURL main', changed('getLauncherURL main', { gameMode: 'fun', externalToken: '' }), []],
    ['getLauncherURL main', changed('getLauncherURL main', { gameMode: 'fun', externalToken: undefined }), []],
    ['getLauncherURL main', changed('getLauncherURL main', { externalToken: 't'.repeat(255) }), []],
    [
      'getLauncherURL main',
      changed('getLauncherURL main', { externalToken: 't'.repeat(256) }),
      ['warning too-long /externalToken'],
    ],
    ['bet main', changed('bet main', { externalToken: '' }), ['warning required /externalToken']],
    ['bet main', changed('bet main', { externalToken: undefined }), ['warning required /externalToken']],
    ['bet main', changed('bet main', { externalToken: 't'.repeat(256) }), ['warning too-long /externalToken']],
    // types
    ['getLauncherURL main', changed('getLauncherURL main', { gameId: 1042 }), ['warning type /gameId']],
    ['getLauncherURL main', changed('getLauncherURL main', { lang: null }), ['warning type /lang']],
    ['getGameRound main', changed('getGameRound main', { roundId: '1' }), ['warning type /roundId']],
    ['getGameRound main', changed('getGameRound main', { logMonth: true }), ['warning type /logMonth']],
    ['bet main', changed('bet main', { amount: '1.5' }), ['warning type /amount']],
    ['bet main', changed('bet main', { amount: {} }), ['warning type /amount']],
    ['freeRounds single', changed('freeRounds single', { gameIds: '1042' }), ['warning type /gameIds']],
    ['freeRounds single', changed('freeRounds single', { gameIds: ['1042', 7] }), ['warning type /gameIds/1']],
    // lengths and values
    ['getLauncherURL main', changed('getLauncherURL main', { lang: 'eng' }), ['warning exact-length /lang']],
    ['getLauncherURL main', changed('getLauncherURL main', { country: 'D' }), ['warning exact-length /country']],
    ['getLauncherURL main', changed('getLauncherURL main', { gameMode: 'demo' }), ['warning value /gameMode']],
    ['freeRounds single', changed('freeRounds single', { playerId: 'p'.repeat(100) }), []],
    ['freeRounds single', changed('freeRounds single', { playerId: 'p'.repeat(101) }), ['warning too-long /playerId']],
    [
      'freeRounds single',
      changed('freeRounds single', { externalReferenceId: 'r'.repeat(101) }),
      ['warning too-long /externalReferenceId'],
    ],
    // codes
    ['getLauncherURL main', changed('getLauncherURL main', { lang: 'xx' }), ['warning language /lang']],
    ['getLauncherURL main', changed('getLauncherURL main', { lang: 'EN' }), ['warning language /lang']],
    ['getLauncherURL main', changed('getLauncherURL main', { country: 'UK' }), ['warning country /country']],
    ['getLauncherURL main', changed('getLauncherURL main', { country: 'gb' }), ['warning country /country']],
    ['getLauncherURL main', changed('getLauncherURL main', { country: 'GB' }), []],
    ['gameList main', '{"currency":"EURO"}', ['warning currency /currency']],
    ['gameList main', '{"currency":"eur"}', ['warning currency /currency']],
    ['gameList main', '{"currency":"HRK"}', ['note currency /currency']],
    ['gameList main', '{"currency":"JPY"}', []],
    ['getLauncherURL main', changed('getLauncherURL main', { ip: '203.0.113.256' }), ['warning ip /ip']],
    ['getLauncherURL main', changed('getLauncherURL main', { ip: '2001:db8::1' }), []],
    ['getLauncherURL main', changed('getLauncherURL main', { exitURL: 'http://casino.example' }), ['note url /exitURL']],
    ['getLauncherURL main', changed('getLauncherURL main', { exitURL: '/lobby' }), ['note url /exitURL']],
    // dates
    [
      'freeRounds single',
      changed('freeRounds single', { freeRoundValidity: '2026-11-27 10:15:30' }),
      ['warning date-time /freeRoundValidity'],
    ],
    [
      'freeRounds single',
      changed('freeRounds single', { freeRoundValidity: '31-11-2026 10:15:30' }),
      ['warning date-time /freeRoundValidity'],
    ],
    [
      'freeRounds single',
      changed('freeRounds single', { freeRoundValidity: '27-11-2026' }),
      ['warning date-time /freeRoundValidity'],
    ],
    [
      'freeRounds single',
      changed('freeRounds single', { freeRoundValidity: '20-11-2026 10:15:29' }),
      ['note in-the-past /freeRoundValidity'],
    ],
    ['freeRounds single', changed('freeRounds single', { freeRoundValidity: '20-11-2026 10:15:30' }), []],
    ['freeRounds single', changed('freeRounds single', { freeRoundValidity: '29-02-2028 23:59:59' }), []],
    // numbers
    ['getGameRound main', raw('getGameRound main', 'roundId', '9223372036854775807'), []],
    ['getGameRound main', raw('getGameRound main', 'roundId', '-9223372036854775808'), []],
    ['getGameRound main', raw('getGameRound main', 'roundId', '9223372036854775808'), ['warning integer-range /roundId']],
    ['getGameRound main', raw('getGameRound main', 'roundId', '1'.repeat(5000)), ['warning integer-range /roundId']],
    ['getGameRound main', raw('getGameRound main', 'roundId', '1.0'), ['warning whole-number /roundId']],
    ['getGameRound main', raw('getGameRound main', 'roundId', '1e18'), ['warning whole-number /roundId']],
    ['getGameRound main', changed('getGameRound main', { logMonth: -1 }), ['warning minimum /logMonth']],
    ['getGameRound main', changed('getGameRound main', { logMonth: 0.5 }), ['warning whole-number /logMonth']],
    ['freeRounds single', changed('freeRounds single', { betLevel: -1 }), ['warning minimum /betLevel']],
    ['freeRounds single', changed('freeRounds single', { numberOfFreeRounds: -1 }), ['warning minimum /numberOfFreeRounds']],
    ['bet main', raw('bet main', 'amount', '1e400'), ['warning number-range /amount']],
    // fields that are not the form's
    ['bet main', changed('bet main', { round: 1 }), ['warning unknown-field /round']],
    ['bet main', changed('bet main', { 'a/b~c': 1 }), ['warning unknown-field /a~1b~0c']],
    ['freeRounds multi', changed('freeRounds multi', { amount: 1 }), ['warning unknown-field /amount']],
    // many players
    ['freeRounds multi', changed('freeRounds multi', { playerIds: ['p', 'p'] }), ['warning unique /playerIds/1']],
    [
      'freeRounds multi',
      changed('freeRounds multi', { externalReferenceIds: ['r', 's', 'r'] }),
      ['note same-count /externalReferenceIds', 'warning unique /externalReferenceIds/2'],
    ],
    ['freeRounds multi', changed('freeRounds multi', { playerIds: ['p'] }), ['note same-count /externalReferenceIds']],
  ] as const)('%s %#', (id, text, expected) => {
    expect(summary(check(id, text))).toEqual(expected);
  });
});

it('says of a currency that ISO 4217 is a custom, and of a language and a country that they are codes', () => {
  const messages = (id: string, text: string) => check(id, text).map(({ message }) => message);
  const custom = 'ISO 4217 is customary here; the spec requires it only in the currency list.';
  expect(messages('gameList main', '{"currency":"EURO"}')).toEqual([`"EURO" is not an ISO 4217 currency code. ${custom}`]);
  expect(messages('gameList main', '{"currency":"eur"}')).toEqual([
    `"eur" is not an ISO 4217 currency code; write EUR. ${custom}`,
  ]);
  expect(messages('getLauncherURL main', changed('getLauncherURL main', { lang: 'EN', country: 'XX' }))).toEqual([
    '"EN" is not an ISO 639-1 language code; write en.',
    '"XX" is not an ISO 3166-1 alpha-2 country code.',
  ]);
});

describe('the places of findings', () => {
  const at = (id: string, text: string) => check(id, text).map(({ start = -1, end = -1 }) => text.slice(start, end));

  it('are the value, the name or the item that it is about', () => {
    expect(at('bet main', changed('bet main', { amount: 'x' }))).toEqual(['"x"']);
    expect(at('bet main', changed('bet main', { extra: 'x' }))).toEqual(['"extra"']);
    expect(at('freeRounds multi', changed('freeRounds multi', { playerIds: ['ä', 'ä'] }))).toEqual(['["ä","ä"]', '"ä"']);
    expect(at('getGameRound main', '  {"roundId":1}')).toEqual(['{']);
    expect(at('getGameRound main', '{"roundId":1,"logMonth":0,"roundId":2}')).toEqual(['"roundId"']);
  });

  it('are where reading stopped in a text that is not JSON', () => {
    const [finding] = check('bet main', '{"a":\n  nope}');
    expect(finding).toMatchObject({ rule: 'json', start: 8, end: 9 });
    expect(finding?.message).toContain('line 2, column 3');
  });

  it('stay within the text whatever is typed, in order', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((text) => `{"playerIds":${text},"betLevel":${text}}`),
        ),
        (text) => {
          const findings = check('freeRounds multi', text);
          const starts = findings.map((finding) => finding.start ?? -1);
          expect(starts).toEqual([...starts].sort((a, b) => a - b));
          for (const { start = 0, end = 0 } of findings) expect(0 <= start && start <= end && end <= text.length).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('the combined length', () => {
  const ids = (count: number, length: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(length - prefix.length, '0')}`);
  const payload = (playerIds: string[], externalReferenceIds: string[]) =>
    changed('freeRounds multi', { playerIds, externalReferenceIds });

  it('is the sum of the characters of the values of one list, and 20,000 is allowed', () => {
    const exact = ids(2000, 10, 'p');
    const references = ids(2000, 5, 'r');
    const each = { answers: { 'freeRounds.combinedLength': { value: 'each' } } };
    expect(check('freeRounds multi', payload(exact, references), each)).toEqual([]);
    const over = [...exact.slice(1), 'p1234567890'];
    const findings = check('freeRounds multi', payload(over, references));
    expect(summary(findings)).toEqual(['warning combined-length /playerIds']);
    expect(findings[0]?.message).toContain('20,001 characters');
    expect(findings[0]?.message).toContain('characters in total');
  });

  it('says when only both lists together are over, as a note until an answer makes it a rule', () => {
    const text = payload(ids(1500, 8, 'p'), ids(1500, 8, 'r'));
    expect(summary(check('freeRounds multi', text))).toEqual(['note combined-length /externalReferenceIds']);
    const together = { answers: { 'freeRounds.combinedLength': { value: 'together' } } };
    expect(summary(check('freeRounds multi', text, together))).toEqual(['warning combined-length /externalReferenceIds']);
    expect(check('freeRounds multi', payload(ids(1000, 8, 'p'), ids(1000, 8, 'r')), together)).toEqual([]);
  });

  it('counts characters, not code units and not escapes', () => {
    expect(combinedLength(['😀é', 'a"b'])).toBe(5);
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', 'é', '中', '😀', '\u{10ffff}') })),
        (values) => {
          expect(combinedLength(values)).toBe(values.reduce((sum, value) => sum + Array.from(value).length, 0));
        },
      ),
    );
  });
});

describe('what repeats', () => {
  it('is one finding with a count', () => {
    const findings = check(
      'freeRounds multi',
      changed('freeRounds multi', { playerIds: Array(5000).fill(1), externalReferenceIds: ['r', 's'] }),
    );
    expect(summary(findings)).toEqual(['warning type /playerIds/0', 'note same-count /externalReferenceIds']);
    expect(findings[0]?.message).toMatch(/ 4,999 more like it\.$/);
  });

  it('is bounded even where every finding is another one', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${index}`, 1]));
    const findings = check('getGameRound main', changed('getGameRound main', many));
    expect(findings).toHaveLength(101);
    expect(findings.at(-1)?.message).toBe('900 more findings are not listed.');
  });
});

describe('hints at what is meant', () => {
  const message = (id: string, text: string, context?: Partial<RequestContext>) => check(id, text, context)[0]?.message ?? '';

  it('names the right spelling and the other form', () => {
    expect(message('bet main', changed('bet main', { Amount: 1 }))).toContain('write amount');
    expect(message('freeRounds multi', changed('freeRounds multi', { amount: 1 }))).toContain('Many players, amount');
  });

  it('says how non-ASCII text is hashed, as its bytes have it', () => {
    const text = changed('freeRounds single', { playerId: 'Zoë/😀\u2028"' });
    const hashed = (serialization: Serialization, typed = text, more: Partial<RequestContext> = {}) =>
      message('freeRounds single', typed, { serialization, ...more });
    expect(hashed('php')).toBe('Hashed as Zo\\u00eb/\\ud83d\\ude00\\u2028\\" (php). The spec doesn\'t show which form to hash.');
    expect(hashed('php-unicode')).toContain('Hashed as Zoë/😀\\u2028\\" (php-unicode).');
    expect(hashed('verbatim')).toContain('Hashed as Zoë/😀\u2028\\" (verbatim).');
    const escaped = text.replace('ë', '\\u00EB').replace('/', '\\/');
    expect(hashed('php', escaped)).toContain('Hashed as Zo\\u00eb/\\ud83d');
    expect(hashed('php-unicode', escaped)).toContain('Hashed as Zoë/😀');
    expect(hashed('verbatim', escaped)).toContain('Hashed as Zo\\u00EB\\/😀');
  });

  it('says of the recorded answer what the bytes say', () => {
    const text = changed('freeRounds single', { playerId: 'Zoë' });
    const standing = (serialization: Serialization, recorded: string, typed = text) =>
      /This (\w+) (?:with|from) the recorded answer/.exec(
        message('freeRounds single', typed, {
          serialization,
          answers: { 'hash.nonAscii': { value: recorded } },
        }),
      )?.[1];
    expect(standing('php', 'php')).toBe('agrees');
    expect(standing('php', 'received')).toBe('agrees');
    expect(standing('verbatim', 'php')).toBe('differs');
    expect(standing('verbatim', 'php-unicode')).toBe('agrees');
    expect(standing('verbatim', 'php', text.replace('ë', '\\u00eb'))).toBe('agrees');
    expect(standing('verbatim', 'php-unicode', text.replace('ë', '\\u00eb'))).toBe('differs');
  });

  it('warns of a form that the provider hashes otherwise, by the recorded answer, where it is hashed', () => {
    const severities = (serialization: Serialization, overrides: RequestContext['overrides'] = {}) => {
      const answers = { 'hash.nonAscii': { value: 'php' } };
      return check('freeRounds single', changed('freeRounds single', { playerId: 'Zoë' }), { serialization, answers, overrides })
        .filter(({ rule }) => rule === 'non-ascii')
        .map(({ severity }) => severity);
    };
    expect(severities('php')).toEqual(['note']);
    expect(severities('verbatim')).toEqual(['warning']);
    expect(severities('verbatim', { hash: 'wrong' })).toEqual(['warning']);
    expect(severities('verbatim', { omit: ['hash'] })).toEqual(['note']);
  });

  it('says of text that another value replaces, or that is not hashed, nothing of hashing', () => {
    const text = '{"playerId":"Zoë","playerId":"x","a":{"b":"ë","b":"c"}}';
    const rules = (context: Partial<RequestContext>) =>
      check('freeRounds single', text, context).flatMap(({ rule, message }) => (rule === 'non-ascii' ? [message] : []));
    expect(rules({})).toEqual([]);
    expect(rules({ serialization: 'verbatim' })).toHaveLength(2);
    expect(rules({ serialization: 'verbatim', overrides: { omit: ['data'] } })).toEqual([]);
    for (const overrides of [{ hash: 'abc' }, { omit: ['hash' as const] }]) {
      expect(rules({ serialization: 'verbatim', overrides })[0]).toContain('Sent as Zoë (');
    }
    expect(rules({ serialization: 'verbatim', overrides: { hash: 'wrong' } })[0]).toContain('Hashed as Zoë (');
  });

  it('says without an environment nothing that one decides', () => {
    const text = changed('freeRounds single', { playerId: 'Zoë', freeRoundValidity: '01-01-2020 00:00:00' });
    expect(validatePayload(operationByName('freeRounds'), 'single', text, null)).toEqual([]);
  });

  it('says what leaves as typed, JSON or not', () => {
    const twice = '{"externalToken":"t","externalToken":"u"}';
    expect(message('playerInfo main', '{')).toMatch(/^Not JSON\. .* It is sent as typed\.$/);
    expect(message('getGameRound main', '{', { serialization: 'verbatim' })).toContain('It is sent as typed.');
    expect(message('getGameRound main', '{')).not.toContain('as typed');
    expect(message('gameList main', '{', { serialization: 'verbatim' })).not.toContain('as typed');
    expect(message('playerInfo main', twice)).toBe('externalToken occurs twice, and both are sent: PHP keeps the last value.');
    expect(message('playerInfo main', '\u00a0')).toContain('Not JSON');
    const answers = { 'currencyList.action': { value: '/currencies plain' } };
    expect(check('currencyList open', '{', { answers }).at(-1)?.message).toContain('It is sent as typed.');
    expect(summary(check('currencyList open', '{"a":"ë"}', { answers }))).not.toContain('note non-ascii /a');
  });

  it('says nothing of hashing where nothing is hashed', () => {
    expect(check('bet main', changed('bet main', { playerId: 'Zoë' }))).toEqual([]);
  });

  it('says of decimals that they do not fit minor units once that is recorded', () => {
    const answers = { 'amounts.unit': { value: 'minor' } };
    expect(summary(check('bet main', changed('bet main', {}), { answers }))).toEqual(['warning amount-unit /amount']);
    expect(check('bet main', changed('bet main', { amount: 150 }), { answers })).toEqual([]);
  });

  it('says of betLevel 0 that the first is 1 once that is recorded', () => {
    const answers = { 'freeRounds.betLevel': { value: '1' } };
    expect(summary(check('freeRounds single', changed('freeRounds single', {}), { answers }))).toEqual([
      'warning bet-level /betLevel',
    ]);
    expect(check('freeRounds single', changed('freeRounds single', { betLevel: 1 }), { answers })).toEqual([]);
  });

  it('compares an expiry with now in the zone of the environment', () => {
    const text = changed('freeRounds single', { freeRoundValidity: '20-11-2026 12:00:00' });
    expect(check('freeRounds single', text)).toEqual([]);
    expect(summary(check('freeRounds single', text, { timeZone: 'Asia/Tokyo' }))).toEqual([
      'note in-the-past /freeRoundValidity',
    ]);
  });
});

describe('a request whose shape is not shown', () => {
  it('is not checked for fields, and says so', () => {
    expect(summary(check('cancelFreeRounds open', '{"anything":["goes"]}'))).toEqual(['note shape-not-shown ']);
    expect(summary(check('currencyList open', ''))).toEqual(['note shape-not-shown ']);
    expect(summary(check('cancel open', '{'))).toEqual(['note shape-not-shown ', 'error json ']);
    expect(summary(check('cancelFreeRounds open', '{"name":{"deep":["ë"]}}'))).toEqual([
      'note shape-not-shown ',
      'note non-ascii /name',
    ]);
  });
});

it('names the mark that stands in place of a private key', () => {
  const found = (text: string) =>
    validatePayload(operationByName('getGameRound'), 'main', text, null).filter(({ rule }) => rule === 'key-mark');
  expect(found('{"roundId": "[private key]", "logMonth": 0}')).toMatchObject([{ severity: 'warning', start: 13, end: 26 }]);
  expect(found('[private key]')).toHaveLength(1);
  expect(found('{"roundId": 1, "logMonth": 0}')).toEqual([]);
});

describe('a time that was set by hand', () => {
  const ymd = { value: 'ymd' };
  const findings = (operation: OperationName, time: string, answers: Answers = {}, omit: 'time'[] = []) =>
    check(operation, '{}', { answers, overrides: { time, omit } }).filter(({ rule }) => rule === 'time-format');
  it.each<[OperationName, string, Answers]>([
    ['gameList', '2026-11-20 10:15:30', {}],
    ['gameList', '2026-11-20T10:15:30Z', {}],
    ['gameList', '1763633730', {}],
    ['gameList', '20.11.2026 10:15:30', {}],
    ['gameList', '20-11-2026 10:15', {}],
    ['gameList', '20-11-2026 10:15:30 ', {}],
    ['gameList', '32-11-2026 10:15:30', {}],
    ['gameList', '11-20-2026 10:15:30', {}],
    ['gameList', '', {}],
    ['gameList', '20-11-2026 10:15:30', { 'time.order': ymd }],
    ['roundReplayInfo', '20-11-2026 10:15:30', { 'time.order.roundReplayInfo': ymd }],
    ['roundReplayInfo', '20/11/2026 10:15:30', {}],
  ])('is named in %s: %j', (operation, time, answers) => {
    expect(findings(operation, time, answers)).toMatchObject([
      { severity: 'warning', message: expect.stringContaining(JSON.stringify(time)) as string },
    ]);
  });
  it.each<[OperationName, string, Answers]>([
    ['gameList', '20-11-2026 10:15:30', {}],
    ['gameList', '01-01-1999 00:00:00', {}],
    ['gameList', '{{$time}}', {}],
    ['gameList', '2026-11-20 10:15:30', { 'time.order': ymd }],
    // The spec's own sample of this operation has the year first.
    ['roundReplayInfo', '2026-11-20 10:15:30', {}],
    ['roundReplayInfo', '20-11-2026 10:15:30', {}],
    ['roundReplayInfo', '2026-11-20 10:15:30', { 'time.order.roundReplayInfo': ymd }],
    // Wallet methods have no time.
    ['bet', 'now', {}],
  ])('has no word in %s: %j', (operation, time, answers) => {
    expect(findings(operation, time, answers)).toEqual([]);
  });
  it('has no word if it is left out', () => expect(findings('gameList', 'now', {}, ['time'])).toEqual([]));
});

describe('the form of a payload without one', () => {
  const several = operations.filter(({ forms }) => forms.length > 1);
  const cases = several.flatMap((operation) => operation.forms.map((form) => [operation, form] as const));
  it.each(cases.map(([operation, form]) => [`${operation.name} ${form.id}`, operation, form] as const))(
    'is that of its fields: %s',
    (_, operation, form) => {
      const text = JSON.stringify(Object.fromEntries(form.fields.map(({ name }) => [name, 1])));
      expect(formOf(operation, formOfPayload(operation, '', text))).toBe(form);
      // A field of nobody, and one that is missing, change nothing.
      const other = text.replace(/^\{"[^"]+":1,/, '{"x":1,');
      expect(formOf(operation, formOfPayload(operation, '', other))).toBe(form);
      for (const { id } of operation.forms) expect(formOfPayload(operation, id, text)).toBe(id);
    },
  );
  it.each(['', '[]', '{"x":1}', 'no JSON', '{}'])('is the first for %j', (text) => {
    for (const operation of several) expect(formOfPayload(operation, '', text)).toBe('');
  });
});
