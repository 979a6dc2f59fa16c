import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { Client, LoggedVerdict, VerdictPage } from '#shared/ipc/index.ts';
import { chosenVerdict, createProviderLogStore } from './provider-log-store.ts';
import { askedText, carriedKey, countText, senderText, visible, whyText, windowAround } from './verdict-words.ts';

function entry(number: number, change: Partial<LoggedVerdict> = {}): LoggedVerdict {
  return {
    time: '2026-11-20T10:15:30.000Z',
    path: '/serviceApi.php',
    action: 'gameList',
    verdict: { code: 0, message: 'ok', why: 'fine', reason: '', standsIn: false },
    bodyText: '{}',
    headers: [],
    number,
    callId: number + 100,
    ...change,
  };
}

/** A client over a log that a test fills, and a clock that runs by hand. */
function setUp(count: number, dropped = 0) {
  const kept = Array.from({ length: count }, (_, at) => entry(dropped + count - at));
  const state = { kept, dropped, fails: false };
  const asked: unknown[] = [];
  const gates: (() => void)[] = [];
  const hold = { on: false };
  const planned: (() => void)[] = [];
  let tell: (entry: LoggedVerdict) => void = () => undefined;
  const client = {
    async call(name: string, input: { before?: number; limit: number }): Promise<VerdictPage> {
      asked.push([name, input]);
      if (state.fails) throw new AppError('storage', 'The line is down.');
      const { before = Infinity, limit } = input;
      const entries = state.kept.filter(({ number }) => number < before).slice(0, limit);
      const reply = { entries, total: state.kept.length, dropped: state.dropped };
      if (hold.on) await new Promise<void>((resolve) => gates.push(resolve));
      return reply;
    },
    on(_name: string, listener: (entry: LoggedVerdict) => void) {
      tell = listener;
      return () => (tell = () => undefined);
    },
  } as unknown as Client;
  const store = createProviderLogStore(client, { later: (run) => (planned.push(run), () => undefined) });
  const judge = (one: LoggedVerdict) => {
    state.kept.unshift(one);
    tell(one);
  };
  const numbers = () => {
    const { log } = store.getState();
    return log.state === 'ready' ? log.entries.map(({ number }) => number) : [];
  };
  const tick = () => planned.splice(0).forEach((run) => run());
  return { store, state, asked, hold, gates, judge, numbers, tick };
}

describe('the log', () => {
  it('is read whole in pages, once', async () => {
    const { store, asked, numbers } = setUp(450);
    await store.getState().visit();
    expect(numbers()).toHaveLength(450);
    expect(numbers().slice(0, 2)).toEqual([450, 449]);
    expect(asked).toEqual([
      ['sandbox.log', { limit: 200 }],
      ['sandbox.log', { limit: 200, before: 251 }],
      ['sandbox.log', { limit: 200, before: 51 }],
    ]);
    await store.getState().visit();
    expect(asked).toHaveLength(3);
  });

  it('grows at its top and releases what the provider release', async () => {
    const { store, state, judge, numbers, tick } = setUp(3);
    await store.getState().visit();
    judge(entry(4));
    judge(entry(5));
    judge(entry(6));
    expect(numbers()).toEqual([4, 3, 2, 1]);
    state.dropped = 3;
    tick();
    expect(numbers()).toEqual([6, 5, 4, 3, 2, 1]);
    await vi.waitFor(() => expect(numbers()).toEqual([6, 5, 4]));
    expect(store.getState().log).toMatchObject({ dropped: 3 });
  });

  it('is read again where the numbers do not follow each other: after a gap, and after a new start of the provider', async () => {
    const { store, state, judge, numbers } = setUp(3);
    await store.getState().visit();
    state.kept.unshift(entry(4));
    judge(entry(5));
    await vi.waitFor(() => expect(numbers()).toEqual([5, 4, 3, 2, 1]));
    state.kept.splice(0);
    judge(entry(1));
    await vi.waitFor(() => expect(numbers()).toEqual([1]));
  });

  it('misses nothing that is told while it is read', async () => {
    const { store, hold, gates, judge, numbers } = setUp(1);
    hold.on = true;
    const visiting = store.getState().visit();
    judge(entry(2));
    hold.on = false;
    gates.forEach((open) => open());
    await visiting;
    expect(numbers()).toEqual([2, 1]);
  });

  it('is not read before somebody looks', () => {
    const { store, asked, judge } = setUp(1);
    judge(entry(2));
    expect([asked, store.getState().log]).toEqual([[], { state: 'loading' }]);
  });

  it('says why it cannot be read, and can be tried again', async () => {
    const { store, state, numbers } = setUp(2);
    state.fails = true;
    await store.getState().visit();
    expect(store.getState().log).toEqual({ state: 'failed', message: 'The line is down.' });
    state.fails = false;
    await store.getState().visit();
    expect(numbers()).toEqual([2, 1]);
  });
});

