import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepCertificate } from './renewal.ts';

const day = 86_400_000;
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'croupier-renewal-'));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(home, { recursive: true, force: true });
});

it('looks at the clock each minute though nobody connects, tells a failure once, and goes on until it is closed', async () => {
  let now = Date.now();
  let attempts = 0;
  let failing = false;
  const renewed: string[] = [];
  const faults: unknown[] = [];
  const kept = await keepCertificate({
    directory: join(home, 'sandbox'),
    now: () => now,
    async exclusively(work) {
      attempts += 1;
      if (failing) throw new Error('locked');
      return work();
    },
    onRenewed: ({ cert }) => renewed.push(cert),
    onFault: (error) => faults.push(error),
  });
  const first = kept.current.cert;
  const minute = () => void vi.advanceTimersByTime(60_000);
  minute();
  now += 25 * day;
  failing = true;
  attempts = 0;
  await expect.poll(() => (minute(), attempts)).toBeGreaterThan(2);
  expect([kept.current.cert, renewed]).toEqual([first, []]);
  failing = false;
  await expect.poll(() => (minute(), renewed.length)).toBe(1);
  expect([renewed, faults.length]).toEqual([[kept.current.cert], 1]);
  expect(kept.current.cert).not.toBe(first);

  kept.close();
  now += 25 * day;
  expect(vi.getTimerCount()).toBe(0);
});
