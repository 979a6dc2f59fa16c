import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc } from '#testing/fast-check.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Secrets } from '#core/host/host.ts';
import { secretForms } from '#testing/secret-forms.ts';
import type { AgentProcess } from './agent-messages.ts';
import { createAgentSecrets, keychainDeadlineMs } from './agent-secrets.ts';
import { agentEnvironment, forkAgent } from './fork-agent.ts';

// Keys of this session alone, so that no keychain of the machine is touched; those are in key-agent.test.ts.
const agentPath = join(import.meta.dirname, 'agent.ts');
let folder: string;
let secrets: Secrets | null = null;
const started: AgentProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'croupier-agent-'));
  started.length = 0;
});
afterEach(async () => {
  await secrets?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Secrets whose agents run the module at `path`, which is looked up again for each. */
function open(path: () => string = () => agentPath, deadlineMs?: number): Secrets {
  secrets = createAgentSecrets({
    spawn() {
      const agent = forkAgent(path());
      started.push(agent);
      return agent;
    },
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  });
  return secrets;
}

/** An agent program that does something else. */
async function program(name: string, source: string): Promise<string> {
  const path = join(folder, `${name}.mjs`);
  await writeFile(path, source);
  return path;
}

function once(agent: AgentProcess): Promise<void> {
  return new Promise((resolve) => agent.onExit(resolve));
}

const sha = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest('hex');

describe('createAgentSecrets', () => {
  it('starts no agent before it is asked, and none to be closed', async () => {
    await open().close();
    expect(started).toHaveLength(0);
  });

  it('digests key and parts as one SHA-256 over their bytes', async () => {
    const agent = open();
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1, maxLength: 200, unit: 'binary' }),
        fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 4 }),
        async (key, parts) => {
          await agent.set('a', key, 'session');
          expect(await agent.digest('a', 'any', parts)).toBe(sha(Buffer.from(key, 'utf8'), ...parts));
        },
      ),
      { numRuns: 200 },
    );
    expect(started).toHaveLength(1);
  });

  it('digests megabytes, many at once, and slices of one buffer', async () => {
    const agent = open();
    await agent.set('a', 'key', 'session');
    const big = Buffer.alloc(3_000_000, 'é');
    const inputs = Array.from({ length: 40 }, (_, at) => [big.subarray(at, at * 70_000), new Uint8Array([at])]);
    const digests = await Promise.all(inputs.map((parts) => agent.digest('a', '', parts)));
    expect(digests).toEqual(inputs.map((parts) => sha(Buffer.from('key'), ...parts)));
  });

  it('says whether a text holds the key in any form, and nothing more', async () => {
    const agent = open();
    const key = 'canary-K3y/+"\\ é😀~%20$\'';
    await agent.set('a', key, 'session');
    const holds = (text: string) => agent.contains('a', 'run', true, Buffer.from(text, 'utf8'));
    for (const [name, form] of secretForms(key)) expect(await holds(`{"a":"x${form}y"}`), name).toBe(true);
    expect(await holds(`{"a":"${key.slice(1)}"}`)).toBe(false);
    expect(await holds('')).toBe(false);
    await agent.set('a', 'another-key', 'session');
    expect(await holds(key)).toBe(false);
    expect(await holds('another-key')).toBe(true);
  });

  it('tells a crash, goes on with a new agent, and says of a key of this run that it is lost', async () => {
    let path = agentPath;
    const agent = open(() => path);
    await agent.set('lost', 'a-key', 'session');
    started[0]?.kill();
    await expect(agent.digest('lost', '', [])).rejects.toMatchObject({
      code: 'key_missing',
      message: expect.stringContaining('Enter it again'),
    });
    expect(await agent.status('lost', false)).toMatchObject({
      state: 'absent',
      message: expect.stringContaining('for this session only'),
    });
    await agent.set('lost', 'a-key', 'session');
    expect(await agent.digest('lost', '', [])).toBe(sha(Buffer.from('a-key')));
    expect(started).toHaveLength(2);

    path = await program('segv', "process.on('message', () => process.kill(process.pid, 'SIGSEGV'));");
    started[1]?.kill();
    await expect(agent.digest('lost', '', [])).rejects.toMatchObject({ code: 'key_missing' });
    const all = await Promise.allSettled([1, 2, 3].map((at) => agent.set(`k${at}`, 'key', 'session')));
    for (const result of all) expect(result).toMatchObject({ status: 'rejected', reason: { code: 'key_unavailable' } });
    path = agentPath;
    await agent.set('k', 'key', 'session');
    expect(await agent.digest('k', '', [])).toBe(sha(Buffer.from('key')));
  });

  it('gives a key that this process made to every agent again, and says of those that were typed that they are gone', async () => {
    const agent = open();
    const lost: (readonly string[])[] = [];
    agent.onLost((accounts) => lost.push(accounts));
    let made = 'made here';
    const given = await agent.lend('own', () => made);
    await agent.set('typed', 'a-key', 'session');
    const inspection = { accounts: [{ account: 'own', version: 'run' }], bytes: Buffer.from('of what was made here') };
    for (const use of [
      () => agent.digest('own', 'run', []),
      () => agent.sign('own', 'run', [], inspection).then(({ digest, found }) => `${digest}${found[0]?.places.join(' ')}`),
      () => agent.find(inspection).then(({ found }) => found[0]?.places.join(' ')),
      () => agent.contains('own', 'run', true, inspection.bytes),
      () => agent.status('own', false),
    ]) {
      const before = await use();
      const ended = once(started.at(-1) as AgentProcess);
      started.at(-1)?.kill();
      await ended;
      const both = await Promise.all([use(), use()]);
      expect(both).toEqual([before, before]);
    }
    expect(await agent.status('own', false)).toEqual(given);
    expect(started).toHaveLength(6);
    expect(lost).toEqual([['typed']]);
    made = 'typed since';
    await agent.set('own', 'typed since', 'session');
    const ended = once(started.at(-1) as AgentProcess);
    started.at(-1)?.kill();
    await ended;
    await expect(agent.digest('own', 'run', [])).rejects.toMatchObject({ code: 'key_missing' });
    expect(lost).toEqual([['typed'], ['own']]);
  });

  it('fails what the agent does not answer within the deadline, and leaves it alone: it may hold keys', async () => {
    const mute = await program('mute', "process.on('message', () => {}); process.send([{ id: 0, ok: true, value: null }]);");
    const agent = open(() => mute, 300);
    const asked = [agent.set('a', 'key', 'session'), agent.set('b', 'key', 'session')];
    for (const call of asked) {
      await expect(call).rejects.toMatchObject({
        code: 'key_unavailable',
        details: { reason: 'not_answering' },
        message: expect.stringMatching(/^The key agent did not answer within 0\.[36] s.*\. Your keys are not lost: try again\.$/),
      });
    }
    expect(started).toHaveLength(1);
  });

  it('gives the prompt of macOS two minutes, and says what to do with it', async () => {
    expect((['darwin', 'win32', 'linux'] as const).map(keychainDeadlineMs)).toEqual([120_000, 5_000, 5_000]);
    const mute = await program('mute', "process.on('message', () => {}); process.send([{ id: 0, ok: true, value: null }]);");
    secrets = createAgentSecrets({ spawn: () => forkAgent(mute), deadlineMs: 300, platform: 'darwin' });
    expect(await secrets.keychainMessage()).toMatch(
      /^The keychain did not answer within 0\.[36] s.*\. If macOS asks for your password, enter it and choose Always Allow, then try again\.$/,
    );
  });

  it('is asked in one message what is asked while it works, and answers in one', async () => {
    const ready = 'process.send([{ id: 0, ok: true, value: null }]);';
    const counting = await program(
      'counting',
      `process.on('message', (all) => process.send(all.map(({ id }) => ({ id, ok: true, value: all.length })))); ${ready}`,
    );
    const agent = forkAgent(counting);
    const replies: unknown[] = [];
    await new Promise<void>((resolve) => agent.onReply(({ id }) => void (id === 0 && resolve())));
    const all = new Promise<void>((resolve) => agent.onReply((reply) => void (replies.push(reply) === 4 && resolve())));
    for (const id of [1, 2, 3, 4]) agent.post({ id, op: 'opener' });
    await all;
    expect(replies).toEqual([1, 3, 3, 3].map((value, index) => ({ id: index + 1, ok: true, value })));
    agent.kill();
    await once(agent);
  });

  it('fails the same way where the agent cannot be started', async () => {
    const agent = open(() => join(folder, 'missing.mjs'));
    await expect(agent.set('a', 'key', 'session')).rejects.toMatchObject({ code: 'key_unavailable' });
    const refusing = createAgentSecrets({
      spawn() {
        throw new Error('EAGAIN');
      },
    });
    await expect(refusing.digest('a', '', [])).rejects.toMatchObject({ code: 'key_unavailable' });
    expect(await refusing.keychainMessage()).toContain('could not be started');
  });

  it('closes at once in the middle of a call and takes none afterwards', async () => {
    const mute = await program('mute', "process.on('message', () => {});");
    const agent = open(() => mute, 600_000);
    const asked = expect(agent.set('a', 'key', 'session')).rejects.toMatchObject({ code: 'key_unavailable' });
    await agent.close();
    await asked;
    await expect(agent.digest('a', '', [])).rejects.toMatchObject({ details: { reason: 'closed' } });
    expect(started).toHaveLength(1);
  });
});

