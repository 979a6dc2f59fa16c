import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { CallFilter, CallSummary, Client } from '#shared/ipc/index.ts';
import { someSummary } from '#testing/some-call.ts';
import { mergeHead, mergeTail } from './call-pages.ts';
import { bytesText, durationText, messageOf, outcomeOf, timeText } from '#renderer/calls/call-words.ts';
import { filterOf, narrows, wholeHistory, type HistoryChoice } from './history-choice.ts';
import { activeCall, chosenCalls, tickedOutOfSight } from './chosen-calls.ts';
import { createHistoryStore } from './history-store.ts';
import { countText } from './history-words.ts';

const row = (id: number, change: Partial<CallSummary> = {}) => someSummary({ id, sentAt: id, ...change });

const noon = new Date(2026, 10, 20, 12).getTime();

/** Creates a client over an array of rows, and a clock that runs by hand. */
function setUp(count: number) {
  const rows = Array.from({ length: count }, (_, at) => row(count - at));
  const asked: unknown[] = [];
  const listeners = new Map<string, Set<(payload: never) => void>>();
  const planned: (() => void)[] = [];
  const faults = { list: false };
  /** Number of rows that a search goes through at once; 0 for all. */
  const searchSteps = { perStep: 0, onStep: async () => undefined as void };
  const client = {
    async call(name: string, input: { limit: number; before?: number; text?: string; id?: number; filter?: CallFilter }) {
      asked.push([name, input]);
      if (faults.list) throw new AppError('storage', 'The history cannot be read.');
      if (name === 'calls.get') return rows.find(({ id }) => id === input.id);
      const { text, filter = {} } = input;
      const found = rows.filter(
        (call) =>
          (text === undefined || call.url.includes(text)) &&
          (filter.operations?.some((name) => name === call.operation) ?? true) &&
          call.pinned >= (filter.pinned ?? false),
      );
      const from = input.before === undefined ? found : found.filter(({ id }) => id < (input.before ?? 0));
      const whole = {
        calls: from.slice(0, input.limit),
        total: found.length,
        totalIsExact: true,
        searchedFrom: null,
        rest: null,
      };
      const { perStep, onStep } = searchSteps;
      if (perStep === 0 || text === undefined) return whole;
      await onStep();
      const below = rows.filter(({ id }) => id < (input.before ?? Number.MAX_SAFE_INTEGER)).slice(0, perStep);
      const before = below.at(-1)?.id ?? 0;
      const calls = whole.calls.filter(({ id }) => id >= before);
      const ended = calls.length === input.limit || before === (rows.at(-1)?.id ?? 0);
      const rest = ended ? null : { before, looked: below.length, of: rows.length };
      return { ...whole, calls, total: calls.length, totalIsExact: rest === null, rest };
    },
    on(name: string, listener: (payload: never) => void) {
      const all = listeners.get(name) ?? new Set();
      listeners.set(name, all.add(listener));
      return () => all.delete(listener);
    },
  } as unknown as Client;
  const store = createHistoryStore(client, {
    now: () => noon,
    later(run) {
      planned.push(run);
      return () => planned.splice(planned.indexOf(run), 1);
    },
  });
  const tick = () => {
    for (const run of planned.splice(0)) run();
  };
  const tell = (name: string, payload: object) => listeners.get(name)?.forEach((listener) => listener(payload as never));
  const changed = (id: number) => tell('calls.changed', { id });
  const marked = (ids: number[] | null = null) => tell('history.changed', { ids });
  const calls = () => {
    const { list } = store.getState();
    return list.state === 'ready' ? list.calls : [];
  };
  return { store, rows, asked, planned, faults, searchSteps, tick, changed, marked, calls };
}

