import { operationNames } from '../model/operations.ts';
import { choice, type OpenPointFacts, type OpenPointId } from './model.ts';
import type { OperationName } from '../model/operations.ts';

/** The operations that carry a session token. */
const withToken: readonly OperationName[] = [
  'getLauncherURL',
  'playerInfo',
  'bet',
  'win',
  'tournamentWin',
  'promoWin',
  'generateNewToken',
];
const atToken = [{ field: 'externalToken' }, { field: 'token' }] as const;
const atOperation = [{}] as const;

/** Points about the service as a whole: versions, codes, limits, states, tokens. */
export const servicePoints = {
  'fields.required': {
    title: 'Which fields may be left out',
    basis: 'silent',
    section: 'Endpoints',
    operations: [
      'roundReplayInfo',
      'getGameRound',
      'freeRounds',
      'freeRoundsByBet',
      'bet',
      'win',
      'tournamentWin',
      'promoWin',
      'generateNewToken',
    ],
    question:
      'Only the envelope and getLauncherURL say which fields are required. Which listed fields of the other operations may be left out?',
    meanwhile: 'A missing field gets a note and blocks nothing.',
    changes:
      'Leaving out a recorded field gives no finding. Every other listed field is required, and a missing one gets a warning.',
    answer: { kind: 'optionalFields' },
  },
  'version.selection': {
    title: 'How a version is chosen',
    basis: 'notShown',
    section: 'Versioning',
    operations: operationNames,
    question: 'How does a client choose or learn the version of the interface: by a header, the path or a field?',
    meanwhile: 'Croupier sends no version. Operations and forms added in 1.1.0 are marked.',
    changes: 'Each operation shows the answer. Croupier still sends no version; only the base URL can contain one.',
    answer: choice({
      none: 'Not at all: each client gets the newest version',
      partner: 'The provider sets it for each partner',
      path: 'By the path, as part of the base URL',
      header: 'By a header, named in the note',
      field: 'By a field of the request, named in the note',
    }),
    shownAt: atOperation,
  },
  'codes.complete': {
    title: 'The complete list of codes',
    basis: 'notShown',
    section: 'Errors',
    operations: operationNames,
    question: 'Which codes are there besides 0, 8, 9 and 404, and what does each mean?',
    meanwhile: 'Croupier shows any other code with its message and marks it as not listed.',
    changes:
      'Croupier explains a recorded code with its meaning. A code that is neither in the spec nor recorded gets a warning.',
    answer: { kind: 'values', of: 'integer', mayBeEmpty: true },
  },
  'http.status': {
    title: 'HTTP status codes',
    basis: 'notShown',
    section: 'Errors',
    operations: operationNames,
    question: 'Which HTTP status comes with success, and which with each kind of rejection?',
    meanwhile: "The response's code decides. Code 0 with a status that isn't a success is a finding.",
    changes: 'A response whose HTTP status is not the recorded one for its code is a finding.',
    answer: { kind: 'statuses' },
  },
  'rate.limits': {
    title: 'Rate limits',
    basis: 'notShown',
    section: 'Limits',
    operations: operationNames,
    question: 'How many calls are allowed in what time, for whom, and what does the response to any further call look like?',
    meanwhile: 'Croupier sends a call only when you ask for it and never repeats one by itself.',
    changes: "Each operation shows the limit, and so does a run before it starts. Croupier doesn't slow a run down to it.",
    answer: {
      kind: 'quantity',
      units: [
        { unit: 'per second', factor: 3600 },
        { unit: 'per minute', factor: 60 },
        { unit: 'per hour', factor: 1 },
      ],
    },
    shownAt: atOperation,
  },
  events: {
    title: 'Events, callbacks, notifications',
    basis: 'notShown',
    section: 'Events',
    operations: operationNames,
    question: 'Does the service send events, callbacks or notifications? Which ones, and where to?',
    meanwhile: 'Croupier expects none.',
    changes: 'Each operation shows the events. Croupier receives none of them.',
    answer: { kind: 'values', of: 'name', mayBeEmpty: true },
    shownAt: atOperation,
  },
  states: {
    title: 'States of games and rounds',
    basis: 'notShown',
    section: 'States and transitions',
    operations: operationNames,
    question: 'Which states can a game, a round, a free round, a transaction and a session have?',
    meanwhile: 'Croupier assumes no state and shows responses as received.',
    changes: 'Each operation shows the states. Croupier compares no response field with them, since the spec names none.',
    answer: { kind: 'values', of: 'state' },
    shownAt: atOperation,
  },
  'states.transitions': {
    title: 'Transitions between states',
    basis: 'notShown',
    section: 'States and transitions',
    operations: operationNames,
    question: 'Which changes of state are allowed, and what causes each?',
    meanwhile: 'Croupier enforces no order of calls.',
    changes: 'Each operation shows the transitions. Croupier still enforces no order of calls.',
    answer: { kind: 'values', of: 'transition', mayBeEmpty: true },
    shownAt: atOperation,
  },
  'launch.token': {
    title: 'Token check by getLauncherURL',
    basis: 'silent',
    section: 'Endpoints, 4',
    operations: ['getLauncherURL'],
    question: 'Does getLauncherURL reject an invalid externalToken, or does only the game page do so when it opens?',
    meanwhile: 'Croupier explains code 404 from getLauncherURL as an invalid token.',
    changes: 'The externalToken field and the explanation of code 404 say where the token is checked.',
    answer: choice({
      launcher: 'getLauncherURL rejects an invalid token',
      game: 'Only the game page checks the token',
    }),
    shownAt: [{ field: 'externalToken' }],
  },
  'token.lifetime': {
    title: 'Lifetime of a session token',
    basis: 'notShown',
    section: 'Authentication',
    operations: withToken,
    question: 'How long is a session token valid, and does using it extend that?',
    meanwhile: "Croupier ignores a token's age.",
    changes: 'The token fields and the explanation of code 404 show the lifetime.',
    answer: {
      kind: 'quantity',
      units: [
        { unit: 'minutes', factor: 60 },
        { unit: 'seconds', factor: 1 },
        { unit: 'hours', factor: 3600 },
        { unit: 'days', factor: 86_400 },
      ],
    },
    shownAt: atToken,
  },
  'token.issue': {
    title: 'Source of the first token',
    basis: 'notShown',
    section: 'Authentication',
    operations: withToken,
    question: "Who issues a player's first session token, and by which call?",
    meanwhile: 'You type a token, or use a list or a program of yours. The built-in provider issues one for each of its players.',
    changes: 'The token fields and the explanation of code 404 say where a token comes from.',
    answer: choice({
      operator: "The operator's platform issues the first token",
      provider: 'The provider issues the first token',
    }),
    shownAt: atToken,
  },
  'token.perGame': {
    title: 'One token for several games',
    basis: 'silent',
    section: 'Endpoints, 15',
    operations: withToken,
    question: 'Is a session token valid for one game, or for every game until it is replaced?',
    meanwhile: "Croupier doesn't check which game a token is used for.",
    changes: 'The token fields show the answer. With one game per token, the explanation of code 404 names it as a cause.',
    answer: choice({
      game: 'A token is valid for one game; another game needs /generateNewToken',
      session: 'A token is valid for every game of the player session',
    }),
    shownAt: atToken,
  },
  'token.replaced': {
    title: 'Using a replaced token',
    basis: 'silent',
    section: 'Endpoints, 15',
    operations: ['win', 'cancel', 'tournamentWin', 'promoWin', 'generateNewToken'],
    question:
      'After /generateNewToken the old token is invalid. Is a win or cancel of an earlier bet still accepted with the old token?',
    meanwhile: "The explanation of code 404 doesn't mention /generateNewToken.",
    changes:
      'These operations show the answer. The explanation of code 404 follows it: "accepted" for a win or cancel, "rejected" for every call with a token.',
    answer: choice({
      accepted: 'A win or cancel of an earlier bet is accepted with the old token',
      rejected: 'Every call with the old token is rejected',
    }),
    shownAt: atOperation,
  },
} satisfies Partial<Record<OpenPointId, OpenPointFacts>>;
