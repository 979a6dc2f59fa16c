import { AppError } from '../errors.ts';
import { answerOf } from '../provider/answers.ts';
import { readDateTime } from '../provider/date-time.ts';
import type { Answers } from '../provider/model.ts';
import { formatTime } from '../signing/time.ts';

/** How a date becomes logMonth, or a sentence that says why it does not. */
export type LogMonth =
  | {
      readonly ok: true;
      /** Months from the current month back to the date's; 0 is the current month. */
      readonly logMonth: number;
      /** `yyyy-mm`, of the date and of now in the zone. */
      readonly month: string;
      readonly currentMonth: string;
    }
  | { readonly ok: false; readonly message: string };

/** The zone in which an environment's months are counted: the recorded answer, else the zone in which time is written. */
export function monthZoneOf({ timeZone, answers }: { readonly timeZone: string; readonly answers: Answers }): string {
  return answerOf('rounds.monthZone', answers) ?? timeZone;
}

/**
 * logMonth of roundReplayInfo and getGameRound (spec, Endpoints 2) for a day `dd-mm-yyyy` in a time zone. `now` is in milliseconds
 * since the epoch. Which zone the provider counts months in is an open point: near a month's end the other month may be the right one.
 */
export function logMonthOf(date: string, now: number, timeZone: string): LogMonth {
  if (readDateTime(`${date} 00:00:00`, 'dmy') === null) {
    return { ok: false, message: `${date} is not a date. Write it as dd-mm-yyyy, as 20-11-2026.` };
  }
  let today: string;
  try {
    today = formatTime(now, timeZone, 'ymd').slice(0, 10);
  } catch (error) {
    return { ok: false, message: error instanceof AppError ? error.message : String(error) };
  }
  const day = `${date.slice(6)}-${date.slice(3, 5)}-${date.slice(0, 2)}`;
  if (day > today) {
    return {
      ok: false,
      message: `${date} lies ahead: it is ${today} in ${timeZone}. A round that can be looked up was played before.`,
    };
  }
  const month = day.slice(0, 7);
  const currentMonth = today.slice(0, 7);
  return { ok: true, logMonth: monthNumber(currentMonth) - monthNumber(month), month, currentMonth };
}

function monthNumber(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5));
}
