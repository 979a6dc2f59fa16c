import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { wholeHistory } from './history-choice.ts';
import { createHistoryQuery, type HistoryQuery, type HistoryQueryState } from './history-query.ts';

function setUp() {
  const planned: (() => void)[] = [];
  let calledOff = 0;
  let loads = 0;
  const made: HistoryQuery[] = [];
  const store = createStore<HistoryQueryState & { searched: string; load: () => Promise<void> }>()((_set, _get, part) => {
    const query = createHistoryQuery(part, {
      now: () => 1_000_000_000,
      later(run) {
        planned.push(run);
        return () => (calledOff += 1);
      },
    });
    made.push(query);
    return { ...query.state, searched: '', load: async () => void (loads += 1) };
  });
  const [query] = made as [HistoryQuery];
  return { store, query, ...store.getState(), planned, calledOff: () => calledOff, loads: () => loads };
}

describe('what the history is searched for', () => {
  it('is looked for once the typing pauses, unless it is what the list was fetched for', () => {
    const { store, setText, planned, calledOff, loads } = setUp();
    setText('a');
    setText(' ab ');
    expect(calledOff()).toBe(1);
    planned[1]?.();
    expect(loads()).toBe(1);
    store.setState({ searched: 'ab' });
    setText('ab  ');
    planned[2]?.();
    expect(loads()).toBe(1);
    expect(store.getState().text).toBe('ab  ');
  });

  it('is looked for at once where a filter changes, or all is shown again; grouping fetches nothing', () => {
    const { store, setChoice, setGrouping, showAll, setText, loads } = setUp();
    setGrouping('day' as never);
    expect(loads()).toBe(0);
    setChoice({ operation: 'bet' });
    setChoice({ pinnedOnly: true });
    expect(loads()).toBe(2);
    expect(store.getState().choice).toEqual({ ...wholeHistory, operation: 'bet', pinnedOnly: true });
    setText('a');
    showAll();
    expect(loads()).toBe(3);
    expect(store.getState()).toMatchObject({ text: '', choice: wholeHistory });
  });

  it('goes to core without spaces around it, with a filter only where one leaves calls out', () => {
    const { query, setText, setChoice } = setUp();
    expect(query.input(100)).toEqual({ limit: 100 });
    setText('  ab ');
    setChoice({ operation: 'bet', time: '7' });
    const filter = { operations: ['bet'], since: 1_000_000_000 - 7 * 86_400_000 };
    expect(query.input(5, 40)).toEqual({ limit: 5, text: 'ab', filter, before: 40 });
  });

  it('calls off the typing when a list is fetched, and says what that is fetched for', () => {
    const { query, setText, setChoice, calledOff } = setUp();
    expect(query.begin()).toEqual({ searched: '', narrowed: false });
    setText(' a');
    expect(query.begin()).toEqual({ searched: 'a', narrowed: true });
    expect(calledOff()).toBe(1);
    setText(' ');
    setChoice({ pinnedOnly: true });
    expect(query.begin()).toEqual({ searched: '', narrowed: true });
  });
});
