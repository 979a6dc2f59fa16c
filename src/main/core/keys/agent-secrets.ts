import type { KeyLook, KeysFound, Secrets, SecretStatus } from '#core/host/host.ts';
import { createAgentLink } from './agent-link.ts';
import type { AgentProcess, FetchedKey, HeldLook } from './agent-messages.ts';
import { faultOf, keyError, lostMessage, missingMessage } from './key-faults.ts';
import { sealKey } from './sealed-key.ts';

/** A key that this process made and knows anyway. */
interface Lent {
  readonly key: () => string;
  status: SecretStatus | null;
}

/** Parts up to this many bytes are copied into one, since each costs more than its bytes. */
const joinUpTo = 65_536;

/**
 * Secrets kept by key agents, in processes of their own. A keychain may ask the user something and never get an answer, or end the
 * process that asks: an agent that takes longer than `deadlineMs` is killed, this process goes on, and the next call
 * starts a new one. Every failure is an AppError with `key_missing` or `key_unavailable`.
 *
 * Two agents, of one program. The holder has the keys that are in use and signs with them, and never touches the keychain: neither what
 * hangs there nor what is left of a key as a text can reach it. The other asks the keychain and is ended as soon as it has
 * answered, since its memory then has keys in clear; what it read goes to the holder sealed, and nobody here could open it.
 *
 * Should the holder die, this process has no key that was typed for this session to give to the next one: the account is remembered as lost and
 * says so until a key is set again, and no older key of the keychain steps in for it silently. Those of the keychain are fetched again, and those
 * that this process made and knows anyway are given again.
 */
