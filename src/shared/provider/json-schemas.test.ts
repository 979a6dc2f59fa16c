import { describe, expect, it } from 'vitest';
import { createSchemaValidator } from '#testing/schema-validator.ts';
import type { Answers } from './model.ts';

type Json = Readonly<Record<string, unknown>>;

/** A text with changes of its members; undefined takes one away. `big` stands for a number beyond 2^53. */
const text = (value: unknown) => JSON.stringify(value).replaceAll('"big"', '9007199254740993');

const envelope = (action: string, rest: Json) =>
  text({ action, platform: 7, partnerId: 11, time: '22-11-2026 10:40:02', hash: 'ab'.repeat(32), ...rest });
const list = (changes: Json = {}) => envelope('gameList', { currency: 'EUR', ...changes });
const replay = (data: unknown, changes: Json = {}) => envelope('roundReplayInfo', { data, ...changes });
const round = (data: unknown) => envelope('getGameRound', { data });
const launch = (changes: Json = {}, more: Json = {}) =>
  envelope('getLauncherURL', {
    data: {
      gameMode: 'fun',
      gameId: '1042',
      lang: 'en',
      externalToken: '',
      playerId: 'player-1',
      country: 'DE',
      ip: '203.0.113.9',
      exitURL: 'https://casino.example/lobby?a=1',
      ...changes,
    },
    ...more,
  });
const one = (changes: Json = {}) =>
  envelope('freeRounds', {
    data: {
      playerId: 'player-1',
      externalReferenceId: 'reference-1',
      freeRoundValidity: '31-12-2026 23:59:59',
      numberOfFreeRounds: 10,
      betLevel: 0,
      gameIds: ['1042', '1043'],
      ...changes,
    },
  });
const players = {
  playerIds: ['player-1', 'player-2'],
  externalReferenceIds: ['reference-1', 'reference-2'],
  freeRoundValidity: '31-12-2026 23:59:59',
  numberOfFreeRounds: 10,
};
const many = (changes: Json = {}) => envelope('freeRounds', { data: { ...players, betLevel: 0, gameIds: ['1042'], ...changes } });
const amounts = (changes: Json = {}) => many({ betLevel: undefined, amount: 0.5, currency: 'EUR', ...changes });
const byBet = (changes: Json = {}) =>
  envelope('freeRoundsByBet', { data: { ...players, betAmount: 1.5, currency: 'EUR', gameId: '1042', ...changes } });
const money = (changes: Json = {}) =>
  text({
    externalToken: 'session-token',
    playerId: 'player-1',
    gameId: '1042',
    transactionId: 'transaction-1',
    amount: 10.25,
    currency: 'EUR',
    ...changes,
  });
const renewal = (changes: Json = {}) => text({ token: 'session-token', newGameId: '1043', ...changes });

/** Verdict of the specification, with the section that says so, the operation, and the body of a request. */
type Row = readonly ['right' | 'wrong', string, string, string];

