import { createHash } from 'node:crypto';
import { Session } from 'node:inspector/promises';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Pool } from 'undici';
import { createCancellation } from '#core/calls/cancellation.ts';
import { createConnections } from '#core/network/connections.ts';
import { createHistoryStore } from '#core/history/store.ts';
import type { Recorder } from '#core/history/record.ts';
import { readResponse } from '#core/calls/read-response.ts';
import { createSender } from '#core/calls/send.ts';
import { createDatabase } from '#core/database/database.ts';
import { createSessionLock } from '#core/files/session-lock.ts';
import { createAgentSecrets } from '#core/keys/agent-secrets.ts';
import { forkAgent } from '#core/keys/fork-agent.ts';
import { createLocalSecrets } from '#core/keys/local-secrets.ts';
import { Environment, type RequestDraft } from '#shared/ipc/index.ts';
import { createTestApp, draftOf } from '#testing/app.ts';
import { type Figure, median } from './measure.ts';
import { spawnPeer } from './peer-process.ts';
import { startPeer } from './peer.ts';

const key = 'bench-key-0123456789abcdef';
/** Number of keys that Croupier knows: each is searched in what is sent and in what comes. */
const known = Number(process.env['BENCH_KEYS'] ?? 1);

type Work = (index: number) => Promise<void>;

/** Returns milliseconds per call, `count` calls by `width` workers. */
async function perCall(work: Work, count: number, width: number): Promise<number> {
  let next = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let index = next++; index < count; index = next++) await work(index);
    }),
  );
  return (performance.now() - start) / count;
}

const dataText = (index: number) =>
  `{"gameMode":"fun","gameId":"${1_000 + (index % 60)}","lang":"en","externalToken":"","playerId":"player-${index}","country":"DE","ip":"203.0.113.9","exitURL":"https://casino.example/lobby"}`;

/** Ways to make the same call: undici's bare `request` with bare signing, and Croupier's, with more of the product each. */
type Ways = Record<'bare' | 'plain' | 'agent' | 'product', Work>;

