import { describe, expect, it } from 'vitest';
import { createOpenTabs } from '#testing/open-tabs.ts';
import { startedTab } from './request-tab.ts';

describe('the list of tabs', () => {
  it('puts a new tab behind the active one, or last where none is', () => {
    const { list, store, ids } = createOpenTabs('a', 'b', 'c');
    store.getState().selectTab('a');
    list.add(startedTab('d', { operation: 'win', form: 'main', text: '', overrides: {} }));
    expect(ids()).toEqual(['a', 'd', 'b', 'c']);
    expect(store.getState().activeId).toBe('d');
  });

  it('finds the active tab where no ID is given, and changes one alone', () => {
    const { list, store } = createOpenTabs('a', 'b');
    expect(list.find(undefined)?.id).toBe('b');
    expect(list.find('a')?.id).toBe('a');
    expect(list.find('gone')).toBeUndefined();
    list.update('a', (tab) => ({ ...tab, text: 'typed' }));
    list.update('gone', (tab) => ({ ...tab, text: 'typed' }));
    expect(store.getState().tabs.map(({ text }) => text)).toEqual(['typed', 'b']);
  });

  it('selects by ID and by position, and says each time which tab is shown', () => {
    const { store, shown } = createOpenTabs('a', 'b', 'c');
    const { selectTab, selectTabAt } = store.getState();
    selectTab('a');
    selectTabAt(1);
    selectTabAt(3);
    selectTabAt(-1);
    expect(store.getState().activeId).toBe('b');
    expect(shown).toEqual(['a', 'b']);
  });

  it('goes to the right neighbour of a closed tab, to the left one at the end, and to none after the last', () => {
    const { store, shown } = createOpenTabs('a', 'b', 'c');
    const { selectTab, closeTab } = store.getState();
    selectTab('b');
    closeTab();
    expect(store.getState().activeId).toBe('c');
    closeTab();
    expect(store.getState().activeId).toBe('a');
    closeTab();
    expect(store.getState()).toMatchObject({ tabs: [], activeId: null });
    closeTab();
    expect(store.getState().closed).toHaveLength(3);
    expect(shown).toEqual(['b', 'c', 'a']);
  });

  it('stays on the active tab where another is closed', () => {
    const { store, ids } = createOpenTabs('a', 'b', 'c');
    store.getState().closeTab('a');
    expect(ids()).toEqual(['b', 'c']);
    expect(store.getState().activeId).toBe('c');
  });

  it('reopens the last closed tab first, with its text, and nothing of a call that was under way', () => {
    const { list, store, shown, tab } = createOpenTabs('a', 'b');
    const sending = { state: 'sending', ticket: 't', startedAt: 0, left: false, cancelled: false } as const;
    list.update('a', (one) => ({ ...one, text: 'half typed', dirty: true, sending }));
    const { closeTab, reopenTab } = store.getState();
    closeTab('b');
    closeTab('a');
    reopenTab();
    expect(tab()).toMatchObject({ id: 'a', text: 'half typed', dirty: true, sending: { state: 'idle' } });
    expect(shown.at(-1)).toBe('a');
    reopenTab();
    reopenTab();
    expect(store.getState()).toMatchObject({ activeId: 'b', closed: [] });
    expect(store.getState().tabs).toHaveLength(2);
  });

  it('keeps the last 20 closed tabs', () => {
    const { store } = createOpenTabs(...Array.from({ length: 22 }, (_, at) => `${at}`));
    for (let at = 0; at < 22; at += 1) store.getState().closeTab(`${at}`);
    expect(store.getState().closed.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, at) => `${at + 2}`));
  });

  it('moves a tab within the ends of the list', () => {
    const { store, ids } = createOpenTabs('a', 'b', 'c');
    const { moveTab } = store.getState();
    moveTab('c', 0);
    expect(ids()).toEqual(['c', 'a', 'b']);
    moveTab('c', 2);
    expect(ids()).toEqual(['a', 'b', 'c']);
    moveTab('a', -1);
    moveTab('a', 3);
    moveTab('gone', 0);
    expect(ids()).toEqual(['a', 'b', 'c']);
  });

  it('duplicates a tab beside the active one: its text, and neither its file nor what it sends', () => {
    const { list, store, ids, tab } = createOpenTabs('a', 'b');
    const file = { collectionId: 'c', path: 'a.yaml', revision: '1', gone: false, theirs: null, problem: null };
    const sending = { state: 'sending', ticket: 't', startedAt: 0, left: false, cancelled: false } as const;
    list.update('a', (one) => ({ ...one, file, sending }));
    store.getState().selectTab('a');
    store.getState().duplicateTab();
    expect(ids()).toEqual(['a', 'new-1', 'b']);
    expect(tab()).toMatchObject({ id: 'new-1', text: 'a', file: null, sending: { state: 'idle' } });
    expect(tab('a')).toMatchObject({ file, sending });
    store.getState().duplicateTab('gone');
    expect(ids()).toHaveLength(3);
  });

  it('says why something was not opened until that is taken back or dismissed', () => {
    const { list, store } = createOpenTabs();
    list.fail('No such call.');
    expect(store.getState().problem).toBe('No such call.');
    store.getState().dismissProblem();
    expect(store.getState().problem).toBeNull();
    list.fail('No such file.');
    list.fail(null);
    expect(store.getState().problem).toBeNull();
  });
});
