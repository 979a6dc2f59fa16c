import { fc } from '#testing/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { validateResponse } from './validate-response.ts';
import { operationByName, operations } from './operations.ts';
import type { Shape } from './model.ts';
import type { OperationName } from '../model/operations.ts';

/** An answer as the spec describes it, per operation whose shape is shown. */
const documented: Partial<Record<OperationName, unknown>> = {
  gameList: {
    code: 0,
    message: 'ok',
    data: {
      slots: [
        { id: 1042, gameName: 'Golden Orchard', bets: [0.1, 0.2, 1], thumbnail: 'https://img.example/1042.png', status: 1 },
        { id: 1043, gameName: 'Zoë’s Harbour', bets: [], thumbnail: 'https://img.example/1043.png', status: 0 },
      ],
    },
  },
  roundReplayInfo: {
    code: 0,
    message: 'ok',
    data: {
      start: '2026-11-20 10:15:30',
      end: '2026-11-20 10:15:35',
      betAmount: 1,
      winAmount: 2.5,
      currency: 'EUR',
      replayLink: 'https://replay.example/r?replayToken=a&tableM=b&lang=en',
    },
  },
  getGameRound: {
    code: 0,
    message: 'ok',
    data: [
      {
        id: 1,
        gameId: 1042,
        action: 'bet',
        bet: 1,
        win: 0,
        currencyName: 'EUR',
        roundId: 77,
        actionTime: '2026-11-20 10:15:30',
        source: 1,
        url: 'https://rounds.example/77',
      },
    ],
  },
  getLauncherURL: {
    code: 0,
    message: 'ok',
    data: {
      launcherURL:
        'https://game.example/g?partnerId=42&gameId=1042&gameMode=real&lang=en&platform=1&externalToken=t&exitURL=https%3A%2F%2Fcasino.example',
    },
  },
  freeRounds: { code: 0, message: 'ok', data: { referenceId: 'reference-1' } },
  playerInfo: { country: 'DE', currency: 'EUR', balance: 10.5, playerId: 'player-1' },
  bet: { transactionId: 't-1', externalTrxId: 'e-1', balance: 9.5 },
};

const check = (name: OperationName, body: unknown, form?: string) =>
  validateResponse(operationByName(name), typeof body === 'string' ? body : JSON.stringify(body), form).findings;
const summary = (findings: ReturnType<typeof check>) => findings.map(({ rule, severity, path }) => `${severity} ${rule} ${path}`);
const accepted = (data: unknown) => ({ code: 0, message: 'ok', data });

describe('an answer as documented', () => {
  it('is known for every operation whose shape is shown', () => {
    expect(Object.keys(documented)).toEqual(
      operations.filter((operation) => operation.response !== null).map(({ name }) => name),
    );
  });

  it.each(Object.entries(documented))('%s: nothing to say', (name, body) => {
    expect(check(name as OperationName, body)).toEqual([]);
  });

  it.each(operations.filter((operation) => operation.response === null).map(({ name }) => name))(
    '%s: a note that the shape is not shown',
    (name) => {
      const findings = check(name, accepted({ anything: 1 }));
      expect(findings.map((finding) => finding.rule)).toEqual(['shape-not-shown']);
      expect(findings[0]?.severity).toBe('note');
    },
  );

  it('is not shown for many players either', () => {
    expect(summary(check('freeRounds', accepted(null), 'multi'))).toEqual(['note shape-not-shown /data']);
    expect(summary(check('freeRounds', accepted([1]), 'multiAmount'))).toEqual(['note shape-not-shown /data']);
    expect(summary(check('freeRounds', accepted([1]), 'single'))).toEqual(['warning type /data']);
  });

  it.each([
    [8, 'hash not valid'],
    [9, 'platform not valid (partnerid or platform values are wrong'],
  ])('of a rejection with %d', (code, message) => {
    expect(check('getGameRound', { code, message, data: null })).toEqual([]);
    expect(check('bet', { code: 404, message: 'Invalid Token' })).toEqual([]);
  });

  it('may have code and message in a wallet answer', () => {
    expect(check('bet', { code: 0, message: 'ok', ...(documented.bet as object) })).toEqual([]);
  });
});

