import { z } from '../../model/schema.ts';
import { WhichKey } from '../keys.ts';

/**
 * Facts about a key that do not reveal it.
 * `locked`: the index lists a key, but the keychain does not release it.
 * `storage`: `session` means that no keychain answers, so Croupier holds the key until it exits.
 */
const facts = {
  state: z.enum(['present', 'absent', 'locked']),
  storage: z.nullable(z.enum(['keychain', 'session'])),
  /** Six hexadecimal digits, keyed and truncated, and what made them, as shared/signing/fingerprint.ts writes it; null where unknown. */
  fingerprint: z.nullable(z.string()),
  /** Length in UTF-8 bytes, for the byte counts of the hash input; null where unknown. */
  bytes: z.nullable(z.int()),
  /** Milliseconds since the epoch at which it was set; null where unknown. */
  setAt: z.nullable(z.int()),
};

/** Status of the key that signs for an environment. */
export const KeyStatus = z.strictObject({
  environmentId: z.string(),
  ...facts,
  /** A message for the user if the state needs one: no keychain, locked, no reply. */
  message: z.nullable(z.string()),
  /**
   * Set while an environment has two keys: a new one, and the older one until a call signed with the new one got code 0. `signs` says which
   * of them the other fields are about; `other` is the one that does not sign.
   */
  pair: z.nullable(z.strictObject({ signs: WhichKey, other: z.strictObject(facts) })),
});
export type KeyStatus = z.infer<typeof KeyStatus>;

/** The place of a proxy's login; null without one. */
const ProxyLogin = z.strictObject({ proxy: z.string(), kept: z.nullable(z.enum(['keychain', 'session'])) });

/** Facts about the certificate with which an environment shows who it is. `storage` as for a key. */
export const ClientCertificateStatus = z.strictObject({
  certificate: z.nullable(
    z.strictObject({
      name: z.string(),
      issuer: z.string(),
      /** Milliseconds since the epoch. */
      expiresAt: z.int(),
    }),
  ),
  storage: z.nullable(z.enum(['keychain', 'session'])),
});

export const keyOutputs = {
  'keys.status': KeyStatus,
  'keys.set': KeyStatus,
  'keys.clientCertificate': ClientCertificateStatus,
  'keys.setClientCertificate': ClientCertificateStatus,
  'keys.removeClientCertificate': ClientCertificateStatus,
  'keys.remove': KeyStatus,
  'keys.choose': KeyStatus,
  'keys.discard': KeyStatus,
  'keys.setProxyLogin': ProxyLogin,
  'keys.removeProxyLogin': ProxyLogin,
  'keys.digest': z.strictObject({ digest: z.string() }),
};

export const keyEvents = {
  'keys.changed': z.strictObject({ environmentId: z.string() }),
  /** The older of two keys was removed: this call, signed with the new one, got code 0. `removed`: its fingerprint; null where unknown. */
  'keys.proven': z.strictObject({ environmentId: z.string(), callId: z.int(), removed: z.nullable(z.string()) }),
  /** Keys of this session that are lost because the process that held them ended. Only the user can enter them again. */
  'keys.lost': z.strictObject({ environmentIds: z.array(z.string()) }),
};
