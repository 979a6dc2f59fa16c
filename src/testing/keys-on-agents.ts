import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Secrets } from '#core/host/host.ts';
import { createAgentSecrets } from '#core/keys/agent-secrets.ts';
import { createKeyIndex, type KeyIndex } from '#core/keys/key-index.ts';
import { createKeys, type Keys } from '#core/keys/keys.ts';
import { createAgentsInProcess, type AgentsInProcess } from './agents-in-process.ts';

/** One session of the program over a home and a keychain in memory. */
interface Session {
  readonly secrets: Secrets;
  readonly keys: Keys;
}

/** Keys, secrets and the work of an agent, over a keychain in memory. Real agents and real keychains are in key-agent.test.ts. */
export interface KeysOnAgents extends Session {
  readonly agents: AgentsInProcess;
  readonly index: KeyIndex;
  /** Path of the index. */
  readonly path: string;
  /** Every event of every session, with its name. */
  readonly events: unknown[];
  /** Begins another session on the same home and keychain. */
  restart(deadlineMs?: number): Session;
  /** Ends every agent that runs, as a crash does. */
  crash(): Promise<void>;
  /** Returns what the agents were asked since the last time. */
  asked(): string[][];
  close(): Promise<void>;
}

export async function createKeysOnAgents(): Promise<KeysOnAgents> {
  const home = await mkdtemp(join(tmpdir(), 'croupier-keys-'));
  const path = join(home, 'keys.json');
  const agents = createAgentsInProcess();
  const index = createKeyIndex({ path, report: (message) => expect.fail(message) });
  const events: unknown[] = [];
  const sessions: Session[] = [];
  let versions = 0;

  function restart(deadlineMs?: number): Session {
    const secrets = createAgentSecrets({ spawn: () => agents.spawn(), ...(deadlineMs === undefined ? {} : { deadlineMs }) });
    const keys = createKeys({
      secrets,
      index,
      emit: (name, payload) => events.push([name, payload]),
      newVersion: () => `v${++versions}`,
      now: () => 1_000,
    });
    const session = { secrets, keys };
    sessions.push(session);
    return session;
  }

  return {
    ...restart(),
    agents,
    index,
    path,
    events,
    restart,
    async crash() {
      for (const agent of agents.started) agent.kill();
      await new Promise(setImmediate);
    },
    asked: () => agents.started.map((agent) => agent.asked.splice(0)).filter((operations) => operations.length > 0),
    async close() {
      for (const { secrets } of sessions) await secrets.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

export const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'utf8'));

/** Returns the lowercase hexadecimal SHA-256 of a text. */
export const sha = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
