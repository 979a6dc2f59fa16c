import { filledTextUpTo, z } from '../model/schema.ts';
import { Confirmed } from './production.ts';

export const roundInputs = {
  /**
   * Sends getGameRound and roundReplayInfo, one after the other under one ticket. Fails with `invalid_input` for a date that is invalid
   * or in the future, and as `calls.send` does. `launches.fromCall` with the replay call's ID opens the replay.
   */
  'rounds.lookup': z.strictObject({
    environmentId: filledTextUpTo(80),
    /** Decimal digits; sent as they are. */
    roundId: z.string().check(z.regex(/^(?:0|[1-9]\d{0,39})$/)),
    /** `dd-mm-yyyy`, a day in the zone of logMonth: the recorded answer, otherwise the environment's time zone. */
    date: z.string().check(z.regex(/^\d{2}-\d{2}-\d{4}$/)),
    ticket: filledTextUpTo(100),
    confirmed: Confirmed,
  }),
};
