import type { ErrorCode } from '#shared/errors.ts';

/** What the command line ends with. */
export const exits = {
  done: 0,
  /** A run finished and something failed its checks. */
  checksFailed: 1,
  /** Bad arguments, bad data text, a rule of the tool. */
  refused: 2,
  /** The provider answered another code than 0. */
  otherCode: 3,
  /** Network, TLS, timeout, cancelled. */
  noAnswer: 4,
  /** Missing, locked or refused by the keychain. */
  key: 5,
  /** A fault of the program or of what it keeps; of a run too, whose outcomes are not all in the history. */
  fault: 70,
} as const;
export type ExitCode = (typeof exits)[keyof typeof exits];

/** The one table from a refusal's code to the exit code. */
export const exitOfError: Readonly<Record<ErrorCode, ExitCode>> = {
  invalid_input: exits.refused,
  not_found: exits.refused,
  conflict: exits.refused,
  refused: exits.refused,
  unsupported: exits.refused,
  cancelled: exits.noAnswer,
  key_missing: exits.key,
  key_unavailable: exits.key,
  storage: exits.fault,
  internal: exits.fault,
};