const requests: readonly Row[] = [
  ['right', 'Endpoints 1: currency beside the envelope', 'gameList', list()],
  ['right', 'Endpoints 1: a three-letter code is an example', 'gameList', list({ currency: 'USDT' })],
  ['right', 'Request envelope: it does not forbid other fields', 'gameList', list({ version: '1.1.0' })],
  ['wrong', 'Endpoints 1: currency is in the request', 'gameList', list({ currency: undefined })],
  ['wrong', 'Endpoints 1: currency is a string', 'gameList', list({ currency: 978 })],
  ['wrong', 'Endpoints 1: currency names a currency', 'gameList', list({ currency: '' })],
  ['wrong', 'Endpoints 1: no data object', 'gameList', list({ data: {} })],
  ['wrong', 'Request envelope: data is absent for gameList', 'gameList', list({ data: null })],
  ['wrong', 'Endpoints 1: the action is gameList', 'gameList', envelope('gameLst', { currency: 'EUR' })],
  ['wrong', 'Request envelope: action is required', 'gameList', list({ action: undefined })],
  ['wrong', 'Request envelope: platform is required', 'gameList', list({ platform: undefined })],
  ['wrong', 'Request envelope: platform is an integer', 'gameList', list({ platform: '7' })],
  ['wrong', 'Request envelope: platform is an integer', 'gameList', list({ platform: 7.5 })],
  ['wrong', 'Request envelope: partnerId is required', 'gameList', list({ partnerId: undefined })],
  ['wrong', 'Request envelope: partnerId is an integer', 'gameList', list({ partnerId: '11' })],
  ['wrong', 'Request envelope: time is required', 'gameList', list({ time: undefined })],
  ['wrong', 'Request envelope: time is a string', 'gameList', list({ time: 1_795_344_002 })],
  ['wrong', 'Request envelope: time is dd-mm-yyyy hh:mm:ss', 'gameList', list({ time: '2026-11-22T10:40:02Z' })],
  ['wrong', 'Request envelope: time is dd-mm-yyyy hh:mm:ss', 'gameList', list({ time: '2026-11-22 10:40:02' })],
  ['wrong', 'Request envelope: time is dd-mm-yyyy hh:mm:ss', 'gameList', list({ time: '22-11-2026' })],
  ['wrong', 'Request envelope: time has a month', 'gameList', list({ time: '11-22-2026 10:40:02' })],
  ['wrong', 'Request envelope: time has an hour', 'gameList', list({ time: '22-11-2026 24:40:02' })],
  ['wrong', 'Request envelope: time has a day', 'gameList', list({ time: '31-11-2026 10:40:02' })],
  ['wrong', 'Request envelope: hash is required', 'gameList', list({ hash: undefined })],
  ['wrong', 'Authentication 2: hash is in lower case', 'gameList', list({ hash: 'AB'.repeat(32) })],
  ['wrong', 'Authentication 2: hash is hexadecimal', 'gameList', list({ hash: 'xy'.repeat(32) })],
  ['wrong', 'Authentication 2: a SHA-256 has 64 digits', 'gameList', list({ hash: 'ab'.repeat(20) })],

  ['right', 'Endpoints 2: roundId is a bigint', 'roundReplayInfo', replay({ roundId: 'big', logMonth: 0 })],
  [
    'right',
    'Request envelope: a sample has the year first',
    'roundReplayInfo',
    replay({ roundId: 1, logMonth: 0 }, { time: '2026-11-22 10:40:02' }),
  ],
  ['right', 'Endpoints 2: logMonth counts back', 'roundReplayInfo', replay({ roundId: 1, logMonth: 14 })],
  ['right', 'Endpoints 2: it does not say that logMonth is required', 'roundReplayInfo', replay({ roundId: 1 })],
  ['wrong', 'Endpoints 2: it has data', 'roundReplayInfo', replay(undefined)],
  ['wrong', 'Request envelope: data is an object', 'roundReplayInfo', replay([])],
  ['wrong', 'Endpoints 2: roundId is a bigint', 'roundReplayInfo', replay({ roundId: '1', logMonth: 0 })],
  ['wrong', 'Endpoints 2: roundId is a bigint', 'roundReplayInfo', replay({ roundId: 1.5, logMonth: 0 })],
  ['wrong', 'Endpoints 2: logMonth is an integer', 'roundReplayInfo', replay({ roundId: 1, logMonth: '0' })],
  ['wrong', 'Endpoints 2: logMonth counts months that passed', 'roundReplayInfo', replay({ roundId: 1, logMonth: -1 })],
  [
    'wrong',
    'Request envelope: neither order',
    'roundReplayInfo',
    replay({ roundId: 1, logMonth: 0 }, { time: '22.11.2026 10:40:02' }),
  ],
  ['right', 'Endpoints 3: roundId and logMonth', 'getGameRound', round({ roundId: 'big', logMonth: 1 })],
  ['wrong', 'Endpoints 3: roundId is a bigint', 'getGameRound', round({ roundId: null, logMonth: 1 })],
  [
    'wrong',
    'Request envelope: time is dd-mm-yyyy; only roundReplayInfo has another sample',
    'getGameRound',
    envelope('getGameRound', { data: { roundId: 1, logMonth: 0 }, time: '2026-11-22 10:40:02' }),
  ],

  ['right', 'Endpoints 4: fun mode with an empty token', 'getLauncherURL', launch()],
  ['right', 'Endpoints 4: externalToken is for real mode', 'getLauncherURL', launch({ externalToken: undefined })],
  ['right', 'Endpoints 4: a token may be there in fun mode', 'getLauncherURL', launch({ externalToken: 'token' })],
  ['right', 'Endpoints 4: real mode', 'getLauncherURL', launch({ gameMode: 'real', externalToken: 'token' })],
  ['right', 'Limits: 255 characters', 'getLauncherURL', launch({ gameMode: 'real', externalToken: 'é'.repeat(255) })],
  ['right', 'Endpoints 4: exitURL may be empty', 'getLauncherURL', launch({ exitURL: '' })],
  ['right', 'Endpoints 4: IP address', 'getLauncherURL', launch({ ip: '2001:db8::7' })],
  ['right', 'Endpoints 4: it does not forbid other fields', 'getLauncherURL', launch({ device: 'desktop' })],
  ['wrong', 'Endpoints 4: empty data has no gameMode', 'getLauncherURL', envelope('getLauncherURL', { data: {} })],
  ['wrong', 'Endpoints 4: it has data', 'getLauncherURL', envelope('getLauncherURL', {})],
  ['wrong', 'Endpoints 4: gameMode is real or fun', 'getLauncherURL', launch({ gameMode: 'demo' })],
  ['wrong', 'Endpoints 4: gameMode is required', 'getLauncherURL', launch({ gameMode: undefined })],
  ['wrong', 'Endpoints 4: gameId is required', 'getLauncherURL', launch({ gameId: undefined })],
  ['wrong', 'Endpoints 4: gameId is a string', 'getLauncherURL', launch({ gameId: 1042 })],
  ['wrong', 'Endpoints 4: only exitURL and the token may be empty', 'getLauncherURL', launch({ gameId: '' })],
  ['wrong', 'Endpoints 4: lang is required', 'getLauncherURL', launch({ lang: undefined })],
  ['wrong', 'Limits: lang has 2 characters', 'getLauncherURL', launch({ lang: 'eng' })],
  ['wrong', 'Endpoints 4: ISO 639-1', 'getLauncherURL', launch({ lang: '12' })],
  ['wrong', 'Endpoints 4: playerId is required', 'getLauncherURL', launch({ playerId: undefined })],
  ['wrong', 'Endpoints 4: only exitURL and the token may be empty', 'getLauncherURL', launch({ playerId: '' })],
  ['wrong', 'Endpoints 4: country is required', 'getLauncherURL', launch({ country: undefined })],
  ['wrong', 'Limits: country has 2 characters', 'getLauncherURL', launch({ country: 'DEU' })],
  ['wrong', 'Endpoints 4: ISO 3166-1 alpha-2', 'getLauncherURL', launch({ country: 'd1' })],
  ['wrong', 'Endpoints 4: ip is required', 'getLauncherURL', launch({ ip: undefined })],
  ['wrong', 'Endpoints 4: ip is an address', 'getLauncherURL', launch({ ip: '999.1.1.1' })],
  ['wrong', 'Endpoints 4: ip is an address', 'getLauncherURL', launch({ ip: 'localhost' })],
  ['wrong', 'Endpoints 4: exitURL is required', 'getLauncherURL', launch({ exitURL: undefined })],
  ['wrong', 'Endpoints 4: exitURL is a string', 'getLauncherURL', launch({ exitURL: null })],
  ['wrong', 'Endpoints 4: real mode needs the token', 'getLauncherURL', launch({ gameMode: 'real', externalToken: undefined })],
  ['wrong', 'Endpoints 4: only in fun mode it may be empty', 'getLauncherURL', launch({ gameMode: 'real' })],
  ['wrong', 'Limits: 255 characters', 'getLauncherURL', launch({ gameMode: 'real', externalToken: 'x'.repeat(256) })],
  ['wrong', 'Limits: 255 characters, in fun mode, too', 'getLauncherURL', launch({ externalToken: 'x'.repeat(256) })],
  ['wrong', 'Endpoints 4: the action is getLauncherURL', 'getLauncherURL', launch({}, { action: 'getLauncherUrl' })],
  [
    'wrong',
    'Endpoints 4: the action is getLauncherURL',
    'getLauncherURL',
    launch({}, { action: 'freeRoundsByBet', platform: '7' }),
  ],

  ['right', 'Endpoints 5: one player', 'freeRounds', one()],
  ['right', 'Endpoints 5: it does not say what is required', 'freeRounds', one({ betLevel: undefined })],
  ['right', 'Limits: 100 characters', 'freeRounds', one({ playerId: '€'.repeat(100), externalReferenceId: 'r'.repeat(100) })],
  ['right', 'Endpoints 5: many players', 'freeRounds', many()],
  ['right', 'Endpoints 5: many players, amount and currency', 'freeRounds', amounts()],
  ['right', 'Limits: the 100 characters are of the single form', 'freeRounds', many({ playerIds: ['p'.repeat(101)] })],
  ['right', 'Limits: 20,000 characters', 'freeRounds', many({ playerIds: ['p'.repeat(10_000), 'q'.repeat(10_000)] })],
  ['right', 'Endpoints 5: it does not say that the lists have one length', 'freeRounds', many({ externalReferenceIds: ['r'] })],
  ['wrong', 'Limits: playerId has 100 characters', 'freeRounds', one({ playerId: 'p'.repeat(101) })],
  ['wrong', 'Limits: externalReferenceId has 100', 'freeRounds', one({ externalReferenceId: 'r'.repeat(101) })],
  ['wrong', 'Endpoints 5: playerId is a string', 'freeRounds', one({ playerId: 1 })],
  ['wrong', 'Endpoints 5: dd-mm-yyyy', 'freeRounds', one({ freeRoundValidity: '2026-12-31 23:59:59' })],
  ['wrong', 'Endpoints 5: dd-mm-yyyy hh:mm:ss', 'freeRounds', one({ freeRoundValidity: '31-02-2027 00:00:00' })],
  ['wrong', 'Endpoints 5: numberOfFreeRounds is an integer', 'freeRounds', one({ numberOfFreeRounds: '10' })],
  ['wrong', 'Endpoints 5: a count', 'freeRounds', one({ numberOfFreeRounds: -1 })],
  ['wrong', 'Endpoints 5: betLevel is an integer', 'freeRounds', one({ betLevel: 0.5 })],
  ['wrong', 'Endpoints 5: an index', 'freeRounds', one({ betLevel: -1 })],
  ['wrong', 'Endpoints 5: gameIds is an array', 'freeRounds', one({ gameIds: '1042' })],
  ['wrong', 'Endpoints 5: gameIds holds strings', 'freeRounds', one({ gameIds: [1042] })],
  ['wrong', 'Endpoints 5: playerIds replace playerId', 'freeRounds', many({ playerId: 'player-1' })],
  ['wrong', 'Endpoints 5: the references replace one', 'freeRounds', many({ externalReferenceId: 'reference-1' })],
  ['wrong', 'Endpoints 5: one with the reference of many', 'freeRounds', one({ externalReferenceIds: ['reference-1'] })],
  ['wrong', 'Endpoints 5: amount is in place of betLevel', 'freeRounds', amounts({ betLevel: 0 })],
  [
    'wrong',
    'Endpoints 5: amount is of the form for many',
    'freeRounds',
    one({ betLevel: undefined, amount: 1, currency: 'EUR' }),
  ],
  ['wrong', 'Endpoints 5: each value is unique', 'freeRounds', many({ playerIds: ['a', 'a'] })],
  ['wrong', 'Endpoints 5: each value is unique', 'freeRounds', amounts({ externalReferenceIds: ['r', 's', 'r'] })],
  ['wrong', 'Endpoints 5: playerIds is an array', 'freeRounds', many({ playerIds: 'player-1' })],
  ['wrong', 'Endpoints 5: of strings, as playerId is', 'freeRounds', many({ playerIds: [1, 2] })],
  ['wrong', 'Limits: 20,000 characters', 'freeRounds', many({ playerIds: ['p'.repeat(20_001)] })],
  ['wrong', 'Endpoints 5: dd-mm-yyyy for many, too', 'freeRounds', many({ freeRoundValidity: '2026-12-31 23:59:59' })],
  ['wrong', 'Endpoints 5: dd-mm-yyyy with amount, too', 'freeRounds', amounts({ freeRoundValidity: '12-31-2026 23:59:59' })],
  ['wrong', 'Endpoints 5: an integer for many, too', 'freeRounds', many({ numberOfFreeRounds: 1.5 })],
  ['wrong', 'Endpoints 5: amount is a number', 'freeRounds', amounts({ amount: '0.5' })],
  ['wrong', 'Endpoints 5: currency is a string', 'freeRounds', amounts({ currency: 978 })],

  ['right', 'Endpoints 6', 'freeRoundsByBet', byBet()],
  ['wrong', 'Endpoints 6: each value is unique', 'freeRoundsByBet', byBet({ externalReferenceIds: ['r', 'r'] })],
  ['wrong', 'Endpoints 6: 20,000 characters', 'freeRoundsByBet', byBet({ externalReferenceIds: ['r'.repeat(20_001)] })],
  ['wrong', 'Endpoints 6: dd-mm-yyyy', 'freeRoundsByBet', byBet({ freeRoundValidity: '31/12/2026 23:59:59' })],
  ['wrong', 'Endpoints 6: betAmount is a number', 'freeRoundsByBet', byBet({ betAmount: '1.5' })],
  ['wrong', 'Endpoints 6: a single game', 'freeRoundsByBet', byBet({ gameId: ['1042'] })],
  ['wrong', 'Endpoints 6: numberOfFreeRounds is an integer', 'freeRoundsByBet', byBet({ numberOfFreeRounds: true })],

  ['right', 'Endpoints 9', 'playerInfo', text({ externalToken: 't'.repeat(255) })],
  ['wrong', 'Endpoints 9: externalToken', 'playerInfo', text({})],
  ['wrong', 'Endpoints 9: a valid session token', 'playerInfo', text({ externalToken: '' })],
  ['wrong', 'Authentication 6: up to 255 characters', 'playerInfo', text({ externalToken: 't'.repeat(256) })],
  ['wrong', 'Wallet methods: plain JSON bodies', 'playerInfo', '["session-token"]'],
  ['right', 'Endpoints 10', 'bet', money()],
  ['right', 'Wallet methods: it does not forbid other fields', 'bet', money({ roundId: 'big' })],
  ['right', 'Endpoints 10: it does not say what is required', 'bet', money({ gameId: undefined })],
  ['wrong', 'Authentication 6: externalToken is required', 'bet', money({ externalToken: undefined })],
  ['wrong', 'Endpoints 10: amount is a number', 'bet', money({ amount: '10.25' })],
  ['wrong', 'Endpoints 10: gameId is a string', 'bet', money({ gameId: 1042 })],
  ['wrong', 'Endpoints 10: transactionId is a string', 'bet', money({ transactionId: 1 })],
  ['wrong', 'Endpoints 10: currency is a string', 'bet', money({ currency: null })],
  ['right', 'Endpoints 11: the fields of /bet', 'win', money()],
  ['wrong', 'Endpoints 11: amount is a number', 'win', money({ amount: null })],
  ['right', 'Endpoints 12: not shown', 'cancel', text({ anything: [1] })],
  ['right', 'Endpoints 13', 'tournamentWin', money()],
  ['wrong', 'Endpoints 13: playerId is a string', 'tournamentWin', money({ playerId: 1 })],
  ['right', 'Endpoints 14', 'promoWin', money({ externalReferenceId: 'campaign-1' })],
  ['wrong', 'Endpoints 14: externalReferenceId is a string', 'promoWin', money({ externalReferenceId: 1 })],
  ['right', 'Endpoints 15', 'generateNewToken', renewal()],
  ['wrong', 'Endpoints 15: newGameId is a string', 'generateNewToken', renewal({ newGameId: 1043 })],
  ['wrong', 'Endpoints 15: token is a string', 'generateNewToken', renewal({ token: null })],
];

