import type { Field, OperationFactsByName } from './model.ts';

const playerIds: Field = {
  name: 'playerIds',
  type: 'strings',
  required: 'unstated',
  notes: 'Unique values, at most 20,000 characters together.',
  example: '["player-1", "player-2"]',
  from: 'playerId',
};

const externalReferenceIds: Field = {
  name: 'externalReferenceIds',
  type: 'strings',
  required: 'unstated',
  notes: 'Usually one per player, in the same order (not in the spec). Unique values, at most 20,000 characters together.',
  example: '["reference-1", "reference-2"]',
  unique: true,
};

const freeRoundValidity: Field = {
  name: 'freeRoundValidity',
  type: 'string',
  required: 'unstated',
  notes: 'Expiry, as dd-mm-yyyy hh:mm:ss.',
  example: '"31-12-2026 23:59:59"',
  format: 'dateTime',
};

const numberOfFreeRounds: Field = {
  name: 'numberOfFreeRounds',
  type: 'integer',
  required: 'unstated',
  notes: 'Number of free rounds.',
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
  notes: 'Only the game launched first gets the free rounds.',
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
            notes: 'Unique per platform.',
            example: '"player-1"',
            maxLength: 100,
            from: 'playerId',
          },
          {
            name: 'externalReferenceId',
            type: 'string',
            required: 'unstated',
            notes: 'Your reference for this grant, unique per platform.',
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
            notes: "Used with currency instead of betLevel. The spec doesn't show its meaning.",
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
        referenceId: { kind: 'string', notes: 'The externalReferenceId of the new grant.' },
      },
    },
    rules: [
      'If gameIds names several games, only the one launched first gets the free rounds.',
      'externalReferenceId is unique per platform, and the response echoes it.',
      'For many players, playerIds and externalReferenceIds replace the single fields: unique values, at most 20,000 characters together.',
      'Lists of players are accepted since 1.1.0; one form has amount and currency instead of betLevel.',
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
            notes: 'A single game, as a string.',
            example: '"1042"',
          },
        ],
        combined,
      },
    ],
    response: null,
    rules: [
      'The free rounds are for one game, gameId, with betAmount in currency.',
      'The values of playerIds and externalReferenceIds are unique, with at most 20,000 characters together.',
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
    summary: 'Revokes or expires existing free rounds.',
    since: '1.0.0',
    effect: 'revokes',
    payload: 'data',
    forms: [{ id: 'open', title: 'Shape not shown', since: '1.0.0', fields: [], open: true }],
    response: null,
    rules: ["The spec doesn't show its action name, request or response."],
  },
} satisfies Partial<OperationFactsByName>;
