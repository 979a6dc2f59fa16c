import { expect, it } from 'vitest';
import { startDeadline, type DeadlineClock } from './deadline.ts';

/** Clocks and timers that a test moves. As in a process: a timer that is due comes first, then what arrived is read, then what waited for that. */
function fakeClock() {
  const now = { monotonic: 0, wall: 1_000_000 };
  let timers: { at: number; work: () => void }[] = [];
  const afterReading: (() => void)[] = [];
  const clock: DeadlineClock = {
    monotonic: () => now.monotonic,
    wall: () => now.wall,
    after(work, milliseconds) {
      const timer = { at: now.monotonic + milliseconds, work };
      timers.push(timer);
      return { unref: () => undefined, clear: () => (timers = timers.filter((other) => other !== timer)) };
    },
    afterReading: (work) => void afterReading.push(work),
  };
  function turn(read: () => void): void {
    const due = timers.filter(({ at }) => at <= now.monotonic);
    timers = timers.filter(({ at }) => at > now.monotonic);
    for (const { work } of due) work();
    read();
    for (const work of afterReading.splice(0)) work();
  }
  return {
    clock,
    /** The process runs for so long. */
    run(milliseconds: number, read: () => void = () => undefined) {
      const end = now.monotonic + milliseconds;
      while (now.monotonic < end) {
        const step = Math.min(end, ...timers.map(({ at }) => at)) - now.monotonic;
        now.monotonic += step;
        now.wall += step;
        turn(read);
      }
    },
    /** Stops it for so long; `read` is what it finds when it goes on. */
    stop(milliseconds: number, read: () => void = () => undefined, counts = true) {
      if (counts) now.monotonic += milliseconds;
      now.wall += milliseconds;
      turn(read);
    },
    setWall: (by: number) => void (now.wall += by),
  };
}

function begin(milliseconds: number) {
  const world = fakeClock();
  const seen = { expired: 0 };
  const deadline = startDeadline(milliseconds, () => (seen.expired += 1), { clock: world.clock });
  return { ...world, seen, deadline };
}

it('comes when its time is over, once', () => {
  for (const milliseconds of [0, 1, 150, 999, 1_000, 1_001, 5_000, 61_234]) {
    const { run, seen, deadline } = begin(milliseconds);
    run(milliseconds - 1);
    expect(seen.expired).toBe(0);
    run(2);
    expect(seen.expired).toBe(1);
    run(100_000);
    expect([seen.expired, deadline.unseenMs()]).toEqual([1, 0]);
  }
});

it('begins again when it is told to, with the same time or another, to the millisecond', () => {
  for (const again of [undefined, 2_000, 100, 10, 61_234]) {
    const { run, seen, deadline } = begin(2_000);
    run(1_900);
    deadline.restart(again);
    run((again ?? 2_000) - 1);
    expect(seen.expired).toBe(0);
    run(1);
    expect(seen.expired).toBe(1);
  }
});

it('does not count the time in which the process was stopped, and says how much that was', () => {
  const { run, stop, seen, deadline } = begin(5_000);
  run(1_500);
  stop(3_600_000);
  expect(seen.expired).toBe(0);
  // Half a second was left until the next look, which is all that is counted.
  expect(deadline.unseenMs()).toBe(3_600_000 - 500);
  run(2_999);
  expect(seen.expired).toBe(0);
  run(1);
  expect(seen.expired).toBe(1);
});

it('leaves a second to whoever was about to respond', () => {
  const { run, stop, seen } = begin(5_000);
  run(4_990);
  stop(60_000);
  run(999);
  expect(seen.expired).toBe(0);
  run(1);
  expect(seen.expired).toBe(1);
});

it('leaves it also after a sleep that only the wall clock shows', () => {
  const { run, stop, seen, deadline } = begin(5_000);
  run(4_990);
  stop(28_800_000, () => undefined, false);
  expect(deadline.unseenMs()).toBe(28_800_000);
  run(1_009);
  expect(seen.expired).toBe(0);
  run(1);
  expect(seen.expired).toBe(1);
});

it('is cleared by what is read in the turn in which its time is over', () => {
  const { stop, seen, deadline } = begin(300);
  stop(400, () => deadline.clear());
  expect(seen.expired).toBe(0);
});

it('goes on where what is read in that turn begins it again', () => {
  const { run, seen, deadline } = begin(300);
  let chunks = 1;
  run(300, () => {
    if (chunks-- > 0) deadline.restart();
  });
  expect(seen.expired).toBe(0);
  run(300);
  expect(seen.expired).toBe(1);
});

it('sees a pause that ended just now, before it looks itself, and none in a clock that goes back', () => {
  const { run, stop, setWall, deadline } = begin(60_000);
  run(300);
  setWall(-hour);
  run(10_000);
  expect(deadline.unseenMs()).toBe(0);
  let seenInside = 0;
  stop(20_000, () => (seenInside = deadline.unseenMs()));
  expect(seenInside).toBeGreaterThanOrEqual(19_000);
  deadline.clear();
  expect(deadline.unseenMs()).toBe(seenInside);
});

const hour = 3_600_000;
