import { z } from '../../model/schema.ts';

/**
 * Facts about a key that do not reveal it.
 * `locked`: the index lists a key, but the keychain does not release it.
 * `storage`: `session` means that no keychain answers, so Croupier holds the key until it exits.
 */
export const KeyStatus = z.strictObject({
  environmentId: z.string(),
  state: z.enum(['present', 'absent', 'locked']),
  storage: z.nullable(z.enum(['keychain', 'session'])),
  /** Six hexadecimal digits, keyed and truncated, and what made them, as shared/signing/fingerprint.ts writes it; null where unknown. */
  fingerprint: z.nullable(z.string()),
  /** Length in UTF-8 bytes, for the byte counts of the hash input; null where unknown. */
  bytes: z.nullable(z.int()),
  /** A message for the user if the state needs one: no keychain, locked, no reply. */
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
  /** Keys of this session that are lost because the process that held them ended. Only the user can enter them again. */
  'keys.lost': z.strictObject({ environmentIds: z.array(z.string()) }),
};