/** Runs work on the ways to call a peer in its own process, which it leaves warm. */
async function withWays<T>(work: (ways: Ways) => Promise<T>): Promise<T> {
  const peer = await spawnPeer(key);
  const home = mkdtempSync(path.join(tmpdir(), 'croupier-bench-'));
  const environment = Environment.parse({
    id: 'bench',
    name: 'bench',
    baseUrl: peer.origin,
    platform: 1,
    partnerId: 42,
    ca: peer.ca,
  });
  const connections = createConnections();
  const run = createSessionLock(path.join(home, 'runs'));
  const database = createDatabase(path.join(home, 'history.sqlite'));
  const history = createHistoryStore(database, run);
  const local = createLocalSecrets();
  const agent = createAgentSecrets({ spawn: () => forkAgent(path.resolve('out/main/key-agent.cjs')) });
  const others = Array.from({ length: known - 1 }, (_, index) => `other-${index}`);
  const accounts = ['bench', ...others].map((account) => ({ account, version: '1' }));
  for (const secrets of [local, agent]) {
    await secrets.set('bench', key, 'session');
    for (const account of others) await secrets.set(account, `${key}-${account}`, 'session');
  }

  let kept = 0;
  const nothing: Recorder = {
    run: 'bench',
    begin: async () => (kept += 1),
    finish: async () => undefined,
    withdraw: async () => undefined,
  };
  const through = (recorder: Recorder, secrets: typeof local): Work => {
    const keys = {
      sign: async (_: string, parts: readonly Uint8Array[], bytes: Uint8Array) => {
        const { digest } = await secrets.sign('bench', '1', parts, { accounts, bytes: new Uint8Array(bytes) });
        return { digest, held: [], fingerprint: null };
      },
      find: async (bytes: Uint8Array) => {
        await secrets.find({ accounts, bytes: new Uint8Array(bytes) });
        return [];
      },
    };
    const { send } = createSender({
      connections,
      keys,
      recorder,
      readResponse,
      nameOf: (id) => id,
      now: Date.now,
      userAgent: 'Croupier/bench',
    });
    return async (index) => {
      const draft: RequestDraft = {
        environmentId: 'bench',
        operation: 'getLauncherURL',
        form: 'data',
        text: dataText(index),
        overrides: {},
      };
      const call = await send(draft, environment, createCancellation(), () => undefined);
      if (call.code !== 0) throw new Error(`Not accepted: ${JSON.stringify(call.failure ?? call.message)}`);
    };
  };
  const pool = new Pool(peer.origin, { connections: 10, pipelining: 1, connect: { ca: peer.ca } });
  const headers = { 'content-type': 'application/json' };
  const bare: Work = async (index) => {
    const time = '20-11-2026 10:15:30';
    const data = dataText(index);
    const hash = createHash('sha256')
      .update(key + time + data)
      .digest('hex');
    const body = `{"action":"getLauncherURL","platform":1,"partnerId":42,"time":"${time}","data":${data},"hash":"${hash}"}`;
    const answer = await pool.request({ path: '/serviceApi.php', method: 'POST', headers, body });
    if ((JSON.parse(await answer.body.text()) as { code: number }).code !== 0) throw new Error('Not accepted');
  };
  const ways: Ways = {
    bare,
    plain: through(nothing, local),
    agent: through(nothing, agent),
    product: through(history, agent),
  };
  try {
    for (const way of Object.values(ways)) await perCall(way, 600, 10);
    return await work(ways);
  } finally {
    await pool.destroy();
    await connections.close();
    await Promise.all([local.close(), agent.close()]);
    history.close();
    database.close();
    run.close();
    peer.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Returns the number of files of `src/main/core` and `src/shared` that one warm playerInfo enters from the contract on, and of their functions. */
async function walk(): Promise<{ files: number; functions: number }> {
  const peer = await startPeer(key, { '/playerInfo': '{"country":"DE","currency":"EUR","balance":10,"playerId":"p"}' });
  const secrets = createAgentSecrets({ spawn: () => forkAgent(path.resolve('out/main/key-agent.cjs')) });
  const test = await createTestApp({ host: { secrets } });
  const session = new Session();
  session.connect();
  try {
    const { id } = await test.environment({ baseUrl: peer.origin, ca: peer.ca }, {}, key);
    const draft = draftOf(id, { operation: 'playerInfo', text: '{"externalToken":"a-token-of-a-player"}' });
    const send = (ticket: string) => test.app.dispatch('calls.send', { draft, ticket, confirmed: false });
    for (let warm = 0; warm < 20; warm += 1) await send(`warm-${warm}`);
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    await send('walk');
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const entered = result
      .filter(({ url }) => /\/src\/(?:main\/core|shared)\//.test(url))
      .map(({ url, functions }) => ({ url, count: functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).length }))
      .filter(({ count }) => count > 0);
    if (process.env['BENCH_WALK'] !== undefined) for (const { url, count } of entered) console.log(count, url);
    return { files: entered.length, functions: entered.reduce((sum, { count }) => sum + count, 0) };
  } finally {
    session.disconnect();
    await test.close();
    peer.close();
  }
}

/** Measures one signed call through core: medians of `rounds`, each of 400 calls one after the other and of 1,000 ten at a time. */
export function measureCalls(rounds = 9): Promise<Figure[]> {
  return withWays(async (ways) => {
    const taken = (): Record<keyof Ways, number[]> => ({ bare: [], plain: [], agent: [], product: [] });
    const [one, ten] = [taken(), taken()];
    const written: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, work] of Object.entries(ways) as [keyof Ways, Work][]) {
        const before = writtenKb();
        one[name].push(await perCall(work, 400, 1));
        if (name === 'product') written.push((writtenKb() - before) / 400);
        ten[name].push(await perCall(work, 1_000, 10));
      }
    }
    const against = (name: keyof Ways) => ({ ours: median(one[name]), baseline: median(one.bare), unit: 'ms' });
    const rate = (name: keyof Ways) => ({
      ours: 1_000 / median(ten[name]),
      baseline: 1_000 / median(ten.bare),
      unit: 'calls/s',
      atLeast: true,
    });
    return [
      {
        name: 'one call, key in this process (as with --key-env), history off',
        ...against('plain'),
        goal: 1.4,
        reason: 'limits, checks and the search for keys take turns with the client',
      },
      {
        name: 'one call, key in the key process, history off',
        ...against('agent'),
        goal: 2.6,
        reason: 'two turns to the process that holds the key, one to sign and one to look for keys in the response',
      },
      {
        name: 'one call as the workbench sends it: key process, and its row synced before the first byte',
        ...against('product'),
        goal: 4.5,
        reason: 'waiting for the disk is most of the difference',
      },
      {
        name: 'ten at a time, key in this process, history off',
        ...rate('plain'),
        goal: 0.5,
        reason: 'preparing, checking and timing ten calls takes turns on the one thread that also sends',
      },
      {
        name: 'ten at a time as the workbench sends them',
        ...rate('product'),
        goal: 0.3,
        reason: 'rows, messages and checks of ten calls take turns on the one thread that also sends',
      },
      { name: 'written for one call as the workbench sends it', ours: median(written), unit: 'kB', goal: 40 },
      {
        name: 'files of core and shared that one warm playerInfo enters',
        ours: (await walk()).files,
        unit: 'files',
        goal: 45,
        reason: 'each of the rest is a stop of its own: BENCH_WALK=1 names them',
      },
    ];
  });
}

/** Measures whether calls leave anything in memory, or anything open. */
export function measureMemory(): Promise<Figure[]> {
  return withWays(async ({ product }) => {
    const settled = () => {
      globalThis.gc?.();
      return process.memoryUsage().heapUsed / 1e6;
    };
    await perCall(product, 1_000, 10);
    const open = () => readdirSync('/proc/self/fd').length;
    const [memory, files] = [settled(), open()];
    await perCall(product, 9_000, 10);
    const against = 'after 10,000 calls, against after 1,000';
    return [
      { name: `memory ${against}`, ours: settled(), baseline: memory, unit: 'MB', goal: 1.1 },
      { name: `open files, sockets and pipes ${against}`, ours: open(), baseline: files, unit: '', goal: 1 },
    ];
  });
}

/** Returns what this process wrote so far, to files and to connections, in kilobytes; NaN where the system does not count it. */
function writtenKb(): number {
  try {
    return Number(/^wchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]) / 1_000;
  } catch {
    return Number.NaN;
  }
}
