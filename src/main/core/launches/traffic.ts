import type { GameViewEvent } from '../host/host.ts';

type Step = Extract<GameViewEvent, { type: 'traffic' }>;

interface Asked {
  readonly method: string;
  readonly url: string;
}

/** The requests of a game that are under way. */
export type Traffic = ReturnType<typeof createTraffic>;

interface Begun extends Asked {
  readonly at: number;
  readonly byScript: boolean;
  responded: boolean;
  told: boolean;
}

/** Milliseconds after which a response is a stream, and a request of a script a long poll; sooner if it was answered before and is asked again. */
const [streamMs, pollMs] = [5_000, 1_000];
/** Milliseconds without a response after which a request is noted. */
export const pendingMs = 10_000;
/** Times from which on a request to one address is one that comes again and again. */
const oftenTimes = 4;
/** Most requests to follow at once. */
const mostFollowed = 10_000;

/** Stay open, or leave nobody waiting. */
const uncounted: readonly string[] = ['webSocket', 'media', 'ping', 'cspReport'];

/** `now` returns milliseconds of a monotonic clock. Requests whose URL holds a text of `noise` do not count. */
export function createTraffic(now: () => number, noise: readonly string[]) {
  const begun = new Map<string, Begun>();
  /** By method and address without its query: how often it was asked and answered. */
  const times = new Map<string, { asked: number; responded: number }>();
  const respondents = new Set<string>();
  let late: (Asked & { readonly ms: number })[] = [];
  let last = now();
  const timesOf = ({ method, url }: Asked) => {
    const place = `${method} ${url.split(/[?#]/, 1)[0] ?? ''}`;
    const found = times.get(place) ?? { asked: 0, responded: 0 };
    if (times.size < mostFollowed) times.set(place, found);
    return found;
  };
  const isLasting = (one: Begun) => {
    const again = one.byScript && !one.responded && timesOf(one).responded > 0;
    return (one.responded || one.byScript) && now() - one.at >= (again ? pollMs : streamMs);
  };
  const comesOften = (one: Asked) => timesOf(one).asked >= oftenTimes;
  return {
    follow({ id, step, method, url, resourceType }: Step): void {
      if (uncounted.includes(resourceType) || noise.some((text) => url.includes(text))) return;
      if (step === 'asked') {
        timesOf({ method, url }).asked += 1;
        if (!comesOften({ method, url })) last = now();
        const byScript = resourceType === 'xhr' || resourceType === 'fetch';
        if (begun.size < mostFollowed) begun.set(id, { method, url, at: now(), byScript, responded: false, told: false });
        return;
      }
      const found = begun.get(id);
      if (found === undefined) return;
      if (step === 'responded') {
        found.responded = true;
        timesOf(found).responded += 1;
        if (found.byScript) respondents.add(siteOf(URL.parse(url)?.hostname ?? ''));
        if (found.told) late.push({ method, url, ms: now() - found.at });
        return;
      }
      begun.delete(id);
      if (!isLasting(found) && !comesOften(found)) last = now();
    },
    /**
     * Milliseconds since the last request began or ended; 0 while one waits for its response. What a game does all the time does not count: a
     * response that goes on, a request that waits while all else is still, and one that comes again and again.
     */
    quietFor(): number {
      for (const one of begun.values()) if (!isLasting(one) && !comesOften(one)) return 0;
      return now() - last;
    },
    /** Returns the URL of a request that waits for its response; null if none does. */
    awaited: (): string | null => [...begun.values()].find(({ responded }) => !responded)?.url ?? null,
    /** Returns requests that have waited long for a response, each once; none that was answered before and is asked again. */
    takePending(): readonly Asked[] {
      const waiting = [...begun.values()].filter(
        (one) => !one.responded && !one.told && now() - one.at >= pendingMs && timesOf(one).responded === 0,
      );
      for (const one of waiting) one.told = true;
      return waiting;
    },
    /** Returns those whose response came after all, each once. */
    takeLate(): readonly (Asked & { readonly ms: number })[] {
      const came = late;
      late = [];
      return came;
    },
    /** Returns whether a script's request to the site of this host was answered. */
    respondedFrom: (host: string): boolean => respondents.has(siteOf(host)),
  };
}

/** The last two labels of a name, which the servers of one game usually share. */
function siteOf(hostname: string): string {
  return hostname.split('.').slice(-2).join('.');
}
