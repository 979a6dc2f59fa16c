import { describe, expect, it } from 'vitest';
import { Environment } from '../model/environment.ts';
import { prepareRequest } from '../request/envelope.ts';
import { checkStability } from '../signing/stability.ts';
import { logMonthOf, monthZoneOf } from '../rounds/log-month.ts';
import { answerOf, codesOf, fieldNotes, meaningsOf, operationNotes, routeOf, serializationOf, timeOrderOf } from './wire-form.ts';
import { validatePayload } from './validate-payload.ts';
import { validateResponse } from './validate-response.ts';
import { codeNotes } from './code-notes.ts';
import { contextOf } from './request-context.ts';
import { formWith } from './forms.ts';
import { allOpenPoints, openPointById } from './open-points.ts';
import { openPointIds, type Answers, type OpenPointId } from './model.ts';
import type { OperationName } from '../model/operations.ts';
import { operationByName, operations } from './operations.ts';
import { answerProblem } from './recorded-answers.ts';
import { templateText } from './templates.ts';
import { isTokenName, newTokenPath } from './tokens.ts';

type Look = (answers: Answers) => unknown;

const noted = (answers: Answers) =>
  Object.fromEntries(Object.entries(answers).map(([id, { value }]) => [id, { value, note: '' }]));
const now = Date.parse('2026-11-20T10:15:30Z');
const defaults = { currency: 'EUR', lang: 'en', country: 'DE', ip: '203.0.113.9', exitURL: '', playerId: 'player-1' };
const many =
  '{"playerIds":["a","b"],"externalReferenceIds":["r"],"freeRoundValidity":"19-11-2026 00:00:00","numberOfFreeRounds":1,"betLevel":0,"gameIds":["1"]}';
const bet = (amount: string) =>
  `{"externalToken":"t","playerId":"p","gameId":"1","transactionId":"x","amount":${amount},"currency":"EUR"}`;

/** Returns the findings about a request, as rule, severity and message. */
const request =
  (operation: OperationName, text: string, form = ''): Look =>
  (answers) =>
    validatePayload(
      operationByName(operation),
      form,
      text,
      contextOf({ answers: noted(answers), serialization: 'php', timeZone: 'UTC', walletUrl: '' }, {}, now),
    ).map(({ rule, severity, message }) => [rule, severity, message]);

/** Returns the findings about a response. */
const response =
  (operation: OperationName, body: unknown, form = '', status = 200): Look =>
  (answers) =>
    validateResponse(operationByName(operation), JSON.stringify(body), form, { answers, status }).findings.map(
      ({ rule, severity, path }) => [rule, severity, path],
    );

const field =
  (operation: OperationName, name: string, form = ''): Look =>
  (answers) => {
    const found = formWith(operationByName(operation), form, answers).fields.find((one) => one.name === name);
    return found === undefined ? null : fieldNotes(operationByName(operation), found, answers);
  };
const notes =
  (operation: OperationName): Look =>
  (answers) =>
    operationNotes(operationByName(operation), answers);
const code =
  (value: number, operation: OperationName): Look =>
  (answers) =>
    codeNotes(value, operationByName(operation), answers);
const template =
  (operation: OperationName): Look =>
  (answers) =>
    templateText(operationByName(operation), '', defaults, { now, answers });

const accepted = (data: unknown) => ({ code: 0, message: 'ok', data });
const record = {
  id: 1,
  gameId: 1,
  action: 'jump',
  bet: 1.005,
  win: 0,
  currencyName: 'EUR',
  roundId: 5,
  actionTime: '2026-11-20 10:00:00',
  source: 7,
  url: 'https://a.example/',
};
const replay = {
  start: '2026-11-20 10:00:00',
  end: '2026-11-20 10:00:01',
  betAmount: 1,
  winAmount: 0,
  currency: 'EUR',
  replayLink: 'https://a.example/?replayToken=1&tableM=11&lang=en',
};
const player = { country: 'DE', currency: 'EUR', balance: 10, playerId: 'p' };

