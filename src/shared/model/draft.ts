import { operationNames } from './operations.ts';
import { longestPayload } from './limits.ts';
import { textUpTo, z } from './schema.ts';

/** A payload. The user reads this sentence if it is too long. */
export const payloadText = z.string().check(z.maxLength(longestPayload, 'It has more than 5,000,000 characters. Shorten it.'));

export const OperationName = z.enum(operationNames);

/** Deliberate faults for negative tests. An absent member means no fault. */
export const Overrides = z.strictObject({
  /** `wrong` changes one hexadecimal digit of the right hash; any other text is sent unchanged. */
  hash: z.optional(textUpTo(1_000)),
  /** Text sent as `time` and hashed; absent means now in the environment's zone. */
  time: z.optional(textUpTo(1_000)),
  /** JSON text sent instead of the environment's number. */
  platform: z.optional(textUpTo(1_000)),
  partnerId: z.optional(textUpTo(1_000)),
  /** Envelope fields that are left out of the body. */
  omit: z.optional(z.array(z.enum(['action', 'platform', 'partnerId', 'time', 'data', 'hash']))),
});
export type Overrides = z.infer<typeof Overrides>;

/** One request as the user edits it. `text` is sent as typed: it is never parsed and printed again. */
export const RequestDraft = z.strictObject({
  environmentId: textUpTo(100),
  operation: OperationName,
  /** The operation's form that the text was started from. */
  form: textUpTo(100),
  /** JSON text: of `data`, of a wallet method's body, or (gameList) of the extra envelope fields. Empty for no payload. */
  text: payloadText,
  overrides: z.prefault(Overrides, {}),
});
export type RequestDraft = z.infer<typeof RequestDraft>;