describe('an answer that differs', () => {
  it.each<[OperationName, unknown, string[]]>([
    ['gameList', '', ['error json ']],
    ['gameList', '<html>', ['error json ']],
    ['gameList', '[]', ['error envelope ']],
    ['bet', 'null', ['error envelope ']],
    ['gameList', '{}', ['error envelope /code', 'error envelope /message']],
    ['gameList', { code: '0', message: 'ok', data: {} }, ['error type /code']],
    ['gameList', { code: 0.5, message: 'ok', data: {} }, ['error type /code']],
    ['gameList', { code: 0, message: 7, data: { slots: [] } }, ['warning type /message']],
    ['gameList', { code: 0, message: 'fine', data: { slots: [] } }, ['note message /message']],
    ['gameList', { code: 17, message: 'busy', data: null }, ['note code-not-listed /code']],
    ['gameList', { code: 8, message: 'hash not valid', data: [] }, ['warning data-on-rejection /data']],
    ['gameList', { code: 0, message: 'ok' }, ['warning missing /data']],
    ['gameList', { ...accepted({ slots: [] }), version: 1 }, ['note undocumented /version']],
    ['gameList', accepted([]), ['warning type /data']],
    ['gameList', accepted({ slots: {}, more: 1 }), ['warning type /data/slots', 'note undocumented /data/more']],
    ['gameList', accepted({ slots: [7] }), ['warning type /data/slots/0']],
    ['getGameRound', accepted({}), ['warning type /data']],
    ['freeRounds', accepted({ referenceId: 7 }), ['warning type /data/referenceId']],
    ['freeRounds', accepted({ 'a/b': 1, referenceId: 'r' }), ['note undocumented /data/a~1b']],
    ['playerInfo', { country: 'DE', currency: 'EUR', balance: '10.5', playerId: 'p' }, ['warning type /balance']],
    [
      'playerInfo',
      { country: 'DE', currency: 'EUR', playerId: 'p', vip: true },
      ['warning missing /balance', 'note undocumented /vip'],
    ],
    ['bet', { code: 404 }, ['warning missing /message']],
    ['bet', { code: 404, message: 'Invalid Token', balance: 1 }, ['note undocumented /balance']],
    ['win', '[]', ['error envelope ']],
  ])('%s %j', (name, body, expected) => {
    expect(summary(check(name, body))).toEqual(expected);
  });

  it('has dates, addresses and parameters that the spec does not have so', () => {
    const replay = documented.roundReplayInfo as { data: object };
    expect(summary(check('roundReplayInfo', accepted({ ...replay.data, start: '20-11-2026 10:15:30' })))).toEqual([
      'warning date-time /data/start',
    ]);
    expect(summary(check('roundReplayInfo', accepted({ ...replay.data, replayLink: 'http://replay.example' })))).toEqual([
      'note url /data/replayLink',
      'warning query /data/replayLink',
    ]);
    for (const [scheme, before] of [
      ['https', []],
      ['http', ['url']],
    ] as const) {
      const found = check(
        'getLauncherURL',
        accepted({ launcherURL: `${scheme}://game.example/?partnerId=42&gameMode=real#lang=en` }),
      );
      expect(found.map(({ rule }) => rule)).toEqual([...before, 'query']);
      expect(found.at(-1)?.message).toContain('gameId, lang, platform, externalToken, exitURL.');
    }
    const fun = 'https://game.example/?partnerId=42&gameId=1&gameMode=fun&lang=en&platform=1&exitURL=';
    expect(check('getLauncherURL', accepted({ launcherURL: fun }))).toEqual([]);
  });

  it('has its place where it stops being JSON', () => {
    const body = '{"code":0,"message":"ok","data":{"slots":[';
    expect(check('gameList', body)[0]).toMatchObject({ rule: 'json', start: body.length, end: body.length });
  });

  it('is told once with a count where it repeats', () => {
    const slots = Array.from({ length: 10_000 }, (_, id) => ({
      id: String(id),
      gameName: 'g',
      bets: ['1'],
      thumbnail: 'https://i.example',
      rtp: 96,
    }));
    const findings = check('gameList', accepted({ slots }));
    expect(summary(findings)).toEqual([
      'warning type /data/slots/0/id',
      'warning type /data/slots/0/bets/0',
      'warning missing /data/slots/0/status',
      'note undocumented /data/slots/0/rtp',
    ]);
    for (const finding of findings) expect(finding.message).toMatch(/ 9,999 more like it\.$/);
  });

  it('stays bounded where every field is another one', () => {
    const slots = Array.from({ length: 5_000 }, (_, id) => ({ [`f${id}`]: 1 }));
    expect(check('gameList', accepted({ slots })).length).toBeLessThanOrEqual(101);
  });
});

