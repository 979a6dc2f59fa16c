import type { KeyInspection, KeyRelation, KeysFound, Secrets, SecretStatus } from '#core/host/host.ts';
import { clientEnvironmentOf } from './accounts.ts';
import { createAgentLink, type AgentLink } from './agent-link.ts';
import type { AgentResult, AgentOperation, AgentProcess, HeldInspection } from './agent-messages.ts';
import { agentNames, faultOf, keyError, lostMessage, missingMessage, silences } from './key-faults.ts';
import { createKeychainKeys } from './keychain-keys.ts';
import { piecesOf } from './key-use.ts';
import { createKeyOpeners, sealKey, type SealedKey } from './sealed-key.ts';
import { createSearches } from './searches.ts';

/** Parts up to this many bytes are copied into one, since each costs more than its bytes. */
const joinUpTo = 65_536;
/** Milliseconds that a step of a search may take: on a busy machine everything else goes before it, and whoever waits can cancel. */
const searchDeadlineMs = 60_000;

/** Milliseconds for a reply of a keychain: that of macOS asks its user for a password, and meanwhile the caller waits. */
export function keychainDeadlineMs(platform: NodeJS.Platform): number {
  return platform === 'darwin' ? 120_000 : 5_000;
}

/**
 * Secrets kept by key agents, in processes of their own. A keychain may ask the user something and never get an answer, or end the
 * process that asks: an agent of the keychain that takes longer than `keychainMs` is killed, this process goes on, and the next call
 * starts a new one. The one that holds keys is never ended for being slow. Every failure is an AppError with `key_missing` or `key_unavailable`.
 *
 * Two agents, of one program. The holder has the keys that are in use and signs with them, and never touches the keychain: neither what
 * hangs there nor what is left of a key as a text can reach it. The other asks the keychain and is ended as soon as it has
 * answered, since its memory then has keys in clear; what it read goes to the holder sealed, and nobody here could open it.
 *
 * A third searches the mistake in a hash, with copies of keys that the holder seals to it, and is ended with the search: the holder signs meanwhile
 * and goes before it, and what happens to a search happens to nothing else.
 *
 * Should the holder die, this process has no key that was typed for this session to give to the next one: the account is remembered as lost and
 * says so until a key is set again, and no older key of the keychain steps in for it silently. Those of the keychain are fetched again, and those
 * that this process made and knows anyway are given again.
 */
