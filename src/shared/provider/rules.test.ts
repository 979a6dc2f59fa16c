import { describe, expect, it } from 'vitest';
import type { Finding } from '../model/finding.ts';
import { validateEcho } from './validate-echo.ts';
import { validatePayload } from './validate-payload.ts';
import { validateResponse } from './validate-response.ts';
import type { Rule } from './findings.ts';
import { operationByName } from './operations.ts';
import { contextOf, type RequestContext } from './request-context.ts';
import { knownGames } from './known-games.ts';
import type { Answers } from './model.ts';
import type { OperationName } from '../model/operations.ts';

type Check = () => readonly Finding[];

const now = Date.UTC(2026, 10, 20, 10, 15, 30);
const plain = contextOf({ answers: {}, serialization: 'php', timeZone: 'UTC', walletUrl: '' }, {}, now);
const recorded = (id: string, value: string): { answers: Answers } => ({ answers: { [id]: { value } } });

/** Checks the payload of an operation, and of its form after a space. */
function request(name: string, payload: object | string, context: Partial<RequestContext> = {}): Check {
  const [operation, form = 'main'] = name.split(' ') as [OperationName, string?];
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return () => validatePayload(operationByName(operation), form, text, { ...plain, ...context });
}

/** Reads a response of an operation, or its data where the service accepts the request. */
function response(operation: OperationName, body: unknown, context: { answers?: Answers; status?: number } = {}): Check {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return () => validateResponse(operationByName(operation), text, undefined, { answers: {}, ...context }).findings;
}

/** Compares the data of a request with those of its accepted response. */
function echo(operation: 'freeRounds' | 'getLauncherURL', sent: object, returned: object): Check {
  const form = operation === 'freeRounds' ? 'single' : 'main';
  const request = JSON.stringify({ platform: 7, partnerId: 31, data: sent });
  return () => validateEcho(operationByName(operation), form, request, JSON.stringify(accepted(returned)));
}

const accepted = (data: unknown) => ({ code: 0, message: 'ok', data });
const game = { id: 1042, gameName: 'Golden Orchard', bets: [0.1, 0.2], thumbnail: 'https://img.example/1.png', status: 1 };
const games = (change: object) => accepted({ slots: [{ ...game, ...change }] });
const replay = {
  start: '2026-11-20 10:15:30',
  end: '2026-11-20 10:15:35',
  betAmount: 1,
  winAmount: 2.5,
  currency: 'EUR',
  replayLink: 'https://replay.example/r?replayToken=a&tableM=2026_11&lang=en',
};
const bet = { externalToken: 'tok', playerId: 'p', gameId: '1042', transactionId: 't', amount: 1.5, currency: 'EUR' };
const launch = { gameMode: 'real', gameId: '1042', lang: 'en', externalToken: 'tok', exitURL: 'https://casino.example/lobby' };
const launcherURL = 'https://g.example/?partnerId=31&gameId=1042&gameMode=real&lang=en&platform=7&externalToken=tok&exitURL=';
/** Compares a launcher URL in which `part` is `other` with its request. */
const launcher = (part: string, other: string, sent: object = {}) =>
  echo('getLauncherURL', { ...launch, exitURL: '', ...sent }, { launcherURL: launcherURL.replace(part, other) });
const single = {
  playerId: 'p',
  externalReferenceId: 'r',
  freeRoundValidity: '27-11-2026 10:15:30',
  numberOfFreeRounds: 10,
  betLevel: 0,
  gameIds: ['1042'],
};
const { playerId: _player, externalReferenceId: _reference, ...rounds } = single;
const multi = { ...rounds, playerIds: ['p', 'q'], externalReferenceIds: ['r', 's'] };
const known = { games: knownGames('EUR', [{ id: '1042', name: 'Golden Orchard', bets: ['0.1', '0.2'] }]) };
const balance = { country: 'DE', currency: 'EUR', balance: 10.5, playerId: 'player-1' };

