import { AppError } from '#shared/errors.ts';

const reasons = ['missing', 'locked', 'no_keychain', 'not_answering', 'ended', 'refused', 'closed'] as const;
/**
 * Reason why there is no key now. `no_keychain`: nothing here could hold one; `refused`: the keychain refused for another reason.
 */
export type KeyFault = (typeof reasons)[number];

export const lockedMessage = 'The keychain is locked or has no keyring yet. Unlock it and try again.';
/** Messages about a keychain, the process that holds keys, and a search that did not answer; `seen` as in `startWait`. */
export const silences = {
  keychain: (seen: string) => `The keychain did not answer ${seen}. If it shows a prompt, answer it, then try again.`,
  holder: (seen: string) => `The key agent did not answer ${seen}. Your keys are not lost: try again.`,
  search: (seen: string) => `The search did not answer ${seen}, so Croupier stopped it. Search again.`,
};
export const noServiceMessage =
  'No keychain answers here, so keys are held for this session only. On Linux, start a Secret Service (GNOME Keyring, KWallet) in your login session.';
export const noLibraryMessage =
  'The keychain library cannot be loaded, so keys are held for this session only. On Linux, install libsecret (package libsecret-1-0).';
/** Names of the processes that may end, not start, or be none, as the subjects of sentences. */
export const agentNames = {
  keychain: 'The process that asks the keychain',
  holder: 'The key agent',
  search: 'The process that searches',
};
export const lostMessage = 'The key was held for this session only and is lost: the process that held it ended. Enter it again.';
export const missingMessage = `No key is stored for this environment. Enter it in the environment's settings, or with "croupier key set".`;
export const goneMessage = 'The keychain no longer has this key. Enter it again.';

/**
 * Returns the typed error for a fault: `key_missing` for a key that is not there, `key_unavailable` for one that cannot be used
 * now.
 */
export function keyError(fault: KeyFault, message: string): AppError {
  return new AppError(fault === 'missing' ? 'key_missing' : 'key_unavailable', message, { reason: fault });
}

/** Returns the fault behind an error made by `keyError`, or null for any other. */
export function faultOf(error: unknown): KeyFault | null {
  if (!(error instanceof AppError) || typeof error.details !== 'object' || error.details === null) return null;
  const reason: unknown = 'reason' in error.details ? error.details.reason : null;
  return reasons.find((known) => known === reason) ?? null;
}
