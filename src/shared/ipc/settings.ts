import { call, filledTextUpTo, Nothing, textUpTo, z } from './contract.ts';

/** Which write of which page this is. Two requests may arrive in the other order; then the earlier write is dropped. */
export const WriteOrder = z.strictObject({ page: filledTextUpTo(64), number: z.int().check(z.gte(0)) });
export type WriteOrder = z.infer<typeof WriteOrder>;

/** What a page remembers between runs (layout, open tabs with their typed text), as JSON text by name. Never a secret. */
export const settingsCalls = {
  'settings.read': call(Nothing, z.strictObject({ values: z.record(z.string(), z.string()) })),
  'settings.write': call(
    z.strictObject({
      name: z.string().check(z.regex(/^[a-z][a-zA-Z]{0,39}$/)),
      value: textUpTo(2_097_152),
      order: z.optional(WriteOrder),
    }),
    /** `masked`: the text held a private key; what is remembered has `[private key]` in its place. */
    z.strictObject({ masked: z.boolean() }),
  ),
};
