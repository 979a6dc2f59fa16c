import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { Client, Retention } from '#shared/ipc/index.ts';
import { limitProblem, readRetention, retentionLine, retentionText } from './retention-words.ts';
import { createStorageStore } from './storage-store.ts';

const all: Retention = { maxAgeDays: null, maxCalls: null, maxBytes: null };

function setUp() {
  const planned: (() => void)[] = [];
  const listeners = new Map<string, () => void>();
  const core = { retention: all, calls: 1, fault: false, settled: null as unknown };
  const client = {
    async call(name: string, input: { retention: Retention }) {
      if (core.fault) throw new AppError('storage', 'The disk is full.');
      if (name === 'history.retain') return (core.retention = input.retention);
      if (name === 'history.kept') return { kept: [{ kind: 'evidence', count: 2, bytes: 3, since: 4 }] };
      if (name === 'history.preview') return { calls: 3 };
      if (name === 'history.settle') return (core.settled = input);
      return { calls: core.calls, retention: core.retention };
    },
    on(name: string, listener: () => void) {
      listeners.set(name, listener);
      return () => listeners.delete(name);
    },
  } as unknown as Client;
  const store = createStorageStore(client, { later: (run) => (planned.push(run), () => undefined) });
  return { store, planned, listeners, core };
}

describe('the history on disk', () => {
  it('is looked at again after changes, once it was looked at', async () => {
    const { store, planned, listeners, core } = setUp();
    listeners.get('calls.changed')?.();
    expect(planned).toHaveLength(0);
    await store.getState().load();
    core.calls = 2;
    listeners.get('calls.changed')?.();
    listeners.get('history.changed')?.();
    expect(planned).toHaveLength(1);
    planned[0]?.();
    await vi.waitFor(() => expect(store.getState().status?.calls).toBe(2));
  });

  it('takes what is kept, or says why not', async () => {
    const { store, core } = setUp();
    expect(await store.getState().retain({ ...all, maxCalls: 500 }, 0)).toBeNull();
    expect(store.getState().status?.retention.maxCalls).toBe(500);
    expect(await store.getState().settle('remove', 7)).toBeNull();
    expect(core.settled).toEqual({ does: 'remove', calls: 7 });
    expect(await store.getState().preview(all)).toEqual({ calls: 3 });
    expect(await store.getState().kept()).toEqual([{ kind: 'evidence', count: 2, bytes: 3, since: 4 }]);
    core.fault = true;
    expect(await store.getState().kept()).toEqual({ problem: 'The disk is full.' });
    expect(await store.getState().removeKept('evidence', 2)).toBe('The disk is full.');
    expect(await store.getState().preview(all)).toEqual({ problem: 'The disk is full.' });
    expect(await store.getState().retain(all, 0)).toBe('The disk is full.');
    expect(store.getState().status?.retention.maxCalls).toBe(500);
  });
});

describe('what is kept', () => {
  it('is read from its fields and written to them', () => {
    const kept: Retention = { maxAgeDays: 30, maxCalls: null, maxBytes: 500_000_000 };
    expect(retentionText(kept)).toEqual({ days: '30', calls: '', megabytes: '500' });
    expect(readRetention(retentionText(kept))).toEqual(kept);
    expect(readRetention({ days: '', calls: ' ', megabytes: '' })).toEqual(all);
    expect(readRetention({ days: '0', calls: '', megabytes: '' })).toBeNull();
    expect(['', '1', '1.5', '-1', 'x', '100001'].map((text) => limitProblem('days', text) === null)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('is said in a line', () => {
    expect(retentionLine(all)).toBe('Keep all calls');
    expect(retentionLine({ maxAgeDays: 30, maxCalls: 10_000, maxBytes: 1_000_000_000 })).toBe(
      'Keep 30 days, at most 10,000 calls, at most 1,000 MB of calls',
    );
  });
});
