import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Runs the peer in a process of its own, so that its work is not counted as ours. */
export async function spawnPeer(privateKey: string): Promise<{ origin: string; ca: string; close: () => void }> {
  const child = fork(path.join(import.meta.dirname, 'peer.ts'), { env: { ...process.env, BENCH_KEY: privateKey } });
  const [ready] = (await once(child, 'message')) as [{ origin: string; ca: string }];
  return { ...ready, close: () => void child.kill() };
}
