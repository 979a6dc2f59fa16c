import { execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockRounds, startLockDriver } from '../../../testing/lock-rounds.ts';
import { chooseSeed } from '../../../testing/seeded-random.ts';
import { endLockWaits, withLock } from './locks.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'croupier-locks-'));
  file = join(folder, 'shared');
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  await rm(folder, { recursive: true, force: true });
});

const children: ChildProcess[] = [];
const lockFile = () => join(folder, 'locks', 'shared.lock');
/** Does not wait for long. */
const few = { tries: 3 };

/** Starts a process that holds the lock until it may go on. */
async function holder(
  number = 1,
  clockFile?: string,
): Promise<{ child: ChildProcess; next: () => Promise<string>; release: () => void }> {
  const child = startLockDriver({ file, does: 'hold', from: number, times: 1 }, clockFile);
  children.push(child);
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  expect([await next(), await next()]).toEqual(['waits', 'held']);
  return { child, next, release: () => void child.stdin?.write('\n') };
}

describe('withLock', () => {
  it('lets one at a time in, also after one that failed', async () => {
    let inside = 0;
    const work = (at: number) =>
      withLock(file, async () => {
        inside++;
        await writeFile(file, String(at));
        const alone = inside === 1;
        inside--;
        if (at === 3) throw new Error('of its own');
        return alone;
      });
    const results = await Promise.allSettled(Array.from({ length: 12 }, (_, at) => work(at)));
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    for (const result of results) if (result.status === 'fulfilled') expect(result.value).toBe(true);
  });

  it('waits for a slow holder however old or new its lock looks, and says so where that takes too long', async () => {
    const { next, release } = await holder();
    for (const hours of [-24, -1, 1, 24 * 365]) {
      const then = new Date(Date.now() + hours * 3_600_000);
      await utimes(lockFile(), then, then);
      await expect(withLock(file, async () => 'inside', few)).rejects.toMatchObject({
        code: 'storage',
        message: expect.stringMatching(/shared was not changed: another copy of Croupier has kept it locked .* try again\.$/),
      });
    }
    const inside = withLock(file, async () => readFile(file, 'utf8'));
    release();
    expect(await inside).toBe('1\n');
    expect(await next()).toBe('1');
  });

  it('gets in at once where the holder was killed', async () => {
    const { child } = await holder();
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
    expect(await withLock(file, async () => 'inside', { tries: 1 })).toBe('inside');
  });

  it.skipIf(process.platform === 'win32')('leaves a suspended holder its lock, which goes on with it', async () => {
    const { child, release } = await holder();
    child.kill('SIGSTOP');
    release();
    await expect(withLock(file, async () => 'inside', few)).rejects.toMatchObject({ code: 'storage' });
    child.kill('SIGCONT');
    expect(await withLock(file, async () => readFile(file, 'utf8'))).toBe('1\n');
  });

  it('looks at no clock: a holder whose clock is a day ahead, and one whose clock jumps meanwhile, are not joined', async () => {
    const clockFile = join(folder, 'clock');
    await writeFile(clockFile, '86400000');
    const ahead = await holder(1, clockFile);
    await expect(withLock(file, async () => 'inside', few)).rejects.toMatchObject({ code: 'storage' });
    await writeFile(clockFile, '-86400000');
    await expect(withLock(file, async () => 'inside', few)).rejects.toMatchObject({ code: 'storage' });
    ahead.release();
    expect(await withLock(file, async () => readFile(file, 'utf8'))).toBe('1\n');
  });

  it('ends the waiting of a program that is told to end, and nobody else’s', async () => {
    const { release } = await holder();
    const waiting = startLockDriver({ file, does: 'hold', from: 2, times: 1 });
    children.push(waiting);
    const lines = createInterface({ input: waiting.stdout ?? process.stdin })[Symbol.asyncIterator]();
    expect(await lines.next()).toMatchObject({ value: 'waits' });
    const other = withLock(file, async () => readFile(file, 'utf8'));
    endLockWaits(join(dirname(folder), 'elsewhere'));
    const closed = once(waiting, 'close');
    waiting.kill('SIGTERM');
    expect(await lines.next()).toMatchObject({ value: 'cancelled' });
    await closed;
    release();
    expect(await other).toBe('1\n');

    const again = await holder(3);
    const ended = withLock(file, async () => 'inside');
    endLockWaits(folder);
    await expect(ended).rejects.toMatchObject({ code: 'cancelled' });
    again.release();
  });

  it('loses nothing of what processes write that are suspended, killed and on clocks that jump', async () => {
    const report = await lockRounds(folder, 60, 3, chooseSeed());
    expect(report).toMatchObject({ lost: [], repeated: [] });
    expect(report.added).toBeGreaterThan(30);
  });

  it('says what is in the way, and where there can be no lock', async () => {
    await mkdir(lockFile(), { recursive: true });
    const inTheWay = { code: 'storage', message: expect.stringContaining('shared.lock is where Croupier needs a lock') };
    await expect(withLock(file, async () => 'inside', few)).rejects.toMatchObject(inTheWay);
    await rm(lockFile(), { recursive: true });
    await symlink(join(folder, 'nowhere', 'at all'), lockFile());
    await expect(withLock(file, async () => 'inside', few)).rejects.toMatchObject(inTheWay);
    await rm(lockFile());
    if (process.platform !== 'win32') execFileSync('mkfifo', [lockFile()]);
    await expect(withLock(file, async () => 'inside', few)).rejects.toMatchObject(inTheWay);
    await rm(lockFile());
    await writeFile(lockFile(), 'no lock of ours '.repeat(100));
    await expect(withLock(file, async () => 'inside', few)).rejects.toMatchObject(inTheWay);
    await rm(join(folder, 'locks'), { recursive: true });
    await writeFile(join(folder, 'locks'), '');
    await expect(withLock(file, async () => 'inside', few)).rejects.toMatchObject({
      message: expect.stringMatching(/locks is where Croupier needs a lock/),
    });
  });

  it('leaves a fault of the program a fault', async () => {
    const fault = await withLock(`${folder}/a\0b`, async () => 'inside', few).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(TypeError);
    expect(fault).not.toHaveProperty('details');
  });
});
