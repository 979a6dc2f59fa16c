import { describe, expect, it } from 'vitest';
import type { Client } from '#shared/ipc/index.ts';
import { createClockStore } from './clock-store.ts';

/** A call as the clock sees it: the offset by its `Date`, how long its first byte took, and when and where it was sent. */
interface Shown {
  readonly offset: number | null;
  readonly firstByte?: number;
  readonly sentAt?: number;
  readonly url?: string;
  readonly state?: 'pending';
}

/** A client with one list of calls, by ID. */
function clientWith(shown: Record<number, Shown>) {
  const listeners = new Set<() => void>();
  const asked: unknown[] = [];
  const client = {
    async call(name: string, input: { id?: number }) {
      asked.push([name, input]);
      const calls = Object.entries(shown).map(([id, { offset, firstByte = 96, state = 'answered', ...call }]) => ({
        id: Number(id),
        sentAt: 0,
        url: 'https://p.example/api',
        ...call,
        state,
        clockOffsetMs: offset,
        timings: { firstByte },
      }));
      return name === 'calls.list' ? { calls: calls.toReversed() } : calls.find(({ id }) => id === input.id);
    },
    on(_name: string, listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as Client;
  return { client, asked, changed: () => listeners.forEach((listener) => listener()), listeners };
}

const staging = { id: 'staging', baseUrl: 'https://p.example' };
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
  it.for<[string, Record<number, Shown>, object | null]>([
    ['one call', { 1: { offset: 2_500 } }, { from: 1_950, to: 3_050, callIds: [1] }],
    [
      'a slow call, which half its wait does not put ahead',
      { 1: { offset: 2_700, firstByte: 5_400 } },
      { from: -502, to: 5_902, callIds: [1] },
    ],
    [
      'quick calls, which leave less possible together',
      { 1: { offset: 2_700, firstByte: 5_400 }, 2: { offset: 900 }, 3: { offset: 400 } },
      { from: 350, to: 950, callIds: [3, 2, 1] },
    ],
    ['calls before a clock was set', { 1: { offset: 90_000 }, 2: { offset: 0 } }, { from: -550, to: 550, callIds: [2] }],
    ['calls of another hour', { 1: { offset: 400 }, 2: { offset: 0, sentAt: 3_600_000 } }, { from: -550, to: 550, callIds: [2] }],
    [
      'calls that show nothing of it',
      {
        1: { offset: 0 },
        2: { offset: null },
        3: { offset: null, state: 'pending' },
        4: { offset: 60_000, url: 'https://w.example/bet' },
      },
      { from: -550, to: 550, callIds: [1] },
    ],
    ['no call with a Date', { 1: { offset: null } }, null],
  ])('by %s', async ([, shown, expected]) => {
    const { client, asked } = clientWith(shown);
    const clock = createClockStore(client, { now: () => 0 });
    clock.getState().watch(staging);
    await settled();
    expect(clock.getState().server).toEqual(expected);
    expect(asked[0]).toEqual(['calls.list', { limit: 5, filter: { environmentIds: ['staging'] } }]);
  });

  it('is followed until nobody watches, reads a call once, and is never that of an environment before', async () => {
    const shown: Record<number, Shown> = { 1: { offset: 100 } };
    const { client, asked, changed, listeners } = clientWith(shown);
    const clock = createClockStore(client, { now: () => 0 });
    const stop = clock.getState().watch(staging);
    await settled();
    shown[2] = { offset: 900 };
    changed();
    await settled();
    expect(clock.getState().server).toEqual({ from: 350, to: 650, callIds: [2, 1] });
    expect(asked.filter((call) => JSON.stringify(call).includes('calls.get'))).toHaveLength(2);
    stop();
    expect(listeners.size).toBe(0);
    const late = clock.getState().watch({ ...staging, id: 'two' });
    late();
    await settled();
    expect(clock.getState().server).toBeNull();
  });
});