describe('history store', () => {
  it('reads down page by page to the end', async () => {
    const { store, calls, asked } = setUp(230);
    await store.getState().load();
    expect(calls()).toHaveLength(100);
    await Promise.all([store.getState().loadMore(), store.getState().loadMore()]);
    expect(calls()).toHaveLength(200);
    await store.getState().loadMore();
    await store.getState().loadMore();
    expect(calls().map(({ id }) => id)).toEqual(Array.from({ length: 230 }, (_, at) => 230 - at));
    expect(store.getState().list).toMatchObject({ more: 'end', total: 230 });
    expect(asked).toHaveLength(3);
  });

  it('shows a new call and a changed one without losing what was read', async () => {
    const { store, rows, tick, changed, calls } = setUp(250);
    await store.getState().load();
    await store.getState().loadMore();
    rows.unshift(row(251, { state: 'pending', code: null }));
    rows[240] = row(rows[240]?.id ?? 0, { code: 8 });
    changed(251);
    changed(60);
    rows[rows.findIndex(({ id }) => id === 60)] = row(60, { code: 9 });
    tick();
    await vi.waitFor(() => expect(calls()[0]?.id).toBe(251));
    expect(calls()).toHaveLength(201);
    await vi.waitFor(() => expect(calls().find(({ id }) => id === 60)?.code).toBe(9));
  });

  it('has the calls that another program recorded when it is looked at again, without losing what was read', async () => {
    const { store, rows, calls } = setUp(150);
    await store.getState().visit();
    await store.getState().loadMore();
    rows.unshift(row(151));
    await store.getState().visit();
    expect(calls()).toHaveLength(151);
    expect(store.getState().list).toMatchObject({ state: 'ready', total: 151 });
  });

  it('searches a moment after typing and drops an answer that is too late', async () => {
    const { store, asked, tick, planned } = setUp(3);
    await store.getState().load();
    store.getState().setText('wal');
    store.getState().setText('wallet');
    expect(asked).toHaveLength(1);
    expect(planned).toHaveLength(1);
    tick();
    await vi.waitFor(() => expect(store.getState().searched).toBe('wallet'));
    expect(asked.at(-1)).toEqual(['calls.list', { limit: 100, text: 'wallet' }]);
    expect(store.getState().list).toMatchObject({ state: 'ready', total: 0 });
    const first = store.getState().load();
    store.getState().setText('');
    tick();
    await first;
    await vi.waitFor(() => expect(store.getState().list).toMatchObject({ total: 3 }));
  });

  it('says what failed and goes on from there', async () => {
    const { store, faults } = setUp(150);
    faults.list = true;
    await store.getState().load();
    expect(store.getState().list).toEqual({ state: 'failed', message: 'The history cannot be read.' });
    faults.list = false;
    await store.getState().load();
    faults.list = true;
    await store.getState().loadMore();
    expect(store.getState().list).toMatchObject({ state: 'ready', more: 'failed' });
    faults.list = false;
    await store.getState().loadMore();
    expect(store.getState().list).toMatchObject({ more: 'end' });
  });
});

