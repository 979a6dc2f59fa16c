import type { GameViewEvent } from '../host/host.ts';

type Step = Extract<GameViewEvent, { type: 'network' }>;
type Headers = readonly (readonly [name: string, value: string])[];

/** One request of a game's page, as far as the host reported it. Times are in milliseconds since the epoch. */
export interface NetworkRequest {
  readonly startedAt: number;
  readonly method: string;
  readonly url: string;
  /** Electron's word, as `mainFrame` or `xhr`. */
  readonly resourceType: string;
  /** Null if it did not leave. */
  readonly sent: Headers | null;
  readonly response: {
    readonly at: number;
    readonly status: number;
    readonly statusLine: string;
    readonly headers: Headers;
  } | null;
  /** Null while it is under way. */
  readonly end: {
    readonly at: number;
    readonly error: string | null;
    readonly fromCache: boolean;
    readonly redirectURL: string | null;
  } | null;
}

/** The requests of one launch with their headers, in memory alone: they may hold session tokens. */
export type NetworkLog = ReturnType<typeof createNetworkLog>;

/** Number of requests that are kept of one launch. */
const mostRequests = 5_000;
/** Characters of URLs and headers that are kept of one launch. */
const mostCharacters = 8_000_000;

export function createNetworkLog(limits = { requests: mostRequests, characters: mostCharacters }) {
  let requests: NetworkRequest[] = [];
  /** Positions of those under way. */
  let open = new Map<string, number>();
  let characters = 0;
  let left = 0;
  let cleared = false;

  function change(id: string, more: (request: NetworkRequest) => NetworkRequest): void {
    const at = open.get(id);
    const request = at === undefined ? undefined : requests[at];
    if (at !== undefined && request !== undefined) requests[at] = more(request);
  }

  function count(headers: Headers): void {
    for (const [name, value] of headers) characters += name.length + value.length;
  }

  return {
    follow(step: Step): void {
      const { id, at } = step;
      switch (step.step) {
        case 'asked': {
          const { method, url, resourceType } = step;
          if (requests.length >= limits.requests || characters + url.length > limits.characters) {
            left += 1;
            return;
          }
          characters += url.length;
          open.set(id, requests.length);
          requests.push({ startedAt: at, method, url, resourceType, sent: null, response: null, end: null });
          return;
        }
        case 'sent':
          if (open.has(id)) count(step.headers);
          return change(id, (request) => ({ ...request, sent: step.headers }));
        case 'responded': {
          const { status, statusLine, headers } = step;
          if (open.has(id)) count(headers);
          return change(id, (request) => ({ ...request, response: { at, status, statusLine, headers } }));
        }
        case 'ended': {
          const { error, fromCache, redirectURL } = step;
          change(id, (request) => ({ ...request, end: { at, error, fromCache, redirectURL } }));
          open.delete(id);
        }
      }
    },
    get requests(): readonly NetworkRequest[] {
      return requests;
    },
    /** Requests that were left out because the log was full. */
    get left(): number {
      return left;
    },
    /** Makes room for the log of another launch. */
    clear(): void {
      [requests, open, characters, left, cleared] = [[], new Map(), 0, 0, true];
    },
    /** True once it was cleared. */
    get cleared(): boolean {
      return cleared;
    },
  };
}
