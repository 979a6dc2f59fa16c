import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { Call, Client } from '#shared/ipc/index.ts';
import { createShownCallStore } from './shown-call-store.ts';

function setUp() {
  const listeners = new Set<(event: { id: number }) => void>();
  const planned = new Set<() => void>();
  const asked: number[] = [];
  let state: Call['state'] = 'answered';
  const client = {
    call: (_name: string, { id }: { id: number }) => {
      asked.push(id);
      return id === 9 ? Promise.reject(new AppError('not_found', 'It is gone.')) : Promise.resolve({ id, state });
    },
    on: (_name: string, listener: (event: { id: number }) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as Client;
  const store = createShownCallStore(client, {
    later(run) {
      planned.add(run);
      return () => planned.delete(run);
    },
  });
  return {
    asked,
    listeners,
    show: store.getState().show,
    shown: () => store.getState().shown,
    become: (next: Call['state']) => (state = next),
    changed: (id: number) => listeners.forEach((listener) => listener({ id })),
    pause() {
      const due = [...planned];
      planned.clear();
      for (const run of due) run();
    },
  };
}

describe('the call beside the history', () => {
  it('reads the first at once, and of those that arrow keys pass over the last', async () => {
    const { asked, show, shown, pause } = setUp();
    show(5);
    await vi.waitFor(() => expect(shown()).toMatchObject({ state: 'ready', call: { id: 5 } }));
    show(4);
    // Nothing of another call is shown beside its row.
    expect(shown()).toEqual({ state: 'loading', id: 4 });
    show(3);
    pause();
    await vi.waitFor(() => expect(shown()).toMatchObject({ state: 'ready', call: { id: 3 } }));
    expect(asked).toEqual([5, 3]);
    show(null);
    expect(shown()).toEqual({ state: 'none' });
  });

  it('reads its call again when the outcome comes, and no other', async () => {
    const { asked, show, shown, become, changed } = setUp();
    become('pending');
    show(5);
    await vi.waitFor(() => expect(shown()).toMatchObject({ call: { state: 'pending' } }));
    become('answered');
    changed(6);
    changed(5);
    await vi.waitFor(() => expect(shown()).toMatchObject({ call: { state: 'answered' } }));
    expect(asked).toEqual([5, 5]);
  });

  it('says why a call cannot be read', async () => {
    const { show, shown } = setUp();
    show(9);
    await vi.waitFor(() => expect(shown()).toEqual({ state: 'failed', id: 9, message: 'It is gone.' }));
  });
});
