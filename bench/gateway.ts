import { createHash } from 'node:crypto';
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Figure } from './measure.ts';
import { percentile } from './measure.ts';
import { spawnPeer } from './peer-process.ts';

const key = 'bench-key-0123456789abcdef';
const time = '20-11-2026 10:15:30';
const bin = path.resolve('bin/croupier');

const bodies = Array.from({ length: 500 }, (_, index) => {
  const data = `{"gameMode":"fun","gameId":"${1_000 + index}","lang":"en","externalToken":"","playerId":"player-${index}","country":"DE","ip":"203.0.113.9","exitURL":"https://casino.example/lobby"}`;
  const hash = createHash('sha256')
    .update(key + time + data)
    .digest('hex');
  return `{"action":"getLauncherURL","platform":1,"partnerId":42,"time":"${time}","data":${data},"hash":"${hash}"}`;
});

/** A way to the peer, and milliseconds of each exchange through it. */
interface Way {
  readonly pool: Pool;
  readonly took: number[];
}

async function exchange({ pool, took }: Way, index: number): Promise<void> {
  const begun = performance.now();
  const { body } = await pool.request({
    path: '/serviceApi.php',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: bodies[index % bodies.length] ?? '',
  });
  const text = await body.text();
  if (!text.startsWith('{"code":0')) throw new Error(text);
  took.push(performance.now() - begun);
}

/** Returns exchanges a second, by `width` workers. */
async function perSecond(way: Way, count: number, width: number): Promise<number> {
  let next = 0;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let index = next++; index < count; index = next++) await exchange(way, index);
    }),
  );
  return (1_000 * count) / (performance.now() - begun);
}

/** Returns exchanges a second through mitmproxy, which writes them to a file; null where it is not installed. */
async function perSecondOfMitmproxy(far: string, ca: string, home: string): Promise<number | null> {
  const [port, folder] = [await freePort(), path.join(home, 'mitmproxy')];
  const set = (option: string) => ['--set', option];
  const child = spawn('mitmdump', [
    '--quiet',
    '--listen-port',
    String(port),
    '--mode',
    `reverse:${far}`,
    '-w',
    path.join(home, 'flows'),
    ...['http2=false', `confdir=${folder}`, `ssl_verify_upstream_trusted_ca=${ca}`].flatMap(set),
  ]);
  const ended = new Promise<'absent'>((resolve) => child.once('error', () => resolve('absent')));
  try {
    const authority = path.join(folder, 'mitmproxy-ca-cert.pem');
    for (let tries = 0; tries < 200; tries++) {
      if ((await Promise.race([ended, pause(100)])) === 'absent') return null;
      if (!existsSync(authority)) continue;
      const way = {
        pool: new Pool(`https://localhost:${port}`, { connections: 50, connect: { ca: readFileSync(authority, 'utf8') } }),
        took: [],
      };
      try {
        await exchange(way, 0);
      } catch {
        continue;
      }
      const rate = await perSecond(way, 1_000, 50);
      await way.pool.close();
      return rate;
    }
    throw new Error('mitmproxy did not start.');
  } finally {
    child.kill();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Measures the gateway, which records and judges everything, against Node passing the same bytes and doing nothing else. */
export async function measureGateway(): Promise<Figure[]> {
  const peer = await spawnPeer(key);
  const home = mkdtempSync(path.join(tmpdir(), 'croupier-bench-'));
  const env = { ...process.env, CROUPIER_HOME: home, BENCH_KEY: key, BENCH_FAR: peer.origin, BENCH_CA: peer.ca };
  const ca = path.join(home, 'far.pem');
  writeFileSync(ca, peer.ca);
  const set = [
    'env',
    'set',
    'bench',
    '--base-url',
    peer.origin,
    '--platform',
    '1',
    '--partner-id',
    '42',
    '--no-production',
    '--ca',
    ca,
  ];
  await once(spawn(bin, set, { env, stdio: 'ignore' }), 'close');
  const gateway = spawn(bin, ['gateway', '--env', 'bench', '--key-env', 'BENCH_KEY'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const bare = fork(path.join(import.meta.dirname, 'bare-gateway.ts'), { env });
  try {
    const [[line], [other]] = (await Promise.all([
      once(createInterface({ input: gateway.stdout }), 'line'),
      once(bare, 'message'),
    ])) as [[string], [{ port: number; ca: string }]];
    const { baseUrl, caFile } = JSON.parse(line) as { baseUrl: string; caFile: string };
    const wayOf = (origin: string, authority: string): Way => ({
      pool: new Pool(origin, { connections: 50, connect: { ca: authority } }),
      took: [],
    });
    const [ours, theirs] = [wayOf(baseUrl, readFileSync(caFile, 'utf8')), wayOf(`https://localhost:${other.port}`, other.ca)];
    for (const way of [ours, theirs]) await perSecond(way, 500, 50);
    for (const way of [ours, theirs]) way.took.length = 0;
    // In turns, so that both meet the same machine.
    for (let index = 0; index < 2_000; index++) for (const way of [ours, theirs]) await exchange(way, index);
    const at = (share: number) => percentile(ours.took, share) - percentile(theirs.took, share);
    const latency = [0.5, 0.99].map(at);
    const rates = { ours: [] as number[], theirs: [] as number[] };
    for (let round = 0; round < 5; round++) {
      rates.theirs.push(await perSecond(theirs, 2_000, 50));
      rates.ours.push(await perSecond(ours, 2_000, 50));
    }
    await Promise.all([ours.pool.close(), theirs.pool.close()]);
    const recorder = await perSecondOfMitmproxy(peer.origin, ca, home);
    return [
      { name: 'added to an exchange, median', ours: latency[0] ?? 0, unit: 'ms', goal: 1 },
      { name: 'added to an exchange, 99th percentile', ours: latency[1] ?? 0, unit: 'ms', goal: 5 },
      {
        name: 'exchanges a second over 50 connections',
        ours: percentile(rates.ours, 0.5),
        baseline: percentile(rates.theirs, 0.5),
        unit: '/s',
        goal: 0.5,
        atLeast: true,
        reason: 'each is searched for keys, judged, and on the disk before it leaves',
      },
      ...(recorder === null
        ? []
        : [
            {
              name: "exchanges a second, beside mitmproxy's recorder",
              ours: percentile(rates.ours, 0.5),
              baseline: recorder,
              unit: '/s',
              goal: 1,
              atLeast: true,
            },
          ]),
    ];
  } finally {
    gateway.kill();
    bare.kill();
    peer.close();
    await once(gateway, 'close');
    rmSync(home, { recursive: true, force: true });
  }
}
