import type { OpenPointFacts, OpenPointId } from './model.ts';
import type { OperationName } from '../model/operations.ts';

const rounds: readonly OperationName[] = ['roundReplayInfo', 'getGameRound'];
const withAmounts: readonly OperationName[] = [
  'gameList',
  'roundReplayInfo',
  'getGameRound',
  'freeRounds',
  'freeRoundsByBet',
  'playerInfo',
  'bet',
  'win',
  'tournamentWin',
  'promoWin',
];

/** Points about the catalogue, amounts and rounds. */
export const roundPoints = {
  'gameList.status': {
    title: "Values of a game's status",
    basis: 'notShown',
    section: 'Game entry',
    operations: ['gameList'],
    question: "Which values can a game's status have, and what does each mean for launching it?",
    meanwhile: 'The number is shown as it is; no game is hidden for it.',
    changes: 'Games shows the meaning beside the number. A status that is not recorded is a finding in a response of gameList.',
    answer: { kind: 'values', of: 'integer' },
  },
  'amounts.unit': {
    title: 'Unit and scale of amounts',
    basis: 'notShown',
    section: 'Wallet transaction',
    operations: withAmounts,
    question: 'Are balance and all other amounts in whole units of the currency or in minor units?',
    meanwhile: 'Amounts are sent and shown without a unit, and none is converted.',
    changes:
      'The fields that hold an amount say the unit. With minor units, an amount with decimals is a finding in a request and in a response.',
    answer: {
      kind: 'choice',
      options: [
        { value: 'whole', label: 'Whole units: 1.5 is one and a half' },
        { value: 'minor', label: 'Minor units: 150 is one and a half where the currency has two decimals' },
      ],
    },
  },
  'amounts.precision': {
    title: 'Decimals of amounts',
    basis: 'silent',
    section: 'Wallet transaction',
    operations: withAmounts,
    question: 'How many decimals may an amount or a balance have, and what happens to an amount with more?',
    meanwhile: 'Any number of decimals is sent, and none is reported in a response.',
    changes: 'An amount with more decimals is a finding, in a request and in a response.',
    answer: {
      kind: 'choice',
      options: [
        { value: 'currency', label: 'As many as the currency has in ISO 4217' },
        { value: '2', label: 'At most 2' },
        { value: '3', label: 'At most 3' },
        { value: '4', label: 'At most 4' },
        { value: 'any', label: 'Any number' },
      ],
    },
  },
  'roundId.type': {
    title: 'Type of roundId: number or string',
    basis: 'silent',
    section: 'Endpoints, 2',
    operations: rounds,
    question: 'roundId is a bigint. Is it a JSON number or digits in double quotes, in the request and in the round record?',
    meanwhile: 'roundId is sent as a JSON number with every digit; a string is a finding.',
    changes:
      'With a string, the form, the template and Rounds write roundId in double quotes, and a number is the finding. With both, neither is one. The round record follows it.',
    answer: {
      kind: 'choice',
      options: [
        { value: 'number', label: 'A JSON number' },
        { value: 'text', label: 'Digits in double quotes' },
        { value: 'either', label: 'Both are accepted; a response has a number' },
      ],
    },
  },
  'roundId.source': {
    title: 'Where a roundId comes from',
    basis: 'silent',
    section: 'Endpoints, 2',
    operations: ['roundReplayInfo', 'getGameRound', 'bet'],
    question:
      'roundId is the bet transaction ID that the game provider supplied. Is it the transactionId of the request to /bet, or the externalTrxId of its response?',
    meanwhile: 'roundId is typed in; nothing is taken from a bet.',
    changes: 'The field roundId and Rounds say which ID to take.',
    answer: {
      kind: 'choice',
      options: [
        { value: 'transactionId', label: 'The transactionId of the request to /bet' },
        { value: 'externalTrxId', label: 'The externalTrxId of the response of /bet' },
      ],
    },
    shownAt: [{ field: 'roundId' }],
  },
  'rounds.unknown': {
    title: 'Response for an unknown round',
    basis: 'silent',
    section: 'Endpoints, 3',
    operations: rounds,
    question: 'What do getGameRound and roundReplayInfo return for a round that does not exist, or not in that month?',
    meanwhile: 'Rounds names the ID and the month as likely causes if a response holds no record.',
    changes:
      'Rounds says whether an empty response is how this provider reports an unknown round. With a code, one is a finding.',
    answer: {
      kind: 'choice',
      options: [
        { value: 'empty', label: 'Code 0 without a record' },
        { value: 'code', label: 'A code other than 0' },
      ],
    },
    shownAt: [{}],
  },
  'rounds.monthZone': {
    title: 'Whose midnight begins a month',
    basis: 'silent',
    section: 'Endpoints, 2',
    operations: rounds,
    question: 'logMonth counts months from the current one. In which time zone does a month begin?',
    meanwhile: "Rounds counts months in the environment's time zone and warns near the end of a month.",
    changes: 'Rounds counts logMonth in the recorded zone, and its warning near the end of a month goes.',
    answer: { kind: 'zone' },
    shownAt: [{ field: 'logMonth' }],
  },
  'getGameRound.action': {
    title: "Values of a round record's action",
    basis: 'notShown',
    section: 'Round record',
    operations: ['getGameRound'],
    question: "Which values can a round record's action have, and what do they mean?",
    meanwhile: 'The text is shown as it is; any string agrees with the documented shape.',
    changes: 'Rounds shows the meaning with the action. An action that is not recorded is a finding.',
    answer: { kind: 'values', of: 'name' },
  },
  'getGameRound.source': {
    title: "Values of a round record's source",
    basis: 'notShown',
    section: 'Round record',
    operations: ['getGameRound'],
    question: "Which values can a round record's source have, and what do they mean?",
    meanwhile: 'The number is shown as it is; any integer agrees with the documented shape.',
    changes: 'Rounds shows the meaning with the source. A source that is not recorded is a finding.',
    answer: { kind: 'values', of: 'integer' },
  },
  'replay.tableM': {
    title: 'Meaning of tableM in a replay link',
    basis: 'silent',
    section: 'Round replay record',
    operations: ['roundReplayInfo'],
    question: 'What does tableM in the query of a replayLink hold?',
    meanwhile: 'Only its presence is checked.',
    changes: 'With the month, a tableM that is not written yyyy_mm is a finding.',
    answer: {
      kind: 'choice',
      options: [
        { value: 'month', label: 'The month of the round, written yyyy_mm' },
        { value: 'other', label: 'Something else: any value is right' },
      ],
    },
  },
  'currencyList.action': {
    title: 'Path or action name of the currency list',
    basis: 'notShown',
    section: 'Endpoints, 8',
    operations: ['currencyList'],
    question:
      'Under which action, or which path, is the list of supported currencies? Is a request to a path of its own signed like the others?',
    meanwhile: 'The call is not sent.',
    changes:
      'The call is sent: to /serviceApi.php with the recorded action, or to the recorded path below the base URL, signed (the envelope without action) or as plain JSON.',
    answer: { kind: 'route' },
  },
  'currencyList.request': {
    title: 'Request of the currency list',
    basis: 'notShown',
    section: 'Endpoints, 8',
    operations: ['currencyList'],
    question: 'Does the request for the currency list have a data object, and with which fields?',
    meanwhile: 'data starts as an empty object; an empty payload sends none. No field is checked.',
    changes: 'Form, template and checks have the recorded fields. A shape without fields, {}, means an empty data object.',
    answer: { kind: 'shape', of: 'request' },
  },
  'currencyList.response': {
    title: 'Response of the currency list',
    basis: 'notShown',
    section: 'Endpoints, 8',
    operations: ['currencyList'],
    question: 'What is the shape of data in the response with the currency codes?',
    meanwhile: 'Only the envelope of the response is checked.',
    changes: 'A response is compared with the recorded fields.',
    answer: { kind: 'shape', of: 'data' },
    shownAt: [{}],
  },
} satisfies Partial<Record<OpenPointId, OpenPointFacts>>;