/** For each rule, input that breaks it and input that keeps it. A rule without a row does not compile. */
const cases: Readonly<Record<Rule, readonly [breaks: Check, keeps: Check]>> = {
  amount: [
    response('playerInfo', { ...balance, balance: 10.5 }, recorded('amounts.unit', 'minor')),
    response('playerInfo', { ...balance, balance: 1050 }, recorded('amounts.unit', 'minor')),
  ],
  'amount-precision': [
    request('bet', { ...bet, amount: 1.555 }, recorded('amounts.precision', '2')),
    request('bet', bet, recorded('amounts.precision', '2')),
  ],
  'amount-unit': [
    request('bet', bet, recorded('amounts.unit', 'minor')),
    request('bet', { ...bet, amount: 150 }, recorded('amounts.unit', 'minor')),
  ],
  'bet-level': [request('freeRounds single', { ...single, betLevel: 3 }, known), request('freeRounds single', single, known)],
  'bet-level-open': [
    request('freeRounds single', { ...single, betLevel: 2 }, known),
    request('freeRounds single', { ...single, betLevel: 1 }, known),
  ],
  'bet-zero': [
    request('bet', { ...bet, amount: 0 }, recorded('bet.zero', 'rejected')),
    request('bet', { ...bet, amount: 0 }, recorded('bet.zero', 'accepted')),
  ],
  'code-not-listed': [
    response('gameList', { code: 77, message: 'no', data: null }),
    response('gameList', { code: 77, message: 'no', data: null }, recorded('codes.complete', '{"77": "no"}')),
  ],
  'combined-length': [
    request('freeRounds multi', { ...multi, playerIds: ['p'.repeat(20_001)] }),
    request('freeRounds multi', { ...multi, playerIds: ['p'.repeat(15_000)] }),
  ],
  country: [request('getLauncherURL', { ...launch, country: 'UK' }), request('getLauncherURL', { ...launch, country: 'GB' })],
  currency: [request('gameList', { currency: 'EURO' }), request('gameList', { currency: 'EUR' })],
  'data-on-rejection': [
    response('gameList', { code: 8, message: 'hash not valid', data: {} }),
    response('gameList', { code: 8, message: 'hash not valid', data: null }),
  ],
  'date-time': [
    request('freeRounds single', { ...single, freeRoundValidity: '2026-11-27 10:15:30' }),
    request('freeRounds single', single),
  ],
  digits: [
    request('getGameRound', { roundId: 'one', logMonth: 0 }, recorded('roundId.type', 'text')),
    request('getGameRound', { roundId: '1', logMonth: 0 }, recorded('roundId.type', 'text')),
  ],
  'duplicate-key': [
    request('getGameRound', '{"roundId":1,"logMonth":0,"roundId":2}'),
    request('getGameRound', '{"roundId":1,"logMonth":0}'),
  ],
  empty: [request('getLauncherURL', { ...launch, gameId: '' }), request('getLauncherURL', { ...launch, exitURL: '' })],
  envelope: [response('gameList', [1]), response('gameList', games({}))],
  'exact-length': [request('getLauncherURL', { ...launch, lang: 'eng' }), request('getLauncherURL', launch)],
  'http-status': [
    response('gameList', games({}), { ...recorded('http.status', '{"0": 200}'), status: 500 }),
    response('gameList', games({}), { ...recorded('http.status', '{"0": 200}'), status: 200 }),
  ],
  'in-the-past': [
    request('freeRounds single', { ...single, freeRoundValidity: '20-11-2026 10:15:29' }),
    request('freeRounds single', { ...single, freeRoundValidity: '20-11-2026 10:15:30' }),
  ],
  'integer-range': [
    request('getGameRound', '{"roundId":9223372036854775808,"logMonth":0}'),
    request('getGameRound', '{"roundId":9223372036854775807,"logMonth":0}'),
  ],
  ip: [
    request('getLauncherURL', { ...launch, ip: '203.0.113.256' }),
    request('getLauncherURL', { ...launch, ip: '203.0.113.255' }),
  ],
  json: [request('getGameRound', '{"roundId":1,}'), request('getGameRound', '{"roundId":1}')],
  'key-mark': [
    request('bet', { ...bet, externalToken: '[private key]' }),
    request('bet', { ...bet, externalToken: 'private key' }),
  ],
  language: [request('getLauncherURL', { ...launch, lang: 'xx' }), request('getLauncherURL', launch)],
  'launch.different': [launcher('lang=en', 'lang=de'), launcher('', '')],
  'launch.duplicated': [launcher('lang=en', 'lang=en&lang=de'), launcher('', '')],
  'launch.encoding': [
    launcher('exitURL=', 'exitURL=<>', { exitURL: '<>' }),
    launcher('exitURL=', 'exitURL=%3C%3E', { exitURL: '<>' }),
  ],
  'launch.malformed': [launcher('lang=en', 'lang=eng', { lang: 'eng' }), launcher('', '')],
  'launch.token': [launcher('real', 'fun', { gameMode: 'fun', externalToken: '' }), launcher('', '')],
  'launch.undocumented': [launcher('lang=en', 'lang=en&theme=dark'), launcher('', '')],
  'left-out': [request('getGameRound', { roundId: 1 }), request('getGameRound', { roundId: 1, logMonth: 0 })],
  message: [
    response('gameList', { code: 8, message: 'No', data: null }),
    response('gameList', { code: 8, message: 'hash not valid', data: null }),
  ],
  minimum: [request('getGameRound', { roundId: 1, logMonth: -1 }), request('getGameRound', { roundId: 1, logMonth: 0 })],
  missing: [response('gameList', games({ id: undefined })), response('gameList', games({}))],
  'missing-payload': [request('getGameRound', ' '), request('getGameRound', '{}')],
  more: [
    request('bet', { ...bet, ...Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`field${index}`, 1])) }),
    request('bet', { ...bet, ...Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field${index}`, 1])) }),
  ],
  'no-data': [
    request('getGameRound', '', recorded('hash.noData', 'null')),
    request('getGameRound', '{}', recorded('hash.noData', 'null')),
  ],
  'non-ascii': [
    request('freeRounds single', { ...single, playerId: 'Zoë' }),
    request('freeRounds single', { ...single, playerId: 'Zoe' }),
  ],
  'not-object': [request('getGameRound', '[]'), request('getGameRound', '{}')],
  'not-recorded': [
    response('gameList', games({ status: 2 }), recorded('gameList.status', '{"1": "on"}')),
    response('gameList', games({}), recorded('gameList.status', '{"1": "on"}')),
  ],
  'number-range': [
    request('bet', JSON.stringify(bet).replace('1.5', '1e400')),
    request('bet', JSON.stringify(bet).replace('1.5', '1e4')),
  ],
  query: [
    response('roundReplayInfo', accepted({ ...replay, replayLink: 'https://replay.example/r?lang=en' })),
    response('roundReplayInfo', accepted(replay)),
  ],
  'reference-echo': [
    echo('freeRounds', { externalReferenceId: 'promo-1' }, { referenceId: 'promo-2' }),
    echo('freeRounds', { externalReferenceId: 'promo-1' }, { referenceId: 'promo-1' }),
  ],
  required: [request('gameList', '{}'), request('gameList', { currency: 'EUR' })],
  'same-count': [request('freeRounds multi', { ...multi, playerIds: ['p'] }), request('freeRounds multi', multi)],
  'shape-not-shown': [request('cancelFreeRounds open', '{"a":1}'), request('bet', bet)],
  'table-m': [
    response(
      'roundReplayInfo',
      accepted({ ...replay, replayLink: replay.replayLink.replace('2026_11', 'b') }),
      recorded('replay.tableM', 'month'),
    ),
    response('roundReplayInfo', accepted(replay), recorded('replay.tableM', 'month')),
  ],
  'time-format': [
    request('gameList', { currency: 'EUR' }, { overrides: { time: '2026-11-20T10:15:30Z' } }),
    request('gameList', { currency: 'EUR' }, { overrides: { time: '20-11-2026 10:15:30' } }),
  ],
  'time-zone': [
    request('gameList', { currency: 'EUR' }, recorded('time.zone', 'Asia/Tokyo')),
    request('gameList', { currency: 'EUR' }, recorded('time.zone', 'UTC')),
  ],
  'too-large': [
    request('gameList', `{"currency":"EUR","a":"${'x'.repeat(1_000_000)}"}`),
    request('gameList', `{"currency":"EUR","a":"${'x'.repeat(900_000)}"}`),
  ],
  'too-long': [
    request('bet', { ...bet, externalToken: 't'.repeat(256) }),
    request('bet', { ...bet, externalToken: 't'.repeat(255) }),
  ],
  type: [request('bet', { ...bet, amount: '1.5' }), request('bet', bet)],
  undocumented: [response('gameList', games({ extra: 1 })), response('gameList', games({}))],
  unique: [request('freeRounds multi', { ...multi, playerIds: ['p', 'p'] }), request('freeRounds multi', multi)],
  'unknown-field': [request('bet', { ...bet, round: 1 }), request('bet', bet)],
  'unknown-round': [
    response('roundReplayInfo', accepted(null), recorded('rounds.unknown', 'code')),
    response('roundReplayInfo', accepted(null), recorded('rounds.unknown', 'empty')),
  ],
  url: [request('getLauncherURL', { ...launch, exitURL: '/lobby' }), request('getLauncherURL', launch)],
  value: [request('getLauncherURL', { ...launch, gameMode: 'demo' }), request('getLauncherURL', launch)],
  'wallet-envelope': [
    response('playerInfo', balance, recorded('wallet.codeAndMessage', 'always')),
    response('playerInfo', balance, recorded('wallet.codeAndMessage', 'never')),
  ],
  'wallet-host': [
    request('bet', bet, recorded('wallet.host', 'operator')),
    request('bet', bet, { ...recorded('wallet.host', 'operator'), walletUrl: 'https://wallet.example' }),
  ],
  'whole-number': [
    request('getGameRound', '{"roundId":1.0,"logMonth":0}'),
    request('getGameRound', '{"roundId":1,"logMonth":0}'),
  ],
};

describe.each(Object.entries(cases))('the rule %s', (rule, [breaks, keeps]) => {
  it('is found where it is broken, and only there', () => {
    expect(breaks().map((finding) => finding.rule)).toContain(rule);
    expect(keeps().map((finding) => finding.rule)).not.toContain(rule);
  });
});
