import type { OpenPointId } from '#shared/provider/model.ts';

/** One thing that the built-in provider decides although the spec does not show it. A real provider may do otherwise. */
export interface Assumption {
  readonly id: string;
  readonly topic: 'Envelope' | 'Hash' | 'Games' | 'Rounds' | 'Free rounds' | 'Wallet' | 'Demo game';
  /** The open point that it fills for now; null for what is not part of the API: the program itself, its demo game, the form of its JSON. */
  readonly point: OpenPointId | null;
  readonly text: string;
}

/** Everything the built-in provider assumes. docs/sandbox.md lists the same, in this order. */
export const assumptions: readonly Assumption[] = [
  {
    id: 'checks.order',
    topic: 'Envelope',
    point: 'checks.order',
    text: 'The body is read first, then platform and partnerId are checked (code 9), then time and hash (code 8), then the action, then its fields. With --first hash, code 8 comes before code 9.',
  },
  {
    id: 'codes.standIn',
    topic: 'Envelope',
    point: 'codes.complete',
    text: 'Only the shown codes are returned. A request that is rejected for any other reason (an unknown action, a missing field, a body that is not JSON) gets code 9 at /serviceApi.php and code 404 at a wallet method, and a time that is refused gets code 8. The verdict says that the code stands in for one that is not shown.',
  },
  {
    id: 'http.status',
    topic: 'Envelope',
    point: 'http.status',
    text: 'HTTP says 200 where the code is a shown one for that reason, 400 where it stands in, 405 for another method than POST, 413 for a body over 4 MB, 415 for another content type than application/json, 503 when too many requests are read at once.',
  },
  {
    id: 'identity.type',
    topic: 'Envelope',
    point: 'identity.type',
    text: 'platform and partnerId must be JSON numbers; the same digits in quotes are rejected with code 9.',
  },
  {
    id: 'answers.form',
    topic: 'Envelope',
    point: null,
    text: 'Responses are printed as PHP prints them, with bare slashes and \\u escapes for non-ASCII characters.',
  },
  {
    id: 'fields.required',
    topic: 'Envelope',
    point: 'fields.required',
    text: 'Every listed field of an action is required, except externalToken in fun mode. Fields that are not listed are ignored.',
  },
  {
    id: 'time.notChecked',
    topic: 'Hash',
    point: 'time.tolerance',
    text: 'time is hashed as it was received. Neither its order of day and year, nor its zone, nor its age is checked, unless --time-order or --time-tolerance says so.',
  },
  {
    id: 'hash.reencode',
    topic: 'Hash',
    point: 'hash.reencode',
    text: 'data is decoded with objects kept as objects and encoded again with bare slashes before it is hashed. With --decode arrays, objects become associative arrays; with --mode received, the text of data is hashed as received.',
  },
  {
    id: 'hash.nonAscii',
    topic: 'Hash',
    point: 'hash.nonAscii',
    text: 'In the re-encoded data, non-ASCII characters are \\u escapes; with --non-ascii bare they are the characters themselves. With --mode received, every form is right.',
  },
  {
    id: 'hash.dataPresent',
    topic: 'Hash',
    point: 'hash.noData',
    text: 'data is part of the hash input whenever the body has it and it is not null, also for gameList, which needs none.',
  },
  {
    id: 'gameList.status',
    topic: 'Games',
    point: 'gameList.status',
    text: 'status is 1 for most games, 2 and 0 for some, so that more than one value is seen. It changes nothing.',
  },
  {
    id: 'amounts.unit',
    topic: 'Games',
    point: 'amounts.unit',
    text: 'Amounts and balances are whole currency units with decimals: 1.5 is one and a half.',
  },
  {
    id: 'amounts.precision',
    topic: 'Games',
    point: 'amounts.precision',
    text: 'An amount finer than the minor unit of its currency is rejected.',
  },
  {
    id: 'launch.token',
    topic: 'Games',
    point: 'launch.token',
    text: 'getLauncherURL in real mode needs a token of 1 to 255 characters (else code 404), and does not ask the wallet whether it is valid; the game page does when it opens.',
  },
  {
    id: 'currencyList',
    topic: 'Games',
    point: 'currencyList.action',
    text: 'The action is the name that is recorded in the environment sandbox: currencyList, unless --currency-action or a recorded answer says another. data is then a list of codes.',
  },
  {
    id: 'rounds.id',
    topic: 'Rounds',
    point: 'roundId.source',
    text: 'A bet whose transactionId is a free whole number of at most 64 bits has this number as its roundId; any other bet takes the next of a sequence that begins at 9007199254740993.',
  },
  {
    id: 'rounds.idType',
    topic: 'Rounds',
    point: 'roundId.type',
    text: 'roundId is a JSON number, in the request and in the record; digits in double quotes are rejected.',
  },
  {
    id: 'rounds.start',
    topic: 'Rounds',
    point: null,
    text: 'At the start each player has a finished round of ten minutes before, an open bet and five unplayed free rounds, all in the last game of the list. IDs of these rounds begin at 9007199255000001.',
  },
  {
    id: 'rounds.unknown',
    topic: 'Rounds',
    point: 'rounds.unknown',
    text: 'A round that does not exist, or not in that month, is code 0: getGameRound returns an empty list and roundReplayInfo returns null.',
  },
  {
    id: 'rounds.month',
    topic: 'Rounds',
    point: 'rounds.monthZone',
    text: 'Months are calendar months in UTC, and a round belongs to the month in which it began. Times in responses are UTC.',
  },
  {
    id: 'rounds.action',
    topic: 'Rounds',
    point: 'getGameRound.action',
    text: 'action is bet, win, cancel, freeRound or promoWin.',
  },
  { id: 'rounds.source', topic: 'Rounds', point: 'getGameRound.source', text: 'source is always 1.' },
  {
    id: 'rounds.tableM',
    topic: 'Rounds',
    point: 'replay.tableM',
    text: 'tableM in the replay link is the month of the round as yyyy_mm, and lang is en.',
  },
  {
    id: 'freeRounds.betLevel',
    topic: 'Free rounds',
    point: 'freeRounds.betLevel',
    text: 'betLevel counts from 0 and must be within the bets of every listed game.',
  },
  {
    id: 'freeRounds.amount',
    topic: 'Free rounds',
    point: 'freeRounds.amount',
    text: "amount and betAmount are the bet of each free round. They need not be one of the game's bets.",
  },
  {
    id: 'freeRounds.multiResponse',
    topic: 'Free rounds',
    point: 'freeRounds.multiResponse',
    text: 'For many players, data is a list with one free round reference per player.',
  },
  {
    id: 'freeRoundsByBet.response',
    topic: 'Free rounds',
    point: 'freeRoundsByBet.response',
    text: 'freeRoundsByBet responds like freeRounds for many players.',
  },
  {
    id: 'freeRounds.combinedLength',
    topic: 'Free rounds',
    point: 'freeRounds.combinedLength',
    text: 'The 20,000 characters are counted for each list alone, as the sum of the characters of its values.',
  },
  {
    id: 'freeRounds.players',
    topic: 'Free rounds',
    point: 'freeRounds.partial',
    text: 'Any playerId can be granted free rounds. A request is granted as a whole or not at all.',
  },
  {
    id: 'freeRounds.references',
    topic: 'Free rounds',
    point: 'freeRounds.references',
    text: 'For many players there must be as many references as players; each player gets the one at the same position.',
  },
  {
    id: 'freeRounds.expired',
    topic: 'Free rounds',
    point: 'freeRounds.expired',
    text: 'A validity in the past is accepted and gives nothing to play.',
  },
  {
    id: 'freeRounds.zone',
    topic: 'Free rounds',
    point: 'time.zone',
    text: 'freeRoundValidity is read as UTC, and times in responses are UTC.',
  },
  {
    id: 'freeRounds.reward',
    topic: 'Free rounds',
    point: 'freeRounds.reward',
    text: 'Each free round that wins is paid by one promoWin, whose externalReferenceId is the reference of the grant, # and the number of the round.',
  },
  {
    id: 'cancelFreeRounds',
    topic: 'Free rounds',
    point: 'cancelFreeRounds.action',
    text: 'The action is the name that is recorded in the environment sandbox: cancelFreeRounds, unless --cancel-action or a recorded answer says another. It takes externalReferenceId or externalReferenceIds and responds like freeRounds.',
  },
  {
    id: 'wallet.codeAndMessage',
    topic: 'Wallet',
    point: 'wallet.codeAndMessage',
    text: 'Every wallet response carries code and message; on success they are 0 and ok and stand before the other fields.',
  },
  {
    id: 'wallet.host',
    topic: 'Wallet',
    point: 'wallet.host',
    text: 'The provider also plays the operator: it hosts the wallet methods for its players, and its demo game calls them.',
  },
  {
    id: 'wallet.idempotence',
    topic: 'Wallet',
    point: 'wallet.idempotency',
    text: 'A transactionId is unique per player and method; the same ID with other values is rejected.',
  },
  {
    id: 'wallet.retry',
    topic: 'Wallet',
    point: 'wallet.retry',
    text: 'The same request again gets the first response, whose balance is that of then, and moves nothing.',
  },
  {
    id: 'wallet.currency',
    topic: 'Wallet',
    point: 'wallet.currency',
    text: "A currency other than the player's is rejected.",
  },
  {
    id: 'win.response',
    topic: 'Wallet',
    point: 'win.response',
    text: '/win, /tournamentWin, /promoWin and /cancel respond like /bet.',
  },
  {
    id: 'win.bet',
    topic: 'Wallet',
    point: 'win.bet',
    text: 'A win finalizes the bet with its transactionId, else the oldest open bet of the player in that game.',
  },
  {
    id: 'win.withoutBet',
    topic: 'Wallet',
    point: 'win.withoutBet',
    text: 'A win is accepted where no bet is open.',
  },
  {
    id: 'win.second',
    topic: 'Wallet',
    point: 'win.second',
    text: 'Another win with a new transactionId is accepted after the round has ended.',
  },
  {
    id: 'cancel.request',
    topic: 'Wallet',
    point: 'cancel.request',
    text: '/cancel takes the fields of /bet, of which it needs externalToken, playerId and the transactionId of the bet.',
  },
  {
    id: 'cancel.unknown',
    topic: 'Wallet',
    point: 'cancel.unknown',
    text: 'A cancel of a transaction that is not known is rejected.',
  },
  {
    id: 'cancel.second',
    topic: 'Wallet',
    point: 'cancel.second',
    text: 'A second cancel of a bet gets the first response and moves nothing.',
  },
  {
    id: 'cancel.afterWin',
    topic: 'Wallet',
    point: 'cancel.afterWin',
    text: 'A bet that a win has finalized cannot be cancelled.',
  },
  {
    id: 'bet.afterCancel',
    topic: 'Wallet',
    point: 'bet.afterCancel',
    text: 'A bet that arrives after a rejected cancel of its transactionId is booked.',
  },
  {
    id: 'bet.zero',
    topic: 'Wallet',
    point: 'bet.zero',
    text: 'A bet of 0 is accepted.',
  },
  {
    id: 'wallet.externalTrxId',
    topic: 'Wallet',
    point: 'roundId.source',
    text: 'externalTrxId is the roundId for a bet, and an ID of its own for every other transaction.',
  },
  {
    id: 'token.issue',
    topic: 'Wallet',
    point: 'token.issue',
    text: 'Each player has a session from the start.',
  },
  {
    id: 'token.lifetime',
    topic: 'Wallet',
    point: 'token.lifetime',
    text: 'A token works until generateNewToken replaces it or the provider ends; with --state it works in the next one.',
  },
  {
    id: 'token.perGame',
    topic: 'Wallet',
    point: 'token.perGame',
    text: 'A token is valid for every game.',
  },
  {
    id: 'token.replaced',
    topic: 'Wallet',
    point: 'token.replaced',
    text: 'Every call with a replaced token is rejected, a win or cancel of an earlier bet too.',
  },
  {
    id: 'generateNewToken.response',
    topic: 'Wallet',
    point: 'generateNewToken.response',
    text: 'The new session token stands in the field token.',
  },
  {
    id: 'memory',
    topic: 'Wallet',
    point: null,
    text: 'Everything is in memory and ends with the provider, unless --state keeps it. The newest 50,000 rounds, 100,000 transactions and 200,000 grants are kept.',
  },
  {
    id: 'game.exit',
    topic: 'Demo game',
    point: null,
    text: 'Exit opens exitURL in the frame of the game, if it is an http or https address; else the page says that there is none.',
  },
  {
    id: 'game.fun',
    topic: 'Demo game',
    point: null,
    text: 'Fun mode starts with 1,000 play credits at each opening and calls no wallet.',
  },
];
