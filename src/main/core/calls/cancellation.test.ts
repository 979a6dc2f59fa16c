import { describe, expect, it } from 'vitest';
import { cancelledBefore, createCancellation, unlessCancelled } from './cancellation.ts';

describe('a cancellation', () => {
  it('tells its last listener, once', () => {
    const cancellation = createCancellation();
    const told: string[] = [];
    cancellation.listen(() => told.push('first'));
    cancellation.listen(() => told.push('last'));
    expect(cancellation.requested).toBe(false);
    cancellation.request();
    cancellation.request();
    expect([cancellation.requested, told]).toEqual([true, ['last']]);
  });

  it('tells a listener that comes late at once, and nobody where nobody listens', () => {
    const cancellation = createCancellation();
    cancellation.listen(() => expect.unreachable());
    cancellation.listen(null);
    cancellation.request();
    cancellation.listen(null);
    let told = 0;
    cancellation.listen(() => (told += 1));
    expect(told).toBe(1);
    const quiet = createCancellation();
    quiet.request();
    expect(quiet.requested).toBe(true);
  });
});

describe('work that may be cancelled', () => {
  it('gives what it gives, or fails as it does, and listens no longer', async () => {
    const cancellation = createCancellation();
    expect(await unlessCancelled(Promise.resolve(5), cancellation)).toBe(5);
    const fault = new Error('m');
    await expect(unlessCancelled(Promise.reject(fault), cancellation)).rejects.toBe(fault);
    let told = 0;
    const listening = { ...cancellation, listen: (listener: (() => void) | null) => (told += listener === null ? 1 : 0) };
    await unlessCancelled(Promise.resolve(5), { ...listening, requested: false });
    await unlessCancelled(Promise.reject(fault), { ...listening, requested: false }).catch(() => undefined);
    expect(told).toBe(2);
  });

  it('is not waited for once it was cancelled', async () => {
    const cancellation = createCancellation();
    const result = unlessCancelled(new Promise(() => undefined), cancellation);
    cancellation.request();
    expect(await result).toBeNull();
    expect(await unlessCancelled(Promise.resolve(5), cancellation)).toBeNull();
    expect(cancelledBefore()).toMatchObject({
      code: 'cancelled',
      message: expect.stringContaining('before anything was sent') as string,
    });
  });
});
