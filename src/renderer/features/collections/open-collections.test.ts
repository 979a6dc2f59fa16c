import { describe, expect, it, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Client } from '#shared/ipc/index.ts';
import { createOpenCollections, openCollection, type OpenCollectionsState } from './open-collections.ts';

const team = { id: 'c', directory: '/team', name: 'team', problem: null };

function setUp() {
  const replies: ((nodes: readonly { path: string }[]) => void)[] = [];
  const client = {
    call: (name: string) =>
      name === 'collections.list'
        ? Promise.resolve({ collections: [team] })
        : new Promise((resolve) => {
            replies.push((nodes) => resolve({ collection: team, nodes, problem: null, notices: [], readOnly: null }));
          }),
    on: () => () => undefined,
  } as unknown as Client;
  const store = createStore<OpenCollectionsState>()(() => ({ list: { state: 'loading' }, load: () => Promise.resolve() }));
  const collections = createOpenCollections(client, store, () => () => undefined);
  return { ...collections, replies, store };
}

describe('reading a collection', () => {
  it('shows an earlier answer until the later one is there, and never over it', async () => {
    const { state, loadTrees, nodesOf, nameOf, replies, store } = setUp();
    expect([nodesOf('c'), nameOf('c')]).toEqual([[], 'the collection']);
    const first = state.load();
    await vi.waitFor(() => expect(replies).toHaveLength(1));
    const second = loadTrees(['c']);
    const third = loadTrees(['c']);
    replies[0]?.([{ path: 'first' }]);
    await first;
    expect(nodesOf('c')).toEqual([{ path: 'first' }]);
    replies[2]?.([{ path: 'third' }]);
    await third;
    replies[1]?.([{ path: 'second' }]);
    await second;
    expect(nodesOf('c')).toEqual([{ path: 'third' }]);
    expect(nameOf('c')).toBe('team');
    expect(openCollection(store.getState().list, 'd')).toBeUndefined();
  });
});
