import type { KeyLook, KeysFound, Secrets, SecretStatus } from '#core/host.ts';
import { createAgentLink, type AgentLink } from './agent-link.ts';
import type { AgentProcess } from './agent-messages.ts';
import { faultOf, keyError, lostMessage } from './key-faults.ts';

/** Parts up to this many bytes are copied into one, since each costs more than its bytes. */
const joinUpTo = 65_536;

/**
 * Secrets kept by key agents, in processes of their own. A keychain may ask the user something and never get an answer, or end the
 * process that asks: an agent that takes longer than `deadlineMs` is killed, this process goes on, and the next call
 * starts a new one. Every failure is an AppError with `key_missing` or `key_unavailable`.
 *
 * Keys for this run only have an agent of their own that never touches the keychain, since they are needed just where the
 * keychain is what hangs. Should that agent die all the same, this process has no key to give to the next one: the
 * account is remembered as lost and says so until a key is set again, and no older key of the keychain steps in for it silently.
 */
export function createAgentSecrets(options: { spawn: () => AgentProcess; deadlineMs?: number }): Secrets {
  const { spawn, deadlineMs = 5_000 } = options;
  const heldForRun = new Set<string>();
  const lost = new Set<string>();
  /** The keychain let a look wait until the deadline, and has answered nothing since. */
  let silent = false;
  const keychain = createAgentLink({ spawn, deadlineMs });
  const session = createAgentLink({
    spawn,
    deadlineMs,
    onLost() {
      for (const account of heldForRun) lost.add(account);
      heldForRun.clear();
    },
  });

  async function letGo(account: string): Promise<void> {
    lost.delete(account);
    if (!heldForRun.delete(account)) return;
    await session.ask({ op: 'drop', account });
  }

  /** What to ask that one, and what the other one. A key that was lost is nowhere. */
  function split({ accounts, bytes }: KeyLook, link: AgentLink): [KeyLook, KeyLook] {
    const there = accounts.filter(({ account }) => !lost.has(account));
    const isOf = ({ account }: { account: string }) => (heldForRun.has(account) ? session : keychain) === link;
    return [
      { accounts: there.filter(isOf), bytes },
      { accounts: there.filter((one) => !isOf(one)), bytes },
    ];
  }

  async function findWith(link: AgentLink, look: KeyLook): Promise<KeysFound> {
    const unknown = look.accounts.map(({ account }) => account);
    if (unknown.length === 0) return { found: [], unknown };
    // Nobody should wait for the deadline at each call and each save.
    if (link === keychain && silent) return { found: [], unknown };
    try {
      const found = (await link.ask({ op: 'find', look })) as KeysFound;
      if (link === keychain) silent = false;
      return found;
    } catch (error) {
      const fault = faultOf(error);
      if (fault === null) throw error;
      if (link === keychain && fault === 'not_answering') silent = true;
      return { found: [], unknown };
    }
  }

  return {
    async set(account, key, storage) {
      const link = storage === 'session' ? session : keychain;
      const status = (await link.ask({ op: 'set', account, key, storage })) as SecretStatus;
      if (storage === 'keychain') {
        await letGo(account);
        return status;
      }
      lost.delete(account);
      heldForRun.add(account);
      return status;
    },
    async remove(account) {
      await letGo(account);
      await keychain.ask({ op: 'remove', account });
    },
    async status(account, expected) {
      if (lost.has(account)) return { state: 'absent', storage: null, fingerprint: null, bytes: null, message: lostMessage };
      const link = heldForRun.has(account) ? session : keychain;
      const status = (await link.ask({ op: 'status', account, expected })) as SecretStatus;
      if (link === keychain) silent = false;
      return status;
    },
    async digest(account, version, parts) {
      if (lost.has(account)) throw keyError('missing', lostMessage);
      const link = heldForRun.has(account) ? session : keychain;
      return (await link.ask({ op: 'digest', account, version, parts: joined(parts) })) as string;
    },
    async sign(account, version, parts, look) {
      if (lost.has(account)) throw keyError('missing', lostMessage);
      const link = heldForRun.has(account) ? session : keychain;
      const [own, others] = split(look, link);
      const [signed, rest] = await Promise.all([
        link.ask({ op: 'sign', account, version, parts: joined(parts), look: own }) as Promise<{ digest: string } & KeysFound>,
        findWith(link === session ? keychain : session, others),
      ]);
      if (link === keychain) silent = false;
      return { digest: signed.digest, ...together(signed, rest) };
    },
    async find(look) {
      const [held, kept] = split(look, session);
      return together(...(await Promise.all([findWith(session, held), findWith(keychain, kept)])));
    },
    async contains(account, expected, bytes) {
      if (lost.has(account)) throw keyError('missing', lostMessage);
      const link = heldForRun.has(account) ? session : keychain;
      return (await link.ask({ op: 'contains', account, expected, bytes })) as boolean;
    },
    async keychainMessage() {
      try {
        await keychain.ask({ op: 'probe' });
        return null;
      } catch (error) {
        if (faultOf(error) === null) throw error;
        return (error as Error).message;
      }
    },
    async close() {
      await Promise.all([keychain.close(), session.close()]);
    },
  };
}

function together(one: KeysFound, other: KeysFound): KeysFound {
  return { found: [...one.found, ...other.found], unknown: [...one.unknown, ...other.unknown] };
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