describe('history filters', () => {
  it('go together with the search, are remembered, and are taken back at once', async () => {
    const { store, rows, asked, tick, calls } = setUp(4);
    rows[1] = row(3, { pinned: true });
    rows[2] = row(2, { pinned: true, operation: 'bet' });
    await store.getState().visit();
    expect(store.getState().narrowed).toBe(false);
    store.getState().setChoice({ pinnedOnly: true });
    store.getState().setChoice({ operation: 'gameList' });
    await vi.waitFor(() => expect(calls().map(({ id }) => id)).toEqual([3]));
    expect(store.getState().narrowed).toBe(true);
    store.getState().setText('nowhere');
    tick();
    await vi.waitFor(() => expect(store.getState().list).toMatchObject({ state: 'ready', total: 0 }));
    expect(asked.at(-1)).toEqual([
      'calls.list',
      { limit: 100, text: 'nowhere', filter: { operations: ['gameList'], pinned: true } },
    ]);
    await store.getState().visit();
    expect(calls()).toEqual([]);
    store.getState().showAll();
    await vi.waitFor(() => expect(calls()).toHaveLength(4));
    expect(store.getState()).toMatchObject({ text: '', narrowed: false, choice: wholeHistory });
  });

  it('say to core which calls', () => {
    const of = (choice: Partial<HistoryChoice>) => filterOf({ ...wholeHistory, ...choice }, noon);
    expect(of({})).toEqual({});
    expect(of({ environmentId: 'e', outcome: 'code 8' })).toEqual({ environmentIds: ['e'], codes: [8] });
    expect(of({ outcome: 'code -1' })).toEqual({ codes: [-1] });
    expect(of({ outcome: 'unanswered' })).toEqual({ outcomes: ['unanswered'] });
    expect(of({ time: 'today' })).toEqual({ since: new Date(2026, 10, 20).getTime() });
    expect(of({ time: 'yesterday' })).toEqual({
      since: new Date(2026, 10, 19).getTime(),
      until: new Date(2026, 10, 20).getTime(),
    });
    const days = { from: '2026-03-28', to: '2026-03-29' };
    expect(of({ time: 'days', days })).toEqual({
      since: new Date(2026, 2, 28).getTime(),
      until: new Date(2026, 2, 30).getTime(),
    });
    expect(of({ time: 'days', days: { from: '', to: '2026-03-29' } })).toEqual({ until: new Date(2026, 2, 30).getTime() });
    expect(of({ time: 'days', days: { from: '20', to: '' } })).toEqual({});
    expect(of({ time: '7' })).toEqual({ since: noon - 7 * 86_400_000 });
    expect(narrows(wholeHistory)).toBe(false);
    expect(narrows({ ...wholeHistory, time: '30' })).toBe(true);
  });
});

describe('a changed history', () => {
  it('loses the rows that are gone, shows marks, and keeps what was read', async () => {
    const { store, rows, tick, marked, calls } = setUp(250);
    await store.getState().load();
    await store.getState().loadMore();
    expect(calls()).toHaveLength(200);
    rows.splice(10, 2);
    rows[150] = row(98, { pinned: true });
    marked();
    tick();
    await vi.waitFor(() => expect(calls()).toHaveLength(198));
    expect(calls().some(({ id }) => id === 240 || id === 239)).toBe(false);
    expect(calls().find(({ id }) => id === 98)?.pinned).toBe(true);
    await store.getState().loadMore();
    expect(calls()).toHaveLength(248);
    expect(store.getState().list).toMatchObject({ more: 'end', total: 248 });
  });

  it('has calls back that were restored, also below the last row', async () => {
    const { store, rows, tick, marked, calls } = setUp(5);
    const gone = rows.splice(3, 2);
    await store.getState().load();
    expect(calls()).toHaveLength(3);
    rows.push(...gone);
    marked();
    tick();
    await vi.waitFor(() => expect(calls()).toHaveLength(5));
  });

  it('is empty when all are gone', async () => {
    const { store, rows, tick, marked, calls } = setUp(3);
    await store.getState().load();
    rows.splice(0);
    marked();
    tick();
    await vi.waitFor(() => expect(calls()).toEqual([]));
    expect(store.getState().list).toMatchObject({ more: 'end', total: 0 });
  });
});

