import type { SecretStatus } from '#core/host/host.ts';
import type { AgentLink } from './agent-link.ts';
import type { AgentOperation } from './agent-messages.ts';
import { sealKey } from './sealed-key.ts';

/** A key that this process made and knows anyway. */
interface Lent {
  readonly key: () => string;
  status: SecretStatus | null;
}

export interface SessionKeysDeps {
  readonly holder: Pick<AgentLink, 'ask'>;
  /** Called when the holder is about to take a key for this session in place of any other of the account. */
  readonly onHold: (account: string) => void;
}

/** The keys that were given for this session: the holder has them, and no keychain. */
export interface SessionKeys {
  /** Returns whether a key was typed or lent, without asking the holder. */
  has(account: string): boolean;
  /** Returns whether the key went with a holder that ended. */
  isLost(account: string): boolean;
  /** Returns whether the holder has the key; gives one that this process made to a holder that does not have it. */
  isHeld(account: string): boolean | Promise<boolean>;
  isLent(account: string): boolean;
  /** Returns the status of a key that this process made, which the holder then has; null without one. */
  lentStatus(account: string): Promise<SecretStatus | null>;
  /** Takes a typed key, which this process then has no more. */
  hold(account: string, key: string): Promise<SecretStatus>;
  /** Takes a key that `key` returns again for each later holder. Fails if this one does not take it; the next use tries again. */
  lend(account: string, key: () => string): Promise<SecretStatus | null>;
  /** Gives the held key of `from` to `to` as well. */
  copy(from: string, to: string): Promise<SecretStatus>;
  /** Forgets the key; returns true if the holder has one to drop. */
  forget(account: string): boolean;
  /** Returns the accounts whose keys are lost with a holder that ended. */
  holderEnded(): string[];
}

/**
 * Creates them without a key. A typed key is lost with its holder until one is set again; one that this process made is given to
 * the next holder.
 */
export function createSessionKeys({ holder, onHold }: SessionKeysDeps): SessionKeys {
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

  function isHeld(account: string): boolean | Promise<boolean> {
    if (held.has(account) && !giving.has(account)) return true;
    const mine = lent.get(account);
    if (mine === undefined) return held.has(account);
    return give(account, mine).then(() => true);
  }

  return {
    has: (account) => held.has(account),
    isLost: (account) => lost.has(account),
    isHeld,
    isLent: (account) => lent.has(account),
    async lentStatus(account) {
      const mine = lent.get(account);
      return mine !== undefined && (await isHeld(account)) ? mine.status : null;
    },
    async hold(account, key) {
      const status = await hold(account, key);
      lent.delete(account);
      return status;
    },
    async lend(account, key) {
      const mine: Lent = { key, status: null };
      lent.set(account, mine);
      await give(account, mine);
      return mine.status;
    },
    copy: (from, to) => take(to, { op: 'copy', from, to }),
    forget(account) {
      lost.delete(account);
      lent.delete(account);
      return held.delete(account);
    },
    holderEnded() {
      const gone = [...held].filter((account) => !lent.has(account));
      for (const account of gone) lost.add(account);
      held.clear();
      return gone;
    },
  };
}
