/**
 * Whether the workbench behind this page can be reached. `lost`: there is no line to it, and one is tried again by itself; `silent`: there is
 * one and nothing comes over it; `ended`: it answers and does not know this page's session any more.
 */
export type ConnectionState =
  | { readonly state: 'open' }
  | { readonly state: 'lost'; readonly attempt: number; readonly nextTryAt: number }
  | { readonly state: 'silent' }
  | { readonly state: 'ended' };

/** The state of the line to the host, as one value that can be watched. */
export interface Connection {
  /** Where the host is, as `127.0.0.1:4000`. */
  readonly host: string;
  readonly get: () => ConnectionState;
  /** Gives back the function that stops listening. */
  readonly watch: (listener: (state: ConnectionState) => void) => () => void;
  /** Tries now instead of at the planned time. */
  readonly retry: () => void;
  /** Whether the host names this page's line, by `app.joined`: it has other pages besides. */
  readonly hasLine: boolean;
  /** So many characters of calls reach the host from a page that goes away. */
  readonly lastWords: number;
  /** Takes a session with a new address of the terminal, or its one-time part. Gives null, or why it could not, for a person. */
  readonly rejoin: (address: string) => Promise<string | null>;
}

/** Milliseconds before the n-th try (from 1): quick at first, then every five seconds. */
export function retryDelay(attempt: number): number {
  return Math.min(500 * 2 ** Math.max(attempt - 1, 0), 5_000);
}

/** A line that cannot break: page and workbench live and die together. */
export function createSteadyConnection(): Connection {
  const open: ConnectionState = { state: 'open' };
  return {
    host: '',
    get: () => open,
    watch: () => () => undefined,
    retry: () => undefined,
    rejoin: () => Promise.resolve(null),
    hasLine: false,
    lastWords: Number.POSITIVE_INFINITY,
  };
}