describe('agentEnvironment', () => {
  it('passes on what a keychain needs and nothing else', () => {
    const given = {
      PATH: '/bin',
      HOME: '/home/a',
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus',
      XDG_RUNTIME_DIR: '/run/user/1',
      // A keychain may choose its window by the desktop.
      XDG_CURRENT_DESKTOP: 'KDE',
      NODE_OPTIONS: '--inspect',
      PROVIDER_KEY: 'secret',
      XDG_KEY: 'secret',
      CROUPIER_HOME: '/x',
      USER: undefined,
    };
    const { PATH, HOME, DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR, XDG_CURRENT_DESKTOP } = given;
    const passed = { PATH, HOME, DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR, XDG_CURRENT_DESKTOP };
    expect(Object.entries(agentEnvironment(given, false))).toEqual(Object.entries(passed));
    // By these a keychain finds its service, its files, its words and its window: D-Bus and its session, the display, Windows.
    const needed =
      'PATH HOME USER LOGNAME LANG LC_ALL TMPDIR DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR XDG_DATA_HOME XDG_DATA_DIRS ' +
      'XDG_CONFIG_HOME XDG_CACHE_HOME XDG_CURRENT_DESKTOP XDG_SESSION_ID XDG_SESSION_TYPE DISPLAY WAYLAND_DISPLAY XAUTHORITY ' +
      'APPDATA LOCALAPPDATA USERPROFILE USERNAME USERDOMAIN SYSTEMROOT SYSTEMDRIVE WINDIR TEMP TMP';
    const all = Object.fromEntries(needed.split(' ').map((name) => [name, `of ${name}`]));
    expect(agentEnvironment({ ...all, '': 'x' }, false)).toEqual(all);
    // Where case counts, another variable.
    expect(agentEnvironment({ Path: '/bin' }, false)).toEqual({});
    expect(agentEnvironment({ Path: 'C:\\', UserProfile: 'C:\\Users\\a', Provider_Key: 'secret' }, true)).toEqual({
      Path: 'C:\\',
      UserProfile: 'C:\\Users\\a',
    });
  });
});
