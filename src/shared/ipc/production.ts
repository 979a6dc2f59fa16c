import { textUpTo, z } from '../model/schema.ts';

/**
 * The user's answer to core's question. `true`: this call, or this run. `tenMinutes`: and everything that grants or moves money in this
 * environment for ten minutes; for a call that only reads it means `true`.
 */
export const Confirmed = z._default(z.union([z.boolean(), z.literal('tenMinutes')]), false);
export type Confirmed = z.output<typeof Confirmed>;

export const productionInputs = {
  /** Fails with `not_found`. */
  'production.status': z.strictObject({ environmentId: textUpTo(200) }),
  /** Asks again before each call to the environment that grants or moves money. */
  'production.ask': z.strictObject({ environmentId: textUpTo(200) }),
};
