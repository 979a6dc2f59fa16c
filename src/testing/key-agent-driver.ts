/**
 * Runs a list of steps against the real key agent and prints their results, so that a test can run it on a bus of its own
 * (`with-keyring.sh`). Reads one JSON document on standard input, writes one on standard output.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createAgentSecrets } from '#core/keys/agent-secrets.ts';
import { faultOf } from '#core/keys/key-faults.ts';
import { createKeyIndex } from '#core/keys/key-index.ts';
import { createKeys } from '#core/keys/keys.ts';
import { forkAgent } from '#core/keys/fork-agent.ts';
import type { AgentProcess } from '#core/keys/agent-messages.ts';
import { AppError } from '#shared/errors.ts';

/** One call: `on` names the object, `bytes` in arguments stand for Uint8Arrays in base64. `together` runs steps at once. */
export type DriverStep = { on: 'secrets' | 'keys' | 'driver'; call: string; args?: unknown[] } | { together: DriverStep[] };

export interface DriverInput {
  home: string;
  deadlineMs?: number;
  steps: DriverStep[];
}

export type DriverResult = { ok: true; value: unknown } | { ok: false; code: string; fault: string | null; message: string };

export interface DriverOutput {
  /** One result for each step, in order, also for those of `together`. */
  results: DriverResult[];
  /** Every message from an agent, as JSON. */
  messages: string[];
  /** Names of the emitted events, and messages of damage to the index. */
  events: string[];
  started: number;
  ended: number;
}

const agentPath = join(import.meta.dirname, '../main/core/keys/agent.ts');

async function run(input: DriverInput): Promise<DriverOutput> {
  const output: DriverOutput = { results: [], messages: [], events: [], started: 0, ended: 0 };
  const agents: AgentProcess[] = [];

  function spawnAgent(): AgentProcess {
    const process = forkAgent(agentPath);
    output.started++;
    process.onReply((reply) => output.messages.push(JSON.stringify(reply)));
    process.onExit(() => output.ended++);
    agents.push(process);
    return process;
  }

  const newSecrets = () =>
    createAgentSecrets({ spawn: spawnAgent, ...(input.deadlineMs === undefined ? {} : { deadlineMs: input.deadlineMs }) });
  let secrets = newSecrets();
  const newKeys = () =>
    createKeys({
      secrets,
      index: createKeyIndex({ path: join(input.home, 'keys.json'), report: (message) => output.events.push(message) }),
      emit: (name) => output.events.push(name),
    });
  let keys = newKeys();

  const driver = {
    /** Replaces the objects as the next start of the program does. */
    async restart(): Promise<void> {
      await secrets.close();
      secrets = newSecrets();
      keys = newKeys();
    },
    killAgents() {
      for (const agent of agents) agent.kill();
    },
    lockKeyring: () => void dbus('Service.Lock', 'array:objpath:/org/freedesktop/secrets/collection/login'),
    deleteAccount: (account: string) => deleteItem(account),
    /** Returns facts of the agents that were not told to exit. */
    async agentFacts() {
      while (output.ended < output.started - 1) await setTimeout(10);
      return children(process.pid).map((pid) => {
        const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'latin1');
        return { environ: read('environ'), cmdline: read('cmdline'), coredump: read('coredump_filter').trim() };
      });
    },
    /** Kills a parent in the middle of a call and waits for its agent to be gone. */
    async orphan(): Promise<string> {
      const parent = spawn(process.execPath, [import.meta.filename], { stdio: ['pipe', 'ignore', 'inherit'] });
      const steps: DriverStep[] = [{ on: 'secrets', call: 'status', args: ['a', false] }];
      parent.stdin.end(JSON.stringify({ home: input.home, deadlineMs: 600_000, steps } satisfies DriverInput));
      let pids: number[] = [];
      while ((pids = children(parent.pid ?? 0)).length === 0) await setTimeout(10);
      parent.kill('SIGKILL');
      await once(parent, 'exit');
      while (pids.some((pid) => isAlive(pid))) await setTimeout(10);
      return 'gone';
    },
  };

  async function step(wanted: DriverStep): Promise<DriverResult[]> {
    if ('together' in wanted) return (await Promise.all(wanted.together.map(step))).flat();
    const target = { secrets, keys, driver }[wanted.on] as unknown as Record<string, (...args: unknown[]) => unknown>;
    const call = target[wanted.call];
    if (call === undefined) throw new AppError('internal', `No call ${wanted.on}.${wanted.call}`);
    try {
      return [{ ok: true, value: (await call(...(wanted.args ?? []).map(decode))) ?? null }];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return [{ ok: false, code: error.code, fault: faultOf(error), message: error.message }];
    }
  }

  for (const wanted of input.steps) output.results.push(...(await step(wanted)));
  await secrets.close();
  return output;
}

function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value === 'object' && value !== null) {
    if ('bytes' in value && typeof value.bytes === 'string') return Buffer.from(value.bytes, 'base64');
    if ('ids' in value) return () => Promise.resolve(value.ids);
  }
  return value;
}

function dbus(method: string, ...args: string[]): string {
  const options = ['--session', '--print-reply=literal', '--dest=org.freedesktop.secrets'];
  return execFileSync('dbus-send', [...options, '/org/freedesktop/secrets', `org.freedesktop.Secret.${method}`, ...args], {
    encoding: 'utf8',
  });
}

/** Removes an item behind the workbench's back, as a person with a keyring viewer would. */
function deleteItem(account: string): void {
  const found = dbus('Service.SearchItems', `dict:string:string:service,Croupier,account,${account}`);
  const path = /\/org\/freedesktop\/secrets\/collection\/\S+/.exec(found)?.[0] ?? '';
  const options = ['--session', '--print-reply=literal', '--dest=org.freedesktop.secrets'];
  execFileSync('dbus-send', [...options, path, 'org.freedesktop.Secret.Item.Delete']);
}

function children(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number) : [];
}

/** Returns false also for a zombie that nobody has reaped yet. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s*[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
process.stdout.write(JSON.stringify(await run(JSON.parse(Buffer.concat(chunks).toString('utf8')) as DriverInput)));
