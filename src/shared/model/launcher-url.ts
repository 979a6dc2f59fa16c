import { z } from './schema.ts';

/** One parameter of the launcher URL beside the requested value. Session tokens read `[token]` and `[another token]`. */
export const LaunchParameterRow = z.strictObject({
  name: z.string(),
  /** `equal`: present once and the same, or rightly absent. `unexpected`: not a documented parameter. `malformed`: present, but not in the documented form. */
  state: z.enum(['equal', 'different', 'missing', 'unexpected', 'duplicated', 'malformed']),
  requested: z.nullable(z.string()),
  returned: z.nullable(z.string()),
});
export type LaunchParameterRow = z.infer<typeof LaunchParameterRow>;

/** One check of a URL and its result. */
export const AddressCheck = z.strictObject({
  /** Stable name of the rule. */
  rule: z.string(),
  passed: z.boolean(),
  message: z.string(),
});
export type AddressCheck = z.infer<typeof AddressCheck>;
