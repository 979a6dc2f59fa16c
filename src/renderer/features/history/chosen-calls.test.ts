import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { CallSummary } from '#shared/ipc/index.ts';
import { createFakeClient } from '#testing/fake-client.ts';
import { activeCall, chosenCalls, createChosenCalls, type ChosenCallsState } from './chosen-calls.ts';
import type { HistoryList } from './call-pages.ts';

function listOf(...ids: readonly number[]): HistoryList {
  const calls = ids.map((id) => ({ id }) as CallSummary);
  return { state: 'ready', calls, total: ids.length, totalIsExact: true, newestOnly: false, more: 'end', search: null };
}

function setUp(list: HistoryList, { client } = createFakeClient()) {
  const store = createStore<ChosenCallsState & { list: HistoryList }>()((_set, _get, part) => ({
    list,
    ...createChosenCalls(client, part).state,
  }));
  return { store, ...store.getState(), ticked: () => [...store.getState().ticked.keys()] };
}

const ids = (calls: readonly CallSummary[]) => calls.map(({ id }) => id);

describe('ticked calls', () => {
  it('are ticked and unticked one by one', () => {
    const { tick, ticked } = setUp(listOf(3, 2, 1));
    tick([3, 1], true);
    tick([3], false);
    tick([7], false);
    expect(ticked()).toEqual([1]);
  });

  it('are ticked with all that lie between, in either direction, from the one that was ticked last', () => {
    const { tick, tickTo, ticked } = setUp(listOf(5, 4, 3, 2, 1));
    tickTo(4, true);
    expect(ticked()).toEqual([4]);
    tickTo(2, true);
    expect(ticked()).toEqual([4, 3, 2]);
    // From 2 on, not from the last one of the row that was ticked.
    tickTo(3, false);
    expect(ticked()).toEqual([4]);
    tick([], true);
    tickTo(5, true);
    expect(ticked()).toEqual([4, 5, 3]);
  });

  it('begin again where the last one is not in the list any more', () => {
    const { store, tickTo, ticked } = setUp(listOf(3, 2, 1));
    tickTo(3, true);
    store.setState({ list: listOf(2, 1) });
    tickTo(1, true);
    expect(ticked()).toEqual([3, 1]);
  });
});

it('ticked calls that change are read again, and those that are gone are ticked no more', async () => {
  const fake = createFakeClient();
  const { store, tick, ticked } = setUp(listOf(3, 2, 1), fake);
  tick([3, 2], true);
  const newer = { id: 3, operation: 'bet' } as CallSummary;
  fake.answer('calls.list', ({ before }) => ({ calls: [before === 4 ? newer : { id: 1 }] }));
  fake.emit('calls.changed', { id: 3 });
  await expect.poll(() => store.getState().ticked.get(3)).toBe(newer);
  fake.emit('history.changed', { ids: [2, 1] });
  await expect.poll(ticked).toEqual([3]);
  expect(fake.asked.map(({ input }) => input)).toEqual([4, 3].map((before) => ({ limit: 1, before })));
});

describe('the calls that something is done with', () => {
  it('are the ticked ones, newest first, else the active one', () => {
    const { store, tick, setActive } = setUp(listOf(3, 2, 1));
    expect(ids(chosenCalls(store.getState()))).toEqual([3]);
    setActive(2);
    expect(ids(chosenCalls(store.getState()))).toEqual([2]);
    tick([1, 3, 9], true);
    expect(ids(chosenCalls(store.getState()))).toEqual([3, 1]);
    tick([1, 3], false);
    expect(ids(chosenCalls(store.getState()))).toEqual([2]);
    tick([3], true);
    store.setState({ list: { state: 'loading' } });
    expect(ids(chosenCalls(store.getState()))).toEqual([3]);
    tick([3], false);
    expect(chosenCalls(store.getState())).toEqual([]);
  });

  it('go on to the next older call where the active one is gone, and to the last where there is none', () => {
    const { store, setActive } = setUp(listOf(5, 3, 1));
    setActive(4);
    expect(activeCall(store.getState())?.id).toBe(3);
    setActive(0);
    expect(activeCall(store.getState())?.id).toBe(1);
    store.setState({ list: listOf() });
    expect(activeCall(store.getState())).toBeNull();
  });

  it('tell nobody where the active one stays', () => {
    const { store, setActive } = setUp(listOf(1));
    setActive(1);
    const before = store.getState();
    setActive(1);
    expect(store.getState()).toBe(before);
  });
});
