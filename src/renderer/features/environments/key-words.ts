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
  if (view === undefined || view.state === 'loading') return { tone: 'plain', short: 'Checking the key', detail: null };
  if (view.state === 'failed') return { tone: 'bad', short: "Can't read the key", detail: view.message };
  return statusWords(view.status);
}

/** Returns one line for the status bar: `Key in the keychain, fingerprint 7f3e-91`; of two keys, which one signs. */
export function keyLine(view: KeyView | undefined): string {
  if (view?.state !== 'known' || view.status.state !== 'present') return keyWords(view).short;
  const { storage, fingerprint, pair } = view.status;
  if (pair !== null) {
    return pair.signs === 'new'
      ? `${withFingerprint('New key signs', fingerprint)}; the older one is kept`
      : `${withFingerprint('Older key signs', fingerprint)}; the new one is not proven`;
  }
  if (storage !== 'session') return withFingerprint('Key in the keychain', fingerprint);
  return fingerprint !== null && readFingerprint(fingerprint).kind === 'session'
    ? `Key ${fingerprintText(fingerprint)}`
    : withFingerprint('Key held for this session only', fingerprint);
}

function withFingerprint(where: string, fingerprint: string | null): string {
  return fingerprint === null ? where : `${where}, fingerprint ${fingerprintText(fingerprint)}`;
}

/** Says when the older of two keys goes. One that the keychain has outlives a new one that is held for this session only. */
export function keptWords(newer: Pick<KeyStatus, 'storage'>, older: Pick<KeyStatus, 'storage'>): string {
  if (newer.storage === 'session' && older.storage === 'keychain')
    return 'The older key stays in the keychain because the new one is held for this session only.';
  return 'Croupier keeps the older key until a call signed with the new one gets code 0, or until you discard it.';
}

/** Says where one of two keys is. */
export function placeWords(state: KeyStatus['state'], storage: KeyStatus['storage']): string {
  switch (state) {
    case 'absent':
      return 'gone';
    case 'locked':
      return 'unavailable in the keychain';
    case 'present':
      return storage === 'session' ? 'held for this session only' : 'in the keychain';
  }
}

function statusWords({ state, storage, message, bytes, pair }: KeyStatus): KeyWords {
  const short = shortKeyWarning(bytes);
  const detail = short === null ? message : [message, `${short}.`].filter((one) => one !== null).join(' ');
  switch (state) {
    case 'absent':
      return { tone: 'warn', short: pair === null ? 'No key' : 'Signing key is gone', detail: message };
    case 'locked':
      return {
        tone: 'bad',
        // Locked, silent or not there: the detail says which.
        short: 'Key unavailable',
        detail: message ?? 'The keychain did not return the key. Unlock it and try again.',
      };
    case 'present':
      if (pair !== null) return { tone: 'note', short: 'Two keys', detail };
      return storage === 'session'
        ? { tone: 'note', short: 'Session only', detail }
        : { tone: short === null ? 'good' : 'note', short: 'In the keychain', detail };
  }
}
