import { followedSettings } from '../settings.ts';
import { z } from '../../model/schema.ts';

export const settingsEvents = {
  /** One of `followedSettings` was written, by `page` if a page wrote it. */
  'settings.changed': z.strictObject({ name: z.enum(followedSettings), value: z.string(), page: z.nullable(z.string()) }),
};

export const settingsOutputs = {
  'settings.read': z.strictObject({
    values: z.record(z.string(), z.string()),
    unknown: z.array(z.string()),
  }),
  /** `masked`: the text held a private key; the stored text has `[private key]` instead. */
  'settings.write': z.strictObject({ masked: z.boolean() }),
};
