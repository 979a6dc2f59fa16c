import { z } from '../../model/schema.ts';
import { runOutputs } from './runs.ts';

export const walletOutputs = {
  'wallet.plan': z.strictObject({
    cases: z.array(
      z.strictObject({
        id: z.string(),
        group: z.string(),
        name: z.string(),
        why: z.string(),
        harm: z.string(),
        cause: z.string(),
        grade: z.enum(['required', 'customary', 'open']),
        section: z.string(),
        /** The reason why it waits; null if it does not. */
        waits: z.nullable(z.string()),
        /** The open point that must have an answer first. */
        point: z.nullable(z.string()),
        /** The most that a faulty wallet could take; null for the whole balance. */
        risk: z.nullable(z.string()),
      }),
    ),
    stake: z.string(),
    /** The most that one case could take that is made: in all, and of each of two players. */
    most: z.strictObject({ all: z.string(), players: z.array(z.string()) }),
    /** One small bet. */
    small: z.string(),
    currency: z.string(),
  }),
  'wallet.start': runOutputs['runs.start'],
  'wallet.restore': z.strictObject({
    /** `left`: what could not be put back; 0 for nothing. */
    players: z.array(z.strictObject({ playerId: z.string(), before: z.string(), after: z.string(), left: z.string() })),
  }),
};
