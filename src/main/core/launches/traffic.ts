import type { GameViewEvent } from '../host/host.ts';

type Step = Extract<GameViewEvent, { type: 'traffic' }>;

/** The requests of a game that are under way. */
export interface Traffic {
  follow(step: Step): void;
  /** Milliseconds since the last request began or ended; 0 while one is under way. Long ones count no more: they may be long polls. */
  quietFor(): number;
  /** Returns requests that have waited long for a response, each once. */
  takeUnanswered(): readonly { readonly method: string; readonly url: string }[];
}

interface Begun {
  readonly method: string;
  readonly url: string;
  readonly at: number;
  responded: boolean;
  told: boolean;
}

/** Milliseconds after which a request no longer keeps a game from being ready. */
const longPollMs = 5_000;
/** Milliseconds without a response after which a request is noted. */
export const unansweredMs = 10_000;
/** Most requests to follow at once. */
const mostFollowed = 10_000;

/** `now` returns milliseconds of a monotonic clock. */
export function createTraffic(now: () => number): Traffic {
  const begun = new Map<string, Begun>();
  let last = now();
  return {
    follow({ id, step, method, url, streams }) {
      if (streams) return;
      if (step === 'asked') {
        last = now();
        if (begun.size < mostFollowed) begun.set(id, { method, url, at: last, responded: false, told: false });
        return;
      }
      const found = begun.get(id);
      if (found === undefined) return;
      if (step === 'responded') {
        found.responded = true;
        return;
      }
      begun.delete(id);
      if (now() - found.at < longPollMs) last = now();
    },
    quietFor() {
      for (const { at } of begun.values()) if (now() - at < longPollMs) return 0;
      return now() - last;
    },
    takeUnanswered() {
      const late = [...begun.values()].filter(({ at, responded, told }) => !responded && !told && now() - at >= unansweredMs);
      for (const one of late) one.told = true;
      return late;
    },
  };
}
