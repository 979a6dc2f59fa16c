import { z } from '../../model/schema.ts';

export const settingsOutputs = {
  'settings.read': z.strictObject({
    values: z.record(z.string(), z.string()),
    unknown: z.array(z.string()),
  }),
  /** `masked`: the text held a private key; the stored text has `[private key]` instead. */
  'settings.write': z.strictObject({ masked: z.boolean() }),
};