/** For each point, an answer and something that the program checks, shows, sends or explains, which the answer changes. */
const effects: Readonly<Record<OpenPointId, readonly (readonly [answer: string, look: Look])[]>> = {
  'time.order': [['ymd', (answers) => timeOrderOf(operationByName('gameList'), answers)]],
  'time.order.roundReplayInfo': [['ymd', (answers) => timeOrderOf(operationByName('roundReplayInfo'), answers)]],
  'time.tolerance': [['300 seconds', (answers) => answerOf('time.tolerance', answers)]],
  'time.zone': [['Asia/Tokyo', request('getGameRound', '{"roundId":1,"logMonth":0}')]],
  'identity.type': [
    ['number', code(9, 'gameList')],
    ['either', code(9, 'gameList')],
  ],
  'hash.nonAscii': [['php-unicode', (answers) => serializationOf({ serialization: 'php', answers })]],
  'hash.reencode': [
    ['received', (answers) => checkStability('{"a":"\\/"}', 'php', answerOf('hash.reencode', answers)).php.stable],
    ['objects', (answers) => checkStability('{"a":{}}', 'php', answerOf('hash.reencode', answers)).phpAssoc.stable],
    ['arrays', (answers) => checkStability('{"a":{}}', 'php', answerOf('hash.reencode', answers)).php.stable],
  ],
  'hash.noData': [
    ['keyTime', request('getGameRound', '')],
    ['null', request('getGameRound', '')],
  ],
  'checks.order': [
    ['identity', code(8, 'gameList')],
    ['hash', code(9, 'gameList')],
  ],
  'fields.required': [
    ['["getGameRound.logMonth"]', request('getGameRound', '{"roundId":1}')],
    ['[]', request('getGameRound', '{"roundId":1}')],
  ],
  'version.selection': [['header', notes('promoWin')]],
  'codes.complete': [
    ['{"17": "Insufficient balance"}', (answers) => codesOf(answers)?.get(17)],
    ['{"17": "Insufficient balance"}', response('bet', { code: 17, message: 'no' })],
    ['{"18": ""}', response('bet', { code: 17, message: 'no' })],
    ['{"17": "Insufficient balance"}', code(17, 'bet')],
  ],
  'http.status': [['{"8": 401}', response('gameList', { code: 8, message: 'hash not valid', data: null })]],
  'rate.limits': [['10 per second', notes('bet')]],
  events: [
    ['{"round.finished": "a POST to the operator"}', notes('win')],
    ['{}', notes('win')],
  ],
  states: [['{"round.open": "after the bet"}', notes('bet')]],
  'states.transitions': [['{"round.open > round.finished": "a win"}', notes('win')]],
  'gameList.status': [
    ['{"1": "on"}', (answers) => meaningsOf('gameList.status', answers)?.get('1')],
    [
      '{"1": "on"}',
      response(
        'gameList',
        accepted({ slots: [{ id: 1, gameName: 'a', bets: [1], thumbnail: 'https://a.example/', status: 3 }] }),
      ),
    ],
  ],
  'amounts.unit': [
    ['whole', field('bet', 'amount')],
    ['minor', request('bet', bet('1.5'))],
    ['minor', response('playerInfo', { ...player, balance: 10.5 })],
  ],
  'amounts.precision': [
    ['currency', request('bet', bet('1.005'))],
    ['2', response('playerInfo', { ...player, balance: 10.505 })],
    ['currency', response('getGameRound', accepted([record]))],
  ],
  'launch.token': [
    ['game', field('getLauncherURL', 'externalToken')],
    ['launcher', code(404, 'getLauncherURL')],
  ],
  'token.lifetime': [
    ['30 minutes', field('bet', 'externalToken')],
    ['30 minutes', code(404, 'bet')],
  ],
  'token.issue': [
    ['operator', field('generateNewToken', 'token')],
    ['provider', code(404, 'bet')],
  ],
  'token.perGame': [
    ['session', field('bet', 'externalToken')],
    ['game', code(404, 'bet')],
  ],
  'token.replaced': [
    ['accepted', code(404, 'win')],
    ['rejected', notes('win')],
  ],
  'roundId.type': [
    ['text', request('getGameRound', '{"roundId":1,"logMonth":0}')],
    ['either', request('getGameRound', '{"roundId":"1","logMonth":0}')],
    ['text', template('getGameRound')],
    ['text', response('getGameRound', accepted([record]))],
  ],
  'roundId.source': [['externalTrxId', field('getGameRound', 'roundId')]],
  'rounds.unknown': [
    ['code', response('getGameRound', accepted([]))],
    ['empty', response('roundReplayInfo', accepted(null))],
  ],
  'rounds.monthZone': [
    [
      'Asia/Tokyo',
      (answers) => logMonthOf('31-10-2026', Date.parse('2026-10-31T20:00:00Z'), monthZoneOf({ timeZone: 'UTC', answers })),
    ],
  ],
  'getGameRound.action': [['{"bet": ""}', response('getGameRound', accepted([record]))]],
  'getGameRound.source': [['{"1": "desktop"}', response('getGameRound', accepted([record]))]],
  'replay.tableM': [['month', response('roundReplayInfo', accepted(replay))]],
  'freeRounds.amount': [['betPerRound', field('freeRounds', 'amount', 'multiAmount')]],
  'freeRounds.multiResponse': [
    ['[{"referenceId": "string"}]', response('freeRounds', accepted([{ referenceId: 1 }]), 'multi')],
    ['[{"referenceId": "string"}]', notes('freeRounds')],
  ],
  'freeRounds.combinedLength': [
    [
      'together',
      request(
        'freeRounds',
        JSON.stringify({ playerIds: ['a'.repeat(15_000)], externalReferenceIds: ['b'.repeat(15_000)] }),
        'multi',
      ),
    ],
  ],
  'freeRounds.references': [
    ['any', request('freeRounds', many, 'multi')],
    ['perPlayer', request('freeRounds', many, 'multi')],
  ],
  'freeRounds.partial': [['each', field('freeRounds', 'playerIds', 'multi')]],
  'freeRounds.expired': [
    ['rejected', request('freeRounds', many, 'multi')],
    ['accepted', request('freeRounds', many, 'multi')],
  ],
  'freeRounds.reward': [['win', notes('promoWin')]],
  'freeRounds.betLevel': [['1', request('freeRounds', many, 'multi')]],
  'freeRoundsByBet.response': [['{"count": "integer"}', response('freeRoundsByBet', accepted({}))]],
  'cancelFreeRounds.action': [['stop', (answers) => routeOf(operationByName('cancelFreeRounds'), answers)]],
  'cancelFreeRounds.request': [
    ['{"externalReferenceId": "string"}', template('cancelFreeRounds')],
    ['{"externalReferenceId": "string"}', request('cancelFreeRounds', '{"other":1}')],
  ],
  'cancelFreeRounds.response': [['"null"', response('cancelFreeRounds', accepted({}))]],
  'currencyList.action': [
    ['currencies', (answers) => routeOf(operationByName('currencyList'), answers)],
    ['/currencies plain', (answers) => routeOf(operationByName('currencyList'), answers)],
  ],
  'currencyList.request': [['{"region?": "string"}', template('currencyList')]],
  'currencyList.response': [['["currency"]', response('currencyList', accepted(['EUR', 'XYZ']))]],
  'wallet.host': [
    ['operator', request('playerInfo', '{"externalToken":"t"}')],
    ['provider', notes('bet')],
  ],
  'wallet.codeAndMessage': [
    ['always', response('playerInfo', player)],
    ['never', response('playerInfo', { code: 0, message: 'ok', ...player })],
  ],
  'wallet.idempotency': [['idPlayer', field('bet', 'transactionId')]],
  'wallet.retry': [['first', field('win', 'transactionId')]],
  'wallet.currency': [['converted', field('bet', 'currency')]],
  'bet.zero': [['rejected', request('bet', bet('0.0'))]],
  'bet.afterCancel': [['booked', notes('cancel')]],
  'win.response': [
    ['{"transactionId": "string"}', response('win', {})],
    ['{"transactionId": "string"}', response('promoWin', { transactionId: 5 })],
  ],
  'win.bet': [
    ['oldest', field('win', 'transactionId')],
    ['transactionId', template('win')],
  ],
  'win.withoutBet': [['rejected', notes('win')]],
  'win.second': [['accepted', notes('win')]],
  'cancel.request': [
    ['{"transactionId": "string"}', template('cancel')],
    ['{"transactionId": "string"}', request('cancel', '{}')],
  ],
  'cancel.response': [['{"balance": "amount"}', response('cancel', { balance: 'much' })]],
  'cancel.unknown': [['accepted', notes('cancel')]],
  'cancel.second': [['accepted', notes('cancel')]],
  'cancel.afterWin': [['rejected', notes('cancel')]],
  'tournamentWin.response': [['{"balance": "amount"}', response('tournamentWin', {})]],
  'generateNewToken.response': [
    ['data.pass', (answers) => newTokenPath(answers)],
    ['{"pass": "token"}', (answers) => isTokenName('pass', answers)],
    ['{"pass": "token"}', response('generateNewToken', { pass: 5 })],
  ],
};

