import type { App } from 'electron';
import type { GameProxy } from '#core/network/game-proxy.ts';

/** Answers Chromium for the proxies of the games, and nobody else. */
export interface ProxyLogins {
  add(proxy: Pick<GameProxy, 'port' | 'username' | 'password'>): void;
  /** Its port may be another program's from now on. */
  remove(proxy: Pick<GameProxy, 'port'>): void;
}

/** Returns every other question for a password is refused: the program has none to give, and asks no user on a page's behalf. */
export function answerLogins(app: Pick<App, 'on'>): ProxyLogins {
  const proxies = new Map<number, Pick<GameProxy, 'username' | 'password'>>();
  app.on('login', (event, _contents, { firstAuthAttempt }, { isProxy, host, port }, answer) => {
    event.preventDefault();
    const known = isProxy && host === '127.0.0.1' && firstAuthAttempt ? proxies.get(port) : undefined;
    if (known === undefined) answer();
    else answer(known.username, known.password);
  });
  return {
    add: ({ port, username, password }) => void proxies.set(port, { username, password }),
    remove: ({ port }) => void proxies.delete(port),
  };
}
