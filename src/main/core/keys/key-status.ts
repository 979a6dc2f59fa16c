import type { Secrets, SecretStatus } from '#core/host/host.ts';
import type { AppError } from '#shared/errors.ts';
import type { KeyStatus } from '#shared/ipc/index.ts';
import { faultOf } from './key-faults.ts';
import type { KeySlot, KeySlots, SessionKey } from './key-slots.ts';

type KeyFacts = Pick<KeyStatus, 'state' | 'storage' | 'fingerprint' | 'bytes' | 'setAt'>;

const noFacts: KeyFacts = { state: 'absent', storage: null, fingerprint: null, bytes: null, setAt: null };

export interface KeyStatusDeps {
  readonly secrets: Pick<Secrets, 'status'>;
  readonly slots: KeySlots;
  readonly held: Map<string, SessionKey>;
  /** Called if a key turns out to have another status than the last one. */
  readonly changed: (environmentId: string) => void;
}

/** Says of an environment's keys what can be said without showing them. */
export function createKeyStatus({ secrets, slots, held, changed }: KeyStatusDeps) {
  const none = (environmentId: string): KeyStatus => ({ environmentId, ...noFacts, message: null, pair: null });

  /** Notes that a held key is gone. One of two keeps its place, so that the other one does not step in silently. */
  function lost(environmentId: string, account: string): void {
    const mine = held.get(account);
    if (mine === undefined) return;
    if (slots.of(environmentId).pair === null) held.delete(account);
    else held.set(account, { ...mine, fingerprint: null });
  }

  async function readStatus(environmentId: string, slot: KeySlot): Promise<KeyFacts & { message: string | null }> {
    const { account, entry } = slot;
    let found: SecretStatus;
    try {
      found = await secrets.status(account, entry !== null);
    } catch (error) {
      if (faultOf(error) === null) throw error;
      return { ...unreadable(slot), message: (error as AppError).message };
    }
    if (found.state === 'absent') lost(environmentId, account);
    const mine = held.get(account);
    if (mine?.fingerprint === null && found.fingerprint !== null) {
      // A key of this program that no process took when it was made: its status was another one until now.
      held.set(account, { ...mine, fingerprint: found.fingerprint });
      changed(environmentId);
    }
    if (found.storage === 'keychain' && found.fingerprint !== null && entry !== null)
      slots.saw(account, entry, found.fingerprint);
    const { state, storage, fingerprint, bytes } = found;
    const setAt = (storage === 'session' ? held.get(account)?.setAt : entry?.setAt) ?? null;
    const known = state === 'locked' && entry !== null ? unreadable(slot) : { state, storage, fingerprint, bytes, setAt };
    const message = storage === 'session' ? (held.get(account)?.message ?? found.message) : found.message;
    return { ...known, message: message ?? null };
  }

  return {
    /** The status without a key. */
    none,
    lost,
    /** Asks the keychain; the message names a keychain that does not reply. */
    async status(environmentId: string): Promise<KeyStatus> {
      const { signer, pair } = slots.of(environmentId);
      if (pair === null) return { environmentId, ...(await readStatus(environmentId, signer)), pair: null };
      const [newer, older] = await Promise.all([readStatus(environmentId, pair.newer), readStatus(environmentId, pair.older)]);
      const [own, other] = pair.signs === 'new' ? [newer, older] : [older, newer];
      const { message: _, ...rest } = other;
      return { environmentId, ...own, pair: { signs: pair.signs, other: rest } };
    },
  };
}

/** Returns the facts of a key that the keychain does not release and only the list names. */
function unreadable({ entry }: KeySlot): KeyFacts {
  if (entry === null) return noFacts;
  return { state: 'locked', storage: 'keychain', fingerprint: entry.fingerprint, bytes: entry.bytes, setAt: entry.setAt ?? null };
}
