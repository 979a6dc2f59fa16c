import { cpus } from 'node:os';
import { startDeadline } from './deadline.ts';

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
