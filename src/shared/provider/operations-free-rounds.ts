import type { Field, OperationFactsByName } from './model.ts';

const playerIds: Field = {
  name: 'playerIds',
  type: 'strings',
  required: 'unstated',
  notes: 'The players. Each value is unique; together at most 20,000 characters.',
  example: '["player-1", "player-2"]',
  from: 'playerId',
};

const externalReferenceIds: Field = {
  name: 'externalReferenceIds',
  type: 'strings',
  required: 'unstated',
  notes:
    'One reference per player in the same order is customary; the spec does not say it. Each value is unique; together at most 20,000 characters.',
  example: '["reference-1", "reference-2"]',
  unique: true,
};

const freeRoundValidity: Field = {
  name: 'freeRoundValidity',
  type: 'string',
  required: 'unstated',
  notes: 'When the free rounds expire, as dd-mm-yyyy hh:mm:ss.',
  example: '"31-12-2026 23:59:59"',
  format: 'dateTime',
};

const numberOfFreeRounds: Field = {
  name: 'numberOfFreeRounds',
  type: 'integer',
  required: 'unstated',
  notes: 'How many free rounds.',
  example: '10',
  minimum: 0,
};

const betLevel: Field = {
  name: 'betLevel',
  type: 'integer',
  required: 'unstated',
  notes: "Index of the bet in the game's bets list (gameList).",
  example: '0',
  minimum: 0,
};

const currency: Field = {
  name: 'currency',
  type: 'string',
  required: 'unstated',
  notes: 'Currency code.',
  example: '"EUR"',
  format: 'currency',
  from: 'currency',
};

const gameIds: Field = {
  name: 'gameIds',
  type: 'strings',
  required: 'unstated',
  notes: 'Games. Only the one that is launched first gets the free rounds.',
  example: '["1042"]',
};

const combined = ['playerIds', 'externalReferenceIds'] as const;

/** Granting and revoking free rounds (spec, Endpoints 5 to 7). */
export const freeRoundOperations = {
  freeRounds: {
    action: 'freeRounds',
    endpoint: 'service',
    path: '/serviceApi.php',
    section: '5',
    group: 'Free rounds',
    summary: 'Grants free rounds to one player or to many.',
    since: '1.0.0',
    effect: 'grants',
    payload: 'data',
    forms: [
      {
        id: 'single',
        title: 'One player',
        since: '1.0.0',
        fields: [
          {
            name: 'playerId',
            type: 'string',
            required: 'unstated',
            notes: 'The player, up to 100 characters, unique per platform.',
            example: '"player-1"',
            maxLength: 100,
            from: 'playerId',
          },
          {
            name: 'externalReferenceId',
            type: 'string',
            required: 'unstated',
            notes: 'Your reference of this grant, up to 100 characters, unique per platform.',
            example: '"reference-1"',
            maxLength: 100,
            unique: true,
          },
          freeRoundValidity,
          numberOfFreeRounds,
          betLevel,
          gameIds,
        ],
      },
      {
        id: 'multi',
        title: 'Many players, bet level',
        since: '1.1.0',
        fields: [playerIds, externalReferenceIds, freeRoundValidity, numberOfFreeRounds, betLevel, gameIds],
        responseOpen: true,
        combined,
      },
      {
        id: 'multiAmount',
        title: 'Many players, amount',
        since: '1.1.0',
        fields: [
          playerIds,
          externalReferenceIds,
          freeRoundValidity,
          numberOfFreeRounds,
          {
            name: 'amount',
            type: 'number',
            required: 'unstated',
            notes: 'Stands with currency in place of betLevel. The spec does not show what it means.',
            example: '1',
            money: true,
          },
          currency,
          gameIds,
        ],
        responseOpen: true,
        combined,
      },
    ],
    response: {
      kind: 'object',
      fields: {
        referenceId: { kind: 'string', notes: 'The externalReferenceId of the grant that was made.' },
      },
    },
    rules: [
      'If gameIds names several games, only the one that is launched first receives the free rounds.',
      'externalReferenceId is unique per platform. The response echoes the reference of the free round that was created.',
      'For many players, playerIds and externalReferenceIds replace the two single fields: each value unique, at most 20,000 characters together.',
      'Lists of players are accepted since 1.1.0; one of their forms has amount and currency in place of betLevel.',
    ],
  },
  freeRoundsByBet: {
    action: 'freeRoundsByBet',
    endpoint: 'service',
    path: '/serviceApi.php',
    section: '6',
    group: 'Free rounds',
    summary: 'Grants free rounds of one bet amount in one game to many players.',
    since: '1.0.0',
    effect: 'grants',
    payload: 'data',
    forms: [
      {
        id: 'main',
        title: 'Many players, bet amount',
        since: '1.1.0',
        fields: [
          playerIds,
          externalReferenceIds,
          freeRoundValidity,
          numberOfFreeRounds,
          {
            name: 'betAmount',
            type: 'number',
            required: 'unstated',
            notes: 'Bet amount of the free rounds.',
            example: '1',
            money: true,
          },
          currency,
          {
            name: 'gameId',
            type: 'string',
            required: 'unstated',
            notes: 'The one game, as a string.',
            example: '"1042"',
          },
        ],
        combined,
      },
    ],
    response: null,
    rules: [
      'The free rounds are for the one game of gameId, with betAmount in currency.',
      'Each value of playerIds and externalReferenceIds is unique; together they have at most 20,000 characters.',
      'Lists of players are accepted since 1.1.0.',
    ],
  },
  cancelFreeRounds: {
    action: null,
    actionPoint: 'cancelFreeRounds.action',
    endpoint: 'service',
    path: '/serviceApi.php',
    section: '7',
    group: 'Free rounds',
    summary: 'Revokes or expires free rounds that exist.',
    since: '1.0.0',
    effect: 'revokes',
    payload: 'data',
    forms: [{ id: 'open', title: 'Shape not shown', since: '1.0.0', fields: [], open: true }],
    response: null,
    rules: ['The spec shows neither its action name, nor its request, nor its response.'],
  },
} satisfies Partial<OperationFactsByName>;
