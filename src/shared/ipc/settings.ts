import { call, Nothing, z } from './contract.ts';

/** Which write of which page this is. Two requests may arrive in the other order; then the earlier write is dropped. */
export const WriteOrder = z.strictObject({ page: z.string().min(1).max(64), number: z.number().int().min(0) });
export type WriteOrder = z.infer<typeof WriteOrder>;

/** What a page remembers between runs (layout, open tabs with their typed text), as JSON text by name. Never a secret. */
export const settingsCalls = {
  'settings.read': call(Nothing, z.strictObject({ values: z.record(z.string(), z.string()) })),
  'settings.write': call(
    z.strictObject({
      name: z.string().regex(/^[a-z][a-zA-Z]{0,39}$/),
      value: z.string().max(2_097_152),
      order: WriteOrder.optional(),
    }),
    Nothing,
  ),
};
