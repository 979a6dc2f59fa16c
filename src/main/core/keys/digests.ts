import { createHmac, hash } from 'node:crypto';
import type { Digests } from '#shared/doctor/model.ts';

/** The digests for a search. Of keys it is only for those that whoever calls it has anyway. */
export const digests: Digests = {
  hash: (algorithm, input) => hash(algorithm, input, 'hex'),
  hmac: (algorithm, key, input) => createHmac(algorithm, key).update(input).digest('hex'),
};
