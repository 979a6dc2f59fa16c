import { wholeNumber, z } from '../model/schema.ts';
import { Nothing } from './nothing.ts';

/** A player of the built-in provider, with a valid session token. */
export const SandboxPlayer = z.strictObject({
  playerId: z.string(),
  externalToken: z.string(),
  currency: z.string(),
  country: z.string(),
  balance: z.number(),
});
export type SandboxPlayer = z.infer<typeof SandboxPlayer>;

/**
 * Values with which each operation succeeds at the built-in provider now, as JSON text by operation and field: a valid token, an ended
 * round, a bet that can be cancelled.
 */
export const SandboxSamples = z.record(z.string(), z.record(z.string(), z.string()));
export type SandboxSamples = z.infer<typeof SandboxSamples>;

export const sandboxInputs = {
  'sandbox.status': Nothing,
  /** Returns the provider's verdicts of this session. `before` is the number of the last entry already shown. */
  'sandbox.log': z.strictObject({
    before: z.optional(z.int()),
    limit: z._default(wholeNumber(1, 500), 100),
  }),
};
