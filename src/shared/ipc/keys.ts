import { call, event, z } from './contract.ts';

/**
 * What may be known of a key without knowing it.
 * `locked`: the index says that there is one and the keychain does not hand it out.
 * `storage`: `session` means held for this run only because no keychain answers.
 */
export const KeyStatus = z.strictObject({
  environmentId: z.string(),
  state: z.enum(['present', 'absent', 'locked']),
  storage: z.enum(['keychain', 'session']).nullable(),
  /** Six hexadecimal digits as `7f3e-91`, keyed and truncated; null where unknown. */
  fingerprint: z.string().nullable(),
  /** Length in UTF-8 bytes, for the byte counts of the hash input; null where unknown. */
  bytes: z.number().int().nullable(),
  /** Said to the user where the state needs words: no keychain, locked, not answering. */
  message: z.string().nullable(),
});
export type KeyStatus = z.infer<typeof KeyStatus>;

export const keyCalls = {
  'keys.status': call(z.strictObject({ environmentId: z.string() }), KeyStatus),
  /** Write-only. The key is checked by `inspectKey` of shared/signing before it is sent here; nothing is trimmed on the way. */
  'keys.set': call(z.strictObject({ environmentId: z.string(), key: z.string().min(1).max(4_096) }), KeyStatus),
  'keys.remove': call(z.strictObject({ environmentId: z.string() }), KeyStatus),
  /** The digest of key + time + data for the hash input pane; `data` null where the operation has none. */
  'keys.digest': call(
    z.strictObject({ environmentId: z.string(), time: z.string().max(1_000), data: z.string().max(33_554_432).nullable() }),
    z.strictObject({ digest: z.string() }),
  ),
};

export const keyEvents = {
  'keys.changed': event(z.strictObject({ environmentId: z.string() })),
};
