import { createHmac, hash as digestOf } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Digests, Subject } from '#shared/doctor/model.ts';
import { search, type Stage } from '#shared/doctor/search.ts';
import { takeTurn, type Told } from '#shared/doctor/turn.ts';
import { resultOf, type SearchResult, type Stop } from './search-result.ts';
import type { Soon } from './soon.ts';

/** Searches for the mistakes in the hashes that the provider refused. */
export type MistakeSearches = ReturnType<typeof createMistakeSearches>;

/** Longest data, in UTF-16 units, whose single mistakes are searched at once: some ten milliseconds. */
const shortData = 4_096;
/** Longest that others wait for a turn, but for its last step. */
const turnMs = 5;
/** Most requests that wait for their search, with the one whose search is under way. */
const mostWaiting = 5;

interface Waiting {
  readonly subject: Subject;
  readonly stages: readonly Stage[];
  readonly isGone: () => boolean;
  readonly until: number;
  /** The steps of what was searched at once. */
  readonly told: readonly Told[];
  readonly done: PromiseWithResolvers<SearchResult>;
}

/** `now`: milliseconds from any start, which never go back. */
export function createMistakeSearches(
  privateKey: string,
  { waitMs, now = () => performance.now() }: { readonly waitMs: number; readonly now?: () => number },
) {
  const keys = [{ name: null, key: privateKey }] as const;
  const waiting: Waiting[] = [];
  let underWay = Promise.resolve();
  let closed = false;

  async function goOn(): Promise<void> {
    for (let one = waiting[0]; one !== undefined; one = waiting[0]) {
      await searchInTurns(one).then(one.done.resolve, one.done.reject);
      waiting.shift();
    }
  }

  async function searchInTurns({ subject, stages, isGone, until, told }: Waiting): Promise<SearchResult> {
    const steps = search(subject, keys, digests, stages);
    const news = [...told];
    for (;;) {
      await setImmediate();
      const stop = stopOf(isGone, until);
      if (stop !== null) return resultOf(subject, news, stop, waitMs);
      const turnEnd = now() + turnMs;
      const turn = takeTurn(steps, () => now() >= turnEnd);
      news.push(...turn.steps);
      if (turn.ended) return resultOf(subject, news, null, waitMs);
    }
  }

  function stopOf(isGone: () => boolean, until: number): Stop | null {
    if (closed) return 'closed';
    if (isGone()) return 'gone';
    return now() >= until ? 'time' : null;
  }

  return {
    /**
     * Single mistakes of short data are searched at once. Further ones and pairs are searched in turns, between which the provider answers others,
     * while the response waits: one request after the other, within `waitMs` of the request. `isGone`: nobody waits for the response any more.
     */
    find(subject: Subject, isGone: () => boolean): Soon<SearchResult> {
      const isShort = (subject.dataText?.length ?? 0) <= shortData;
      const { steps: told } = isShort ? takeTurn(search(subject, keys, digests, atOnce), () => false) : { steps: [] };
      // Found, or not written as a digest is.
      if (isShort && (told.length === 0 || told.some((step) => step.kind === 'ended' && step.match !== null)))
        return resultOf(subject, told, null, waitMs);
      if (closed || waiting.length >= mostWaiting) return resultOf(subject, told, closed ? 'closed' : 'busy', waitMs);
      const done = Promise.withResolvers<SearchResult>();
      const stages = isShort ? later : [...atOnce, ...later];
      waiting.push({ subject, stages, isGone, until: now() + waitMs, told, done });
      if (waiting.length === 1) underWay = goOn();
      return done.promise;
    },
    /** Ends all searches. Resolves when nobody waits for one. */
    close(): Promise<void> {
      closed = true;
      return underWay;
    },
  };
}

const atOnce = ['rule', 'singles'] as const;
const later = ['seconds', 'pairs'] as const;

const digests: Digests = {
  hash: (algorithm, input) => digestOf(algorithm, input, 'hex'),
  hmac: (algorithm, secret, input) => createHmac(algorithm, secret).update(input).digest('hex'),
};
