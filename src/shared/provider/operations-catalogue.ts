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
            notes:
              'Bets are given in this currency, for example a three-letter code. Stands at the top level of the body, beside time.',
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
                notes:
                  'Allowed bet amounts in the requested currency. The position in this list is the bet index that betLevel takes.',
                money: true,
              },
              thumbnail: { kind: 'string', format: 'url', notes: 'URL of an image.' },
              status: { kind: 'integer', notes: 'Game status. The spec does not show which values there are.' },
            },
          },
        },
      },
    },
    rules: [
      'The request has no data object: the hash covers the private key and time alone.',
      'currency is a field of the envelope. The bets of the response are in that currency.',
      'The position of a bet in the list bets of its game is what betLevel of freeRounds takes.',
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
    rules: ['It lists ISO 4217 codes.', 'The spec shows neither its path or action name, nor its request, nor its response.'],
  },
} satisfies Partial<OperationFactsByName>;