const ok = (data: unknown, changes: Json = {}) => text({ code: 0, message: 'ok', data, ...changes });
const no = (code: number, message: string, rest: Json = {}) => text({ code, message, ...rest });
const code9 = 'platform not valid (partnerid or platform values are wrong';
const slot = { id: 1001, gameName: 'Firefly', bets: [0.25, 1], thumbnail: 'https://p.example/1.png', status: 1 };
const slots = (changes: Json = {}) => ok({ slots: [{ ...slot, ...changes }] });
const replayed = (changes: Json = {}) =>
  ok({
    start: '2026-11-20 10:15:30',
    end: '2026-11-20 10:15:31',
    betAmount: 2.5,
    winAmount: 0,
    currency: 'EUR',
    replayLink: 'https://p.example/replay?replayToken=a&tableM=2026_11&lang=en',
    ...changes,
  });
const records = (changes: Json = {}) =>
  ok([
    {
      id: 1,
      gameId: 1042,
      action: 'bet',
      bet: 2.5,
      win: 0,
      currencyName: 'EUR',
      roundId: 'big',
      actionTime: '2026-11-20 10:15:30',
      source: 1,
      url: 'https://p.example/round',
      ...changes,
    },
  ]);
const query = 'partnerId=11&gameId=1042&gameMode=real&lang=en&platform=7&externalToken=t&exitURL=';
const launched = (launcherURL: unknown) => ok({ launcherURL });
const player = (changes: Json = {}) => text({ country: 'DE', currency: 'EUR', balance: 1.5, playerId: 'p', ...changes });
const booked = (changes: Json = {}) => text({ transactionId: 't', externalTrxId: 'x', balance: 1.5, ...changes });

