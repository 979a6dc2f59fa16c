import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAgentSecrets } from '#core/keys/agent-secrets.ts';
import { forkAgent } from '#core/keys/fork-agent.ts';
import { createJobInThread } from '#core/formats/exports/export-job.ts';
import { createTestApp, draftOf, temporaryFolder } from '#testing/app.ts';
import { canSuspend, untilStopped } from '#testing/suspension.ts';

const here = 'process-troubles.test.ts';

/** Tests that have a process or a thread end or hang, by the file that starts it or by who waits for it, and words of what is said then. */
const others: Readonly<Record<string, readonly [test: string, words: string]>> = {
  'core/untrusted/threads.ts': ['../untrusted/threads.test.ts', 'The text was not read: its thread ended. Try again.'],
  'core/history/search-thread.ts': ['../history/search-thread.test.ts', 'The search ended unexpectedly'],
  'core/formats/exports/export-job.ts': [here, 'The export was not written: its thread stopped. Try again.'],
  'core/collections/git/run-git.ts': ['../collections/git/git-states.test.ts', 'git was killed by SIGKILL'],
  'core/network/system-proxy.ts': ['../network/system-proxy.test.ts', "throw new Error('gone')"],
  'core/session-tokens/run-command.ts': ['../session-tokens/session-tokens.test.ts', 'was terminated by SIGTERM.'],
  'cli/commands/doctor-signer.ts': ['../../cli/commands/doctor-signer.test.ts', 'The signer was terminated by SIGKILL'],
  'electron/key-agent.ts': [here, 'a key process that'],
  'electron/host.ts': [here, 'a key process that'],
  'loopback/redirect-file.ts': ['../../loopback/serve.test.ts', 'openInBrowser'],
  'core/keys/fork-agent.ts': [here, 'a key process that'],
  'core/keys/agent-link.ts': [here, 'a key process that'],
  'core/host/run-program.ts': ['../collections/git/git-states.test.ts', 'git did not respond within 0.2 seconds'],
  'the browser host that a page waits for': ['../../../../e2e/browser-host-line.e2e.ts', 'It is busy or suspended'],
  'the process of a page': ['../../electron/window.test.ts', 'render-process-gone'],
  'another copy that holds a lock': ['../files/locks.test.ts', 'SIGSTOP'],
  'the built-in provider of another copy': [here, 'refused the connection'],
};

const gone = 'The key was held for this session only and is lost: the process that held it ended. Enter it again.';
const silent = /^The key agent did not answer within [\d.]+ s(?:; this computer is busy)?\. Your keys are not lost: try again\.$/;

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

describe('a process or a thread', () => {
  it.each(Object.entries(others))('of %s has its troubles in a test', (_, [test, words]) => {
    expect(readFileSync(join(import.meta.dirname, test), 'utf8')).toContain(words);
  });

  it('is started in no other file', () => {
    const main = join(import.meta.dirname, '../..');
    const files = readdirSync(main, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.test)\.ts$/.test(file));
    const starts = files.filter((file) =>
      /^(?!\s*[/*]).*(?:spawn|fork|runProgram|Worker)\(/m.test(readFileSync(join(main, file), 'utf8')),
    );
    expect(starts.filter((file) => !(file.replaceAll('\\', '/') in others))).toEqual([]);
    expect(Object.keys(others).filter((name) => name.endsWith('.ts') && !files.includes(name))).toEqual([]);
  });

  it('that writes an export and ends is said so', async () => {
    const folder = await temporaryFolder();
    const program = join(folder, 'thread.mjs');
    writeFileSync(program, 'process.exit();');
    const job = createJobInThread(program, { historyPath: '', source: {} as never, unrecorded: [] });
    await expect(job.begin()).rejects.toThrow('The export was not written: its thread stopped. Try again.');
    await rm(folder, { recursive: true });
  });

  it('with the built-in provider that is killed has refused the connection', async () => {
    const home = await temporaryFolder();
    const driver = join(import.meta.dirname, '../../../testing/provider-driver.ts');
    const provider = spawn(process.execPath, [driver, home], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(provider.stdout, 'data');
    const { app, send, close } = await createTestApp({ home });
    try {
      await app.useKey('sandbox', 'a key of twenty-four bytes');
      const ask = () => send(draftOf('sandbox', { operation: 'gameList', text: '{"currency": "EUR"}' }));
      expect(await ask()).toMatchObject({ state: 'answered', code: 8 });
      const closed = once(provider, 'close');
      provider.kill('SIGKILL');
      await closed;
      expect((await ask()).failure).toMatchObject({
        kind: 'connect',
        message: expect.stringContaining('refused the connection') as string,
        hint: expect.stringContaining('Check the port') as string,
      });
    } finally {
      await close();
      await rm(home, { recursive: true });
    }
  });
});
