/** How a page of the browser host got, or did not get, its session. */
export type SessionOutcome =
  | { readonly state: 'open'; readonly session: string }
  /** Opened without the address that the terminal prints. */
  | { readonly state: 'no_token' }
  /** The token was used, is too old, or the session is of an earlier run. */
  | { readonly state: 'expired' }
  | { readonly state: 'unreachable' };

/** What of the page this needs; `forget` takes the token out of the address bar and the history. */
export interface SessionDeps {
  readonly fragment: string;
  readonly forget: () => void;
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
}

const storedAs = 'croupier.session';

/** The token in an address's fragment, `#token=…` or bare; null where there is none. */
export function tokenIn(fragment: string): string | null {
  const text = fragment.replace(/^#/, '').replace(/^token=/, '');
  return /^[A-Za-z0-9_-]{20,200}$/.test(text) ? text : null;
}

/** Exchanges the address's token for a session, or takes up the one of this tab after a reload. */
export async function openSession(deps: SessionDeps): Promise<SessionOutcome> {
  const token = tokenIn(deps.fragment);
  if (token !== null) {
    deps.forget();
    const response = await deps
      .fetch('/session', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token }),
        cache: 'no-store',
      })
      .catch(() => null);
    if (response === null) return { state: 'unreachable' };
    const session = response.ok ? sessionIn(await response.json()) : null;
    if (session === null) return { state: 'expired' };
    deps.storage.setItem(storedAs, session);
    return { state: 'open', session };
  }
  const session = deps.storage.getItem(storedAs);
  if (session === null) return { state: 'no_token' };
  const response = await deps
    .fetch('/call', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-croupier-session': session },
      body: JSON.stringify({ name: 'settings.read', input: {} }),
      cache: 'no-store',
    })
    .catch(() => null);
  if (response === null) return { state: 'unreachable' };
  if (response.status === 401) {
    deps.storage.removeItem(storedAs);
    return { state: 'expired' };
  }
  return { state: 'open', session };
}

function sessionIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('session' in value)) return null;
  return typeof value.session === 'string' ? value.session : null;
}
