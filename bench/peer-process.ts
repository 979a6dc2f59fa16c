import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { PeerTimes } from './peer.ts';

export interface PeerProcess {
  readonly origin: string;
  readonly ca: string;
  /** Returns the times of what arrived since the last question. */
  takeTimes(): Promise<PeerTimes>;
  close(): void;
}

/** Runs the peer in a process of its own, so that its work is not counted as ours. */
export async function spawnPeer(privateKey: string): Promise<PeerProcess> {
  const child = fork(path.join(import.meta.dirname, 'peer.ts'), { env: { ...process.env, BENCH_KEY: privateKey } });
  const [ready] = (await once(child, 'message')) as [{ origin: string; ca: string }];
  return {
    ...ready,
    async takeTimes() {
      child.send('times');
      const [times] = (await once(child, 'message')) as [PeerTimes];
      return times;
    },
    close: () => void child.kill(),
  };
}
