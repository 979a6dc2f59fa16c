import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAgentSecrets } from '#core/keys/agent-secrets.ts';
import { forkAgent } from '#core/keys/fork-agent.ts';
import { createTestApp } from '#testing/app.ts';
import { canSuspend, untilStopped } from '#testing/suspension.ts';

/** Processes and threads that Croupier waits for, apart from the key process: the test that has each end or hang, and words of it. */
const others: Readonly<Record<string, readonly [test: string, words: string]>> = {
  'a reading thread': ['../untrusted/threads.test.ts', "run('ends'"],
  'the search of the history': ['../history/search-thread.test.ts', 'The search ended unexpectedly'],
  git: ['../collections/git/git-states.test.ts', 'git was ended by SIGKILL'],
  'the browser host that a page waits for': ['../../../../e2e/browser-host-line.e2e.ts', 'It is busy or was suspended'],
  'another copy that holds a lock': ['../files/locks.test.ts', 'SIGSTOP'],
  'the built-in provider': ['../built-in-provider/built-in-provider.test.ts', 'The built-in provider could not start.'],
};

const gone = 'The key was held for this session only and is gone, because the process that held it ended. Enter it again.';
const silent =
  /^The process that holds the keys did not answer within [\d.]+ s(?:; this computer is busy)?\. It still has them: try again\.$/;

/** Events that may befall the process that holds a key: the signals before and after the question, what is said, and whether the key is there afterwards. */
const table: Readonly<
  Record<string, { before: 'SIGKILL' | 'SIGSTOP'; after?: 'SIGKILL'; says: string | RegExp; keeps: boolean }>
> = {
  'has ended': { before: 'SIGKILL', says: gone, keeps: false },
  'is stopped': { before: 'SIGSTOP', says: silent, keeps: true },
  'ends while it is asked': { before: 'SIGSTOP', after: 'SIGKILL', says: gone, keeps: false },
};

function childrenNow(): number[] {
  const listed = execFileSync('ps', ['-o', 'pid=,ppid=,comm=', '-A'], { encoding: 'utf8' });
  const rows = listed.split('\n').map((line) => line.trim().split(/\s+/));
  return rows.flatMap(([pid, parent, name]) => (Number(parent) === process.pid && name !== 'ps' ? [Number(pid)] : []));
}

describe.runIf(canSuspend)('a key process that', () => {
  it.each(Object.entries(table))('%s: what is said is true, and helps', async (_, { before, after, says, keeps }) => {
    const earlier = new Set(childrenNow());
    const secrets = createAgentSecrets({
      spawn: () => forkAgent(join(import.meta.dirname, '../keys/agent.ts')),
      deadlineMs: 1_000,
    });
    const { client, environment, close } = await createTestApp({ host: { secrets } });
    try {
      const { id } = await environment({ baseUrl: 'https://localhost:1' }, {}, 'a key of twenty-four bytes');
      const digest = () => client.call('keys.digest', { environmentId: id, time: 't', data: null });
      const right = await digest();
      const agents = childrenNow().filter((pid) => !earlier.has(pid));
      const signal = (name: NodeJS.Signals) => agents.forEach((pid) => process.kill(pid, name));
      signal(before);
      if (before === 'SIGSTOP') for (const pid of agents) await untilStopped(pid);
      else await expect.poll(() => childrenNow().filter((pid) => agents.includes(pid))).toEqual([]);
      const asked = digest().catch((error: Error) => error.message);
      if (after !== undefined) signal(after);
      const said = await asked;
      if (typeof says === 'string') expect(said).toBe(says);
      else expect(said).toMatch(says);
      if (keeps) signal('SIGCONT');
      if (keeps) expect(await digest()).toEqual(right);
      else await expect(digest()).rejects.toThrow(gone);
      // What was advised helps.
      await client.call('keys.set', { environmentId: id, key: 'a key of twenty-four bytes' });
      expect(await digest()).toEqual(right);
    } finally {
      await close();
      await secrets.close();
    }
  });
});

it.each(Object.entries(others))('%s has its troubles in a test of its own', (_, [test, words]) => {
  expect(readFileSync(join(import.meta.dirname, test), 'utf8')).toContain(words);
});
