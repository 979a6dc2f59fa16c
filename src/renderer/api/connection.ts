/**
 * Whether the workbench behind this page can be reached. `lost`: it does not answer and is tried again by itself;
 * `ended`: it answers and does not know this page's session any more.
 */
export type ConnectionState =
  | { readonly state: 'open' }
  | { readonly state: 'lost'; readonly attempt: number; readonly nextTryAt: number }
  | { readonly state: 'ended'; readonly message: string };

/** The state of the line to the host, as one value that can be watched. */
export interface Connection {
  readonly get: () => ConnectionState;
  /** Gives back the function that stops listening. */
  readonly watch: (listener: (state: ConnectionState) => void) => () => void;
  /** Tries now instead of at the planned time. */
  readonly retry: () => void;
  /** Whether the host names this page's line, by `app.joined`: it has other pages besides. */
  readonly hasLine: boolean;
  /** So many characters of calls reach the host from a page that goes away. */
  readonly lastWords: number;
}

/** Milliseconds before the n-th try (from 1): quick at first, then every five seconds. */
export function retryDelay(attempt: number): number {
  return Math.min(500 * 2 ** Math.max(attempt - 1, 0), 5_000);
}

/** A line that cannot break: page and workbench live and die together. */
export function createSteadyConnection(): Connection {
  const open: ConnectionState = { state: 'open' };
  return {
    get: () => open,
    watch: () => () => undefined,
    retry: () => undefined,
    hasLine: false,
    lastWords: Number.POSITIVE_INFINITY,
  };
}
