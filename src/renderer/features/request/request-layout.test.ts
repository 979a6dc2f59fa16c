import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { createRequestLayout, isSameLayout, type RequestLayoutState } from './request-layout.ts';

function setUp() {
  const store = createStore<RequestLayoutState>()((_set, _get, part) => createRequestLayout(part));
  return { store, ...store.getState() };
}

describe('the layout of the requests', () => {
  it('has two ways for each switch, and a share for each edge by itself', () => {
    const { store, toggleOrientation, toggleHashPane, toggleComments, setShare, setAbout } = setUp();
    const before = store.getState();
    toggleOrientation();
    toggleHashPane();
    toggleComments();
    setShare('hash', 61.5);
    setAbout('bet', true);
    const layout = {
      orientation: 'stacked',
      hashPane: false,
      comments: false,
      shares: { panes: 50, hash: 61.5 },
      about: { bet: true },
    };
    expect(store.getState()).toMatchObject(layout);
    toggleOrientation();
    toggleHashPane();
    toggleComments();
    expect(store.getState()).toMatchObject({ orientation: 'side', hashPane: true, comments: true });
    expect(before.shares).toEqual({ panes: 50, hash: 70 });
  });

  it('is another one after any change of it', () => {
    const { store, toggleOrientation, toggleHashPane, toggleComments, setShare, setAbout } = setUp();
    for (const change of [
      toggleOrientation,
      toggleHashPane,
      toggleComments,
      () => setShare('panes', 40),
      () => setAbout('bet', false),
    ]) {
      const before = store.getState();
      expect(isSameLayout(before, { ...before })).toBe(true);
      change();
      expect(isSameLayout(before, store.getState())).toBe(false);
    }
  });
});
