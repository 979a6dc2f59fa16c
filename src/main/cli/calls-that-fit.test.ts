import { expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { writeCallsThatFit } from './commands/run-output.ts';

/** Returns a writer of packs with at most so many calls, and the numbers that it was asked for. */
function writer(most: number) {
  const asked: number[] = [];
  const write = async (calls: number) => {
    asked.push(calls);
    if (calls > most) throw new AppError('refused', 'Too large.', { tooLarge: true });
  };
  return { asked, write };
}

it('a pack that is too large is written with half as many calls until it fits', async () => {
  const { asked, write } = writer(30);
  expect(await writeCallsThatFit(200, write)).toBe(25);
  expect(asked).toEqual([200, 100, 50, 25]);
});

it('a pack of one call that is too large, and any other failure, is an error', async () => {
  const { asked, write } = writer(0);
  await expect(writeCallsThatFit(3, write)).rejects.toThrow('Too large.');
  expect(asked).toEqual([3, 1]);
  const full = () => Promise.reject(new AppError('storage', 'The disk is full.'));
  await expect(writeCallsThatFit(3, full)).rejects.toThrow('The disk is full.');
});
