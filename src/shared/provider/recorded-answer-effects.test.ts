import { describe, expect, it } from 'vitest';
import { checkStability } from '../signing/stability.ts';
import { logMonthOf, monthZoneOf } from '../rounds/log-month.ts';
import { answerOf, codesOf, fieldNotes, meaningsOf, operationNotes, routeOf, serializationOf, timeOrderOf } from './wire-form.ts';
import { checkPayload } from './check-payload.ts';
import { readAnswer } from './check-response.ts';
import { codeNotes } from './code-notes.ts';
import { contextOf } from './request-context.ts';
import { formWith } from './forms.ts';
import { allOpenPoints } from './open-points.ts';
import { openPointIds, type Answers, type OpenPointId } from './model.ts';
import type { OperationName } from '../model/operations.ts';
import { operationByName } from './operations.ts';
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
    checkPayload(
      operationByName(operation),
      form,
      text,
      contextOf({ answers: noted(answers), serialization: 'php', timeZone: 'UTC', walletUrl: '' }, {}, now),
    ).map(({ rule, severity, message }) => [rule, severity, message]);

/** Returns the findings about a response. */
const response =
  (operation: OperationName, body: unknown, form = '', status = 200): Look =>
  (answers) =>
    readAnswer(operationByName(operation), JSON.stringify(body), form, { answers, status }).findings.map(
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
    ['data.session', (answers) => newTokenPath(answers)],
    ['{"session": "token"}', (answers) => isTokenName('session', answers)],
    ['{"session": "token"}', response('generateNewToken', { session: 5 })],
  ],
};

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
        const looks = names.flatMap((name) => {
          if (at.field === undefined) return [notes(name)];
          return operationByName(name).forms.map((form) => field(name, at.field ?? '', form.id));
        });
        expect(
          looks.some((look) => JSON.stringify(look(answers)) !== JSON.stringify(look({}))),
          `${id} at ${at.field ?? 'operation'}`,
        ).toBe(true);
      }
    }
  });
});
