import { randomUUID } from 'node:crypto';
import type { KeySearch, SearchedKey, Secrets, SecretStatus } from '#core/host/host.ts';
import type { KeyName, Subject } from '#shared/doctor/model.ts';
import type { EventName, KeyStatus, Payload } from '#shared/ipc/index.ts';
import { compareFingerprints } from '#shared/calls/compare-keys.ts';
import { accountOf, environmentIdOf, isOfEnvironment, newAccountOf } from './accounts.ts';
import { createKeyChanges, type KeyChanges } from './key-changes.ts';
import { faultOf } from './key-faults.ts';
import type { KeyIndex } from './key-index.ts';
import { createKeySlots, type KeySlot, type SessionKey } from './key-slots.ts';
import { createKeyStatus } from './key-status.ts';
import { createClientKeys, type ClientKeys } from './client-keys.ts';
import { createProxyKeys, type ProxyKeys } from './proxy-logins.ts';
import { createKeyUse, type HeldKey, type KeyUse } from './key-use.ts';

/** Stands for the environment of a key that came before its environment: refusals name it. */
const given = '--key-env';
const givenMessage = 'The key was given for this session only and is not stored.';

// Other rooms may import this file only.
export { fingerprintAccount } from './accounts.ts';
export type { HeldKey };

/** The one way to private keys for everybody else in core: they are set and used, never read. */
export interface Keys extends KeyUse, Omit<KeyChanges, 'removeKey'> {
  /** Finds a key in texts before it is known whose it is: until `useKey` or `lendKey`. */
  expectKey(key: string): Promise<void>;
  /** Holds a key for this session only, whatever the keychain has (`--key-env`). */
  useKey(environmentId: string, key: string): Promise<KeyStatus>;
  /**
   * As `useKey`, for a key that this program made and knows anyway: whatever process holds the keys next asks for it again, the
   * first one, too.
   */
  lendKey(environmentId: string, key: () => string): Promise<void>;
  /** Removes every key of an environment. Fails with `key_unavailable` if the keychain has one and does not release it now. */
  removeKey(environmentId: string): Promise<KeyStatus>;
  /**
   * Begins a search for the mistake in a hash, in a process of its own, with both keys of an environment that has two. Of the other
   * environments' keys those take part that are open in this session. Fails as `digest` does.
   */
  search(
    environmentId: string,
    others: readonly { readonly id: string; readonly name: string }[],
    subject: Subject,
  ): Promise<KeySearch>;
  /** Asks the keychain; the message names a keychain that does not reply. */
  status(environmentId: string): Promise<KeyStatus>;
  /** Returns the fingerprint of the key that signs, without asking the keychain; null if it is not known. */
  fingerprint(environmentId: string): string | null;
  /** Returns whether two environments sign with the same key, by their fingerprints; false if these cannot be compared. */
  isSame(one: string, other: string): boolean;
  /** Returns null if the OS keychain works; else a sentence for the user. */
  keychainMessage(): Promise<string | null>;
  /** The logins of proxies. */
  readonly proxies: ProxyKeys;
  /** The client certificates. */
  readonly certificates: ClientKeys;
}

