import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createEnding } from './close.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const faults: string[] = [];
  return { ending: createEnding((error) => faults.push((error as Error).message)), faults };
}

it('waits for a part that ends in time, and says nothing', async () => {
  const { ending, faults } = setUp();
  await ending.part('It', 1_000, () => undefined);
  await ending.part('It', 1_000, () => Promise.resolve('done'));
  expect([ending.complete, faults, vi.getTimerCount()]).toEqual([true, [], 0]);
});

it('goes on after a part that fails: it has ended', async () => {
  const { ending, faults } = setUp();
  await ending.part('It', 1_000, () => Promise.reject(new Error('first')));
  await ending.part('It', 1_000, () => {
    throw new Error('second');
  });
  expect([ending.complete, faults]).toEqual([true, ['first', 'second']]);
});

it('goes on after a part that hangs, and says which', async () => {
  const { ending, faults } = setUp();
  const part = ending.part('The search', 2_500, () => new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(2_501);
  await part;
  expect([ending.complete, faults]).toEqual([false, ['The search did not end within 2.5 s, and ends with the program.']]);
});

it('hears a failure that comes too late', async () => {
  const { ending, faults } = setUp();
  const late = Promise.withResolvers<void>();
  const part = ending.part('It', 1_000, () => late.promise);
  await vi.advanceTimersByTimeAsync(1_001);
  await part;
  late.reject(new Error('late'));
  await vi.advanceTimersByTimeAsync(0);
  expect(faults).toEqual(['It did not end within 1 s, and ends with the program.']);
});
