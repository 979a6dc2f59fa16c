import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDay } from './day.ts';

// A zone whose midnights are not those of UTC, and that changes its clocks.
beforeEach(() => void vi.stubEnv('TZ', 'America/St_Johns'));
afterEach(() => void vi.unstubAllEnvs());

/** Creates a clock that is moved by hand, and the timers over it. */
function setUp(start: Date) {
  let now = start.getTime();
  let timers: { readonly run: () => void; readonly at: number }[] = [];
  let use = () => {};
  let woken = 0;
  const day = createDay({
    now: () => now,
    later(run, milliseconds) {
      timers.push({ run, at: now + milliseconds });
      return () => undefined;
    },
    onUse: (listener) => (use = listener),
  });
  const days: string[] = [];
  day.watch(() => days.push(new Date(day.get()).toDateString()));
  /** Lets time pass as while the machine is awake. */
  const pass = (until: Date) => {
    for (;;) {
      const [next] = timers.toSorted((one, other) => one.at - other.at);
      if (next === undefined || next.at > until.getTime()) break;
      timers = timers.filter((timer) => timer !== next);
      now = Math.max(now, next.at);
      woken += 1;
      next.run();
    }
    now = until.getTime();
  };
  return { day, days, pass, sleep: (until: Date) => (now = until.getTime()), use: () => use(), woken: () => woken };
}

it('turns at midnight of the local zone and at no other time, and wakes for that alone', () => {
  expect(new Date(2026, 10, 24).toISOString()).toBe('2026-11-24T03:30:00.000Z');
  const { days, pass, woken } = setUp(new Date(2026, 10, 23, 23, 50, 30));
  pass(new Date(2026, 10, 23, 23, 59, 59, 999));
  expect(days).toEqual([]);
  pass(new Date(2026, 10, 24));
  expect(days).toEqual(['Tue Nov 24 2026']);
  pass(new Date(2026, 10, 24, 1));
  expect(days).toHaveLength(1);
  expect(woken()).toBe(1);
});

it('turns after sleep as soon as somebody uses the page, or when the timer that slept too rings', () => {
  const { days, sleep, use, pass } = setUp(new Date(2026, 10, 23, 18));
  sleep(new Date(2026, 10, 24, 8));
  use();
  expect(days).toEqual(['Tue Nov 24 2026']);
  // The earlier timer is overdue.
  sleep(new Date(2026, 10, 26, 8));
  pass(new Date(2026, 10, 26, 8, 1));
  expect(days).toEqual(['Tue Nov 24 2026', 'Thu Nov 26 2026']);
});

it('follows a day that is longer or shorter than others', () => {
  // In a zone whose clocks change; elsewhere these are days like any other.
  for (const month of [2, 9]) {
    const { days, pass } = setUp(new Date(2026, month, 1));
    pass(new Date(2026, month + 1, 1));
    expect(days).toHaveLength(new Date(2026, month + 1, 0).getDate());
    expect(days.at(-1)).toBe(new Date(2026, month + 1, 1).toDateString());
  }
});
