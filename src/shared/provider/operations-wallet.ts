import type { Field, OperationFactsByName, RequestForm, Shape } from './model.ts';

const externalToken: Field = {
  name: 'externalToken',
  type: 'string',
  required: 'realMode',
  notes: "The player's session token.",
  example: '"session-token"',
  maxLength: 255,
};

const playerId: Field = {
  name: 'playerId',
  type: 'string',
  required: 'unstated',
  notes: "The operator's player ID.",
  example: '"player-1"',
  from: 'playerId',
};

const gameId: Field = {
  name: 'gameId',
  type: 'string',
  required: 'unstated',
  notes: 'Game identifier, as a string.',
  example: '"1042"',
};

const transactionId: Field = {
  name: 'transactionId',
  type: 'string',
  required: 'unstated',
  notes: 'Transaction identifier.',
  example: '"transaction-1"',
  unique: true,
};

const amount: Field = {
  name: 'amount',
  type: 'number',
  required: 'unstated',
  notes: "In whole or minor units: the spec doesn't show which.",
  example: '1',
  money: true,
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

const transactionFields: readonly Field[] = [externalToken, playerId, gameId, transactionId, amount, currency];

function form(title: string, fields: readonly Field[], since: '1.0.0' | '1.1.0' = '1.0.0'): RequestForm {
  return { id: 'main', title, since, fields };
}

const transaction: Shape = {
  kind: 'object',
  fields: {
    transactionId: { kind: 'string', notes: 'Transaction identifier.' },
    externalTrxId: { kind: 'string', notes: 'External transaction identifier.' },
    balance: { kind: 'number', money: true, notes: 'Balance after the transaction.' },
  },
};

const wallet = { endpoint: 'wallet', action: null, group: 'Wallet', payload: 'body' } as const;

/** The wallet methods: plain JSON without the hash envelope (spec, Endpoints 9 to 15). */
export const walletOperations = {
  playerInfo: {
    ...wallet,
    path: '/playerInfo',
    section: '9',
    summary: "A session's player: country, currency, balance and ID.",
    since: '1.0.0',
    effect: 'reads',
    forms: [form('Player info', [{ ...externalToken, notes: 'A valid session token.' }])],
    response: {
      kind: 'object',
      fields: {
        country: { kind: 'string', notes: "The player's country code." },
        currency: { kind: 'string', notes: 'Currency code.' },
        balance: { kind: 'number', money: true, notes: "The player's balance." },
        playerId: { kind: 'string', notes: "The operator's player ID." },
      },
    },
    rules: ['externalToken must be a valid session token.'],
  },
  bet: {
    ...wallet,
    path: '/bet',
    section: '10',
    summary: "Takes a bet from the player's balance.",
    since: '1.0.0',
    effect: 'takes',
    forms: [form('Bet', transactionFields)],
    response: transaction,
    rules: ['Each round is finalized with a win transaction, see /win.', 'The response has the balance after the transaction.'],
  },
  win: {
    ...wallet,
    path: '/win',
    section: '11',
    summary: 'Books a win and finalizes the round.',
    since: '1.0.0',
    effect: 'pays',
    forms: [form('Win', transactionFields)],
    response: null,
    rules: [
      'Each round is finalized with a win transaction.',
      'It has the fields of /bet.',
      "The spec doesn't show its response.",
    ],
  },
  cancel: {
    ...wallet,
    path: '/cancel',
    section: '12',
    summary: 'Revokes a bet transaction.',
    since: '1.0.0',
    effect: 'givesBack',
    forms: [{ id: 'open', title: 'Shape not shown', since: '1.0.0', fields: [], open: true }],
    response: null,
    rules: ['It revokes a bet transaction, as a POST to {base_url}/cancel.', "The spec doesn't show its request or response."],
  },
  tournamentWin: {
    ...wallet,
    path: '/tournamentWin',
    section: '13',
    summary: "Registers a player's win in a tournament and adds it to the balance.",
    since: '1.1.0',
    effect: 'pays',
    forms: [form('Tournament win', transactionFields, '1.1.0')],
    response: null,
    rules: [
      "The amount is reflected in the player's balance.",
      'Token, currency and transaction ID are validated as for the other wallet methods.',
      "Added in 1.1.0, but also listed in 1.0.0's method table.",
      "The spec doesn't show its response.",
    ],
  },
  promoWin: {
    ...wallet,
    path: '/promoWin',
    section: '14',
    summary: 'Books a promotional win: a bonus, a free-round reward, a campaign payout.',
    since: '1.1.0',
    effect: 'pays',
    forms: [
      form(
        'Promotional win',
        [
          ...transactionFields,
          {
            name: 'externalReferenceId',
            type: 'string',
            required: 'unstated',
            notes: 'Unique per transaction; may link the win to an external campaign.',
            example: '"reference-1"',
            unique: true,
          },
        ],
        '1.1.0',
      ),
    ],
    response: null,
    rules: [
      'It has the fields of /tournamentWin and externalReferenceId, which is unique per transaction and may link the win to an external campaign.',
      "The response has the same structure as that of /win, which the spec doesn't show.",
      "Added in 1.1.0, but also listed in 1.0.0's method table.",
    ],
  },
  generateNewToken: {
    ...wallet,
    path: '/generateNewToken',
    section: '15',
    summary: 'Issues a new session token to switch games or restart a session, without signing the player in again.',
    since: '1.1.0',
    effect: 'endsToken',
    forms: [
      form(
        'New token',
        [
          {
            name: 'token',
            type: 'string',
            required: 'unstated',
            notes: 'A valid session token. Named token here, not externalToken.',
            example: '"session-token"',
          },
          {
            name: 'newGameId',
            type: 'string',
            required: 'unstated',
            notes: 'The game to switch to, as a string.',
            example: '"1043"',
          },
        ],
        '1.1.0',
      ),
    ],
    response: null,
    rules: [
      'The new token inherits the session context and player metadata.',
      'The old token stops working when the new one is issued.',
      'Use it to switch games from a lobby or to re-initialise a session.',
      "The spec doesn't show its response or which field has the new token.",
    ],
  },
} satisfies Partial<OperationFactsByName>;
