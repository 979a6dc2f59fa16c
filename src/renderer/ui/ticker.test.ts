import { describe, expect, it } from 'vitest';
import { restAfter, startTicker, watchUse } from './ticker.ts';

function setUp(every: number, onTick: () => void = () => {}) {
  const state = { at: 1_300, hidden: false, planned: [] as { run: () => void; milliseconds: number }[], seen: () => {} };
  const ticks: number[] = [];
  const stop = startTicker(
    {
      hidden: () => state.hidden,
      onSight(listener) {
        state.seen = listener;
        return () => (state.seen = () => {});
      },
      later(run, milliseconds) {
        const one = { run, milliseconds };
        state.planned.push(one);
        return () => (state.planned = state.planned.filter((other) => other !== one));
      },
    },
    () => state.at,
    every,
    (at) => {
      ticks.push(at);
      onTick();
    },
  );
  const pass = () => {
    const [due] = state.planned.splice(0, 1);
    if (due === undefined) throw new Error('Nothing is planned');
    state.at += due.milliseconds;
    due.run();
  };
  const turn = (hidden: boolean) => {
    state.hidden = hidden;
    state.seen();
  };
  return { state, ticks, stop, pass, turn };
}

describe('a ticker', () => {
  it('ticks at once and at full periods of the clock, with one timer', () => {
    const { ticks, pass, state } = setUp(1_000);
    pass();
    pass();
    expect(ticks).toEqual([1_300, 2_000, 3_000]);
    expect(state.planned).toHaveLength(1);
  });

  it('plans nothing while the page is out of sight, and ticks at once when it is back', () => {
    const { ticks, turn, state } = setUp(1_000);
    turn(true);
    expect(state.planned).toEqual([]);
    state.at += 3_600_000;
    turn(false);
    expect(ticks).toEqual([1_300, 3_601_300]);
    expect(state.planned).toHaveLength(1);
    turn(false);
    expect(state.planned).toHaveLength(1);
  });

  it('is over where what it tells ends it', () => {
    let end = () => {};
    const { stop, pass, state } = setUp(1_000, () => end());
    end = stop;
    pass();
    expect(state.planned).toEqual([]);
  });

  it('leaves nothing behind', () => {
    const { stop, state, turn } = setUp(1_000);
    stop();
    expect(state.planned).toEqual([]);
    turn(true);
    turn(false);
    expect(state.planned).toEqual([]);
  });
});

describe('the watch for use', () => {
  it('tells once that nobody touched the page for a while, with one timer until then and none after it, and at once of a sign', () => {
    const timers: { run: () => void; due: number }[] = [];
    const told: boolean[] = [];
    let at = 500;
    let sign = () => {};
    const pass = () => {
      const due = timers.shift();
      at = due?.due ?? at;
      due?.run();
    };
    const stop = watchUse(
      {
        later: (run, milliseconds) => {
          timers.push({ run, due: at + milliseconds });
          return () => timers.splice(0);
        },
        onSign: (listener) => {
          sign = listener;
          return () => (sign = () => {});
        },
      },
      () => at,
      (inUse) => told.push(inUse),
    );
    at += restAfter - 1;
    sign();
    pass();
    expect([told, timers.length]).toEqual([[], 1]);
    pass();
    expect([told, timers.length]).toEqual([[false], 0]);
    sign();
    sign();
    expect([told, timers.length]).toEqual([[false, true], 1]);
    stop();
    sign();
    expect([told, timers.length]).toEqual([[false, true], 0]);
  });
});
