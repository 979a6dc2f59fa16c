import { AddressCheck } from '../../model/launch-address.ts';
import { z } from '../../model/schema.ts';
import { CallSummary } from './calls.ts';

/** Text of a value as received: digits exactly, strings decoded; null where it is missing or no text and no number. */
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

/** What roundReplayInfo tells (spec, Round replay record). */
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
  /** What was sent: months from the current month back to the date's, in `timeZone`. */
  logMonth: z.int(),
  timeZone: z.string(),
  /** `yyyy-mm` of the date and of now in that zone, to show how logMonth came about. */
  month: z.string(),
  currentMonth: z.string(),
  round: z.strictObject({
    call: CallSummary,
    /** Null where the answer has no list of records; an empty list is what a provider says of a round it does not find. */
    records: z.nullable(z.array(RoundRecord)),
    problem: z.nullable(z.string()),
  }),
  /** Null where the first call was cancelled, so that the second was not sent. */
  replay: z.nullable(
    z.strictObject({
      call: CallSummary,
      record: z.nullable(ReplayRecord),
      problem: z.nullable(z.string()),
      /** https, replayToken, tableM, lang: empty where there is no link. */
      checks: z.array(AddressCheck),
    }),
  ),
});
export type RoundLookup = z.infer<typeof RoundLookup>;

export const roundOutputs = {
  'rounds.lookup': RoundLookup,
};
