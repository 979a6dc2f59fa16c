import { filledTextUpTo, textUpTo, z } from '../model/schema.ts';
import { Confirmed } from './production.ts';

const cases = {
  environmentId: textUpTo(200),
  /** The most that the whole run may lose: a JSON number; empty for 20 units of the currency. */
  stake: z._default(textUpTo(50), ''),
  /** IDs of cases and groups; empty for all. */
  only: z._default(z.array(textUpTo(60)).check(z.maxLength(300)), []),
  /** A collection, open or by its directory, whose own cases are run, too. */
  collectionId: z.optional(textUpTo(100)),
  directory: z.optional(textUpTo(4_000)),
} as const;
/** Session tokens of one player, or of two; empty for those of the built-in provider, the pool or the token command. */
const tokens = z._default(z.array(filledTextUpTo(10_000)).check(z.maxLength(2)), []);

export const walletInputs = {
  /** Lists the cases, what each could cost, and those that wait for an answer. Nothing is sent. Fails with `not_found` and `invalid_input`. */
  'wallet.plan': z.strictObject(cases),
  /**
   * Tests the operator's wallet at the environment's wallet URL. It is a run: `runs.progressed`, `runs.requests`, `runs.cancel` and `runs.export`
   * are its own, too. Fails with `not_found`, `invalid_input`, with `refused` (unconfirmed production, always asked; no session token).
   */
  'wallet.start': z.strictObject({
    ...cases,
    tokens,
    /** Empty for game 1. */
    gameId: z._default(textUpTo(255), ''),
    /** True if a customary demand that does not hold fails the run. */
    strict: z._default(z.boolean(), false),
    /** Repeats the transactions of that run. */
    retryOf: z._default(z.nullable(filledTextUpTo(100)), null),
    confirmed: Confirmed,
  }),
  /** Puts back, by /win and /bet, what an ended run left moved. Fails with `not_found`, and with `refused` if the run does not explain the balance. */
  'wallet.restore': z.strictObject({ runId: filledTextUpTo(100), tokens, confirmed: Confirmed }),
};