const responses: readonly Row[] = [
  ['right', 'Endpoints 1', 'gameList', slots()],
  ['right', 'Endpoints 1: an array of entries', 'gameList', ok({ slots: [] })],
  ['right', 'Game entry: it does not forbid other fields', 'gameList', slots({ provider: 'x' })],
  ['wrong', 'Endpoints 1: data has slots', 'gameList', ok({})],
  ['wrong', 'Endpoints 1: data is an object', 'gameList', ok([slot])],
  ['wrong', 'Response envelope: data is null on rejection', 'gameList', ok(null)],
  ['wrong', 'Game entry: id is an integer', 'gameList', slots({ id: '1001' })],
  ['wrong', 'Game entry: bets is an array of numbers', 'gameList', slots({ bets: ['0.25'] })],
  ['wrong', 'Game entry: bets is an array', 'gameList', slots({ bets: { 0: 0.25 } })],
  ['wrong', 'Game entry: thumbnail is a URL', 'gameList', slots({ thumbnail: '/1.png' })],
  ['wrong', 'Game entry: status', 'gameList', slots({ status: undefined })],
  ['wrong', 'Response envelope: the message of success is ok', 'gameList', ok({ slots: [] }, { message: 'OK' })],
  ['wrong', 'Response envelope: code', 'gameList', ok({ slots: [] }, { code: undefined })],
  ['wrong', 'Response envelope: code is an integer', 'gameList', ok({ slots: [] }, { code: '0' })],
  ['wrong', 'Response envelope: message', 'gameList', ok({ slots: [] }, { message: undefined })],
  ['wrong', 'Response envelope: data is null on rejection', 'gameList', no(5, 'busy', { data: { slots: [] } })],
  ['right', 'Errors: code 8', 'gameList', no(8, 'hash not valid', { data: null })],
  ['wrong', 'Errors: with code 8, data is null', 'gameList', no(8, 'hash not valid')],
  ['wrong', 'Errors: with code 8, data is null', 'gameList', no(8, 'hash not valid', { data: [] })],
  ['wrong', 'Errors: the message of code 8', 'gameList', no(8, 'wrong hash', { data: null })],
  ['right', 'Errors: code 9', 'getLauncherURL', no(9, code9, { data: null })],
  ['wrong', 'Errors: the message of code 9', 'getLauncherURL', no(9, 'platform not valid', { data: null })],
  ['wrong', 'Errors: with code 9, data is null', 'getLauncherURL', no(9, code9)],
  ['right', 'Errors: codes are the same across endpoints', 'getLauncherURL', no(404, 'Invalid Token')],
  ['right', 'Response envelope: data is null on rejection', 'getLauncherURL', no(404, 'Invalid Token', { data: null })],
  ['wrong', 'Errors: the message of code 404', 'getLauncherURL', no(404, 'not found', { data: null })],
  ['right', 'Errors: the list of codes is not complete', 'freeRounds', no(17, 'reference was used', { data: null })],
  ['wrong', 'Errors: code is numeric', 'freeRounds', text({ code: '8', message: 'hash not valid', data: null })],
  ['wrong', 'Errors: every response has a message', 'freeRounds', text({ code: 17, data: null })],

  ['right', 'Endpoints 2', 'roundReplayInfo', replayed()],
  ['right', 'An unknown round is an open point', 'roundReplayInfo', ok(null)],
  ['wrong', 'Round replay record: year first', 'roundReplayInfo', replayed({ start: '20-11-2026 10:15:30' })],
  ['wrong', 'Round replay record: betAmount is a number', 'roundReplayInfo', replayed({ betAmount: '2.5' })],
  ['wrong', 'Round replay record: end', 'roundReplayInfo', replayed({ end: undefined })],
  ['wrong', 'Round replay record: replayLink is a URL', 'roundReplayInfo', replayed({ replayLink: 'none' })],
  [
    'wrong',
    'Round replay record: the link carries tableM',
    'roundReplayInfo',
    replayed({ replayLink: 'https://p.example/?replayToken=a&lang=en' }),
  ],
  ['wrong', 'Endpoints 2: a record and not a list', 'roundReplayInfo', ok([])],

  ['right', 'Endpoints 3', 'getGameRound', records()],
  ['right', 'Endpoints 3: an array', 'getGameRound', ok([])],
  ['wrong', 'Round record: roundId is an integer', 'getGameRound', records({ roundId: '9007199254740993' })],
  ['wrong', 'Round record: actionTime is year first', 'getGameRound', records({ actionTime: '20-11-2026 10:15:30' })],
  ['wrong', 'Round record: action is a string', 'getGameRound', records({ action: 1 })],
  ['wrong', 'Round record: source is an integer', 'getGameRound', records({ source: 'web' })],
  ['wrong', 'Round record: url is a link', 'getGameRound', records({ url: '' })],
  ['wrong', 'Endpoints 3: an array of records', 'getGameRound', ok({ id: 1 })],

  ['right', 'Launcher result', 'getLauncherURL', launched(`https://g.example/play?${query}`)],
  [
    'right',
    'Game launch URL: demo mode has no token',
    'getLauncherURL',
    launched(`https://g.example/?${query.replace('real', 'fun').replace('&externalToken=t', '')}`),
  ],
  [
    'wrong',
    'Launcher result: real mode has the token',
    'getLauncherURL',
    launched(`https://g.example/?${query.replace('&externalToken=t', '')}`),
  ],
  ['wrong', 'Launcher result: its query', 'getLauncherURL', launched('https://g.example/play')],
  [
    'wrong',
    'Launcher result: the query carries platform',
    'getLauncherURL',
    launched(`https://g.example/?${query.replace('platform', 'xplatform')}`),
  ],
  ['wrong', 'General rules 1: HTTPS', 'getLauncherURL', launched(`http://g.example/?${query}`)],
  ['wrong', 'Launcher result: launcherURL', 'getLauncherURL', ok({})],
  ['wrong', 'Launcher result: launcherURL is a string', 'getLauncherURL', launched(null)],
  ['wrong', 'Endpoints 4: data is the result', 'getLauncherURL', no(0, 'ok')],

  ['right', 'Free round reference', 'freeRounds', ok({ referenceId: 'reference-1' })],
  ['right', 'Endpoints 5: not shown for many players', 'freeRounds', ok([{ referenceId: 'r' }])],
  ['wrong', 'Free round reference: a string', 'freeRounds', ok({ referenceId: 1 })],
  ['right', 'Endpoints 6: not shown', 'freeRoundsByBet', ok({ anything: 1 })],
  ['wrong', 'Endpoints 6: the envelope is shown', 'freeRoundsByBet', ok({}, { message: 'granted' })],
  ['right', 'Endpoints 7: not shown', 'cancelFreeRounds', ok(true)],
  ['wrong', 'Errors: code 8', 'currencyList', no(8, 'hash not valid', { data: ['EUR'] })],

  ['right', 'Wallet player', 'playerInfo', player()],
  ['right', 'Errors: every response has code and message', 'playerInfo', player({ code: 0, message: 'ok' })],
  ['right', 'Errors: code 404 has only code and message', 'playerInfo', no(404, 'Invalid Token')],
  ['wrong', 'Errors: code 404 has only code and message', 'playerInfo', player({ code: 404, message: 'Invalid Token' })],
  ['wrong', 'Wallet player: success has its fields', 'playerInfo', no(0, 'ok')],
  ['wrong', 'Wallet player: success has its fields', 'playerInfo', text({})],
  ['wrong', 'Wallet player: balance is a number', 'playerInfo', player({ balance: '1.5' })],
  ['wrong', 'Wallet player: playerId', 'playerInfo', player({ playerId: undefined })],
  ['wrong', 'Errors: the message of code 0', 'playerInfo', player({ code: 0, message: 'success' })],
  [
    'wrong',
    'Wallet methods: without the envelope',
    'playerInfo',
    ok({ country: 'DE', currency: 'EUR', balance: 1, playerId: 'p' }),
  ],
  ['right', 'Wallet transaction', 'bet', booked()],
  ['wrong', 'Wallet transaction: externalTrxId', 'bet', booked({ externalTrxId: undefined })],
  ['wrong', 'Wallet transaction: transactionId is a string', 'bet', booked({ transactionId: 1 })],
  ['wrong', 'Errors: a rejection has no balance', 'bet', no(17, 'too little money', { balance: 1 })],
  ['right', 'Errors: the list of codes is not complete', 'bet', no(17, 'too little money')],
  ['wrong', 'Errors: every response has a message', 'bet', text({ code: 404 })],
  ['right', 'Endpoints 11: not shown', 'win', booked({ code: 0 })],
  ['wrong', 'Errors: the message of code 404', 'win', no(404, 'Token expired')],
  ['wrong', 'Wallet methods: plain JSON bodies', 'cancel', '"ok"'],
  ['right', 'Endpoints 15: not shown', 'generateNewToken', text({ token: 'new' })],
];

