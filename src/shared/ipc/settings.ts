import { call, Nothing, z } from './contract.ts';

/** What a page remembers between runs (layout, open tabs with their typed text), as JSON text by name. Never a secret. */
export const settingsCalls = {
  'settings.read': call(Nothing, z.strictObject({ values: z.record(z.string(), z.string()) })),
  'settings.write': call(
    z.strictObject({ name: z.string().regex(/^[a-z][a-zA-Z]{0,39}$/), value: z.string().max(2_097_152) }),
    Nothing,
  ),
};
