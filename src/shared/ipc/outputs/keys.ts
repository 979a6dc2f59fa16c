import { z } from '../../model/schema.ts';

/**
 * What may be known of a key without knowing it.
 * `locked`: the index says that there is one and the keychain does not hand it out.
 * `storage`: `session` means held for this run only because no keychain answers.
 */
export const KeyStatus = z.strictObject({
  environmentId: z.string(),
  state: z.enum(['present', 'absent', 'locked']),
  storage: z.nullable(z.enum(['keychain', 'session'])),
  /** Six hexadecimal digits, keyed and truncated, and what made them, as shared/signing/fingerprint.ts writes it; null where unknown. */
  fingerprint: z.nullable(z.string()),
  /** Length in UTF-8 bytes, for the byte counts of the hash input; null where unknown. */
  bytes: z.nullable(z.int()),
  /** Said to the user where the state needs words: no keychain, locked, not answering. */
  message: z.nullable(z.string()),
});
export type KeyStatus = z.infer<typeof KeyStatus>;

export const keyOutputs = {
  'keys.status': KeyStatus,
  'keys.set': KeyStatus,
  'keys.remove': KeyStatus,
  'keys.digest': z.strictObject({ digest: z.string() }),
};

export const keyEvents = {
  'keys.changed': z.strictObject({ environmentId: z.string() }),
  /** Keys that were entered for this session and are gone, because the process that held them ended. Nobody has them but the person. */
  'keys.lost': z.strictObject({ environmentIds: z.array(z.string()) }),
};
