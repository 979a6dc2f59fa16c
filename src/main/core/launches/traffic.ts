import type { GameViewEvent } from '../host/host.ts';

type Step = Extract<GameViewEvent, { type: 'traffic' }>;

interface Asked {
  readonly method: string;
  readonly url: string;
}

/** The requests of a game that are under way. */
export interface Traffic {
  follow(step: Step): void;
  /**
   * Milliseconds since the last request began or ended; 0 while one waits for its response. A response that goes on for long does not
   * count: it is a stream.
   */
  quietFor(): number;
  /** Returns the URL of a request that waits for its response; null if none does. */
  awaited(): string | null;
  /** Returns requests that have waited long for a response, each once. */
  takeUnanswered(): readonly Asked[];
  /** Returns those whose response came after all, each once. */
  takeLate(): readonly (Asked & { readonly ms: number })[];
}

interface Begun extends Asked {
  readonly at: number;
  responded: boolean;
  told: boolean;
}

/** Milliseconds after which a response is a stream. */
const streamMs = 5_000;
/** Milliseconds without a response after which a request is noted. */
export const unansweredMs = 10_000;
/** Most requests to follow at once. */
const mostFollowed = 10_000;

/** `now` returns milliseconds of a monotonic clock. Requests whose URL holds a text of `noise` do not count. */
export function createTraffic(now: () => number, noise: readonly string[]): Traffic {
  const begun = new Map<string, Begun>();
  let late: (Asked & { readonly ms: number })[] = [];
  let last = now();
  const isStream = ({ at, responded }: Begun) => responded && now() - at >= streamMs;
  return {
    follow({ id, step, method, url, streams }) {
      if (streams || noise.some((text) => url.includes(text))) return;
      if (step === 'asked') {
        last = now();
        if (begun.size < mostFollowed) begun.set(id, { method, url, at: last, responded: false, told: false });
        return;
      }
      const found = begun.get(id);
      if (found === undefined) return;
      if (step === 'responded') {
        found.responded = true;
        if (found.told) late.push({ method, url, ms: now() - found.at });
        return;
      }
      begun.delete(id);
      if (!isStream(found)) last = now();
    },
    quietFor() {
      for (const one of begun.values()) if (!isStream(one)) return 0;
      return now() - last;
    },
    awaited: () => [...begun.values()].find(({ responded }) => !responded)?.url ?? null,
    takeUnanswered() {
      const waiting = [...begun.values()].filter(({ at, responded, told }) => !responded && !told && now() - at >= unansweredMs);
      for (const one of waiting) one.told = true;
      return waiting;
    },
    takeLate() {
      const came = late;
      late = [];
      return came;
    },
  };
}
