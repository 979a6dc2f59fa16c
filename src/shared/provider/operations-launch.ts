import type { OperationFactsByName } from './model.ts';

/** The launcher URL (spec, Endpoints 4). */
export const launchOperations = {
  getLauncherURL: {
    action: 'getLauncherURL',
    endpoint: 'service',
    path: '/serviceApi.php',
    section: '4',
    group: 'Launch',
    summary: 'The URL that opens one game for one player, in fun or real mode.',
    since: '1.0.0',
    effect: 'reads',
    payload: 'data',
    forms: [
      {
        id: 'main',
        title: 'Launch',
        since: '1.0.0',
        fields: [
          {
            name: 'gameMode',
            type: 'string',
            required: 'yes',
            notes: 'real or fun.',
            example: '"fun"',
            values: ['real', 'fun'],
          },
          {
            name: 'gameId',
            type: 'string',
            required: 'yes',
            notes: 'A string in this request, a number in the game list and the launcher URL.',
            example: '"1042"',
          },
          {
            name: 'lang',
            type: 'string',
            required: 'yes',
            notes: 'ISO 639-1 code.',
            example: '"en"',
            exactLength: 2,
            format: 'language',
            from: 'lang',
          },
          {
            name: 'externalToken',
            type: 'string',
            required: 'realMode',
            notes: "The player's session token.",
            example: '""',
            maxLength: 255,
            mayBeEmpty: true,
          },
          {
            name: 'playerId',
            type: 'string',
            required: 'yes',
            notes: 'Unique per platform.',
            example: '"player-1"',
            from: 'playerId',
          },
          {
            name: 'country',
            type: 'string',
            required: 'yes',
            notes: 'ISO 3166-1 alpha-2 code.',
            example: '"DE"',
            exactLength: 2,
            format: 'country',
            from: 'country',
          },
          {
            name: 'ip',
            type: 'string',
            required: 'yes',
            notes: "The player's IP address.",
            example: '"203.0.113.9"',
            format: 'ip',
            from: 'ip',
          },
          {
            name: 'exitURL',
            type: 'string',
            required: 'yes',
            notes: 'Where the player goes after the game.',
            example: '""',
            mayBeEmpty: true,
            format: 'url',
            from: 'exitURL',
          },
        ],
      },
    ],
    response: {
      kind: 'object',
      fields: {
        launcherURL: {
          kind: 'string',
          format: 'url',
          https: true,
          query: ['partnerId', 'gameId', 'gameMode', 'lang', 'platform', 'externalToken', 'exitURL'],
          notes:
            'The launcher URL. Its query has partnerId, gameId, gameMode, lang, platform, externalToken and exitURL; in fun mode, no externalToken.',
        },
      },
    },
    rules: [
      'Request the launcher URL before each launch and never hardcode it: it accounts for geo-blocking, rotating hosts, regional rules and session-token checks.',
      'Embed the game in an iframe or open it directly.',
      "Real mode needs the player's externalToken. Demo mode is the same URL with gameMode fun and without externalToken.",
      'gameId is a string in this request and a number in the game list and the launcher URL.',
    ],
  },
} satisfies Partial<OperationFactsByName>;

/** One parameter of a launcher URL (spec, Game launch URL parameters). */
export interface LaunchParameter {
  readonly name: string;
  readonly type: 'string' | 'number';
  readonly maxLength?: number;
  readonly exactLength?: number;
  readonly values?: readonly string[];
  readonly notes: string;
}

/** The parameters of a launcher URL, in the spec's order. Demo mode is gameMode `fun` without externalToken. */
export const launchParameters: readonly LaunchParameter[] = [
  { name: 'partnerId', type: 'number', notes: 'Identifier of the partner on the platform.' },
  {
    name: 'gameId',
    type: 'number',
    notes: "The provider's game ID. A string in the launcher request.",
  },
  { name: 'gameMode', type: 'string', values: ['fun', 'real'], notes: 'fun or real.' },
  { name: 'lang', type: 'string', exactLength: 2, notes: 'ISO 639-1 language code.' },
  { name: 'country', type: 'string', exactLength: 2, notes: 'ISO 3166-1 alpha-2 country code.' },
  { name: 'playerId', type: 'string', notes: 'Unique per platform.' },
  { name: 'ip', type: 'string', notes: "The player's IP address." },
  { name: 'platform', type: 'number', notes: 'Platform identifier.' },
  {
    name: 'externalToken',
    type: 'string',
    maxLength: 255,
    notes: "The player's session token; required in real mode, absent in demo mode.",
  },
  { name: 'exitURL', type: 'string', notes: 'Exit URL; may be empty.' },
];
