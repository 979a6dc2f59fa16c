import { createKeyHolder } from '#core/keys/key-holder.ts';
import { createKnownKeys } from '#core/keys/known-keys.ts';
import { faultOf } from '#core/keys/key-faults.ts';
import { createKeychain } from '#core/keys/keychain.ts';
import { readyId, type AgentProcess, type AgentReply } from '#core/keys/agent-messages.ts';

/** A keychain in memory, with the interface of the native library, which fails as a test wants. */
export interface MemoryLibrary {
  readonly entries: Map<string, string>;
  /** Calls that reached it: `get account`, `set account`, `delete account`. */
  readonly calls: string[];
  /** Replies as a locked GNOME keyring: reads find nothing, writes are refused. */
  locked: boolean;
  /** Error of each call; null for none. */
  fault: string | null;
  /** True if no call gets a reply. */
  silent: boolean;
  /** Runs before the reply to a call. */
  before: (call: string) => void;
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

/** Creates an open keychain without an entry. */
export function createMemoryLibrary(): MemoryLibrary {
  const entries = new Map<string, string>();
  async function reach(call: string): Promise<void> {
    library.calls.push(call);
    library.before(call);
    if (library.silent) await new Promise(() => undefined);
    if (library.fault !== null) throw new Error(library.fault);
  }
  const library: MemoryLibrary = {
    entries,
    calls: [],
    locked: false,
    fault: null,
    silent: false,
    before: () => undefined,
    async getPassword(service, account) {
      await reach(`get ${account}`);
      return library.locked ? null : (entries.get(`${service} ${account}`) ?? null);
    },
    async setPassword(service, account, password) {
      await reach(`set ${account}`);
      if (library.locked) throw new Error('The prompt was dismissed.');
      entries.set(`${service} ${account}`, password);
    },
    async deletePassword(service, account) {
      await reach(`delete ${account}`);
      return !library.locked && entries.delete(`${service} ${account}`);
    },
  };
  return library;
}

/** Key agents in this process, over one keychain in memory; `key-agent.test.ts` tests what only processes can show. */
export interface AgentsInProcess {
  readonly library: MemoryLibrary;
  /** Agents that were started, each with the questions it got. */
  readonly started: { readonly asked: string[]; isAlive(): boolean; kill(): void }[];
  spawn: () => AgentProcess;
}

/** Creates the agents; none is started. Messages are cloned and arrive in a later turn, as those of a process do. */
export function createAgentsInProcess(): AgentsInProcess {
  const library = createMemoryLibrary();
  const started: AgentsInProcess['started'] = [];

  function spawn(): AgentProcess {
    const known = createKnownKeys();
    const holder = createKeyHolder({ keychain: createKeychain(known.redact, () => Promise.resolve(library)), known });
    const [replies, exits]: [((reply: AgentReply) => void)[], (() => void)[]] = [[], []];
    let alive = true;
    const reply = (message: AgentReply): void => {
      if (alive) for (const listener of replies) listener(structuredClone(message));
    };
    const kill = (): void => {
      if (!alive) return;
      alive = false;
      setImmediate(() => exits.forEach((listener) => listener()));
    };
    const asked: string[] = [];
    started.push({ asked, isAlive: () => alive, kill });
    return {
      post(request) {
        const { id } = request;
        const arrived = structuredClone(request);
        asked.push(request.op);
        setImmediate(() => {
          const fail = (error: unknown) =>
            reply({ id, ok: false, fault: faultOf(error) ?? 'refused', message: known.redact((error as Error).message) });
          try {
            Promise.resolve(holder.handle(arrived)).then((value) => reply({ id, ok: true, value }), fail);
          } catch (error) {
            fail(error);
          }
        });
      },
      onReply(listener) {
        replies.push(listener);
        setImmediate(() => reply({ id: readyId, ok: true, value: null }));
      },
      onExit: (listener) => void exits.push(listener),
      kill,
    };
  }
  return { library, started, spawn };
}
