import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { closeParts, createEnding } from './close.ts';

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
  expect([ending.complete, faults]).toEqual([false, ['The search did not end within 2.5 s. Croupier exits anyway.']]);
});

it('hears a failure that comes too late', async () => {
  const { ending, faults } = setUp();
  const late = Promise.withResolvers<void>();
  const part = ending.part('It', 1_000, () => late.promise);
  await vi.advanceTimersByTimeAsync(1_001);
  await part;
  late.reject(new Error('late'));
  await vi.advanceTimersByTimeAsync(0);
  expect(faults).toEqual(['It did not end within 1 s. Croupier exits anyway.']);
});

it('ends the parts of the application that write, then what the page waits for, then what those use', async () => {
  const ended: string[] = [];
  const parts = (more: object = {}) =>
    new Proxy(more, {
      get(known, name: never) {
        // The application waits for the loading of its parts, which is no promise.
        if (name in known || name === 'then') return known[name];
        const close = async () => void ended.push(name);
        return { close, closeAll: close };
      },
    }) as never;
  const reply = Promise.withResolvers<void>();
  const rest = {
    replying: new Set([reply.promise]),
    proofs: { close: () => ended.push('proofs') } as never,
    swept: Promise.resolve(),
  };
  const loaded = Promise.resolve(parts({ stopDropping: undefined }));
  const closed = closeParts(parts({ home: '/', host: parts() }), parts(), loaded, rest);
  await vi.advanceTimersByTimeAsync(0);
  expect(ended.splice(0).join(' ')).toBe('forget tokens exports updates launcher collections probes doctor gateway calls');
  reply.resolve();
  expect(await closed).toBe(true);
  const [files, last] = ['catalogue reading history historyService database run', 'secrets environments events'];
  expect(ended.join(' ')).toBe(`proofs thumbnails sandbox connections packs ${files} ${last}`);
});
