import type { AgentLink } from './agent-link.ts';
import type { FetchedKey } from './agent-messages.ts';
import { faultOf } from './key-faults.ts';

export interface KeychainKeysDeps {
  readonly keychain: Pick<AgentLink, 'start' | 'ask' | 'end'>;
  readonly holder: Pick<AgentLink, 'ask'>;
  /** Returns whether a key was given for this session, which the holder keeps in place of the keychain's. */
  readonly isOfSession: (account: string) => boolean;
}

/** The keys of the keychain that the holder has, each for the version for which it was fetched. Creates them without a key. */
export function createKeychainKeys({ keychain, holder, isOfSession }: KeychainKeysDeps) {
  /** Keys that the holder fetched from the keychain, or their absence, with the version for which they were fetched. */
  const fetched = new Map<string, { version: string; fingerprint: string | null }>();
  const fetching = new Map<string, Promise<boolean>>();
  let asking = 0;
  /** True if the keychain failed an inspection, and has replied nothing since: no call and no save waits for it again. */
  let silent = false;

  /** Runs `work`, which asks the agent of the keychain; the agent ends with the last such work. */
  async function ask<T>(work: () => Promise<T>): Promise<T> {
    asking++;
    try {
      const result = await work();
      silent = false;
      return result;
    } finally {
      asking--;
      if (asking === 0) keychain.end();
    }
  }

  async function fetchNow(account: string, version: string, expected: boolean): Promise<boolean> {
    return ask(async () => {
      keychain.start();
      const sealTo = (await holder.ask({ op: 'opener' })) as Uint8Array;
      const found = (await keychain.ask({ op: 'fetch', account, expected, sealTo })) as FetchedKey | null;
      // Set for this session meanwhile. Checked at the moment at which the key would go, because the holder keeps the one it gets
      // last.
      if (isOfSession(account)) return true;
      fetched.set(account, { version, fingerprint: found?.fingerprint ?? null });
      await holder.ask(found === null ? { op: 'drop', account } : { op: 'hold', account, key: found.key });
      return found !== null;
    });
  }

  /** Returns whether the holder has the account's key; fetches it, and again for another version, once if several ask. */
  function fetch(account: string, version: string, expected: boolean): Promise<boolean> {
    const name = JSON.stringify([account, version, expected]);
    let under = fetching.get(name);
    if (under === undefined) {
      under = fetchNow(account, version, expected).finally(() => fetching.delete(name));
      fetching.set(name, under);
    }
    return under;
  }

  /** Returns whether the keychain was asked for this version, whatever it had. */
  function wasAsked(account: string, version: string): boolean {
    return fetched.get(account)?.version === version;
  }

  return {
    ask,
    isFetched(account: string, version: string): boolean {
      const mine = fetched.get(account);
      return mine?.version === version && mine.fingerprint !== null;
    },
    fetch,
    /** As `fetch` for an inspection, which goes without a key that cannot be had: false if the keychain was asked already, or fails. */
    async fetchForInspection(account: string, version: string): Promise<boolean> {
      if (silent || wasAsked(account, version)) return false;
      try {
        return await fetch(account, version, true);
      } catch (error) {
        if (faultOf(error) === null) throw error;
        silent = true;
        return false;
      }
    },
    /** Returns whether the holder has another key of the keychain than the one of this fingerprint; null: that of none. */
    hasOther(account: string, fingerprint: string | null): boolean {
      const mine = fetched.get(account);
      return mine !== undefined && mine.fingerprint !== fingerprint;
    },
    /** Forgets the key; returns true if the holder may have it. */
    forget: (account: string): boolean => fetched.delete(account),
    holderEnded: (): void => fetched.clear(),
  };
}