/** Returns `rule severity` of each finding. */
const brief = (look: Look, answers: Answers = {}): string[] =>
  (look(answers) as [string, string][]).map(([rule, severity]) => `${rule} ${severity}`);
const environment = Environment.parse({ id: 'a', name: 'A', baseUrl: 'https://p.example', platform: 3, partnerId: 4 });
const prepared = (operation: OperationName, text: string, overrides: object = {}) => {
  const draft = { environmentId: 'a', operation, form: '', text, overrides };
  const result = prepareRequest(draft, environment, now);
  return result.ok ? result.request : result.error.message;
};
const body = (operation: OperationName, text: string, overrides = {}) => {
  const made = prepared(operation, text, overrides);
  return typeof made === 'string' ? made : made.before + (made.dataJson ?? '') + made.between + made.after;
};
const isOpen = 'shape-not-shown note';
const game = { id: 1, gameName: 'a', bets: [1], thumbnail: 'https://a.example/', status: 3 };
const missing404 = { code: 404, message: 'Invalid Token' };
const round = '{"roundId":1,"logMonth":0}';

/**
 * For each point, what it says happens without an answer, and what does. A sentence that changes has to be looked at here again. Those about
 * a screen, a run or a call that is not made are tested where that is.
 */
const meanwhile: Readonly<Record<OpenPointId, readonly [sentence: string, found: () => unknown, expected: unknown]>> = {
  'time.order': [
    'Croupier writes time day first in every operation, as the declared format says.',
    () => [...new Set(operations.map((operation) => timeOrderOf(operation, {})))],
    ['dmy'],
  ],
  'time.order.roundReplayInfo': [
    'time follows the answer for all operations; without one it is day first.',
    () => [{}, { 'time.order': { value: 'ymd' } }].map((answers) => timeOrderOf(operationByName('roundReplayInfo'), answers)),
    ['dmy', 'ymd'],
  ],
  // `outcome.test.ts` has the clocks.
  'time.tolerance': [
    'time is the sending time. A server clock that is off by more than 5 seconds is a finding.',
    () => body('getGameRound', round),
    expect.stringContaining('"time":"20-11-2026 10:15:30"'),
  ],
  'time.zone': ["Croupier writes time in the environment's time zone, UTC by default.", () => environment.timeZone, 'UTC'],
  'identity.type': [
    'Croupier sends both as JSON numbers; an override can send strings.',
    () => [body('gameList', ''), body('gameList', '', { platform: '"3"' })],
    [expect.stringContaining('"platform":3,"partnerId":4'), expect.stringContaining('"platform":"3","partnerId":4')],
  ],
  'hash.nonAscii': [
    "Croupier uses the environment's serialization, by default php with \\u escapes.",
    () => body('getGameRound', '{"a":"é"}'),
    expect.stringContaining(String.raw`{"a":"\u00e9"}`),
  ],
  'hash.reencode': [
    'Croupier tries both ways of decoding before sending and reports the first byte that would change.',
    () => {
      const { php, phpAssoc } = checkStability('{"a":{}}', 'php');
      return [php.stable, phpAssoc.firstDifference?.byteOffset];
    },
    [true, 5],
  ],
  'hash.noData': [
    'Without data, Croupier hashes the private key and time, as for gameList.',
    () => [prepared('getGameRound', ''), brief(request('getGameRound', ''))],
    [expect.objectContaining({ signed: true, dataJson: null }), ['missing-payload warning']],
  ],
  'checks.order': [
    'Croupier explains codes 8 and 9 separately.',
    () => [code(8, 'gameList')({}), code(9, 'gameList')({})],
    [[], []],
  ],
  'fields.required': [
    'A missing field gets a note and blocks nothing.',
    () => [brief(request('getGameRound', '{"roundId":1}')), typeof prepared('getGameRound', '{"roundId":1}')],
    [['left-out note'], 'object'],
  ],
  'version.selection': [
    'Croupier sends no version. Operations and forms added in 1.1.0 are marked.',
    () => [body('gameList', ''), operations.filter(({ since }) => since === '1.1.0').map(({ name }) => name)],
    [expect.not.stringContaining('ersion'), ['tournamentWin', 'promoWin', 'generateNewToken']],
  ],
  'codes.complete': [
    'Croupier shows any other code with its message and marks it as not listed.',
    () => brief(response('bet', { code: 17, message: 'no' })),
    ['code-not-listed note'],
  ],
  'http.status': [
    "The response's code decides. Code 0 with a status that isn't a success is a finding.",
    () => [
      ...brief(response('gameList', { code: 8, message: 'hash not valid', data: null }, '', 401)),
      ...brief(response('gameList', { code: 0, message: 'ok', data: { slots: [] } }, '', 201)),
      ...brief(response('gameList', { code: 0, message: 'ok', data: { slots: [] } }, '', 500)),
    ],
    ['http-status warning'],
  ],
  'rate.limits': ['Croupier sends a call only when you ask for it and never repeats one by itself.', () => notes('bet')({}), []],
  events: ['Croupier expects none.', () => notes('bet')({}), []],
  states: ['Croupier assumes no state and shows responses as received.', () => notes('bet')({}), []],
  'states.transitions': ['Croupier enforces no order of calls.', () => notes('bet')({}), []],
  'gameList.status': [
    'Croupier shows the number and hides no game because of it.',
    () => brief(response('gameList', accepted({ slots: [game] }))),
    [],
  ],
  'amounts.unit': [
    'Croupier sends and shows amounts without a unit and converts none.',
    () => [body('bet', bet('1.50')), field('bet', 'amount')({})],
    [expect.stringContaining('"amount":1.50'), expect.not.stringContaining('ecorded')],
  ],
  'amounts.precision': [
    'Croupier accepts any number of decimals in requests and responses.',
    () => [brief(request('bet', bet('1.00000005'))), brief(response('playerInfo', { ...player, balance: 1.00005 }))],
    [[], []],
  ],
  'launch.token': [
    'Croupier explains code 404 from getLauncherURL as an invalid token.',
    () => brief(response('getLauncherURL', missing404)),
    [],
  ],
  'token.lifetime': ["Croupier ignores a token's age.", () => code(404, 'bet')({}), []],
  'token.issue': [
    'You type a token, or use a list or a program of yours. The built-in provider issues one for each of its players.',
    () => code(404, 'bet')({}),
    [],
  ],
  'token.perGame': ["Croupier doesn't check which game a token is used for.", () => code(404, 'bet')({}), []],
  'token.replaced': ["The explanation of code 404 doesn't mention /generateNewToken.", () => code(404, 'win')({}), []],
  'roundId.type': [
    'Croupier sends roundId as a JSON number with every digit; a string is a finding.',
    () => [
      body('getGameRound', '{"roundId":9007199254740993,"logMonth":0}'),
      brief(request('getGameRound', '{"roundId":"1","logMonth":0}')),
    ],
    [expect.stringContaining('"roundId":9007199254740993'), ['type warning']],
  ],
  'roundId.source': ['You type the roundId; Croupier takes nothing from a bet.', () => notes('getGameRound')({}), []],
  // The sentence of Rounds is in `round-result.test.ts`.
  'rounds.unknown': [
    'If a response has no record, Rounds names the ID and the month as likely causes.',
    () => brief(response('getGameRound', accepted([]))),
    [],
  ],
  'rounds.monthZone': [
    "Rounds counts months in the environment's time zone and warns near the end of a month.",
    () => monthZoneOf({ timeZone: 'Asia/Tokyo', answers: {} }),
    'Asia/Tokyo',
  ],
  'getGameRound.action': [
    'Croupier shows the text and accepts any string.',
    () => brief(response('getGameRound', accepted([record]))),
    [],
  ],
  'getGameRound.source': [
    'Croupier shows the number and accepts any integer.',
    () => brief(response('getGameRound', accepted([{ ...record, source: -77 }]))),
    [],
  ],
  'replay.tableM': [
    'Croupier checks only that it is there.',
    () =>
      ['&tableM=11', ''].map((query) =>
        brief(
          response('roundReplayInfo', accepted({ ...replay, replayLink: `https://a.example/?replayToken=1${query}&lang=en` })),
        ),
      ),
    [[], ['query warning']],
  ],
  'freeRounds.amount': [
    'Croupier sends amount as a number and assumes no meaning.',
    () => [body('freeRounds', '{"amount":1.50}'), field('freeRounds', 'amount', 'multiAmount')({})],
    [expect.stringContaining('"amount":1.5}'), expect.not.stringContaining('ecorded')],
  ],
  'freeRounds.multiResponse': [
    'For many players, Croupier checks only the response envelope.',
    () => brief(response('freeRounds', accepted(7), 'multi')),
    [isOpen],
  ],
  'freeRounds.combinedLength': [
    'Croupier counts the characters of each list separately. If only their sum exceeds the limit, it adds a note.',
    () =>
      [15_000, 20_001].map((length) =>
        brief(
          request(
            'freeRoundsByBet',
            JSON.stringify({ playerIds: ['a'.repeat(length)], externalReferenceIds: ['b'.repeat(15_000)] }),
            'multi',
          ),
        ).filter((one) => one.startsWith('combined')),
      ),
    [['combined-length note'], ['combined-length warning']],
  ],
  'freeRounds.references': [
    'Lists of different lengths get a note.',
    () => brief(request('freeRounds', many, 'multi')).filter((one) => one.startsWith('same-count')),
    ['same-count note'],
  ],
  'freeRounds.partial': [
    'Code 0 means success for the whole request.',
    () => field('freeRounds', 'playerIds', 'multi')({}),
    expect.not.stringContaining('ecorded'),
  ],
  'freeRounds.expired': [
    'An expiry in the past gets a note.',
    () => brief(request('freeRounds', many, 'multi')).filter((one) => one.startsWith('in-the-past')),
    ['in-the-past note'],
  ],
  'freeRounds.reward': ['Croupier expects nothing after free rounds are granted.', () => notes('promoWin')({}), []],
  // `bet-level.test.ts` has the levels.
  'freeRounds.betLevel': [
    'Croupier sends betLevel as typed. It warns only if the newest game list has no such bet, whether the first is 0 or 1.',
    () => brief(request('freeRounds', many, 'multi')).filter((one) => one.startsWith('bet-level')),
    [],
  ],
  'freeRoundsByBet.response': [
    'Croupier checks only the response envelope.',
    () => brief(response('freeRoundsByBet', accepted(7))),
    [isOpen],
  ],
  'cancelFreeRounds.action': ["Croupier can't send this call.", () => typeof prepared('cancelFreeRounds', '{}'), 'string'],
  'cancelFreeRounds.request': [
    'data starts as an empty object; no field is checked.',
    () => [template('cancelFreeRounds')({}), brief(request('cancelFreeRounds', '{"any":1}'))],
    ['{}', [isOpen]],
  ],
  'cancelFreeRounds.response': [
    'Croupier checks only the response envelope.',
    () => brief(response('cancelFreeRounds', accepted(7))),
    [isOpen],
  ],
  'currencyList.action': ["Croupier can't send this call.", () => typeof prepared('currencyList', '{}'), 'string'],
  'currencyList.request': [
    'data starts as an empty object; an empty payload sends none. No field is checked.',
    () => [template('currencyList')({}), brief(request('currencyList', '')), brief(request('currencyList', '{"any":1}'))],
    ['{}', [isOpen], [isOpen]],
  ],
  'currencyList.response': [
    'Croupier checks only the response envelope.',
    () => brief(response('currencyList', accepted(7))),
    [isOpen],
  ],
  'wallet.host': [
    "Croupier sends wallet methods to the environment's wallet URL, or to the base URL if none is set.",
    () => prepared('bet', '{}'),
    expect.objectContaining({ url: 'https://p.example/bet' }),
  ],
  'wallet.codeAndMessage': [
    'A wallet response may have code and message beside its fields, but need not.',
    () => [player, { code: 0, message: 'ok', ...player }].map((one) => brief(response('playerInfo', one))),
    [[], []],
  ],
  'wallet.idempotency': [
    'A template has a new transactionId each time.',
    () =>
      templateText(operationByName('bet'), '', defaults, { now }) ===
      templateText(operationByName('bet'), '', defaults, { now: now + 1 }),
    false,
  ],
  'wallet.retry': ['Croupier compares a second response with nothing.', () => notes('bet')({}), []],
  'wallet.currency': [
    "Croupier checks currency against ISO 4217, not against the player's.",
    () => ['USD', 'XYZ'].map((currency) => brief(request('bet', bet('1').replace('EUR', currency)))),
    [[], ['currency warning']],
  ],
  'bet.zero': ['Croupier sends a bet of 0 without a finding.', () => brief(request('bet', bet('0'))), []],
  'bet.afterCancel': ['Croupier ignores the order of calls.', () => notes('bet')({}), []],
  'win.response': [
    'Croupier checks only that the response is a JSON object.',
    () => [{}, []].map((one) => brief(response('win', one))),
    [[isOpen], ['envelope error']],
  ],
  'win.bet': [
    'A template has a new transactionId for each win.',
    () =>
      templateText(operationByName('win'), '', defaults, { now }) ===
      templateText(operationByName('win'), '', defaults, { now: now + 1 }),
    false,
  ],
  'win.withoutBet': ['Croupier sends a win without looking for its bet.', () => notes('win')({}), []],
  'win.second': ["Croupier doesn't count the wins of a round.", () => notes('win')({}), []],
  'cancel.request': [
    'The body starts as an empty object; no field is checked.',
    () => [template('cancel')({}), brief(request('cancel', '{"any":1}'))],
    ['{}', [isOpen]],
  ],
  'cancel.response': [
    'Croupier checks only that the response is a JSON object.',
    () => [{}, []].map((one) => brief(response('cancel', one))),
    [[isOpen], ['envelope error']],
  ],
  'cancel.unknown': ['Croupier expects no particular response.', () => notes('cancel')({}), []],
  'cancel.second': ['Croupier expects no particular response.', () => notes('cancel')({}), []],
  'cancel.afterWin': ['Croupier expects no particular response.', () => notes('cancel')({}), []],
  'tournamentWin.response': [
    'Croupier checks only that the response is a JSON object.',
    () => [{}, []].map((one) => brief(response('tournamentWin', one))),
    [[isOpen], ['envelope error']],
  ],
  'generateNewToken.response': [
    'Croupier checks only that the response is a JSON object.',
    () => [{}, []].map((one) => brief(response('generateNewToken', one))),
    [[isOpen], ['envelope error']],
  ],
};