describe('calls that were pinned or noted', () => {
  const asking = (asked: readonly unknown[], from: number) => asked.slice(from).map((one) => JSON.stringify(one));

  it('are fetched alone, whatever else was read', async () => {
    const { store, rows, tick, marked, calls, asked } = setUp(450);
    await store.getState().load();
    for (let page = 0; page < 3; page += 1) await store.getState().loadMore();
    const before = asked.length;
    rows[0] = row(450, { pinned: true });
    rows[300] = row(150, { note: 'n' });
    marked([450]);
    marked([150]);
    tick();
    await vi.waitFor(() => expect(calls().find(({ id }) => id === 150)?.note).toBe('n'));
    expect(calls()[0]?.pinned).toBe(true);
    expect(calls()).toHaveLength(400);
    expect(asking(asked, before)).toEqual([450, 150].map((id) => JSON.stringify(['calls.list', { limit: 1, before: id + 1 }])));
  });

  it('leave a list that is kept to pinned ones, and come into it', async () => {
    const { store, rows, tick, marked, calls } = setUp(4);
    rows[0] = row(4, { pinned: true });
    rows[2] = row(2, { pinned: true });
    await store.getState().load();
    store.getState().setChoice({ pinnedOnly: true });
    await vi.waitFor(() => expect(calls().map(({ id }) => id)).toEqual([4, 2]));
    rows[0] = row(4);
    marked([4]);
    tick();
    await vi.waitFor(() => expect(calls().map(({ id }) => id)).toEqual([2]));
    expect(store.getState().list).toMatchObject({ total: 1 });
    rows[1] = row(3, { pinned: true });
    marked([3]);
    tick();
    await vi.waitFor(() => expect(calls().map(({ id }) => id)).toEqual([3, 2]));
  });

  it('are all fetched with the others where they are many, and with a deletion', async () => {
    const { store, rows, tick, marked, calls, asked } = setUp(60);
    await store.getState().load();
    rows.forEach((call, at) => (rows[at] = { ...call, pinned: true }));
    marked(rows.map(({ id }) => id));
    tick();
    await vi.waitFor(() => expect(calls().every(({ pinned }) => pinned)).toBe(true));
    expect(asked).toHaveLength(2);
    rows.splice(5, 1);
    rows[0] = row(60, { note: 'n' });
    marked([60]);
    marked();
    tick();
    await vi.waitFor(() => expect(calls()).toHaveLength(59));
    expect(calls()[0]?.note).toBe('n');
    expect(asked).toHaveLength(3);
  });
});

describe('what actions are about', () => {
  it('ticks all that lie between the call that was ticked last and this one, in either direction', async () => {
    const { store } = setUp(10);
    await store.getState().visit();
    const { tick, tickTo } = store.getState();
    const ids = () => [...store.getState().ticked.keys()].toSorted((a, b) => a - b);
    tickTo(8, true);
    expect(ids()).toEqual([8]);
    tickTo(5, true);
    expect(ids()).toEqual([5, 6, 7, 8]);
    tick([2], true);
    tickTo(3, true);
    expect(ids()).toEqual([2, 3, 5, 6, 7, 8]);
    tickTo(7, false);
    expect(ids()).toEqual([2, 8]);
  });

  it('is the ticked calls, else the one with the keyboard, else the first', async () => {
    const { store, rows, calls } = setUp(4);
    const chosen = () => chosenCalls(store.getState()).map(({ id }) => id);
    expect(chosen()).toEqual([]);
    await store.getState().load();
    expect(chosen()).toEqual([4]);
    store.getState().setActive(2);
    expect(chosen()).toEqual([2]);
    store.getState().tick([1, 3], true);
    expect(chosen()).toEqual([3, 1]);
    store.getState().tick([1], false);
    rows.splice(1, 1);
    await store.getState().visit();
    expect(calls()).toHaveLength(3);
    await vi.waitFor(() => expect(chosen()).toEqual([2]));
  });

  it('holds ticks while another filter has their calls out of sight, as the calls are by now', async () => {
    const { store, rows, calls, marked } = setUp(4);
    rows[1] = row(3, { operation: 'bet' });
    await store.getState().load();
    store.getState().tick([4, 3], true);
    store.getState().setChoice({ operation: 'bet' });
    await vi.waitFor(() => expect(calls().map(({ id }) => id)).toEqual([3]));
    expect(chosenCalls(store.getState()).map(({ id }) => id)).toEqual([4, 3]);
    expect(tickedOutOfSight(store.getState())).toBe(1);
    rows[0] = row(4, { note: 'n' });
    marked([4, 1]);
    await vi.waitFor(() => expect(chosenCalls(store.getState())[0]?.note).toBe('n'));
    // Deleted: nothing can be done with it any more.
    rows.shift();
    marked();
    await vi.waitFor(() => expect(chosenCalls(store.getState()).map(({ id }) => id)).toEqual([3]));
    expect(tickedOutOfSight(store.getState())).toBe(0);
  });

  it('stays with a call when another comes, and goes on to the next where it is gone', async () => {
    const { store, rows } = setUp(3);
    const active = () => activeCall(store.getState())?.id;
    await store.getState().load();
    rows.unshift(row(4));
    await store.getState().visit();
    expect(active()).toBe(3);
    rows.splice(1, 1);
    await store.getState().visit();
    expect(active()).toBe(2);
    store.getState().setActive(1);
    rows.pop();
    await store.getState().visit();
    expect(active()).toBe(2);
  });
});

