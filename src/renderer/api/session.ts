/** Result of opening a page of the browser host: its session, or why it has none. */
export type SessionOutcome =
  | Redeemed
  /** The page was opened without the address that the terminal prints. */
  | { readonly state: 'no_token' };

/** Result of redeeming a token. */
export type Redeemed =
  | { readonly state: 'open'; readonly session: string }
  /** The token was used or is too old, or the session is of an earlier session of Croupier. */
  | { readonly state: 'expired' }
  /** The most pages are open; the token is still good. */
  | { readonly state: 'full' }
  | { readonly state: 'unreachable' };

/** Parts of the page that a session needs; `forget` takes the token out of the address bar and the browser's history. */
export interface SessionDeps {
  readonly token: string | null;
  readonly forget: () => void;
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
}

/** Name in the tab's storage under which its session is kept. */
export const storedAs = 'croupier.session';

/** Returns the token in an address's fragment, `#token=…` or bare; null without one. */
export function tokenIn(fragment: string): string | null {
  const text = fragment.replace(/^#/, '').replace(/^token=/, '');
  return /^[A-Za-z0-9_-]{20,200}$/.test(text) ? text : null;
}

/** Exchanges a token for a session. */
export async function redeem(ask: SessionDeps['fetch'], token: string): Promise<Redeemed> {
  const response = await ask('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
    cache: 'no-store',
  }).catch(() => null);
  if (response === null) return { state: 'unreachable' };
  if (response.status === 503) return { state: 'full' };
  const session = response.ok ? sessionIn(await response.json()) : null;
  return session === null ? { state: 'expired' } : { state: 'open', session };
}

/** Exchanges the address's token for a session, or takes up the session of this tab after a reload. */
export async function openSession({ token, forget, storage, fetch: ask }: SessionDeps): Promise<SessionOutcome> {
  if (token !== null) {
    forget();
    const redeemed = await redeem(ask, token);
    if (redeemed.state === 'open') storage.setItem(storedAs, redeemed.session);
    return redeemed;
  }
  const session = storage.getItem(storedAs);
  if (session === null) return { state: 'no_token' };
  const response = await ask('/session', { headers: { 'x-croupier-session': session }, cache: 'no-store' }).catch(() => null);
  if (response === null) return { state: 'unreachable' };
  if (response.status === 401) {
    storage.removeItem(storedAs);
    return { state: 'expired' };
  }
  return { state: 'open', session };
}

function sessionIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('session' in value)) return null;
  return typeof value.session === 'string' ? value.session : null;
}
