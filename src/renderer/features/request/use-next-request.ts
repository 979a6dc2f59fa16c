import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { sameInput, type Digest, type DigestInput, type DigestStore } from './hash-input/digest-store.ts';
import type { Prepared } from './use-prepared-request.ts';

/** The digest of the input that is shown beside it. */
export type ShownDigest =
  | { readonly state: 'asking' }
  | { readonly state: 'ready'; readonly digest: string }
  | Extract<Digest, { state: 'keyless' | 'failed' }>;

/** The next request as the panes show it: hash input, digest and body of one moment. */
export interface NextRequest {
  readonly prepared: Prepared;
  readonly digest: ShownDigest;
}

/** Milliseconds to wait for a digest, which usually comes within a fraction of a second of its tick. */
const PATIENCE_MS = 1_500;

/**
 * Holds back a tick of the clock until the digest of the new time is there: then everything changes at once, and every digest on
 * the screen is that of the bytes beside it. Typed text is shown at once. `typed` is another object whenever anything but the clock
 * changed.
 */
export function useNextRequest(
  prepared: Prepared,
  typed: object,
  environmentId: string | null,
  digests: DigestStore,
): NextRequest {
  const digest = useStore(digests, (state) => state.digest);
  const [kept, setKept] = useState<{ readonly typed: object; readonly next: NextRequest } | null>(null);
  const current = useMemo(
    (): NextRequest => ({ prepared, digest: shownDigest(digest, inputOf(prepared, environmentId)) }),
    [prepared, digest, environmentId],
  );
  if (current.digest.state === 'ready') {
    if (kept?.next !== current) setKept({ typed, next: current });
    return current;
  }
  const held = kept !== null && kept.typed === typed && current.digest.state === 'asking' && digest.state === 'ready';
  return held && prepared.second - kept.next.prepared.second < PATIENCE_MS ? kept.next : current;
}

/** Returns the parts of a request that are hashed; null if nothing is. */
export function inputOf({ subject }: Prepared, environmentId: string | null): DigestInput | null {
  if (environmentId === null || subject.kind !== 'input') return null;
  return { environmentId, time: subject.time, data: subject.dataJson };
}

function shownDigest(digest: Digest, input: DigestInput | null): ShownDigest {
  if (digest.state === 'none') return { state: 'asking' };
  if (digest.state !== 'ready') return digest;
  return sameInput(digest.input, input) ? { state: 'ready', digest: digest.digest } : { state: 'asking' };
}
