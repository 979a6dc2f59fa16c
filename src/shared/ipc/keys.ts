import { filledTextUpTo, textUpTo, z } from '../model/schema.ts';
import { payloadText } from '../model/draft.ts';

export const keyInputs = {
  'keys.status': z.strictObject({ environmentId: z.string() }),
  /** Write-only. The key is checked by `inspectKey` of shared/signing before it is sent here; nothing is trimmed on the way. */
  'keys.set': z.strictObject({
    environmentId: z.string(),
    key: filledTextUpTo(4_096),
  }),
  'keys.remove': z.strictObject({ environmentId: z.string() }),
  /** Returns the hash of key + time + data for the hash input pane; `data` is null if the operation has none. */
  'keys.digest': z.strictObject({
    environmentId: z.string(),
    time: textUpTo(1_000),
    data: z.nullable(payloadText),
  }),
};
