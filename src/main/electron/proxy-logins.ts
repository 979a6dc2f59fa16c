import type { App } from 'electron';
import type { GameProxy } from '#core/network/game-proxy.ts';

/** Answers Chromium for the proxies of the games, and nobody else. */
export type ProxyLogins = ReturnType<typeof answerLogins>;

/** Answers password questions of the games' proxies, and refuses all others: Croupier has no other password and asks no user for a page. */
export function answerLogins(app: Pick<App, 'on'>) {
  const proxies = new Map<number, Pick<GameProxy, 'username' | 'password'>>();
  app.on('login', (event, _contents, { firstAuthAttempt }, { isProxy, host, port }, answer) => {
    event.preventDefault();
    const known = isProxy && host === '127.0.0.1' && firstAuthAttempt ? proxies.get(port) : undefined;
    if (known === undefined) answer();
    else answer(known.username, known.password);
  });
  return {
    add: ({ port, username, password }: Pick<GameProxy, 'port' | 'username' | 'password'>): void =>
      void proxies.set(port, { username, password }),
    /** Removes a proxy, whose port may now belong to another program. */
    remove: ({ port }: Pick<GameProxy, 'port'>): void => void proxies.delete(port),
  };
}
