import { cpus } from 'node:os';

/** The clocks and timers that a deadline uses; a test gives its own. */
export interface DeadlineClock {
  /** Returns milliseconds of a clock that nobody sets. On Linux it stands still while the machine sleeps, elsewhere it goes on. */
  readonly monotonic: () => number;
  /** Milliseconds since the epoch. */
  readonly wall: () => number;
  /** Runs work after so many milliseconds. */
  readonly after: (work: () => void, milliseconds: number) => { unref(): void; clear(): void };
  /** Runs work once what has arrived was read. */
  readonly afterReading: (work: () => void) => void;
}

export interface DeadlineOptions {
  /** Does not keep the program alive. */
  readonly unref?: boolean;
  readonly clock?: DeadlineClock;
}

/** Milliseconds between two counts of the clock. Each counts at most the time since the last. */
const strideMs = 1_000;
/** A count that comes so much later than it was to come follows a time in which this process did not run. */
const lateMs = 500;
/** Milliseconds from which a gap counts; on a machine that is busy with others, timers come late, too. */
const tellFromMs = 1_000;
/** Least time that is left after a suspension, so that a pending response can arrive. */
const graceMs = 1_000;

const systemClock: DeadlineClock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  after(work, milliseconds) {
    const timer = setTimeout(work, milliseconds);
    return { unref: () => void timer.unref(), clear: () => clearTimeout(timer) };
  },
  afterReading: (work) => void setImmediate(work),
};

/**
 * Runs `expire` after so many milliseconds in which this process ran. A program is suspended with its terminal, or sleeps with its
 * machine; when it wakes, its timers come before messages that arrived meanwhile are read, and a plain one would give up on a reply
 * that is already there.
 */
export function startDeadline(milliseconds: number, expire: () => void, options: DeadlineOptions = {}) {
  const { unref = false, clock = systemClock } = options;
  let whole = milliseconds;
  let left = whole;
  let unseen = 0;
  let cleared = false;
  /** Since when the time that is left is counted. */
  let from = clock.monotonic();
  let waitsFrom = from;
  let waitsFromWall = clock.wall();
  let waitsUntil = from;
  let timer: ReturnType<DeadlineClock['after']> | null = null;

  function wait(): void {
    waitsFrom = clock.monotonic();
    waitsFromWall = clock.wall();
    const stride = Math.min(left, strideMs);
    waitsUntil = waitsFrom + stride;
    timer = clock.after(count, stride);
    if (unref) timer.unref();
  }

  /** Returns the time that passed without this process since the last count: by the monotonic clock, and the wall clock's excess. */
  function gaps(now: number): { late: number; further: number } {
    return { late: Math.max(0, now - waitsUntil), further: Math.max(0, clock.wall() - waitsFromWall - (now - waitsFrom)) };
  }

  function toldOf({ late, further }: { late: number; further: number }): number {
    return (late > tellFromMs ? late : 0) + (further > tellFromMs ? further : 0);
  }

  function count(): void {
    const now = clock.monotonic();
    const gap = gaps(now);
    unseen += toldOf(gap);
    left -= Math.max(0, now - from - (gap.late > lateMs ? gap.late : 0));
    from = now;
    if (gap.late > lateMs || gap.further > lateMs) left = Math.max(left, Math.min(graceMs, whole));
    if (left >= 1) return wait();
    clock.afterReading(() => {
      if (cleared) return;
      // Begun again by a message that was just read.
      if (left >= 1) return wait();
      cleared = true;
      expire();
    });
  }

  wait();
  return {
    /** Begins again, with the same time or another. Costs a look at the clock. */
    restart(again: number = whole): void {
      whole = again;
      left = again;
      from = clock.monotonic();
      if (cleared || from + left >= waitsUntil) return;
      unseen += toldOf(gaps(from));
      timer?.clear();
      wait();
    },
    clear(): void {
      cleared = true;
      timer?.clear();
    },
    /**
     * Returns the milliseconds since its creation of which this process saw nothing: it was suspended or held up, or the machine's
     * clock went further than it counted, as in sleep. Less than two seconds may go unnoticed. 0 if nothing of the kind was noticed.
     */
    unseenMs: (): number => Math.round(unseen + (cleared ? 0 : toldOf(gaps(clock.monotonic())))),
  };
}

/** Less of the processors' time that is idle makes a computer busy. */
const idleShare = 0.1;

/**
 * Waits for a reply of another process or thread, as `startDeadline`. On a busy computer the time is given once more before `expire` hears, for a
 * sentence, what was seen, such as "within 10 s; this computer is busy".
 */
export function startWait(
  milliseconds: number,
  expire: (seen: string) => void,
  watchProcessors: () => () => boolean = watchIdle,
): { clear(): void } {
  const half = milliseconds / 2;
  let deadline = startDeadline(half, () => {
    const isBusy = watchProcessors();
    deadline = startDeadline(half, () => {
      if (!isBusy()) return expire(`within ${milliseconds / 1_000} s`);
      deadline = startDeadline(milliseconds, () => expire(`within ${(2 * milliseconds) / 1_000} s; this computer is busy`));
    });
  });
  return { clear: () => deadline.clear() };
}

/** Begins to watch the processors; the result says whether they have been busy since. */
function watchIdle(): () => boolean {
  const before = processorTimes();
  return () => {
    const now = processorTimes();
    return now.idle - before.idle < idleShare * (now.all - before.all);
  };
}

function processorTimes(): { readonly idle: number; readonly all: number } {
  const times = cpus().map((processor) => processor.times);
  return {
    idle: times.reduce((sum, { idle }) => sum + idle, 0),
    all: times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0),
  };
}
