import { AppError } from '#shared/errors.ts';

const reasons = ['missing', 'locked', 'no_keychain', 'not_answering', 'ended', 'refused', 'closed'] as const;
/**
 * Reason why there is no key now. `no_keychain`: nothing here could hold one; `refused`: the keychain refused for another reason.
 */
export type KeyFault = (typeof reasons)[number];

export const lockedMessage = lockedWords(process.platform);
/** Says what to do about a locked keychain; only that of Linux may have no keyring. */
export function lockedWords(platform: NodeJS.Platform): string {
  if (platform === 'darwin')
    return 'The keychain is locked, or nobody can answer its prompt here. Unlock it, as with "security unlock-keychain", and try again.';
  return `The keychain is locked${platform === 'win32' ? '' : ' or has no keyring yet'}. Unlock it and try again.`;
}
/** Messages about a keychain, the process that holds keys, and a search that did not answer; `seen` as in `startWait`. */
export const silences = {
  keychain: (seen: string, platform = process.platform) =>
    `The keychain did not answer ${seen}. ${
      platform === 'darwin'
        ? 'If macOS asks for your password, enter it and choose Always Allow'
        : 'If it shows a prompt, answer it'
    }, then try again.`,
  holder: (seen: string) => `The key agent did not answer ${seen}. Your keys are not lost: try again.`,
  search: (seen: string) => `The search did not answer ${seen}, so Croupier stopped it. Search again.`,
};
export const noServiceMessage =
  'No keychain answers here, so keys are held for this session only. On Linux, start a Secret Service (GNOME Keyring, KWallet) in your login session.';
/** Says why there is no keychain. `reason`: what the system says, on one line. */
export function noLibraryMessage(reason: string, platform: NodeJS.Platform): string {
  const known = platform !== 'darwin' && platform !== 'win32';
  const why = known ? 'On Linux, install libsecret (package libsecret-1-0).' : `The system says: ${reason}`;
  return `The keychain library cannot be loaded, so keys are held for this session only. ${why}`;
}
/** Bytes of an entry of Windows (CRED_MAX_CREDENTIAL_BLOB_SIZE); keytar fills them with UTF-8. */
export const mostOnWindows = 2_560;
export const tooLongMessage = (bytes: number) =>
  `Windows stores at most ${mostOnWindows.toLocaleString('en')} bytes in an entry, and this one has ${bytes.toLocaleString('en')}. So it is held for this session only.`;
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
