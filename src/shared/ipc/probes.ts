import { filledTextUpTo, z } from '../model/schema.ts';
import { Confirmed } from './production.ts';

export const probeInputs = {
  /** Returns the calls that `probes.start` may send, and sends nothing. Fails with `not_found`. */
  'probes.plan': z.strictObject({ environmentId: filledTextUpTo(80) }),
  /**
   * Sends the plan, a second between two calls, and returns its conclusions. It records nothing but the calls: `answers` are for
   * `environments.save`. Fails with `key_missing`, `key_unavailable`, `conflict` (a plan of the environment is under way) and, against
   * production, with `refused` and a `ProductionQuestion` each time until it is confirmed; then nothing was sent.
   */
  'probes.start': z.strictObject({
    environmentId: filledTextUpTo(80),
    ticket: filledTextUpTo(100),
    /** Also sends moved times, which find the provider's zone and tolerance and can take more than a minute. */
    moved: z._default(z.boolean(), false),
    /** As in `calls.send`. */
    confirmed: Confirmed,
  }),
  /** Ends the plan with this ticket after the call under way; its conclusions so far are returned by `probes.start`. */
  'probes.cancel': z.strictObject({ ticket: filledTextUpTo(100) }),
};
