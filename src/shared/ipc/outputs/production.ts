import { z } from '../../model/schema.ts';

export const productionOutputs = {
  'production.status': z.strictObject({
    /** Milliseconds since the epoch: until then nothing is asked before a call to it. Null where Croupier asks. */
    notAskingUntil: z.nullable(z.int()),
    /** An environment that is marked as production and has the same identity as this one, which is not marked. */
    like: z.nullable(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        by: z.enum(['identity', 'key', 'both']),
      }),
    ),
  }),
  'production.ask': z.strictObject({ asked: z.boolean() }),
};

export const productionEvents = {
  /** Ten minutes began or ended. */
  'production.changed': z.strictObject({ environmentId: z.string() }),
};