describe('validateResponse on any shape', () => {
  const valueOf = (shape: Shape): fc.Arbitrary<unknown> => {
    switch (shape.kind) {
      case 'object':
        return fc.record(Object.fromEntries(Object.entries(shape.fields).map(([name, field]) => [name, valueOf(field)])));
      case 'array':
        return fc.array(valueOf(shape.items), { maxLength: 5 });
      case 'numbers':
        return fc.array(fc.integer());
      case 'string':
        if (shape.format === 'dateTime') return fc.constant('2026-11-20 10:15:30');
        if (shape.format !== 'url') return fc.string();
        return fc.constant(`https://a.example/?${(shape.query ?? []).map((name) => `${name}=1`).join('&')}`);
      case 'number':
        return fc.double({ noNaN: true, noDefaultInfinity: true });
      case 'integer':
      case 'bigint':
        return fc.maxSafeInteger();
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'any':
        return fc.jsonValue();
    }
  };
  const shapes = operations.flatMap(({ name, endpoint, response }) => (response === null ? [] : [{ name, endpoint, response }]));

  it.each(shapes)(
    '$name: any value of the shape passes, and taking any one field away is told',
    ({ name, endpoint, response }) => {
      fc.assert(
        fc.property(valueOf(response), (value) => {
          const body = endpoint === 'service' ? accepted(value) : value;
          expect(check(name, body)).toEqual([]);
          if (response.kind !== 'object' || typeof value !== 'object' || value === null) return;
          for (const field of Object.keys(response.fields)) {
            const { [field]: _, ...rest } = value as Record<string, unknown>;
            const findings = check(name, endpoint === 'service' ? accepted(rest) : rest);
            expect(findings.map((finding) => finding.rule)).toEqual(['missing']);
          }
        }),
        { numRuns: 30 },
      );
    },
  );

  it('takes any text without failing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.constantFrom(...operations), (text, operation) => {
        for (const finding of validateResponse(operation, text).findings) expect(finding.message).not.toBe('');
      }),
      { numRuns: 300 },
    );
  });
});

describe('code and message of a response', () => {
  it.each([
    ['{"code":0,"message":"ok","data":null}', 0, 'ok'],
    ['{"code":404,"message":"Invalid Token"}', 404, 'Invalid Token'],
    [' {"data":{"code":9},"message":"m","code":8} ', 8, 'm'],
    ['{"code":0,"code":8}', null, null],
    ['{"code":0,"code":0,"message":"a","message":"b"}', 0, 'b'],
    ['{"code":"0","message":1}', null, null],
    ['{"code":0.5}', null, null],
    ['{"code":9007199254740993}', null, null],
    ['{"balance":1}', null, null],
    ['[{"code":0}]', null, null],
    ['{"code":0', null, null],
    ['', null, null],
    ['null', null, null],
  ])('%s', (body, code, message) => {
    expect(validateResponse(operationByName('gameList'), body)).toMatchObject({ code, message });
  });
});

it('code and message of a path that takes plain JSON are read where they are there', () => {
  const answers = { 'currencyList.action': { value: '/currencies plain', note: '' } };
  const read = (body: string) => validateResponse(operationByName('currencyList'), body, undefined, { answers });
  expect(read('{"code":8,"message":"m"}')).toMatchObject({ code: 8, message: 'm' });
  expect(read('["EUR"]')).toMatchObject({ code: null, message: null });
});

