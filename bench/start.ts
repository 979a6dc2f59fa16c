import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Figure, median } from './measure.ts';
import { spawnPeer } from './peer-process.ts';

const rounds = 15;

/** Measures `bin/croupier` from process start to the printed result, against a Node that does nothing. */
export async function measureStart(): Promise<Figure[]> {
  const key = 'bench-key-0123456789abcdef';
  const peer = await spawnPeer(key);
  const home = mkdtempSync(path.join(tmpdir(), 'croupier-bench-'));
  const env = { ...process.env, CROUPIER_HOME: home, BENCH_KEY: key };
  const time = (command: string, args: string[]) => {
    const start = performance.now();
    const { status, stderr } = spawnSync(command, args, { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit ${status} ${stderr}`);
    return performance.now() - start;
  };
  try {
    const ca = path.join(home, 'peer.pem');
    writeFileSync(ca, peer.ca);
    time('bin/croupier', [
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
    time('bin/croupier', call);
    const taken = Array.from({ length: rounds }, () => ({
      floor: time(process.execPath, ['-e', '0']),
      call: time('bin/croupier', call),
      hash: time('bin/croupier', hash),
    }));
    const floor = median(taken.map((round) => round.floor));
    return [
      {
        name: '`bin/croupier call` with one signed call, against `node -e 0`',
        ours: median(taken.map((round) => round.call)),
        baseline: floor,
        unit: 'ms',
        goal: 5,
        reason:
          'Node itself takes one part, loading the program and its HTTP client two, the TLS handshake and the history the rest',
      },
      {
        name: '`bin/croupier hash`, against `node -e 0`',
        ours: median(taken.map((round) => round.hash)),
        baseline: floor,
        unit: 'ms',
        goal: 5,
      },
    ];
  } finally {
    peer.close();
    rmSync(home, { recursive: true, force: true });
  }
}
