import { Buffer } from 'node:buffer';
import { AppError } from '#shared/errors.ts';
import type { CollectionRunOfCall, Environment, RequestDraft } from '#shared/ipc/index.ts';
import { assembleBody, hashToSend, prepareRequest, type PreparedRequest } from '#shared/request/envelope.ts';
import type { OutgoingCall } from '../history/record.ts';
import type { HeaderList } from '../network/http-message.ts';
import type { HeldKey } from '../keys/keys.ts';
import { parseAddress } from '../network/connections.ts';
import { cancelledBefore, unlessCancelled, type Cancellation } from './cancellation.ts';
import { maskRequest, textOf } from './held-keys.ts';

/** The part of the keys that signing needs. */
interface SenderKeys {
  /** Returns a digest, the fingerprint of its key where that is known, and the keys in `text`, which is about to leave. */
  sign(
    environmentId: string,
    parts: readonly Uint8Array[],
    text: Uint8Array,
  ): Promise<{ readonly digest: string; readonly fingerprint: string | null; readonly held: readonly HeldKey[] }>;
  /** Returns the keys in a text. */
  find(text: Uint8Array): Promise<readonly HeldKey[]>;
}

export interface OutgoingDeps {
  readonly keys: SenderKeys;
  /** Returns the name of an environment, or its ID if it was removed. */
  readonly nameOf: (environmentId: string) => string;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  readonly userAgent: string;
}

/** Makes calls of drafts, whole and signed. Fails if nothing can be sent, with the reason. */
export function createOutgoing({ keys, nameOf, now, userAgent }: OutgoingDeps) {
  async function outgoing(
    draft: RequestDraft,
    environment: Environment,
    cancellation: Cancellation,
    collectionRun: CollectionRunOfCall | null,
  ): Promise<OutgoingCall> {
    const sentAt = now();
    const request = prepareCall(draft, environment, sentAt);
    const { url } = request;
    const { signed, held, fingerprint } = await untilCancelled(inspectAndSign(request, draft, environment), cancellation);
    const masked = maskRequest({ draft, url, ...signed }, held, nameOf);
    return {
      environment,
      draft,
      url,
      sentAt,
      headers: requestHeaders(url, signed.body.length, userAgent),
      body: signed.body,
      hashInput: signed.hashInput,
      hash: signed.hash,
      keyFingerprint: signed.usedKey ? fingerprint : null,
      repeats: null,
      collectionRun,
      ...(masked === null ? {} : { masked }),
    };
  }

  /** Signs, and inspects for keys what would leave: the agent does both for one message. */
  async function inspectAndSign(request: PreparedRequest, draft: RequestDraft, environment: Environment) {
    let held: readonly HeldKey[] | null = null;
    let fingerprint: string | null = null;
    const signed = await signRequest(request, async (parts, body) => {
      const one = await keys.sign(environment.id, parts, textOf({ draft, url: request.url, body }));
      ({ held, fingerprint } = one);
      return one.digest;
    });
    return { signed, fingerprint, held: held ?? (await keys.find(textOf({ draft, url: request.url, body: signed.body }))) };
  }

  return outgoing;
}

/**
 * Turns a typed draft into a request whose every part but the hash is fixed. `now` is in milliseconds since the epoch. Fails with
 * `invalid_input` (a position in the text is in `details`).
 */
export function prepareCall(draft: RequestDraft, environment: Environment, now: number): PreparedRequest {
  const prepared = prepareRequest(draft, environment, now);
  if (!prepared.ok) {
    const { message, ...place } = prepared.error;
    throw new AppError('invalid_input', message, place);
  }
  return prepared.request;
}

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
    throw new AppError('internal', 'The hash is not at its expected position in the body. Nothing was sent.');
  }
  const right = await digest([Buffer.from(hashInput.time), body.subarray(dataOffset, dataOffset + dataLength)], body);
  const hash = hashToSend(request, right);
  if (hash === null || body.write(hash, hashOffset, 'latin1') !== placeholder.length) {
    throw new AppError('internal', 'The hash does not have the length of a SHA-256. Nothing was sent.');
  }
  return { body, hashInput, hash, usedKey };
}

/**
 * Waits for work, or the user's stop. An unlock prompt of the keychain may stand for long: the stop ends the waiting, not the
 * prompt.
 */
export async function untilCancelled<T extends object>(work: Promise<T>, cancellation: Cancellation): Promise<T> {
  const done = await unlessCancelled(work, cancellation);
  if (done === null) throw cancelledBefore();
  return done;
}

/** In the order in which they go out; the first two are the HTTP client's own. */
function requestHeaders(url: string, bodyLength: number, userAgent: string): HeaderList {
  const checked = parseAddress(url, 'The URL');
  return [
    ['host', checked.ok ? checked.url.host : (URL.parse(url)?.host ?? '')],
    ['connection', 'keep-alive'],
    ['content-type', 'application/json'],
    ['accept', 'application/json'],
    ['accept-encoding', 'identity'],
    ['user-agent', userAgent],
    ['content-length', String(bodyLength)],
  ];
}