/** For each point whose answer makes a finding by its `changes`, what it finds then. */
const findings: readonly (readonly [id: OpenPointId, answer: string, look: Look, expected: readonly string[]])[] = [
  ['time.zone', 'Asia/Tokyo', request('getGameRound', round), ['time-zone warning']],
  ['hash.noData', 'keyTime', request('getGameRound', ''), ['no-data note', 'missing-payload warning']],
  ['hash.noData', 'null', request('getGameRound', ''), ['no-data warning', 'missing-payload warning']],
  ['fields.required', '["getGameRound.logMonth"]', request('getGameRound', '{"roundId":1}'), []],
  ['fields.required', '[]', request('getGameRound', '{"roundId":1}'), ['required warning']],
  ['codes.complete', '{"18": ""}', response('bet', { code: 17, message: 'no' }), ['code-not-listed warning']],
  ['codes.complete', '{"17": ""}', response('bet', { code: 17, message: 'no' }), []],
  [
    'http.status',
    '{"8": 401}',
    response('gameList', { code: 8, message: 'hash not valid', data: null }),
    ['http-status warning'],
  ],
  ['gameList.status', '{"1": "on"}', response('gameList', accepted({ slots: [game] })), ['not-recorded warning']],
  ['amounts.unit', 'minor', request('bet', bet('1.5')), ['amount-unit warning']],
  ['amounts.unit', 'minor', response('playerInfo', { ...player, balance: 10.5 }), ['amount warning']],
  ['amounts.precision', '2', request('bet', bet('1.005')), ['amount-precision warning']],
  ['amounts.precision', '2', response('playerInfo', { ...player, balance: 1.005 }), ['amount warning']],
  ['roundId.type', 'text', request('getGameRound', round), ['type warning']],
  ['roundId.type', 'either', request('getGameRound', '{"roundId":"1","logMonth":0}'), []],
  ['rounds.unknown', 'code', response('getGameRound', accepted([])), ['unknown-round warning']],
  ['getGameRound.action', '{"bet": ""}', response('getGameRound', accepted([record])), ['not-recorded warning']],
  ['getGameRound.source', '{"1": ""}', response('getGameRound', accepted([record])), ['not-recorded warning']],
  ['replay.tableM', 'month', response('roundReplayInfo', accepted(replay)), ['table-m warning']],
  ['replay.tableM', 'other', response('roundReplayInfo', accepted(replay)), []],
  ['wallet.host', 'operator', request('playerInfo', '{"externalToken":"t"}'), ['wallet-host warning']],
  ['wallet.codeAndMessage', 'always', response('playerInfo', player), ['wallet-envelope warning', 'wallet-envelope warning']],
  ['wallet.codeAndMessage', 'never', response('playerInfo', { code: 0, ...player }), ['wallet-envelope warning']],
  ['bet.zero', 'rejected', request('bet', bet('0')), ['bet-zero warning']],
  ['freeRounds.references', 'any', request('freeRounds', many, 'multi'), ['in-the-past note']],
  ['freeRounds.references', 'perPlayer', request('freeRounds', many, 'multi'), ['same-count warning', 'in-the-past note']],
  ['freeRounds.expired', 'rejected', request('freeRounds', many, 'multi'), ['same-count note', 'in-the-past warning']],
  [
    'freeRounds.betLevel',
    '1',
    request('freeRounds', many, 'multi'),
    ['same-count note', 'in-the-past note', 'bet-level warning'],
  ],
];

