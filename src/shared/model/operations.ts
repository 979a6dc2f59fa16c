/** The operations that are selected by the `action` of a signed envelope, in the spec's order (Endpoints, 1 to 8). */
export const serviceNames = [
  'gameList',
  'roundReplayInfo',
  'getGameRound',
  'getLauncherURL',
  'freeRounds',
  'freeRoundsByBet',
  'cancelFreeRounds',
  'currencyList',
] as const;
export type ServiceName = (typeof serviceNames)[number];

/** Service operations whose action the spec does not show: an open point holds it. */
export const openActionNames = ['cancelFreeRounds', 'currencyList'] as const;
export type OpenActionName = (typeof openActionNames)[number];

/** The wallet methods: plain JSON to their own paths, in the spec's order (Endpoints, 9 to 15). */
export const walletNames = ['playerInfo', 'bet', 'win', 'cancel', 'tournamentWin', 'promoWin', 'generateNewToken'] as const;
export type WalletName = (typeof walletNames)[number];

/** The names of the provider's operations, in the spec's order. */
export const operationNames = [...serviceNames, ...walletNames] as const;
export type OperationName = (typeof operationNames)[number];

/**
 * Effect of an operation on money, free rounds and session tokens (spec, Endpoints). Every kind but `reads` grants or moves money, or ends
 * what a player has.
 */
export const effectKinds = ['reads', 'takes', 'pays', 'givesBack', 'grants', 'revokes', 'endsToken'] as const;
export type EffectKind = (typeof effectKinds)[number];