export function createAgentSecrets(options: { spawn: () => AgentProcess; deadlineMs?: number }): Secrets {
  const { spawn, deadlineMs = 5_000 } = options;
  const heldForRun = new Set<string>();
  const lost = new Set<string>();
  /**
   * Keys that this process made, with the status that was given for them: the next holder has another fingerprint key. Null while no holder
   * has taken the key.
   */
  const lent = new Map<string, Lent>();
  let tellLost: (accounts: readonly string[]) => void = () => undefined;
  /** Keys that the holder fetched from the keychain, or their absence, with the version for which they were fetched. */
  const fetched = new Map<string, { version: string; fingerprint: string | null }>();
  const fetching = new Map<string, Promise<boolean>>();
  const giving = new Map<string, Promise<unknown>>();
  const keychain = createAgentLink({ spawn, deadlineMs });
  const holder = createAgentLink({
    spawn,
    deadlineMs,
    onLost() {
      const gone = [...heldForRun].filter((account) => !lent.has(account));
      for (const account of gone) lost.add(account);
      heldForRun.clear();
      fetched.clear();
      if (gone.length > 0) tellLost(gone);
    },
  });
  let askingKeychain = 0;
  /** The keychain failed a look, and has answered nothing since: no call and no save waits for it again. */
  let silent = false;

  /** `work` asks one agent of the keychain, which ends with the last that asks it. */
  async function inKeychain<T>(work: () => Promise<T>): Promise<T> {
    askingKeychain++;
    try {
      const result = await work();
      silent = false;
      return result;
    } finally {
      askingKeychain--;
      if (askingKeychain === 0) keychain.end();
    }
  }

  async function letGo(account: string): Promise<void> {
    lost.delete(account);
    lent.delete(account);
    const known = heldForRun.delete(account);
    if (fetched.delete(account) || known) await holder.ask({ op: 'drop', account });
  }

  async function hold(account: string, key: string): Promise<SecretStatus> {
    const sealTo = (await holder.ask({ op: 'opener' })) as Uint8Array;
    fetched.delete(account);
    const before = heldForRun.has(account);
    heldForRun.add(account);
    try {
      const status = (await holder.ask({ op: 'hold', account, key: sealKey(sealTo, key) })) as SecretStatus;
      lost.delete(account);
      return status;
    } catch (error) {
      if (!before) {
        heldForRun.delete(account);
        lost.delete(account);
      }
      throw error;
    }
  }

  /** Whether the holder has a key of this session; one that this process made is given to a holder that does not have it. */
  function isHeld(account: string): boolean | Promise<boolean> {
    if (heldForRun.has(account) && !giving.has(account)) return true;
    const mine = lent.get(account);
    if (mine === undefined) return heldForRun.has(account);
    return give(account, mine).then(() => true);
  }

  /** Gives a key that this process made to the holder, once where several ask. */
  function give(account: string, mine: Lent): Promise<unknown> {
    let under = giving.get(account);
    if (under === undefined) {
      under = hold(account, mine.key())
        .then((status) => (mine.status ??= status))
        .finally(() => giving.delete(account));
      giving.set(account, under);
    }
    return under;
  }

  async function fetchKey(account: string, version: string, expected: boolean): Promise<boolean> {
    return inKeychain(async () => {
      keychain.start();
      const sealTo = (await holder.ask({ op: 'opener' })) as Uint8Array;
      const found = (await keychain.ask({ op: 'fetch', account, expected, sealTo })) as FetchedKey | null;
      // Set for this session meanwhile. Asked at the moment at which the key would go, as the holder keeps what it gets last.
      if (heldForRun.has(account)) return true;
      fetched.set(account, { version, fingerprint: found?.fingerprint ?? null });
      await holder.ask(found === null ? { op: 'drop', account } : { op: 'hold', account, key: found.key });
      return found !== null;
    });
  }

  /** Whether the holder has the account's key; one of the keychain is fetched, and again for another version. */
  function atHand(account: string, version: string, expected: boolean): Promise<boolean> {
    const name = JSON.stringify([account, version, expected]);
    let under = fetching.get(name);
    if (under === undefined) {
      under = fetchKey(account, version, expected).finally(() => fetching.delete(name));
      fetching.set(name, under);
    }
    return under;
  }

  function isFetched(account: string, version: string): boolean {
    const mine = fetched.get(account);
    return mine?.version === version && mine.fingerprint !== null;
  }

  /** Fails where there is no key now. */
  async function bring(account: string, version: string): Promise<void> {
    if (lost.has(account)) throw keyError('missing', lostMessage);
    const has = (await isHeld(account)) || isFetched(account, version) || (await atHand(account, version, true));
    if (!has) throw keyError('missing', missingMessage);
  }

  /** Brings to the holder what a look needs, and tells what it cannot. A key that was lost is nowhere. */
  async function bringAll({ accounts, bytes }: KeyLook): Promise<{ look: HeldLook; unknown: string[] }> {
    const there: string[] = [];
    const unknown: string[] = [];
    await Promise.all(
      accounts.map(async ({ account, version }) => {
        if (lost.has(account)) return;
        const known = (await isHeldNow(account)) || isFetched(account, version);
        if (
          known ||
          (!lent.has(account) && !silent && fetched.get(account)?.version !== version && (await isBrought(account, version)))
        )
          there.push(account);
        else unknown.push(account);
      }),
    );
    return { look: { accounts: there, bytes }, unknown };
  }

  /** For a look, which goes without what cannot be had. */
  async function isHeldNow(account: string): Promise<boolean> {
    try {
      return await isHeld(account);
    } catch (error) {
      if (faultOf(error) === null) throw error;
      return false;
    }
  }

  async function isBrought(account: string, version: string): Promise<boolean> {
    try {
      return await atHand(account, version, true);
    } catch (error) {
      if (faultOf(error) === null) throw error;
      silent = true;
      return false;
    }
  }

  return {
    async set(account, key, storage) {
      if (storage === 'keychain') {
        const status = await inKeychain(async () => {
          const sealTo = (await keychain.ask({ op: 'opener' })) as Uint8Array;
          return (await keychain.ask({ op: 'store', account, key: sealKey(sealTo, key) })) as SecretStatus;
        });
        await letGo(account);
        return status;
      }
      const status = await hold(account, key);
      lent.delete(account);
      return status;
    },
    async lend(account, key) {
      const mine: Lent = { key, status: null };
      lent.set(account, mine);
      try {
        await give(account, mine);
      } catch (error) {
        // The next use gives it to the next holder.
        if (faultOf(error) === null) throw error;
      }
      return mine.status;
    },
    onLost(listener) {
      tellLost = listener;
    },
    async remove(account) {
      await letGo(account);
      await inKeychain(() => keychain.ask({ op: 'remove', account }));
    },
    async status(account, expected) {
      if (lost.has(account)) return { state: 'absent', storage: null, fingerprint: null, bytes: null, message: lostMessage };
      const mine = lent.get(account);
      if (mine !== undefined && (await isHeld(account)) && mine.status !== null) return mine.status;
      if (heldForRun.has(account)) return (await holder.ask({ op: 'status', account, expected })) as SecretStatus;
      const status = (await inKeychain(() => keychain.ask({ op: 'status', account, expected }))) as SecretStatus;
      // Changed, removed or locked since: then it is taken away here too.
      const kept = fetched.get(account);
      if (kept !== undefined && kept.fingerprint !== status.fingerprint) await letGo(account);
      return status;
    },
    async digest(account, version, parts) {
      await bring(account, version);
      return (await holder.ask({ op: 'digest', account, parts: joined(parts) })) as string;
    },
    async sign(account, version, parts, wanted) {
      const [{ look, unknown }] = await Promise.all([bringAll(wanted), bring(account, version)]);
      const asked = await holder.ask({ op: 'sign', account, parts: joined(parts), look });
      const signed = asked as { digest: string } & KeysFound;
      return { ...signed, unknown: [...signed.unknown, ...unknown] };
    },
    async find(wanted) {
      const { look, unknown } = await bringAll(wanted);
      if (look.accounts.length === 0) return { found: [], unknown };
      try {
        const asked = (await holder.ask({ op: 'find', look })) as KeysFound;
        return { found: asked.found, unknown: [...asked.unknown, ...unknown] };
      } catch (error) {
        if (faultOf(error) === null) throw error;
        return { found: [], unknown: [...look.accounts, ...unknown] };
      }
    },
    async contains(account, version, expected, bytes) {
      if (lost.has(account)) throw keyError('missing', lostMessage);
      if (!(await isHeld(account)) && !isFetched(account, version)) {
        // That there is none need not be asked again for each piece of a text.
        const none = !expected && fetched.get(account)?.version === version;
        if (none || !(await atHand(account, version, expected))) return false;
      }
      return (await holder.ask({ op: 'contains', account, bytes })) as boolean;
    },
    async keychainMessage() {
      try {
        await inKeychain(() => keychain.ask({ op: 'probe' }));
        return null;
      } catch (error) {
        if (faultOf(error) === null) throw error;
        return (error as Error).message;
      }
    },
    async close() {
      await Promise.all([keychain.close(), holder.close()]);
    },
  };
}

function joined(parts: readonly Uint8Array[]): readonly Uint8Array[] {
  const total = parts.reduce((sum, part) => sum + part.length, 0);
  if (parts.length < 2 || total > joinUpTo) return parts;
  // Memory of its own: of a pooled Buffer the structured clone would take its neighbours along.
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return [bytes];
}
