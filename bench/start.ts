import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Figure, median } from './measure.ts';
import { spawnPeer } from './peer-process.ts';

/** Measures `bin/croupier` from process start to the printed result, against a Node that does nothing from its start to its end. */
export async function measureStart(rounds = 15): Promise<Figure[]> {
  const key = 'bench-key-0123456789abcdef';
  const peer = await spawnPeer(key);
  const home = mkdtempSync(path.join(tmpdir(), 'croupier-bench-'));
  const env = { ...process.env, CROUPIER_HOME: home, BENCH_KEY: key };
  const time = async (command: string, args: string[]) => {
    const start = performance.now();
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed: number | null = null;
    let said = '';
    child.stdout.on('data', () => (printed ??= performance.now() - start));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const [status] = (await once(child, 'close')) as [number | null];
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit ${status} ${said}`);
    return printed ?? performance.now() - start;
  };
  try {
    const ca = path.join(home, 'peer.pem');
    writeFileSync(ca, peer.ca);
    await time('bin/croupier', [
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
    ]);
    const call = ['call', 'getLauncherURL', '--env', 'bench', '--key-env', 'BENCH_KEY', '--set', 'gameMode=fun'];
    const hash = ['hash', '--key-env', 'BENCH_KEY', '--time', '20-11-2026 10:15:30', '--data', '{"a":1}'];
    await time('bin/croupier', call);
    const taken = { floor: [] as number[], call: [] as number[], hash: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      taken.floor.push(await time(process.execPath, ['-e', '0']));
      taken.call.push(await time('bin/croupier', call));
      taken.hash.push(await time('bin/croupier', hash));
    }
    const baseline = median(taken.floor);
    return [
      {
        name: '`bin/croupier call` to its verdict, against `node -e 0`',
        ours: median(taken.call),
        baseline,
        unit: 'ms',
        goal: 2.5,
        reason: 'loading the program takes two starts of Node; the history, the connection and the checks take the rest',
      },
      {
        name: '`bin/croupier hash`, against `node -e 0`',
        ours: median(taken.hash),
        baseline,
        unit: 'ms',
        goal: 1.7,
        reason: 'the names and the rules of the API are made when the program is loaded',
      },
    ];
  } finally {
    peer.close();
    rmSync(home, { recursive: true, force: true });
  }
}
