import { describe, expect, it } from 'vitest';
import { createOpenTabs, someSlot } from '#testing/fake-launches.ts';
import { closed, waiting } from './launch-tab.ts';

describe('the tabs of the launcher', () => {
  it('are shown one at a time, by ID or by position', () => {
    const { store, list } = createOpenTabs({}, {}, {});
    const { selectTab, selectTabAt } = store.getState();
    expect(list.find(undefined)?.id).toBe('id-3');
    selectTab('id-1');
    selectTabAt(5);
    expect(store.getState().activeId).toBe('id-1');
    selectTabAt(1);
    expect(list.find(undefined)?.id).toBe('id-2');
    expect(list.find('gone')).toBeUndefined();
  });

  it('end what they do before they close, and give the place to the neighbour', () => {
    const { store, closing, list } = createOpenTabs({}, {}, {});
    const { selectTab, closeTab } = store.getState();
    closeTab('id-1');
    expect(store.getState().activeId).toBe('id-3');
    closeTab();
    expect(store.getState().activeId).toBe('id-2');
    selectTab('id-2');
    closeTab('gone');
    expect(closing).toEqual(['id-1', 'id-3']);
    // There is always one.
    closeTab();
    expect(list.all().map(({ id }) => id)).toEqual(['id-4']);
    expect(store.getState().activeId).toBe('id-4');
  });

  it('take something new in where nothing was done, else beside', () => {
    const { list, store } = createOpenTabs({});
    expect(list.fresh({ gameName: 'Seven', typed: { gameId: '7' } })).toBe('id-1');
    expect(list.fresh({ gameName: 'Eight' })).toBe('id-2');
    list.update('id-2', () => ({ preparing: { state: 'refused', message: 'No key.' } }));
    expect(list.fresh({ slots: [someSlot('a', closed)] })).toBe('id-3');
    expect(list.fresh({})).toBe('id-4');
    expect(store.getState().activeId).toBe('id-4');
    expect(list.all().map(({ gameName }) => gameName)).toEqual(['Seven', 'Eight', '', '']);
  });

  it('find and change a launch wherever it is, and leave one that is gone alone', () => {
    const { list, store } = createOpenTabs({ slots: [someSlot('a', waiting), someSlot('b', waiting)] }, {});
    list.show('b', closed);
    list.show('gone', closed);
    list.updateSlot('a', (slot) => ({ ...slot, strayed: 'https://elsewhere.example' }));
    expect(list.slotOf('b')?.shown).toBe(closed);
    expect(list.slotOf('a')).toMatchObject({ shown: waiting, strayed: 'https://elsewhere.example' });
    expect(list.slotOf('gone')).toBeUndefined();
    store.getState().selectSlot('id-1', 'b');
    expect(list.all().map(({ slotId }) => slotId)).toEqual(['b', null]);
  });
});