describe('pages', () => {
  it('are put together without gaps and without doubles', () => {
    const ids = (calls: readonly CallSummary[]) => calls.map(({ id }) => id);
    expect(ids(mergeHead([row(5), row(4), row(3)], [row(6), row(5), row(4)]))).toEqual([6, 5, 4, 3]);
    expect(ids(mergeHead([row(5), row(4)], [row(9), row(8)]))).toEqual([9, 8]);
    expect(ids(mergeHead([], [row(1)]))).toEqual([1]);
    expect(ids(mergeTail([row(5), row(4)], [row(4), row(3)]))).toEqual([5, 4, 3]);
  });
});

describe('words', () => {
  it('say what became of a call', () => {
    const failure = { kind: 'timeout', phase: 'headers', message: 'No answer in 15 s.', hint: '' } as const;
    expect(outcomeOf(row(1))).toEqual({ tone: 'good', text: '0 ok' });
    expect(outcomeOf(row(1, { code: 8 }))).toEqual({ tone: 'bad', text: 'code 8' });
    expect(outcomeOf(row(1, { code: null }))).toEqual({ tone: 'plain', text: 'HTTP 200' });
    expect(outcomeOf(row(1, { code: null, status: 502 }))).toEqual({ tone: 'bad', text: 'HTTP 502' });
    expect(outcomeOf(row(1, { code: null, doubt: 'Why.' }))).toEqual({ tone: 'warn', text: 'HTTP 200' });
    expect(outcomeOf(row(1, { doubt: 'Why.' }))).toEqual({ tone: 'warn', text: '0 ok?' });
    expect(messageOf(row(1, { doubt: 'Why.' }))).toBe('Why.');
    expect(outcomeOf(row(1, { state: 'pending' })).text).toBe('waiting');
    expect(outcomeOf(row(1, { state: 'failed', failure })).text).toBe('timed out');
    expect(messageOf(row(1, { state: 'failed', failure }))).toBe('No answer in 15 s.');
    expect(messageOf(row(1, { state: 'interrupted', message: null }))).toBe('Croupier exited before the response.');
  });

  it('count calls, with a plus where there may be more', () => {
    expect(countText(1, true, false)).toBe('1 call');
    expect(countText(1_234, true, true)).toBe('1,234 calls found');
    expect(countText(1_000, false, true)).toBe('1,000+ calls found');
  });

  it('write sizes, durations and times shortly', () => {
    expect([0, 999, 1_000, 999_949, 999_950, 20_971_520].map(bytesText)).toEqual([
      '0 B',
      '999 B',
      '1.0 kB',
      '999.9 kB',
      '1.0 MB',
      '21.0 MB',
    ]);
    expect([0.4, 38, 999.4, 1_400, 59_949, 125_000].map(durationText)).toEqual([
      '0 ms',
      '38 ms',
      '999 ms',
      '1.4 s',
      '59.9 s',
      '2 min 5 s',
    ]);
    const now = new Date(2026, 10, 20, 13, 0).getTime();
    expect(timeText(new Date(2026, 10, 20, 9, 5, 7).getTime(), now)).toBe('09:05:07');
    expect(timeText(new Date(2026, 10, 19, 23, 59, 59).getTime(), now)).toBe('2026-11-19 23:59:59');
  });
});

