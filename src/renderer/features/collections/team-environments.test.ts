import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { CallName, Client, CollectionEnvironment } from '#shared/ipc/index.ts';
import { createCollectionsStore } from './collections-store.ts';
import { followedFile } from './team-environments.ts';

const collection = { id: 'c', directory: '/team', name: 'team', problem: null };
const shown: CollectionEnvironment = {
  name: 'Staging',
  path: 'environments/Staging.yaml',
  state: 'new',
  environmentId: null,
  revision: 'r1',
  problem: null,
  differences: [],
};

/** Creates the store over a client with one open collection that has one environment. */
function setUp() {
  const listeners = new Map<string, (payload: unknown) => void>();
  const asked: { name: string; input: unknown }[] = [];
  const notices: unknown[] = [];
  let environments: CollectionEnvironment[] = [shown];
  let refusal: AppError | null = null;
  const answers: Partial<Record<CallName, () => unknown>> = {
    'collections.list': () => ({ collections: [collection] }),
    'collections.tree': () => ({ collection, nodes: [], problem: null, notices: [], readOnly: null, variables: 0 }),
    'collections.environments': () => ({ environments }),
    'collections.gitMarks': () => ({ marks: [], notices: [] }),
    'collections.useEnvironment': () => {
      if (refusal !== null) throw refusal;
      return { id: 'e', name: 'Staging' };
    },
    'collections.shareEnvironment': () => ({ path: 'environments/Live.yaml', isNew: true }),
    'environments.list': () => ({
      environments: [
        { id: 'sandbox', name: 'sandbox', kind: 'sandbox' },
        { id: 'l', name: 'Live', kind: 'provider' },
      ],
      broken: [],
    }),
  };
  const client = {
    async call(name: CallName, input: unknown) {
      asked.push({ name, input });
      return answers[name]?.();
    },
    on(name: string, listener: (payload: unknown) => void) {
      // Several parts listen to one event.
      const earlier = listeners.get(name);
      listeners.set(name, (payload) => {
        earlier?.(payload);
        listener(payload);
      });
      return () => undefined;
    },
  } as unknown as Client;
  const store = createCollectionsStore(client, {
    notify: ({ text }) => void notices.push(text),
    later: (run) => {
      run();
      return () => undefined;
    },
    onMoving: () => ({ done: async () => undefined }) as never,
  });
  const times = (name: CallName) => asked.filter((one) => one.name === name).length;
  return {
    store,
    asked,
    notices,
    times,
    emit: (name: string, payload: unknown) => listeners.get(name)?.(payload),
    list: (next: CollectionEnvironment[]) => (environments = next),
    refuse: (error: AppError | null) => (refusal = error),
  };
}

describe('the environments of open collections', () => {
  it('are listed when a collection is open, and again when one of them or one of the home has changed', async () => {
    const { store, times, emit, list } = setUp();
    await store.getState().load();
    await vi.waitFor(() => expect(store.getState().teamEnvironments['c']).toEqual({ state: 'ready', environments: [shown] }));
    expect(times('collections.environments')).toBe(1);
    list([{ ...shown, state: 'asks', environmentId: 'e' }]);
    emit('collections.changed', { id: 'c', paths: ['bet.yaml'] });
    expect(times('collections.environments')).toBe(1);
    emit('collections.changed', { id: 'c', paths: ['environments/Staging.yaml'] });
    emit('environments.changed', {});
    await vi.waitFor(() => expect(times('collections.environments')).toBe(3));
    await vi.waitFor(() => expect(followedFile(store.getState(), 'e')).toBe('environments/Staging.yaml of team'));
    expect(followedFile(store.getState(), null)).toBeNull();
  });

  it('are used as they were shown, and nothing is used when the answer is refused', async () => {
    const { store, asked, notices, refuse } = setUp();
    await store.getState().load();
    store.getState().askTeam('c');
    await vi.waitFor(() => expect(store.getState().teamQuestion?.own).toEqual([{ id: 'l', name: 'Live' }]));
    refuse(new AppError('conflict', 'It has changed since.'));
    await store.getState().takeEnvironment(shown);
    expect(store.getState().teamQuestion).toMatchObject({ problem: 'It has changed since.', busy: false });
    expect(notices).toEqual([]);
    refuse(null);
    await store.getState().takeEnvironment(shown);
    expect(asked.findLast(({ name }) => name === 'collections.useEnvironment')?.input).toEqual({
      collectionId: 'c',
      name: 'Staging',
      revision: 'r1',
    });
    await store.getState().putEnvironment('l');
    expect(notices).toEqual([
      'Added Staging without a key. Set its key before the first call.',
      'Wrote environments/Live.yaml, without the key. Commit it to share it.',
    ]);
    store.getState().dismissTeam();
    expect(store.getState().teamQuestion).toBeNull();
  });
});