describe('without an answer', () => {
  it.each(openPointIds)('to %s happens what it says', (id) => {
    const [sentence, found, expected] = meanwhile[id];
    expect(openPointById(id).meanwhile).toBe(sentence);
    expect(found()).toEqual(expected);
  });
});

it('a recorded field has the example of its namesake, and nothing else of what the spec says of that one', () => {
  const answers = { 'cancel.request': { value: '{"amount?": "amount", "playerId": "string: who made the bet"}' } };
  const { fields } = formWith(operationByName('cancel'), '', answers);
  expect(fields).toEqual([
    { name: 'amount', type: 'number', required: 'no', notes: '', example: '1', recorded: true, money: true },
    {
      name: 'playerId',
      type: 'string',
      required: 'yes',
      notes: 'who made the bet.',
      example: '"player-1"',
      recorded: true,
      from: 'playerId',
    },
  ]);
});

describe('an answer', () => {
  it.each(findings)('to %s of %s finds what it says', (id, value, look, expected) => {
    expect(brief(look, { [id]: { value } })).toEqual(expected);
  });

  it.each(openPointIds.flatMap((id) => effects[id].map(([answer, look]) => [id, answer, look] as const)))(
    'to %s of %s changes what it says it changes',
    (id, answer, look) => {
      expect(answerProblem(id, answer)).toBeNull();
      expect(look({ [id]: { value: answer } })).not.toEqual(look({}));
    },
  );

  it.each(openPointIds.flatMap((id) => effects[id].slice(0, 1).map(([, look]) => [id, look] as const)))(
    'to %s that is not valid changes nothing',
    (id, look) => {
      expect(look({ [id]: { value: 'bananas and more' } })).toEqual(look({}));
    },
  );

  it('is shown where its point says that it is', () => {
    for (const { id, shownAt = [], operations } of allOpenPoints) {
      const [[answer]] = effects[id] as [[string, Look]];
      const answers = { [id]: { value: answer } };
      for (const at of shownAt) {
        const names = at.operations ?? operations;
        const changes = (look: Look) => JSON.stringify(look(answers)) !== JSON.stringify(look({}));
        const isShown =
          at.field === undefined
            ? names.every((name) => changes(notes(name)))
            : names.some((name) => operationByName(name).forms.some((form) => changes(field(name, at.field ?? '', form.id))));
        expect(isShown, `${id} at ${at.field ?? 'operation'}`).toBe(true);
      }
    }
  });
});
