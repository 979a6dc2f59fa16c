import type { Choices } from './choices.ts';
import { parseTime, swapTimeOrder } from './time-text.ts';

/** Returns a sentence that says why `time` of a request with this action is refused; null if it is not. */
export type TimeRule = (time: string, action: string | null) => string | null;

/** Creates the rule of `time` by its order of day and year and by the clock; `now` returns milliseconds since the epoch. */
export function createTimeRule(
  { timeOrder, timeZone, timeTolerance }: Pick<Choices, 'timeOrder' | 'timeZone' | 'timeTolerance'>,
  now: () => number,
): TimeRule {
  const clock = timeTolerance === null ? null : readClock(timeZone);

  return (time, action) => {
    const order = timeOrder === 'samples' ? (action === 'roundReplayInfo' ? 'ymd' : 'dmy') : timeOrder;
    if (order === 'any' && clock === null) return null;
    const [dayFirst, yearFirst] = [parseTime(time), parseTime(swapTimeOrder(time) ?? '')];
    const read = order === 'dmy' ? dayFirst : order === 'ymd' ? yearFirst : (dayFirst ?? yearFirst);
    if (read === null) return `time must be a date and time ${forms[order]}.`;
    if (clock === null || timeTolerance === null) return null;
    const seconds = Math.round((read - clock(now())) / 1_000);
    if (Math.abs(seconds) <= timeTolerance) return null;
    const side = seconds < 0 ? 'behind' : 'ahead of';
    return `time, read in ${timeZone}, is ${Math.abs(seconds)} seconds ${side} the provider's clock; at most ${timeTolerance} seconds are accepted.`;
  };
}

const forms = {
  any: 'as dd-mm-yyyy hh:mm:ss or yyyy-mm-dd hh:mm:ss',
  dmy: 'with the day first: dd-mm-yyyy hh:mm:ss',
  ymd: 'with the year first: yyyy-mm-dd hh:mm:ss',
} as const;

/** Returns a function that gives what a clock in the zone shows at a moment, in whole seconds, as if that were UTC. */
function readClock(timeZone: string): (epochMs: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (epochMs) => {
    const parts = new Map(format.formatToParts(epochMs).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  };
}