describe('a search that needs several steps', () => {
  const told = (store: ReturnType<typeof setUp>['store']) => {
    const { list } = store.getState();
    if (list.state !== 'ready') return list.state;
    const { search, total, totalIsExact, more, calls } = list;
    return { ids: calls.map(({ id }) => id), total, totalIsExact, more, search };
  };

  function searching(found: readonly number[], perStep = 100) {
    const set = setUp(450);
    for (const id of found) set.rows[450 - id] = row(id, { url: 'https://needle.example/' });
    set.searchSteps.perStep = perStep;
    return set;
  }

  it('shows what was found so far, how far it is, and the number at its end', async () => {
    const { store, searchSteps, asked } = searching([400, 120]);
    const seen: unknown[] = [];
    searchSteps.onStep = async () => void seen.push(told(store));
    store.getState().setText('needle');
    await store.getState().load();
    const going = (looked: number, before: number) => ({ going: true, looked, of: 450, before });
    expect(seen).toEqual([
      'loading',
      { ids: [400], total: 1, totalIsExact: false, more: 'idle', search: going(100, 351) },
      { ids: [400], total: 1, totalIsExact: false, more: 'idle', search: going(200, 251) },
      { ids: [400], total: 1, totalIsExact: false, more: 'idle', search: going(300, 151) },
      { ids: [400, 120], total: 2, totalIsExact: false, more: 'idle', search: going(400, 51) },
    ]);
    expect(told(store)).toEqual({ ids: [400, 120], total: 2, totalIsExact: true, more: 'end', search: null });
    expect(asked).toHaveLength(5);
  });

  it('ends for a newer one, which waits for one step of it at most', async () => {
    const { store, searchSteps, asked } = searching([10]);
    let release = () => undefined as void;
    searchSteps.onStep = () => new Promise((resolve) => (release = resolve));
    store.getState().setText('n');
    const loads = [store.getState().load()];
    for (const text of ['ne', 'nee', 'need', 'needle']) {
      store.getState().setText(text);
      const superseded = release;
      loads.push(store.getState().load());
      superseded();
    }
    searchSteps.onStep = async () => undefined;
    release();
    await Promise.all(loads);
    const texts = asked.map((one) => (one as [string, { text: string }])[1].text);
    expect(texts).toEqual(['n', 'ne', 'nee', 'need', 'needle', 'needle', 'needle', 'needle', 'needle']);
    expect(told(store)).toMatchObject({ ids: [10], search: null });
    // A filter alone is one step.
    store.getState().setText('');
    store.getState().setChoice({ pinnedOnly: true });
    await vi.waitFor(() => expect(told(store)).toMatchObject({ ids: [] }));
  });

  it('is stopped, says so, and goes on where it was', async () => {
    const { store, searchSteps, asked, changed, rows, tick } = searching([400, 120]);
    store.getState().setText('needle');
    let count = 0;
    searchSteps.onStep = async () => {
      count += 1;
      if (count === 3) store.getState().stopSearch();
    };
    await store.getState().load();
    const stopped = { going: false, looked: 200, of: 450, before: 251 };
    expect(told(store)).toEqual({ ids: [400], total: 1, totalIsExact: false, more: 'idle', search: stopped });
    await store.getState().loadMore();
    expect(asked).toHaveLength(3);
    // A new call comes above the results, and the search stays stopped.
    rows.unshift(row(451, { url: 'https://needle.example/' }));
    changed(451);
    tick();
    await vi.waitFor(() => expect(told(store)).toMatchObject({ ids: [451, 400], search: stopped }));
    await store.getState().visit();
    expect(told(store)).toMatchObject({ ids: [451, 400], total: 2, totalIsExact: false, search: stopped });
    await store.getState().resumeSearch();
    expect(told(store)).toEqual({ ids: [451, 400, 120], total: 3, totalIsExact: true, more: 'end', search: null });
  });

  it('takes what changed meanwhile when it is at its end', async () => {
    const { store, searchSteps, rows, changed, tick } = searching([400]);
    store.getState().setText('needle');
    let count = 0;
    searchSteps.onStep = async () => {
      count += 1;
      if (count !== 2) return;
      rows.unshift(row(451, { url: 'https://needle.example/' }));
      changed(451);
      tick();
    };
    await store.getState().load();
    expect(told(store)).toMatchObject({ ids: [400], search: null });
    tick();
    await vi.waitFor(() => expect(told(store)).toMatchObject({ ids: [451, 400] }));
  });
});
