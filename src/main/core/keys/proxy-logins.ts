import type { LoginQuestion, Secrets, SecretStatus } from '#core/host/host.ts';
import { proxyAccountOf } from './accounts.ts';
import { faultOf } from './key-faults.ts';
import type { KeyIndex } from './key-index.ts';

/** The logins of proxies: they are set and used, never read. */
export type ProxyKeys = ReturnType<typeof createProxyKeys>;

/** Creates them over the host's secrets. A proxy is named by its address, as `http://proxy.example:8080`. */
export function createProxyKeys(deps: {
  secrets: Pick<Secrets, 'set' | 'lend' | 'release' | 'remove' | 'answer'>;
  index: Pick<KeyIndex, 'entry' | 'put' | 'remove'>;
  newVersion: () => string;
  now: () => number;
}) {
  const { secrets, index, newVersion, now } = deps;
  /** Accounts of logins that are held for this session. */
  const held = new Set<string>();

  return {
    /** Returns where the login of a proxy is kept; null without one. */
    kept(proxy: string): SecretStatus['storage'] {
      const account = proxyAccountOf(proxy);
      return held.has(account) ? 'session' : index.entry(account) === null ? null : 'keychain';
    },
    /** Keeps a login, `user:password`, in the keychain, or for this session if there is none. */
    async set(proxy: string, login: string): Promise<void> {
      const account = proxyAccountOf(proxy);
      const { storage, fingerprint, bytes } = await secrets.set(account, login, 'keychain').catch((error: unknown) => {
        if (faultOf(error) === null) throw error;
        return secrets.set(account, login, 'session');
      });
      if (storage !== 'keychain') return void held.add(account);
      held.delete(account);
      await index.put(account, { fingerprint, bytes: bytes ?? 0, version: newVersion(), setAt: now() });
    },
    async remove(proxy: string): Promise<void> {
      const account = proxyAccountOf(proxy);
      held.delete(account);
      if (index.entry(account) === null) return secrets.release(account);
      await secrets.remove(account);
      await index.remove(account);
    },
    /** Answers a proxy; null if there is no login for it. `given`: the login in the address that names the proxy, which goes first. */
    async answer(proxy: string, question: LoginQuestion, given: (() => string) | null): Promise<string | null> {
      const account = given === null ? proxyAccountOf(proxy) : `${proxyAccountOf(proxy)} given`;
      const entry = index.entry(account);
      if (given !== null) await secrets.lend(account, given);
      else if (entry === null && !held.has(account)) return null;
      try {
        return await secrets.answer(account, entry?.version ?? '', question);
      } catch (error) {
        if (faultOf(error) === null) throw error;
        return null;
      }
    },
  };
}