describe('two members of one name in a response', () => {
  const parsers = 'Some JSON parsers take the first, others the last.';
  it.each<[operation: OperationName, body: string, code: number | null, first: string]>([
    ['gameList', '{"code":8,"code":0,"message":"ok"}', null, `error /code code occurs twice: 8 and 0. ${parsers}`],
    ['gameList', '{"\\u0063ode":8,"code":0}', null, `error /code code occurs twice: 8 and 0. ${parsers}`],
    ['gameList', '{"code":0,"code":"0"}', null, `error /code code occurs twice: 0 and "0". ${parsers}`],
    ['gameList', '{"code":1,"code":2,"code":3}', null, `error /code code occurs 3 times: 1, 2 and 3. ${parsers}`],
    [
      'gameList',
      `{${'"code":0,'.repeat(6)}"code":1}`,
      null,
      `error /code code occurs 7 times: 0, 0, 0, 0 and 3 more. ${parsers}`,
    ],
    ['gameList', '{"code":0,"code":{"a":1}}', null, `error /code code occurs twice, with different values. ${parsers}`],
    ['bet', '{"balance":1,"code":8,"code":0}', null, `error /code code occurs twice: 8 and 0. ${parsers}`],
    ['gameList', '{"code":0,"code":0,"message":"ok"}', 0, 'warning /code code occurs twice, both times 0.'],
    ['gameList', '{"code":8,"message":"a","message":"b"}', 8, `error /message message occurs twice: "a" and "b". ${parsers}`],
    ['gameList', '{"code":0,"data":null,"data":{}}', 0, `error /data data occurs twice, with different values. ${parsers}`],
    [
      'bet',
      '{"transactionId":"t","balance":10.5,"balance":9.5}',
      null,
      `error /balance balance occurs twice: 10.5 and 9.5. ${parsers}`,
    ],
    [
      'gameList',
      '{"code":0,"data":{"slots":[{"id":1},{"id":1,"id":2},{"id":3,"id":4}]}}',
      0,
      `error /data/slots/1/id id at /data/slots/1 occurs twice: 1 and 2. ${parsers} 1 more like it.`,
    ],
    // A token is in no sentence, nor is what may hold one.
    [
      'generateNewToken',
      '{"token":"abcd-4711","token":"abcd-4712"}',
      null,
      `error /token token occurs twice, with different values. ${parsers}`,
    ],
    [
      'generateNewToken',
      '{"token":"abcd-4711","token":"abcd-4711"}',
      null,
      'warning /token token occurs twice, both times with the same value.',
    ],
    [
      'getLauncherURL',
      '{"code":0,"a":"https://g.example/?token=abcd","a":"x"}',
      0,
      `error /a a occurs twice: "https://g.example/?token=[token]" and "x". ${parsers}`,
    ],
  ])('%s %s', (operation, body, code, expected) => {
    const { findings, ...answer } = validateResponse(operationByName(operation), body);
    const [first] = findings;
    expect(`${first?.severity} ${first?.path} ${first?.message}`).toBe(expected);
    expect(first?.rule).toBe('duplicate-key');
    expect(answer.code).toBe(code);
  });
});

describe('what the spec says of a response, and what is only customary', () => {
  it('code 8 and 9 have data, which is null; code 404 is shown without', () => {
    const rules = (code: number) => {
      return validateResponse(operationByName('getGameRound'), `{"code":${code},"message":"m"}`).findings.map(({ rule }) => rule);
    };
    expect(rules(8)).toContain('data-on-rejection');
    expect(rules(9)).toContain('data-on-rejection');
    expect(rules(404)).not.toContain('data-on-rejection');
    expect(validateResponse(operationByName('getGameRound'), '{"code":8,"message":"m","data":null}').findings).toHaveLength(1);
  });

  it('a roundId beyond 64 bits is found in the source, digit by digit', () => {
    const found = (roundId: string) => {
      const body = `{"code":0,"message":"ok","data":[{"roundId":1},{"roundId":${roundId}}]}`;
      return validateResponse(operationByName('getGameRound'), body).findings.filter(({ rule }) => rule === 'integer-range');
    };
    expect(found('9223372036854775807')).toEqual([]);
    expect(found('9223372036854775808')).toMatchObject([
      {
        severity: 'warning',
        path: '/data/1/roundId',
        message: 'roundId is 9223372036854775808, beyond a signed 64-bit integer: PHP and most databases lose its digits.',
      },
    ]);
    expect(found('-9223372036854775808')).toEqual([]);
    expect(found('-9223372036854775809')).toHaveLength(1);
  });

  it('http is a warning for the launcher URL, a note for a picture, and no URL is a warning', () => {
    const found = (name: 'gameList' | 'getLauncherURL', data: object) => {
      const text = JSON.stringify({ code: 0, message: 'ok', data });
      return validateResponse(operationByName(name), text)
        .findings.filter(({ rule }) => rule === 'url')
        .map(({ severity, message }) => `${severity}: ${message}`);
    };
    const slots = (thumbnail: string) => ({ slots: [{ id: 1, gameName: 'a', bets: [1], thumbnail, status: 1 }] });
    expect(found('gameList', slots('http://a.example/x.png'))).toEqual([
      'note: thumbnail uses http: "http://a.example/x.png". HTTPS is customary, but the spec doesn\'t require it here.',
    ]);
    expect(found('gameList', slots('x.png'))).toEqual(['warning: thumbnail is not an http or https URL: "x.png".']);
    expect(found('getLauncherURL', { launcherURL: 'http://a.example/' })[0]).toBe(
      'warning: launcherURL uses http: "http://a.example/". The spec requires HTTPS.',
    );
  });
});
