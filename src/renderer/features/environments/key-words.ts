import type { KeyStatus } from '#shared/ipc/index.ts';
import { fingerprintText, readFingerprint } from '#shared/signing/fingerprint.ts';
import { shortKeyWarning } from '#shared/signing/key.ts';
import type { KeyView } from './environment-keys.ts';

/** A key's state in words: a tone, two or three words, and a sentence if it helps. */
export interface KeyWords {
  readonly tone: 'good' | 'note' | 'warn' | 'bad' | 'plain';
  readonly short: string;
  readonly detail: string | null;
}

/** Returns the words for the state of a key. */
export function keyWords(view: KeyView | undefined): KeyWords {
  if (view === undefined || view.state === 'loading') return { tone: 'plain', short: 'Looking for the key', detail: null };
  if (view.state === 'failed') return { tone: 'bad', short: 'Key not readable', detail: view.message };
  return statusWords(view.status);
}

/** Returns one line for the status bar: `Key in the keychain, fingerprint 7f3e-91`. */
export function keyLine(view: KeyView | undefined): string {
  if (view?.state !== 'known' || view.status.state !== 'present') return keyWords(view).short;
  const { storage, fingerprint } = view.status;
  if (storage !== 'session') return withFingerprint('Key in the keychain', fingerprint);
  return fingerprint !== null && readFingerprint(fingerprint).kind === 'session'
    ? `Key held, fingerprint ${fingerprintText(fingerprint)}`
    : withFingerprint('Key held for this session only', fingerprint);
}

function withFingerprint(where: string, fingerprint: string | null): string {
  return fingerprint === null ? where : `${where}, fingerprint ${fingerprintText(fingerprint)}`;
}

function statusWords({ state, storage, message, bytes }: KeyStatus): KeyWords {
  const short = shortKeyWarning(bytes);
  const detail = short === null ? message : [message, `${short}.`].filter((one) => one !== null).join(' ');
  switch (state) {
    case 'absent':
      return { tone: 'warn', short: 'No key', detail: message };
    case 'locked':
      return {
        tone: 'bad',
        short: 'Keychain locked',
        detail: message ?? 'There is a key, and the keychain does not hand it out. Unlock it and try again.',
      };
    case 'present':
      return storage === 'session'
        ? { tone: 'note', short: 'Held for this session only', detail }
        : { tone: short === null ? 'good' : 'note', short: 'In the keychain', detail };
  }
}