/** Creates the keys over the host's secrets and the index of those that should be in the keychain. */
export function createKeys(deps: {
  secrets: Secrets;
  index: KeyIndex;
  emit: <E extends EventName>(name: E, payload: Payload<E>) => void;
  newVersion?: () => string;
  now?: () => number;
}): Keys {
  const { secrets, index, emit, newVersion = randomUUID, now = Date.now } = deps;
  /** Keys that are held for this session, by account. */
  const held = new Map<string, SessionKey>();
  let serial = 0;
  const slots = createKeySlots(index, held);
  const changed = (environmentId: string) => emit('keys.changed', { environmentId });
  const statuses = createKeyStatus({ secrets, slots, held, changed });
  const { status } = statuses;

  secrets.onLost((accounts) => {
    const environmentIds = [...new Set(accounts.filter(isOfEnvironment).map(environmentIdOf))];
    for (const environmentId of environmentIds) changed(environmentId);
    if (environmentIds.length > 0) emit('keys.lost', { environmentIds });
  });

  /** Notes a key that is held for this session; `found` is null if nobody has taken it yet. */
  function note(account: string, found: SecretStatus | null, message: string, given: boolean): SessionKey {
    const { fingerprint = null } = found ?? {};
    const mine: SessionKey = { serial: ++serial, fingerprint, setAt: now(), message, given, rests: false };
    held.set(account, mine);
    changed(environmentIdOf(account));
    return mine;
  }

  const changes = createKeyChanges({
    secrets,
    index,
    slots,
    held,
    emit,
    noteHeld(account, { state, storage, fingerprint, bytes }, message) {
      const { setAt } = note(account, { state, storage, fingerprint, bytes }, message, false);
      return { environmentId: environmentIdOf(account), state, storage, fingerprint, bytes, setAt, message };
    },
    status,
    newVersion,
    now,
  });

  const certificates = createClientKeys({ secrets, index, changed, newVersion, now });

  const { withSigner, ...use } = createKeyUse({
    secrets,
    index,
    slots,
    held: () => held.keys(),
    onGone(environmentId, account) {
      statuses.lost(environmentId, account);
      changed(environmentId);
    },
    learn: status,
  });

  /** Brings the environment's other key, if it has one, to where a search takes it from. */
  async function otherOf(environmentId: string): Promise<SearchedKey[]> {
    const { pair } = slots.of(environmentId);
    if (pair === null) return [];
    const which = pair.signs === 'new' ? 'older' : 'new';
    const other = searched(which === 'new' ? pair.newer : pair.older, { pair: which });
    try {
      await secrets.digest(other.account, other.version, []);
      return [other];
    } catch (error) {
      if (faultOf(error) === null) throw error;
      return [];
    }
  }

  async function hold(environmentId: string, key: string): Promise<void> {
    const account = accountOf(environmentId);
    note(account, await secrets.set(account, key, 'session'), givenMessage, true);
  }

  /** An environment has the key by now, and a text that holds it is told of that one alone. */
  async function forgetExpected(): Promise<void> {
    const account = accountOf(given);
    if (held.delete(account)) await secrets.release(account);
  }

  const fingerprint = (environmentId: string) => slots.fingerprint(slots.of(environmentId).signer);

  return {
    ...use,
    ...changes,
    expectKey: (key) => hold(given, key),
    async useKey(environmentId, key) {
      await hold(environmentId, key);
      await forgetExpected();
      return status(environmentId);
    },
    async lendKey(environmentId, key) {
      const account = accountOf(environmentId);
      note(account, await secrets.lend(account, key), givenMessage, true);
      await forgetExpected();
    },
    async removeKey(environmentId) {
      await changes.removeKey(environmentId);
      return statuses.none(environmentId);
    },
    status,
    fingerprint,
    isSame: (one, other) => compareFingerprints(fingerprint(one), fingerprint(other)).verdict === 'same',
    keychainMessage: () => secrets.keychainMessage(),
    proxies: createProxyKeys({ secrets, index, newVersion, now }),
    certificates,
    async sweep(environmentIds) {
      await changes.sweep(environmentIds);
      await certificates.sweep(environmentIds);
    },
    search: (environmentId, others, subject) =>
      withSigner(environmentId, async (signer) => {
        const other = await otherOf(environmentId);
        const named = others.flatMap(({ id, name }) =>
          [accountOf(id), newAccountOf(id)].map((account) => searched(slots.slot(account), name)),
        );
        return secrets.search([searched(signer, null), ...other, ...named], subject);
      }),
  };
}

function searched({ account, entry }: KeySlot, name: KeyName): SearchedKey {
  return { account, version: entry?.version ?? '', name };
}
