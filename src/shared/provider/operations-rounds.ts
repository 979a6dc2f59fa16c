import type { Field, OperationFactsByName } from './model.ts';

const roundFields: readonly Field[] = [
  {
    name: 'roundId',
    type: 'bigint',
    required: 'unstated',
    notes: 'Bet transaction ID, as supplied by the game provider. It may need all 64 bits.',
    example: '9007199254740993',
  },
  {
    name: 'logMonth',
    type: 'integer',
    required: 'unstated',
    notes: 'How many months ago the round was; 0 is the current month.',
    example: '0',
    minimum: 0,
  },
];

/** Round replay and round information (spec, Endpoints 2 and 3). */
export const roundOperations = {
  roundReplayInfo: {
    action: 'roundReplayInfo',
    endpoint: 'service',
    path: '/serviceApi.php',
    section: '2',
    group: 'Rounds',
    summary: 'Times, totals and the replay link of one round.',
    since: '1.0.0',
    effect: 'reads',
    payload: 'data',
    forms: [{ id: 'main', title: 'Round', since: '1.0.0', fields: roundFields }],
    response: {
      kind: 'object',
      fields: {
        start: { kind: 'string', format: 'dateTime', notes: 'Start of the round.' },
        end: { kind: 'string', format: 'dateTime', notes: 'End of the round.' },
        betAmount: { kind: 'number', money: true, notes: 'Total bet.' },
        winAmount: { kind: 'number', money: true, notes: 'Total win.' },
        currency: { kind: 'string', notes: 'Currency code.' },
        replayLink: {
          kind: 'string',
          format: 'url',
          query: ['replayToken', 'tableM', 'lang'],
          notes: 'URL of a replay page. Its query has replayToken, tableM and lang.',
        },
      },
    },
    rules: [
      'roundId is the bet transaction ID supplied by the game provider; logMonth counts back from the current month.',
      'One sample has time year first (yyyy-mm-dd hh:mm:ss), unlike the declared format.',
      'start and end are year first. replayLink has replayToken, tableM and lang in its query.',
    ],
  },
  getGameRound: {
    action: 'getGameRound',
    endpoint: 'service',
    path: '/serviceApi.php',
    section: '3',
    group: 'Rounds',
    summary: 'The records of one round.',
    since: '1.0.0',
    effect: 'reads',
    payload: 'data',
    forms: [{ id: 'main', title: 'Round', since: '1.0.0', fields: roundFields }],
    response: {
      kind: 'array',
      notes: 'The records of the round.',
      items: {
        kind: 'object',
        fields: {
          id: { kind: 'integer', notes: 'Record identifier.' },
          gameId: { kind: 'integer', notes: 'Game identifier.' },
          action: { kind: 'string', notes: "Kind of round action. The spec doesn't show its values." },
          bet: { kind: 'number', money: true, notes: 'Bet amount.' },
          win: { kind: 'number', money: true, notes: 'Win amount.' },
          currencyName: { kind: 'string', notes: 'Currency code.' },
          roundId: { kind: 'integer', notes: 'Identifier of the round (bet transaction).' },
          actionTime: { kind: 'string', format: 'dateTime', notes: 'Time of the action.' },
          source: { kind: 'integer', notes: "The spec doesn't show its values." },
          url: { kind: 'string', format: 'url', notes: 'Link to information about the round.' },
        },
      },
    },
    rules: [
      'roundId is the bet transaction ID supplied by the game provider; logMonth counts back from the current month.',
      'data in the response is a list of round records with actionTime year first.',
    ],
  },
} satisfies Partial<OperationFactsByName>;
