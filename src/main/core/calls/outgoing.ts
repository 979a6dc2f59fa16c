import type { CollectionRunOfCall, Environment, RequestDraft } from '#shared/ipc/index.ts';
import type { PreparedRequest } from '#shared/request/envelope.ts';
import type { OutgoingCall } from '../history/record.ts';
import type { HeaderList } from '../network/http-response.ts';
import type { HeldKey } from '../keys/keys.ts';
import { cancelledBefore, unlessCancelled, type Cancellation } from './cancellation.ts';
import { maskRequest, textOf } from './held-keys.ts';
import { prepareCall } from './prepare.ts';
import { signRequest } from './sign.ts';

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
    const { signed, held, fingerprint } = await untilCancelled(lookAndSign(request, draft, environment), cancellation);
    const masked = maskRequest({ draft, url, ...signed }, held, nameOf);
    return {
      environment,
      draft,
      url,
      sentAt,
      headers: requestHeaders(URL.parse(url)?.host ?? '', signed.body.length, userAgent),
      body: signed.body,
      hashInput: signed.hashInput,
      hash: signed.hash,
      keyFingerprint: signed.usedKey ? fingerprint : null,
      repeats: null,
      collectionRun,
      ...(masked === null ? {} : { masked }),
    };
  }

  /** Signs, and looks for keys in what would leave: the agent does both for one message. */
  async function lookAndSign(request: PreparedRequest, draft: RequestDraft, environment: Environment) {
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
 * Waits for work, or the user's stop. An unlock prompt of the keychain may stand for long: the stop ends the waiting, not the
 * prompt.
 */
export async function untilCancelled<T extends object>(work: Promise<T>, cancellation: Cancellation): Promise<T> {
  const done = await unlessCancelled(work, cancellation);
  if (done === null) throw cancelledBefore();
  return done;
}

/** In the order in which they go out; the first two are the HTTP client's own. */
function requestHeaders(host: string, bodyLength: number, userAgent: string): HeaderList {
  return [
    ['host', host],
    ['connection', 'keep-alive'],
    ['content-type', 'application/json'],
    ['accept', 'application/json'],
    ['accept-encoding', 'identity'],
    ['user-agent', userAgent],
    ['content-length', String(bodyLength)],
  ];
}
