import { isOpen, type Live, type LiveLaunches } from './live-launches.ts';

/**
 * Says which launch has a session token now. Two launches with one token end or mix each other's rounds, whichever tab or window they
 * come from.
 */
export type TokenHolders = ReturnType<typeof createTokenHolders>;

export function createTokenHolders({ all }: Pick<LiveLaunches, 'all'>) {
  const held = new Map<symbol, { token: string; user: string }>();
  return {
    /** Returns the name of the launch that has it; null if none has. */
    userOf(token: string): string | null {
      if (token === '') return null;
      for (const one of held.values()) if (one.token === token) return one.user;
      const live = all().find((one) => has(one) && one.secrets.includes(token));
      return live === undefined ? null : gameWords(live.stored);
    },
    /** Has a launch that is being prepared hold a token until the returned function is called. */
    hold(token: string, user: string): () => void {
      const id = Symbol();
      held.set(id, { token, user });
      return () => void held.delete(id);
    },
  };
}

/** Returns the name of a launch's game for a sentence. */
export function gameWords({ gameName, gameId }: { readonly gameName: string; readonly gameId: string }): string {
  return gameName !== '' ? gameName : gameId !== '' ? `Game ${gameId}` : 'A replay';
}

/** Returns whether a launch is on the screen or about to come there. */
function has(live: Live): boolean {
  const waits = live.turn === 0 && live.url !== null && live.stored.problem === null;
  return isOpen(live) || waits;
}
