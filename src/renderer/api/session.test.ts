import { describe, expect, it } from 'vitest';
import { openSession, tokenIn, type SessionDeps } from './session.ts';

const token = 'T'.repeat(43);

function setUp(options: { token?: string; stored?: string; answer: (path: string, init?: RequestInit) => Response | null }) {
  const stored = new Map<string, string>(options.stored === undefined ? [] : [['croupier.session', options.stored]]);
  const asked: { path: string; init?: RequestInit | undefined }[] = [];
  let forgotten = 0;
  const deps: SessionDeps = {
    token: options.token ?? null,
    forget: () => (forgotten += 1),
    storage: {
      getItem: (name) => stored.get(name) ?? null,
      setItem: (name, value) => void stored.set(name, value),
      removeItem: (name) => void stored.delete(name),
    },
    async fetch(path, init) {
      asked.push({ path, init });
      const response = options.answer(path, init);
      if (response === null) throw new TypeError('Failed to fetch');
      return response;
    },
  };
  return { deps, stored, asked, forgotten: () => forgotten };
}

describe('tokenIn', () => {
  it('takes the bare token and the named one, and nothing that is none', () => {
    expect(tokenIn(`#${token}`)).toBe(token);
    expect(tokenIn(`#token=${token}`)).toBe(token);
    for (const fragment of ['', '#', '#content', '#<script>', `#${token} `]) expect(tokenIn(fragment)).toBeNull();
  });
});

describe('openSession', () => {
  it('exchanges the token once, takes it out of the address and keeps the session for this tab', async () => {
    const { deps, stored, asked, forgotten } = setUp({ token, answer: () => Response.json({ session: 's1' }) });
    expect(await openSession(deps)).toEqual({ state: 'open', session: 's1' });
    expect(forgotten()).toBe(1);
    expect(stored.get('croupier.session')).toBe('s1');
    expect(asked.map(({ path, init }) => [path, init?.body])).toEqual([['/session', JSON.stringify({ token })]]);
  });

  it('takes the token out of the address even where it is refused', async () => {
    const { deps, forgotten } = setUp({ token, answer: () => Response.json({ ok: false }, { status: 401 }) });
    expect(await openSession(deps)).toEqual({ state: 'expired' });
    expect(forgotten()).toBe(1);
  });

  it('takes up the session of this tab after a reload, and drops one of an earlier run', async () => {
    const good = setUp({ stored: 's1', answer: () => Response.json({}) });
    expect(await openSession(good.deps)).toEqual({ state: 'open', session: 's1' });
    expect(good.asked.map(({ path, init }) => [path, init?.method])).toEqual([['/session', undefined]]);
    expect(new Headers(good.asked[0]?.init?.headers).get('x-croupier-session')).toBe('s1');
    const old = setUp({ stored: 's0', answer: () => Response.json({ ok: false }, { status: 401 }) });
    expect(await openSession(old.deps)).toEqual({ state: 'expired' });
    expect(old.stored.size).toBe(0);
  });

  it('says that there is no room, and keeps nothing', async () => {
    const { deps, stored } = setUp({ token, answer: () => Response.json({ ok: false }, { status: 503 }) });
    expect(await openSession(deps)).toEqual({ state: 'full' });
    expect(stored.size).toBe(0);
  });

  it('says what is missing without a token, and that nobody answers', async () => {
    expect(await openSession(setUp({ answer: () => null }).deps)).toEqual({ state: 'no_token' });
    expect(await openSession(setUp({ stored: 's1', answer: () => null }).deps)).toEqual({ state: 'unreachable' });
    expect(await openSession(setUp({ token, answer: () => null }).deps)).toEqual({ state: 'unreachable' });
  });
});