export function createAgentSecrets(options: {
  spawn: () => AgentProcess;
  deadlineMs?: number;
  platform?: NodeJS.Platform;
}): Secrets {
  const { spawn, deadlineMs = 5_000, platform = process.platform } = options;
  const keychainMs = options.deadlineMs ?? keychainDeadlineMs(platform);
  let tellLost: (accounts: readonly string[]) => void = () => undefined;
  const keychain = createAgentLink({
    spawn,
    deadlineMs: keychainMs,
    named: agentNames.keychain,
    silence: (seen) => silences.keychain(seen, platform),
  });
  const holder = createAgentLink({
    spawn,
    deadlineMs,
    named: agentNames.holder,
    silence: silences.holder,
    lives: true,
    onLost() {
      const gone = ofSession.holderEnded();
      ofKeychain.holderEnded();
      if (gone.length > 0) tellLost(gone);
    },
  });
  const ofSession = createSessionKeys({ holder, onHold: (account) => void ofKeychain.forget(account) });
  const ofKeychain = createKeychainKeys({ keychain, holder, isOfSession: ofSession.has });

  const searches = createSearches({
    handOver: async (account, sealTo) => (await askFor(account, { op: 'handOver', account, sealTo })) as SealedKey | null,
    open: () => createAgentLink({ spawn, deadlineMs: searchDeadlineMs, named: agentNames.search, silence: silences.search }),
    isOpen: (account, version) => ofSession.has(account) || ofSession.isLent(account) || ofKeychain.isFetched(account, version),
  });

  async function forget(account: string): Promise<void> {
    const known = ofSession.forget(account);
    if (ofKeychain.forget(account) || known) await holder.ask({ op: 'drop', account });
  }

  /** Asks the holder for an account's key. If it ends with a key of this session, only entering the key again helps. */
  async function askFor(account: string, operation: AgentOperation): Promise<AgentResult> {
    try {
      return await holder.ask(operation);
    } catch (error) {
      throw faultOf(error) === 'ended' && ofSession.isLost(account) ? keyError('missing', lostMessage) : error;
    }
  }

  /** Returns whether the holder has the key, which it fetches from the keychain if `fetches`. */
  async function has(account: string, version: string, fetches: boolean): Promise<boolean> {
    if ((await ofSession.isHeld(account)) || ofKeychain.isFetched(account, version)) return true;
    return fetches && ofKeychain.fetch(account, version, true);
  }

  /** Brings the key to the holder. Fails if there is no key now. */
  async function bring(account: string, version: string): Promise<void> {
    if (ofSession.isLost(account)) throw keyError('missing', lostMessage);
    if (!(await has(account, version, true))) throw keyError('missing', missingMessage);
  }

  /** Brings to the holder the keys that an inspection needs; returns those that it cannot. A key that was lost is nowhere. */
  async function bringAll({ accounts, bytes }: KeyInspection): Promise<{ inspection: HeldInspection; unknown: string[] }> {
    const there: string[] = [];
    const unknown: string[] = [];
    await Promise.all(
      accounts.map(async ({ account, version }) => {
        if (ofSession.isLost(account)) return;
        const known = (await isHeldNow(account)) || ofKeychain.isFetched(account, version);
        if (known || (!ofSession.isLent(account) && (await ofKeychain.fetchForInspection(account, version)))) there.push(account);
        else unknown.push(account);
      }),
    );
    return { inspection: { accounts: there, bytes }, unknown };
  }

  /** For an inspection, which goes without what cannot be had. */
  async function isHeldNow(account: string): Promise<boolean> {
    try {
      return await ofSession.isHeld(account);
    } catch (error) {
      if (faultOf(error) === null) throw error;
      return false;
    }
  }

  return {
    async set(account, key, storage) {
      if (storage === 'keychain') {
        const status = await ofKeychain.ask(async () => {
          const sealTo = (await keychain.ask({ op: 'opener' })) as Uint8Array;
          return (await keychain.ask({ op: 'store', account, key: sealKey(sealTo, key) })) as SecretStatus;
        });
        await forget(account);
        return status;
      }
      return ofSession.hold(account, key);
    },
    async lend(account, key) {
      try {
        return await ofSession.lend(account, key);
      } catch (error) {
        // The next use gives it to the next holder.
        if (faultOf(error) === null) throw error;
        return null;
      }
    },
    onLost(listener) {
      tellLost = listener;
    },
    async remove(account) {
      await forget(account);
      await ofKeychain.ask(() => keychain.ask({ op: 'remove', account }));
    },
    release: forget,
    async compare(account, key, expected) {
      if (ofSession.isLost(account)) return 'none';
      const ask = async (agent: AgentLink) => {
        const sealTo = (await agent.ask({ op: 'opener' })) as Uint8Array;
        return (await agent.ask({ op: 'compare', account, key: sealKey(sealTo, key), expected })) as KeyRelation;
      };
      return ofSession.has(account) ? ask(holder) : ofKeychain.ask(() => ask(keychain));
    },
    async copy(from, to) {
      if (ofSession.has(from)) return ofSession.copy(from, to);
      const status = (await ofKeychain.ask(() => keychain.ask({ op: 'copy', from, to }))) as SecretStatus;
      await forget(to);
      return status;
    },
    async status(account, expected) {
      if (ofSession.isLost(account))
        return { state: 'absent', storage: null, fingerprint: null, bytes: null, message: lostMessage };
      // Others ask at once: an end of the agents in the same turn must meet the question.
      const lent = ofSession.isLent(account) ? await ofSession.lentStatus(account) : null;
      if (lent !== null) return lent;
      if (ofSession.has(account)) return (await askFor(account, { op: 'status', account, expected })) as SecretStatus;
      const status = (await ofKeychain.ask(() => keychain.ask({ op: 'status', account, expected }))) as SecretStatus;
      // Changed, removed or locked since: then it is removed here, too.
      if (ofKeychain.hasOther(account, status.fingerprint)) await forget(account);
      return status;
    },
    async digest(account, version, parts) {
      await bring(account, version);
      return (await askFor(account, { op: 'digest', account, parts: joined(parts) })) as string;
    },
    async sign(account, version, parts, wanted) {
      const [{ inspection, unknown }] = await Promise.all([bringAll(wanted), bring(account, version)]);
      const asked = await askFor(account, { op: 'sign', account, parts: joined(parts), inspection });
      const signed = asked as { digest: string } & KeysFound;
      return { ...signed, unknown: [...signed.unknown, ...unknown] };
    },
    async answer(account, version, question) {
      await bring(account, version);
      return (await askFor(account, { op: 'answer', account, question })) as string;
    },
    async find(wanted) {
      const { inspection, unknown } = await bringAll(wanted);
      if (inspection.accounts.length === 0) return { found: [], unknown };
      try {
        const asked = (await holder.ask({ op: 'find', inspection })) as KeysFound;
        return { found: asked.found, unknown: [...asked.unknown, ...unknown] };
      } catch (error) {
        if (faultOf(error) === null) throw error;
        return { found: [], unknown: [...inspection.accounts, ...unknown] };
      }
    },
    async contains(account, version, expected, text) {
      for (const piece of piecesOf(text)) {
        if (ofSession.isLost(account)) throw keyError('missing', lostMessage);
        if (!(await has(account, version, expected))) return false;
        // A copy: the structured clone of a view would take all of its buffer along.
        if ((await askFor(account, { op: 'contains', account, bytes: new Uint8Array(piece) })) === true) return true;
      }
      return false;
    },
    async take(account, version) {
      if (clientEnvironmentOf(account) === null) throw new Error('Only the key of a client certificate comes out.');
      await bring(account, version);
      const openers = createKeyOpeners();
      const sealed = (await askFor(account, { op: 'handOver', account, sealTo: openers.make() })) as SealedKey | null;
      if (sealed === null) throw keyError('missing', missingMessage);
      const bytes = openers.open(sealed);
      const text = new TextDecoder().decode(bytes);
      bytes.fill(0);
      return text;
    },
    search: (keys, subject) => searches.begin(keys, subject, bring),
    async keychainMessage() {
      try {
        await ofKeychain.ask(() => keychain.ask({ op: 'probe' }));
        return null;
      } catch (error) {
        if (faultOf(error) === null) throw error;
        return (error as Error).message;
      }
    },
    async close() {
      await Promise.all([keychain.close(), holder.close(), searches.close()]);
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

/** A key that this process made and knows anyway. */
interface Lent {
  readonly key: () => string;
  status: SecretStatus | null;
}

interface SessionKeysDeps {
  readonly holder: Pick<AgentLink, 'ask'>;
  /** Called when the holder is about to take a key for this session in place of any other of the account. */
  readonly onHold: (account: string) => void;
}

/**
 * The keys that were given for this session: the holder has them, and no keychain. Creates them without a key. A typed key is lost with
 * its holder until one is set again; one that this process made is given to the next holder.
 */
function createSessionKeys({ holder, onHold }: SessionKeysDeps) {
  const held = new Set<string>();
  const lost = new Set<string>();
  /** With the status that was returned for them: the next holder has another fingerprint key. */
  const lent = new Map<string, Lent>();
  const giving = new Map<string, Promise<unknown>>();

  async function hold(account: string, key: string): Promise<SecretStatus> {
    const sealTo = (await holder.ask({ op: 'opener' })) as Uint8Array;
    return take(account, { op: 'hold', account, key: sealKey(sealTo, key) });
  }

  /** Has the holder take a key for the account. */
  async function take(account: string, operation: AgentOperation): Promise<SecretStatus> {
    onHold(account);
    const before = held.has(account);
    held.add(account);
    try {
      const status = (await holder.ask(operation)) as SecretStatus;
      lost.delete(account);
      return status;
    } catch (error) {
      if (!before) {
        held.delete(account);
        lost.delete(account);
      }
      throw error;
    }
  }

  /** Gives a key that this process made to the holder, once if several ask. */
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

  /** Returns whether the holder has the key; gives one that this process made to a holder that does not have it. */
  function isHeld(account: string): boolean | Promise<boolean> {
    if (held.has(account) && !giving.has(account)) return true;
    const mine = lent.get(account);
    if (mine === undefined) return held.has(account);
    return give(account, mine).then(() => true);
  }

  return {
    /** Returns whether a key was typed or lent, without asking the holder. */
    has: (account: string): boolean => held.has(account),
    /** Returns whether the key went with a holder that ended. */
    isLost: (account: string): boolean => lost.has(account),
    isHeld,
    isLent: (account: string): boolean => lent.has(account),
    /** Returns the status of a key that this process made, which the holder then has; null without one. */
    async lentStatus(account: string): Promise<SecretStatus | null> {
      const mine = lent.get(account);
      return mine !== undefined && (await isHeld(account)) ? mine.status : null;
    },
    /** Takes a typed key, which this process then has no more. */
    async hold(account: string, key: string): Promise<SecretStatus> {
      const status = await hold(account, key);
      lent.delete(account);
      return status;
    },
    /** Takes a key that `key` returns again for each later holder. Fails if this one does not take it; the next use tries again. */
    async lend(account: string, key: () => string): Promise<SecretStatus | null> {
      const mine: Lent = { key, status: null };
      lent.set(account, mine);
      await give(account, mine);
      return mine.status;
    },
    /** Gives the held key of `from` to `to` as well. */
    copy: (from: string, to: string): Promise<SecretStatus> => take(to, { op: 'copy', from, to }),
    /** Forgets the key; returns true if the holder has one to drop. */
    forget(account: string): boolean {
      lost.delete(account);
      lent.delete(account);
      return held.delete(account);
    },
    /** Returns the accounts whose keys are lost with a holder that ended. */
    holderEnded(): string[] {
      const gone = [...held].filter((account) => !lent.has(account));
      for (const account of gone) lost.add(account);
      held.clear();
      return gone;
    },
  };
}
