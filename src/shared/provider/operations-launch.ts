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
            notes: 'Game identifier. Sent as a string here, though the game list and the launcher URL have it as a number.',
            example: '"1042"',
          },
          {
            name: 'lang',
            type: 'string',
            required: 'yes',
            notes: 'ISO 639-1 language code, two characters.',
            example: '"en"',
            exactLength: 2,
            format: 'language',
            from: 'lang',
          },
          {
            name: 'externalToken',
            type: 'string',
            required: 'realMode',
            notes: "The player's session token, up to 255 characters. Required in real mode; may be empty in fun mode.",
            example: '""',
            maxLength: 255,
            mayBeEmpty: true,
          },
          {
            name: 'playerId',
            type: 'string',
            required: 'yes',
            notes: "The operator's identifier of the player, unique per platform.",
            example: '"player-1"',
            from: 'playerId',
          },
          {
            name: 'country',
            type: 'string',
            required: 'yes',
            notes: 'ISO 3166-1 alpha-2 country code, two characters.',
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
            notes: 'URL to which the player leaves the game. Required, but may be empty.',
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
            'The launcher URL. Its query carries partnerId, gameId, gameMode, lang, platform, externalToken and exitURL; in fun mode it has no externalToken.',
        },
      },
    },
    rules: [
      'Request the launcher URL before each launch and never hardcode it: it accounts for geo-blocking, rotating hosts, regional rules and the check of the session token.',
      'The game is embedded in an iframe or opened directly.',
      'Real mode needs the externalToken of the player. Demo mode is the same URL with gameMode fun and without externalToken.',
      'gameId is a string in this request, and a number in the game list and in the launcher URL.',
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
    notes: "The provider's identifier of the game. The launcher request has it as a string.",
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
