import type { PastedRequest } from '#shared/ipc/index.ts';

/** Completeness of a request: a whole envelope, fields apart from each other, or an object that only fits an operation. */
type Kind = 'envelope' | 'apart' | 'data';

export type Ranking = ReturnType<typeof createRanking>;

const mostRequests = 100;
const mostKept = 5_000;
/** Characters of all requests that are kept. */
const mostCharacters = 8_000_000;

interface Kept {
  request: PastedRequest;
  readonly kind: Kind;
}

/** Creates what gathers requests in the order of the text, each with the code of the response behind it. */
export function createRanking() {
  const kept = new Map<string, Kept>();
  let waiting: Kept[] = [];
  let envelopes = 0;
  let early: number | null = null;
  let characters = 0;
  let dropped = 0;
  let refusal: string | null = null;

  return {
    add(request: PastedRequest, kind: Kind): void {
      if (kind === 'envelope') envelopes++;
      const { action, time, dataText, hash } = request;
      const name = JSON.stringify([action, time, dataText, hash]);
      if (kept.has(name)) return;
      if (kept.size >= mostKept || characters > mostCharacters) {
        dropped++;
        return;
      }
      characters += name.length + (request.envelopeText?.length ?? 0);
      const one = { request, kind };
      kept.set(name, one);
      waiting.push(one);
    },
    /** A response was found; it belongs to the requests before it that have none. */
    response(code: number): void {
      if (waiting.length === 0) early ??= code;
      for (const one of waiting) one.request = { ...one.request, code };
      waiting = [];
    },
    /** Notes a sentence that says why a request was not read; the first one stays. */
    refuse: (why: string) => void (refusal ??= why),
    /** Number of envelopes so far. */
    envelopes: () => envelopes,
    list() {
      const all = [...kept.values()];
      // An object that only fits is data of the envelope, or of its response.
      const worthy = all.some(({ kind }) => kind !== 'data') ? all.filter(({ kind }) => kind !== 'data') : all;
      const hashes = new Set(all.filter(({ kind }) => kind === 'envelope').map(({ request }) => request.hash));
      const isPart = ({ request: { hash, dataText }, kind }: Kept) => kind === 'apart' && dataText === null && hashes.has(hash);
      const sorted = worthy
        .filter((one) => !isPart(one))
        .toSorted((one, other) => costOf(one) - costOf(other))
        .map(({ request }) => request);
      const requests = sorted.slice(0, mostRequests);
      const [only] = requests;
      if (requests.length === 1 && only?.code === null && early !== null) requests[0] = { ...only, code: early };
      return { requests, leftOff: sorted.length - requests.length + dropped, refusal };
    },
  };
}

/** The likelier a request, the lower. Requests of equal cost stay in the order of the text. */
function costOf({ request: { hash, time, action, dataText, fidelity, missing }, kind }: Kept): number {
  const lacks = [hash, time, action ?? dataText].filter((field) => field === null).length;
  const trust = fidelity === 'exact' ? 0 : fidelity === 'reencoded' ? 1 : 2;
  return (kind === 'envelope' ? 0 : 2) + 4 * lacks + trust + (missing.length > 0 ? 2 : 0);
}
