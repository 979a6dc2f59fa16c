import { z } from '../../model/schema.ts';
import { CallSummary } from './calls.ts';

/** A session token of a pool, without the token. */
export const PoolToken = z.strictObject({
  id: z.int(),
  /** Such as `pool, line 3 of players.csv`. */
  from: z.string(),
  /** Its first four characters; empty for a short token. */
  start: z.string(),
  playerId: z.string(),
  lang: z.string(),
  country: z.string(),
  currency: z.string(),
  /** `taken`: a launch is being prepared with it, or it is being renewed. `in use`: an open launch has it, `user`. */
  state: z.enum(['unused', 'taken', 'used', 'in use']),
  user: z.string(),
});
export type PoolToken = z.infer<typeof PoolToken>;

export const tokenOutputs = {
  'tokens.list': z.strictObject({
    tokens: z.array(PoolToken),
    /** The command that yields tokens; empty if none is set. */
    command: z.string(),
    /** True if this host can set it. */
    settable: z.boolean(),
  }),
  /** `left`: sentences about lines without a token to add. */
  'tokens.add': z.strictObject({ added: z.int(), left: z.array(z.string()) }),
  'tokens.remove': z.strictObject({ removed: z.int() }),
  'tokens.restore': z.strictObject({ restored: z.int() }),
  /** `message` says why there is no new token, and `fields` names the strings of the response; null if there is one. */
  'tokens.renew': z.strictObject({ call: CallSummary, message: z.nullable(z.string()), fields: z.array(z.string()) }),
  /** `set` is false if the user declined. */
  'tokens.setCommand': z.strictObject({ set: z.boolean(), command: z.string() }),
};

export const tokenEvents = {
  /** A pool or its command changed. */
  'tokens.changed': z.strictObject({ environmentId: z.string() }),
};