const title = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1);
const verdict = (problems: readonly string[]) => (problems.length === 0 ? 'right' : 'wrong');

const schemas = createSchemaValidator();

describe('the schemas, by an independent validator', () => {
  const isWallet = (body: string) => !body.includes('"platform"') && !body.includes('"action"');

  it.each(requests)('%s: %s (%s)', (expected, _, name, body) => {
    const problems = schemas.named(`${title(name)}Request`, body);
    expect([verdict(problems), problems]).toEqual([expected, expected === 'right' ? [] : problems]);
    // Among the operations of its path, it is none other either.
    expect(verdict(schemas.sent(isWallet(body) ? `/${name}` : '/serviceApi.php', body))).toBe(expected);
  });

  it.each(responses)('%s: %s (response of %s)', (expected, _, name, body) => {
    const problems = schemas.named(`${title(name)}Response`, body);
    expect([verdict(problems), problems]).toEqual([expected, expected === 'right' ? [] : problems]);
  });

  it('an operation without a known action takes none of another, and data may be missing', () => {
    expect(schemas.named('CurrencyListRequest', envelope('anyName', {}))).toEqual([]);
    expect(schemas.named('CurrencyListRequest', envelope('anyName', { data: { a: 1 } }))).toEqual([]);
    expect(schemas.named('CurrencyListRequest', envelope('gameList', {}))).not.toEqual([]);
    expect(schemas.sent('/serviceApi.php', envelope('anyName', {}))).not.toEqual([]);
  });
});

