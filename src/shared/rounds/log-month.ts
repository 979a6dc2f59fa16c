import { AppError } from '../errors.ts';
import { answerOf } from '../provider/wire-form.ts';
import { readDateTime } from '../provider/date-time.ts';
import type { Answers } from '../provider/model.ts';
import { formatTime } from '../signing/time.ts';

/** A date as logMonth, or a sentence that says why there is none. */
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

/** Returns the time zone of logMonth in an environment: the recorded answer, otherwise the zone of `time`. */
export function monthZoneOf({ timeZone, answers }: { readonly timeZone: string; readonly answers: Answers }): string {
  return answerOf('rounds.monthZone', answers) ?? timeZone;
}

/**
 * Computes logMonth of roundReplayInfo and getGameRound (spec, Endpoints 2) for a day `dd-mm-yyyy` in a time zone. `now` is in milliseconds
 * since the epoch. The provider's time zone for months is an open point: near the end of a month the other month may be right.
 */
export function logMonthOf(date: string, now: number, timeZone: string): LogMonth {
  if (readDateTime(`${date} 00:00:00`, 'dmy') === null) {
    return { ok: false, message: `${date} is not a date. Write it as dd-mm-yyyy, such as 20-11-2026.` };
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
      message: `${date} is in the future: it is ${today} in ${timeZone}. Enter the day on which the round was played.`,
    };
  }
  const month = day.slice(0, 7);
  const currentMonth = today.slice(0, 7);
  return { ok: true, logMonth: monthNumber(currentMonth) - monthNumber(month), month, currentMonth };
}

function monthNumber(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5));
}
