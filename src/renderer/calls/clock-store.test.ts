import { describe, expect, it } from 'vitest';
import type { Client } from '#shared/ipc/index.ts';
import { createClockStore } from './clock-store.ts';

/** A client with one list of calls; `offsets` are those of their responses, by ID. */
function clientWith(offsets: Record<number, number | null>) {
  const listeners = new Set<() => void>();
  const asked: unknown[] = [];
  const client = {
    async call(name: string, input: { id?: number }) {
      asked.push([name, input]);
      const ids = Object.keys(offsets).map(Number).toReversed();
      if (name === 'calls.list') return { calls: ids.map((id) => ({ id })) };
      return { clockOffsetMs: offsets[input.id ?? 0], sentAt: 1_000 };
    },
    on(_name: string, listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as Client;
  return { client, asked, changed: () => listeners.forEach((listener) => listener()), listeners };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('the clock of requests', () => {
  it('stands at a whole second while it is frozen', () => {
    const clock = createClockStore(clientWith({}).client, { now: () => 12_345 });
    expect(clock.getState().frozenAt).toBeNull();
    clock.getState().freeze();
    expect(clock.getState().frozenAt).toBe(12_000);
    clock.getState().release();
    expect(clock.getState().frozenAt).toBeNull();
  });
});

describe('the clock of the server', () => {
  it('is that of the latest response with a Date', async () => {
    const { client, asked } = clientWith({ 1: 2_500, 2: -400, 3: null });
    const clock = createClockStore(client, { now: () => 0 });
    clock.getState().watch('staging');
    await settled();
    expect(clock.getState().server).toEqual({ offsetMs: -400, callId: 2, sentAt: 1_000 });
    expect(asked[0]).toEqual(['calls.list', { limit: 5, filter: { environmentIds: ['staging'] } }]);
  });

  it('is followed until nobody watches, and never that of an environment before', async () => {
    const offsets: Record<number, number | null> = { 1: 100 };
    const { client, changed, listeners } = clientWith(offsets);
    const clock = createClockStore(client, { now: () => 0 });
    const stop = clock.getState().watch('one');
    await settled();
    offsets[2] = 900;
    changed();
    await settled();
    expect(clock.getState().server?.offsetMs).toBe(900);
    stop();
    expect(listeners.size).toBe(0);
    const late = clock.getState().watch('two');
    late();
    await settled();
    expect(clock.getState().server).toBeNull();
  });
});
