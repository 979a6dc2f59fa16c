import { Buffer } from 'node:buffer';
import { AppError } from '#shared/errors.ts';
import { assembleBody, hashToSend } from '#shared/request/envelope.ts';
import type { PreparedRequest } from '#shared/request/envelope.ts';
import type { OutgoingCall } from '../history/record.ts';

/**
 * Returns the lowercase hexadecimal SHA-256 of the environment's key followed by the parts; `body` is everything that will leave,
 * except the hash. Fails with `key_missing` or `key_unavailable`.
 */
export type Digest = (parts: readonly Uint8Array[], body: Buffer) => Promise<string>;

/** A request's final bytes, with the proof of what was hashed. */
export type SignedRequest = Pick<OutgoingCall, 'body' | 'hashInput' | 'hash'> & {
  /** True if the key took part; false for an unsigned request, a hash given as text or one left out. */
  readonly usedKey: boolean;
};

/** As long as a real digest, so that the body has its final length before it is hashed. */
const placeholder = '0'.repeat(64);

/**
 * Lays the body out once and hashes `data` inside it: the hashed and the sent bytes are the same memory. Then writes the hash over
 * its placeholder.
 */
export async function signRequest(request: PreparedRequest, digest: Digest): Promise<SignedRequest> {
  if (!request.signed) return { body: Buffer.from(assembleBody(request, null)), hashInput: null, hash: null, usedKey: false };

  const { time, dataJson } = request;
  // A hash given as text, or none at all, needs no key.
  const usedKey = !request.omitHash && (request.hashOverride === null || request.hashOverride === 'wrong');
  const body = Buffer.from(assembleBody(request, usedKey ? placeholder : hashToSend(request, '')));
  const dataOffset = Buffer.byteLength(request.before);
  const dataLength = dataJson === null ? 0 : Buffer.byteLength(dataJson);
  const hashInput = { time: time ?? '', hasData: dataJson !== null, dataOffset, dataLength };
  if (!usedKey) return { body, hashInput, hash: hashToSend(request, ''), usedKey };

  const hashOffset = dataOffset + dataLength + Buffer.byteLength(request.between);
  if (body.toString('latin1', hashOffset, hashOffset + placeholder.length) !== placeholder) {
    throw new AppError('internal', 'The place of the hash in the body is not where it was planned. Nothing was sent.');
  }
  const right = await digest([Buffer.from(hashInput.time), body.subarray(dataOffset, dataOffset + dataLength)], body);
  const hash = hashToSend(request, right);
  if (hash === null || body.write(hash, hashOffset, 'latin1') !== placeholder.length) {
    throw new AppError('internal', 'The hash does not have the length of a SHA-256. Nothing was sent.');
  }
  return { body, hashInput, hash, usedKey };
}