describe('the choice', () => {
  it('is a verdict, or whichever verdict a call has, also one that is judged later', async () => {
    const { store, judge } = setUp(2);
    await store.getState().visit();
    store.getState().choose({ number: 1 });
    expect(chosenVerdict(store.getState())?.number).toBe(1);
    store.getState().choose({ callId: 102 });
    expect(chosenVerdict(store.getState())?.number).toBe(2);
    store.getState().choose({ callId: 103 });
    expect(chosenVerdict(store.getState())).toBeNull();
    judge(entry(3));
    expect(chosenVerdict(store.getState())?.number).toBe(3);
  });

  it('of how it is shown is remembered, and what cannot be read is left as it was', () => {
    const { store } = setUp(0);
    expect(store.getState().shown).toBe(false);
    store.getState().setShown(false);
    store.getState().setShare('beside', 61.5);
    const text = store.getState().exportView();
    const other = setUp(0).store;
    other.getState().restoreView(text);
    expect(other.getState()).toMatchObject({ shown: false, shares: { beside: 61.5, details: 40 } });
    for (const bad of [undefined, '', '7', '{"shown":3,"shares":{"beside":900}}']) other.getState().restoreView(bad);
    expect(other.getState()).toMatchObject({ shown: false, shares: { beside: 58 } });
  });
});

describe('the words', () => {
  const input = { key: '<PRIVATE_KEY>' as const, time: 't', data: null, dataBytes: 0 };
  const verdict = { code: 8, message: 'hash not valid', why: 'All of it.', reason: 'All of it.', standsIn: false };

  it('say why without what is shown beside it', () => {
    const whole = { ...verdict, why: 'The input, and all of it.' };
    const expected = { hash: 'a', input, dataIs: 'reencoded' as const };
    expect(whyText({ verdict: whole })).toBe('The input, and all of it.');
    expect(whyText({ verdict: { ...whole, expected, mistake: 'In upper case.' } })).toBe('In upper case.');
    expect(whyText({ verdict: { ...whole, expected, mistake: null } })).toBe('All of it.');
    expect(whyText({ verdict: { ...whole, expected: { ...expected, hash: null, input: null } } })).toBe(
      'The input, and all of it.',
    );
  });

  it('say who sent it and what was asked', () => {
    expect(senderText(entry(1, { callId: null }))).toMatch(/^No matching call/);
    expect(senderText(entry(1, { callId: null, headers: null, path: '/bet' }))).toBe('Sent by the demo game');
    expect([askedText(entry(1)), askedText(entry(1, { action: null, path: '/bet' }))]).toEqual(['gameList', '/bet']);
    expect([countText(1, 0), countText(1_000, 1_234)]).toEqual(['1 verdict', '1,000 verdicts, 1,234 older dropped']);
    expect([carriedKey(entry(1)), carriedKey(entry(1, { headers: [['x', 'a<PRIVATE_KEY>']] }))]).toEqual([false, true]);
  });

  it('show a long text around a place, with whole characters', () => {
    expect(windowAround('ab😀cd', 2)).toEqual({ before: 'ab', at: '😀', after: 'cd', hidden: [0, 0] });
    expect(windowAround('ab', 2)).toEqual({ before: 'ab', at: '', after: '', hidden: [0, 0] });
    const long = windowAround('x'.repeat(10_000), 5_000);
    expect([long.before.length, long.at, long.after.length, long.hidden]).toEqual([160, 'x', 1_500, [4_840, 3_499]]);
    expect(windowAround('x'.repeat(10_000), null)).toMatchObject({ before: '', at: '', hidden: [0, 8_500] });
    expect([visible(''), visible(' a\n')]).toEqual(['(the end)', '·a⏎']);
  });
});