/** Changes by a recorded answer: the answer, an operation's request or response, and its verdict without and with the answer. */
const recorded: readonly (readonly [string, string, string, string, 'right' | 'wrong', 'right' | 'wrong'])[] = [
  ['time.order', 'ymd', 'GameListRequest', list({ time: '2026-11-22 10:40:02' }), 'wrong', 'right'],
  ['time.order', 'ymd', 'GameListRequest', list(), 'right', 'wrong'],
  ['time.order', 'dmy', 'RoundReplayInfoRequest', replay({}, { time: '2026-11-22 10:40:02' }), 'right', 'wrong'],
  ['time.order.roundReplayInfo', 'ymd', 'RoundReplayInfoRequest', replay({}), 'right', 'wrong'],
  ['identity.type', 'either', 'GameListRequest', list({ platform: '7', partnerId: '11' }), 'wrong', 'right'],
  ['identity.type', 'either', 'GameListRequest', list({ platform: 'seven' }), 'wrong', 'wrong'],
  ['roundId.type', 'text', 'GetGameRoundRequest', round({ roundId: '1' }), 'wrong', 'right'],
  ['roundId.type', 'text', 'GetGameRoundRequest', round({ roundId: 1 }), 'right', 'wrong'],
  ['roundId.type', 'text', 'GetGameRoundResponse', records({ roundId: '1' }), 'wrong', 'right'],
  ['roundId.type', 'either', 'GetGameRoundRequest', round({ roundId: '1' }), 'wrong', 'right'],
  ['fields.required', '["bet.gameId"]', 'BetRequest', money({ amount: undefined }), 'right', 'wrong'],
  ['fields.required', '["bet.gameId"]', 'BetRequest', money({ gameId: undefined }), 'right', 'right'],
  ['currencyList.action', 'currencies', 'CurrencyListRequest', envelope('currencies', {}), 'right', 'right'],
  ['currencyList.action', 'currencies', 'CurrencyListRequest', envelope('anyName', {}), 'right', 'wrong'],
  ['currencyList.action', 'currencies', 'CancelFreeRoundsRequest', envelope('currencies', {}), 'right', 'wrong'],
  ['currencyList.request', '{}', 'CurrencyListRequest', envelope('anyName', {}), 'right', 'wrong'],
  ['currencyList.response', '["currency"]', 'CurrencyListResponse', ok(['EUR']), 'right', 'right'],
  ['currencyList.response', '["currency"]', 'CurrencyListResponse', ok({}), 'right', 'wrong'],
  ['freeRounds.multiResponse', '{"granted":"integer"}', 'FreeRoundsResponse', ok({ granted: 'all' }), 'right', 'wrong'],
  ['freeRounds.multiResponse', '{"referenceId":"string"}', 'FreeRoundsResponse', ok({ referenceId: 'r' }), 'right', 'right'],
  ['currencyList.action', '/currencies signed', 'CurrencyListRequest', envelope('any', { action: undefined }), 'wrong', 'right'],
  ['currencyList.action', '/currencies plain', 'CurrencyListRequest', text({}), 'wrong', 'right'],
  ['currencyList.action', '/currencies plain', 'CurrencyListResponse', text(['EUR']), 'wrong', 'right'],
  ['currencyList.action', '/currencies plain', 'CurrencyListResponse', no(5, 'busy'), 'right', 'right'],
  ['win.response', '{"balance":"amount"}', 'PromoWinResponse', no(0, 'ok'), 'right', 'wrong'],
  ['win.response', '{"balance":"amount"}', 'WinResponse', no(404, 'Invalid Token', { balance: 1 }), 'right', 'wrong'],
  ['wallet.codeAndMessage', 'always', 'BetResponse', booked(), 'right', 'wrong'],
  ['wallet.codeAndMessage', 'never', 'BetResponse', booked({ code: 0, message: 'ok' }), 'right', 'wrong'],
  ['codes.complete', '{"17":"used"}', 'BetResponse', no(17, 'used'), 'right', 'right'],
  ['codes.complete', '{"17":"used"}', 'BetResponse', no(18, 'used'), 'right', 'wrong'],
  ['codes.complete', '{}', 'BetResponse', no(17, 'used'), 'right', 'wrong'],
  ['rounds.unknown', 'code', 'RoundReplayInfoResponse', ok(null), 'right', 'wrong'],
  ['rounds.unknown', 'code', 'GetGameRoundResponse', ok([]), 'right', 'wrong'],
];

describe('a recorded answer', () => {
  it.each(recorded)('%s = %s: %s', (point, value, name, body, without, withAnswer) => {
    const answers: Answers = { [point]: { value } };
    expect(verdict(schemas.named(name, body))).toBe(without);
    expect(verdict(createSchemaValidator(answers).named(name, body))).toBe(withAnswer);
  });
});
