import { AddressCheck } from '../../model/launcher-url.ts';
import { z } from '../../model/schema.ts';
import { CallSummary } from './calls.ts';

/** A value as received: a number's exact digits or a decoded string; null if it is missing or neither. */
const received = z.nullable(z.string());

/** One record of getGameRound (spec, Round record). */
export const RoundRecord = z.strictObject({
  id: received,
  gameId: received,
  action: received,
  bet: received,
  win: received,
  currencyName: received,
  roundId: received,
  /** `yyyy-mm-dd hh:mm:ss`; its zone is not documented. */
  actionTime: received,
  source: received,
  url: received,
});
export type RoundRecord = z.infer<typeof RoundRecord>;

/** The record of roundReplayInfo (spec, Round replay record). */
export const ReplayRecord = z.strictObject({
  start: received,
  end: received,
  betAmount: received,
  winAmount: received,
  currency: received,
  replayLink: received,
});
export type ReplayRecord = z.infer<typeof ReplayRecord>;

export const RoundLookup = z.strictObject({
  roundId: z.string(),
  /** logMonth as sent: months from the current month back to the date's, in `timeZone`. */
  logMonth: z.int(),
  timeZone: z.string(),
  /** `yyyy-mm` of the date and of now in that zone, which explain logMonth. */
  month: z.string(),
  currentMonth: z.string(),
  round: z.strictObject({
    call: CallSummary,
    /** Null if the response has no list of records. A provider returns an empty list for a round that it does not find. */
    records: z.nullable(z.array(RoundRecord)),
    problem: z.nullable(z.string()),
  }),
  /** Null if the first call was cancelled, so that the second was not sent. */
  replay: z.nullable(
    z.strictObject({
      call: CallSummary,
      record: z.nullable(ReplayRecord),
      problem: z.nullable(z.string()),
      /** https, replayToken, tableM, lang: empty if there is no link. */
      checks: z.array(AddressCheck),
    }),
  ),
});
export type RoundLookup = z.infer<typeof RoundLookup>;

export const roundOutputs = {
  'rounds.lookup': RoundLookup,
};
