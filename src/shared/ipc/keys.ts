import { filledTextUpTo, textUpTo, z } from '../model/schema.ts';
import { payloadText } from '../model/draft.ts';

/** One of the two keys that an environment has while a new one is not proven. */
export const WhichKey = z.enum(['new', 'older']);

export const keyInputs = {
  'keys.status': z.strictObject({ environmentId: textUpTo(100) }),
  /** Write-only. The key is checked by `inspectKey` of shared/signing before it is sent here; nothing is trimmed on the way. */
  'keys.set': z.strictObject({
    environmentId: textUpTo(100),
    key: filledTextUpTo(4_096),
  }),
  /** Returns the certificate with which the environment shows who it is; nothing of its key. */
  'keys.clientCertificate': z.strictObject({ environmentId: textUpTo(100) }),
  /**
   * Write-only. Files in base64: a certificate and its key in PEM, together or apart, or a PKCS#12 file. Fails with `invalid_input`, in words
   * that hold nothing of them.
   */
  'keys.setClientCertificate': z.strictObject({
    environmentId: textUpTo(100),
    files: z.array(filledTextUpTo(140_000)).check(z.minLength(1), z.maxLength(2)),
    passphrase: textUpTo(1_000),
  }),
  /** Removes the certificate and its key. */
  'keys.removeClientCertificate': z.strictObject({ environmentId: textUpTo(100) }),
  /** Removes every key of the environment. */
  'keys.remove': z.strictObject({ environmentId: textUpTo(100) }),
  /** Decides which of two keys signs. Fails with `conflict` if the environment does not have two. */
  'keys.choose': z.strictObject({ environmentId: textUpTo(100), key: WhichKey }),
  /** Removes one of two keys; the other one signs. Fails with `conflict` if the environment does not have two. */
  'keys.discard': z.strictObject({ environmentId: textUpTo(100), key: WhichKey }),
  /** Keeps the login of a proxy, by its address, in the keychain, or for this session if there is none. Write-only, as a key. */
  'keys.setProxyLogin': z.strictObject({
    proxy: filledTextUpTo(2_000),
    user: filledTextUpTo(255),
    password: textUpTo(4_096),
  }),
  'keys.removeProxyLogin': z.strictObject({ proxy: filledTextUpTo(2_000) }),
  /** Returns the hash of key + time + data for the hash input pane; `data` is null if the operation has none. */
  'keys.digest': z.strictObject({
    environmentId: textUpTo(100),
    time: textUpTo(1_000),
    data: z.nullable(payloadText),
  }),
};
