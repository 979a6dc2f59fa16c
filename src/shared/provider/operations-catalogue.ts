import type { OperationFactsByName } from './model.ts';

/** The game list and the currency list (spec, Endpoints 1 and 8). */
export const catalogueOperations = {
  gameList: {
    action: 'gameList',
    endpoint: 'service',
    path: '/serviceApi.php',
    section: '1',
    group: 'Catalogue',
    summary: 'The games with their allowed bets in one currency.',
    since: '1.0.0',
    effect: 'reads',
    payload: 'envelope',
    forms: [
      {
        id: 'main',
        title: 'Game list',
        since: '1.0.0',
        fields: [
          {
            name: 'currency',
            type: 'string',
            required: 'yes',
            notes: 'Bets are in this currency, for example a three-letter code.',
            example: '"EUR"',
            format: 'currency',
            from: 'currency',
          },
        ],
      },
    ],
    response: {
      kind: 'object',
      fields: {
        slots: {
          kind: 'array',
          notes: 'One entry per game.',
          items: {
            kind: 'object',
            fields: {
              id: { kind: 'integer', notes: 'Game identifier.' },
              gameName: { kind: 'string', notes: 'Display name.' },
              bets: {
                kind: 'numbers',
                notes: 'Allowed bet amounts in the requested currency. betLevel is a position in this list.',
                money: true,
              },
              thumbnail: { kind: 'string', format: 'url', notes: 'URL of an image.' },
              status: { kind: 'integer', notes: "Game status. The spec doesn't show its values." },
            },
          },
        },
      },
    },
    rules: [
      'The request has no data object: the hash covers the private key and time alone.',
      'currency is a top-level field. The bets in the response are in that currency.',
      "betLevel of freeRounds is a position in the game's bets list.",
    ],
  },
  currencyList: {
    action: null,
    actionPoint: 'currencyList.action',
    endpoint: 'service',
    path: '/serviceApi.php',
    section: '8',
    group: 'Catalogue',
    summary: 'The ISO 4217 currency codes that the service supports.',
    since: '1.0.0',
    effect: 'reads',
    payload: 'data',
    forms: [{ id: 'open', title: 'Shape not shown', since: '1.0.0', fields: [], open: true }],
    response: null,
    rules: ['It lists ISO 4217 codes.', "The spec doesn't show its path or action name, its request or its response."],
  },
} satisfies Partial<OperationFactsByName>;
