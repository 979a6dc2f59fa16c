import { fork, type ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { whyInspected, withoutDebugger } from './no-debugger.ts';
import { dumpChildren } from '../../../testing/process-memory.ts';
import type { AgentReply, AgentRequest } from './agent-messages.ts';
import { createAgentSecrets } from './agent-secrets.ts';
import { agentEnvironment, forkAgent } from './fork-agent.ts';

const agentPath = join(import.meta.dirname, 'agent.ts');
let folder: string;
let child: ChildProcess;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'croupier-inspection-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Starts the agent as others would; only its standard error is kept, which the program drops. */
function startAgent(execArgv: string[], env: NodeJS.ProcessEnv = {}, program = agentPath): void {
  child = fork(program, [], {
    cwd: folder,
    env: { ...agentEnvironment(process.env), ...env },
    execArgv,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

async function ask(request: AgentRequest): Promise<AgentReply> {
  const messages = on(child, 'message') as AsyncIterable<[AgentReply[]]>;
  child.send([request]);
  for await (const [replies] of messages) for (const reply of replies) if (reply.id === request.id) return reply;
  return expect.unreachable();
}

/** Ends the agent and returns its standard error. */
async function end(): Promise<string> {
  const said = text(child.stderr ?? expect.fail());
  child.kill('SIGKILL');
  return said;
}

describe('the key agent', () => {
  // Without the option as in an Electron from sources, which passes none on.
  it.skipIf(process.platform === 'win32').each([[[]], [[withoutDebugger]]])(
    'opens no debugger on a signal, with %j',
    async (execArgv) => {
      startAgent(execArgv);
      await ask({ id: 1, op: 'opener' });
      child.kill('SIGUSR1');
      for (const id of [2, 3, 4]) expect(await ask({ id, op: 'opener' })).toMatchObject({ id, ok: true });
      expect(await end()).toBe('');
    },
  );

  it('serves Electron over the port that a process of its own kind has', async () => {
    const program = join(folder, 'utility.mjs');
    const agent = join(import.meta.dirname, 'agent-program.ts');
    await writeFile(
      program,
      `import { EventEmitter } from 'node:events';
       process.parentPort = Object.assign(new EventEmitter(), { postMessage: (message) => process.send([{ ...message, by: 'port' }]) });
       process.on('message', ([data]) => process.parentPort.emit('message', { data }));
       (await import(${JSON.stringify(agent)})).start();`,
    );
    startAgent([withoutDebugger], {}, program);
    expect(await ask({ id: 1, op: 'opener' })).toEqual({ id: 1, ok: true, value: expect.any(Uint8Array) as unknown, by: 'port' });
    expect(await end()).toBe('');
  });

  it('says of a request that it cannot serve why', async () => {
    startAgent([withoutDebugger]);
    const none = { account: 'none', parts: [] };
    expect(await ask({ id: 1, op: 'digest', ...none })).toMatchObject({ id: 1, ok: false, fault: 'missing' });
    const [to, from, bytes] = [Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)];
    expect(await ask({ id: 2, op: 'hold', account: 'none', key: { to, from, bytes } })).toEqual({
      id: 2,
      ok: false,
      fault: 'refused',
      message: 'The key agent failed: a key arrived that is not encrypted for this process',
    });
    expect(await end()).toBe('');
  });

  it.each([
    [['--inspect=127.0.0.1:0'], {}, '--inspect'],
    [['--inspect-port=0', '--inspect'], {}, '--inspect-port'],
    [['--heapsnapshot-signal=SIGUSR2'], {}, '--heapsnapshot-signal'],
    [['--heapsnapshot-near-heap-limit=1'], {}, '--heapsnapshot-near-heap-limit'],
    [['--report-on-signal'], {}, '--report-on-signal'],
    [['--cpu-prof'], {}, '--cpu-prof'],
    [['--heap-prof'], {}, '--heap-prof'],
    [['--prof'], {}, '--prof'],
    [['--import', 'data:text/javascript,0'], {}, '--import'],
    [[withoutDebugger, '--expose-internals'], {}, '--expose-internals'],
    [[], { NODE_OPTIONS: '--report-on-fatalerror' }, 'NODE_OPTIONS'],
  ])('takes no key where it was started with %j and %j', async (execArgv, env, named) => {
    startAgent(execArgv, env);
    const reply = await ask({ id: 1, op: 'opener' });
    expect(reply).toMatchObject({ id: 1, ok: false, fault: 'refused', message: expect.stringContaining('started with ') });
    expect(JSON.stringify(reply)).toContain(named);
    await end();
  });

  it('is asked what to seal a key to before it gets one, so that none reaches an agent that refuses', async () => {
    const posted: AgentRequest[] = [];
    const secrets = createAgentSecrets({
      spawn() {
        const agent = forkAgent(agentPath, process.env, ['--report-on-signal']);
        return { ...agent, post: (request) => agent.post(posted[posted.push(request) - 1] ?? expect.fail()) };
      },
    });
    for (const storage of ['session', 'keychain'] as const)
      await expect(secrets.set('a', 'the-key', storage)).rejects.toMatchObject({
        code: 'key_unavailable',
        message: expect.stringContaining('Start Croupier without that'),
      });
    await secrets.close();
    expect(posted.map(({ op }) => op)).toEqual(['opener', 'opener']);
  });

  it.skipIf(process.platform !== 'linux')('has no key in its memory while it is asked nothing', async () => {
    const secrets = createAgentSecrets({ spawn: () => forkAgent(agentPath) });
    const [account, key] = ['croupier/an-account-to-be-found', 'canary-of-32-bytes-for-the-dumps'];
    await secrets.set(account, key, 'session');
    await secrets.digest(account, 'run', [Buffer.from('data')]);
    expect(await secrets.contains(account, 'run', true, Buffer.from('a text'))).toBe(false);
    const halves = [key.slice(0, 16), key.slice(16)].map((half) => Buffer.from(half));
    const others = [
      Buffer.from(key, 'utf16le'),
      Buffer.from(Buffer.from(key).toString('hex')),
      Buffer.from(halves[0] ?? '').swap32(),
    ];
    const [seen, ...found] = dumpChildren(process.pid, [Buffer.from(account), ...halves, ...others]);
    await secrets.close();
    // The dump is of the agent: it holds the account.
    expect(seen).toBeGreaterThan(0);
    expect(found).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('whyInspected', () => {
  it('is content with options of our own, and with a debugger nowhere', () => {
    expect(whyInspected({ execArgv: [withoutDebugger], env: { PATH: '/bin', NODE_OPTIONS: '' } }, undefined)).toBeNull();
    const ofSingleFile = [withoutDebugger, '--min-semi-space-size=8', '--max-semi-space-size=8'];
    expect(whyInspected({ execArgv: ofSingleFile, env: {} }, undefined)).toBeNull();
    expect(whyInspected({ execArgv: [], env: {} }, undefined)).toBeNull();
  });

  it('names what lets others look in, without its value', () => {
    expect(whyInspected({ execArgv: ['--inspect=0.0.0.0:1'], env: {} }, 'ws://127.0.0.1:1/x')).toMatch(
      /with the option --inspect,/,
    );
    expect(whyInspected({ execArgv: [], env: {} }, 'ws://127.0.0.1:1/x')).toContain('under a debugger');
  });
});
