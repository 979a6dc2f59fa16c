import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { spawnAgent } from './key-agent.ts';

/** A utility process as Electron describes it: its number is there from `spawn` to `exit`. */
class Child extends EventEmitter {
  pid: number | undefined = undefined;
  readonly posted: unknown[] = [];
  asked = 0;
  postMessage(message: unknown): void {
    this.posted.push(message);
  }
  kill(): boolean {
    this.asked++;
    return false;
  }
}

function setUp(env: NodeJS.ProcessEnv = {}) {
  const child = new Child();
  const ended: number[] = [];
  const forked: { file: string; values: string[]; options: { env: NodeJS.ProcessEnv; stdio: string; execArgv: string[] } }[] = [];
  const agent = spawnAgent({
    file: '/app/key-agent.js',
    env,
    fork(file, values, options) {
      forked.push({ file, values, options });
      return child;
    },
    end: (pid) => ended.push(pid),
  });
  return { child, agent, ended, forked };
}

it('gives the agent what a keychain needs of the environment, no option, and no more', () => {
  const { forked } = setUp({
    PATH: '/usr/bin',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus',
    PROVIDER_KEY: 'secret',
    NODE_OPTIONS: '--inspect',
    ELECTRON_RUN_AS_NODE: '1',
    LD_PRELOAD: '/tmp/x.so',
  });
  expect(forked).toMatchObject([
    {
      file: '/app/key-agent.js',
      values: [],
      options: { stdio: 'ignore', execArgv: [], env: { PATH: '/usr/bin', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus' } },
    },
  ]);
  expect(Object.keys(forked[0]?.options.env ?? {}).sort()).toEqual(['DBUS_SESSION_BUS_ADDRESS', 'PATH']);
});

it('ends a running agent at once, by its number', () => {
  const { child, agent, ended } = setUp();
  child.pid = 7;
  child.emit('spawn');
  agent.kill();
  expect(ended).toEqual([7]);
});

it('ends an agent that had no number yet as soon as it has one', () => {
  const { child, agent, ended } = setUp();
  agent.kill();
  expect(ended).toEqual([]);
  expect(child.asked).toBe(1);
  child.pid = 9;
  child.emit('spawn');
  expect(ended).toEqual([9]);
});

it('does nothing to an agent that is gone, whose number may be another program’s', () => {
  const { child, agent, ended } = setUp();
  child.pid = 7;
  child.emit('spawn');
  child.emit('exit', 0);
  agent.kill();
  expect(ended).toEqual([]);
  expect(child.asked).toBe(0);
});

it('tells of the end once, also to those who ask after it', () => {
  const { child, agent } = setUp();
  const heard: string[] = [];
  agent.onExit(() => heard.push('before'));
  child.emit('exit', 1);
  agent.onExit(() => heard.push('after'));
  expect(heard).toEqual(['before', 'after']);
});

it('leaves a failure of V8 in the agent to the end that follows it', () => {
  const { child, agent } = setUp();
  const heard: string[] = [];
  agent.onExit(() => heard.push('ended'));
  child.emit('error', 'FatalError', 'location', 'report');
  child.emit('exit', 1);
  expect(heard).toEqual(['ended']);
});

it('passes questions and answers on', () => {
  const { child, agent } = setUp();
  const heard: unknown[] = [];
  agent.onReply((reply) => heard.push(reply));
  agent.post({ id: 1, op: 'probe' });
  child.emit('message', { id: 1, ok: true, value: null });
  expect(child.posted).toEqual([{ id: 1, op: 'probe' }]);
  expect(heard).toEqual([{ id: 1, ok: true, value: null }]);
});
