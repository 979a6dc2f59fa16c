/**
 * State of the line to the workbench. `lost`: there is no line, and the page tries again by itself; `silent`: there is a line and
 * nothing comes over it; `ended`: the workbench responds and does not know this page's session any more.
 */
export type ConnectionState =
  | { readonly state: 'open' }
  | { readonly state: 'lost'; readonly attempt: number; readonly nextTryAt: number }
  | { readonly state: 'silent' }
  | { readonly state: 'ended' };

/** The line to the host: its state, which can be watched, and ways to restore it. */
export interface Connection {
  /** Host and port, such as `127.0.0.1:4000`. */
  readonly host: string;
  readonly get: () => ConnectionState;
  /** Returns the function that stops listening. */
  readonly watch: (listener: (state: ConnectionState) => void) => () => void;
  /** Tries now instead of at the planned time. */
  readonly retry: () => void;
  /** True if the host names this page's line by `app.joined`, as a host with several pages does. */
  readonly hasLine: boolean;
  /** Number of characters of calls that reach the host from a page that goes away. */
  readonly lastWords: number;
  /** Takes a session with a new address from the terminal, or its one-time part. Returns null, or for the user why it could not. */
  readonly rejoin: (address: string) => Promise<string | null>;
}

/** Returns the milliseconds before the n-th try (from 1): few at first, then 5,000. */
export function retryDelay(attempt: number): number {
  return Math.min(500 * 2 ** Math.max(attempt - 1, 0), 5_000);
}

/** Returns a line that cannot break: page and workbench start and end together. */
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
