import { expect, it } from 'vitest';
import { startWait } from './deadline.ts';
import { replyWithin } from './within.ts';

const never = new Promise<never>(() => undefined);

it.each([
  [false, 'within 0.02 s'],
  [true, 'within 0.04 s; this computer is busy'],
])('says what was seen, and gives the time once more on a busy computer: %s', async (busy, seen) => {
  const said = new Promise<string>((resolve) => startWait(20, resolve, () => () => busy));
  expect(await said).toBe(seen);
});

it.each(['at once', 'after half of its time', 'after all of it'])('hears nothing after its end: %s', async (when) => {
  const wait = startWait(
    10,
    () => expect.unreachable(),
    () => {
      if (when === 'after half of its time') setImmediate(() => wait.clear());
      return () => {
        setImmediate(() => wait.clear());
        return true;
      };
    },
  );
  if (when === 'at once') wait.clear();
  // Begun after it, and longer than its time twice over.
  await new Promise((resolve) => startWait(40, resolve, () => () => false));
});

it('takes the reply of work, its error, or neither', async () => {
  expect(await replyWithin(1_000, Promise.resolve('done'))).toBe('done');
  await expect(replyWithin(1_000, Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await replyWithin(10, never)).toBeNull();
});
