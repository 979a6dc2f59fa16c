/** Free rounds as they were granted. Amounts are in minor units. */
export interface Grant {
  readonly reference: string;
  readonly playerId: string;
  readonly gameIds: readonly string[];
  /** An index into the game's bets, or an amount in a currency. */
  readonly stake:
    | { readonly kind: 'level'; readonly level: number }
    | { readonly kind: 'amount'; readonly amount: bigint; readonly currency: string };
  readonly total: number;
  left: number;
  /** Milliseconds since the epoch at which the grant expires. */
  readonly validUntil: number;
  /** The first launched game of the list; null until one is launched. */
  boundGame: string | null;
}

export type FreeRoundBook = ReturnType<typeof createFreeRoundBook>;

/** Creates a book that keeps the newest `limit` grants in memory. */
export function createFreeRoundBook(deps: { now: () => number; limit?: number }) {
  const limit = deps.limit ?? 200_000;
  const byReference = new Map<string, Grant>();
  const byPlayer = new Map<string, Set<Grant>>();

  function forget(grant: Grant): void {
    byReference.delete(grant.reference);
    const own = byPlayer.get(grant.playerId);
    own?.delete(grant);
    if (own?.size === 0) byPlayer.delete(grant.playerId);
  }

  function usable(grant: Grant): boolean {
    return grant.left > 0 && grant.validUntil > deps.now();
  }

  return {
    /** Takes all grants or none; returns the first reference that was used before, otherwise null. */
    grant(grants: readonly Grant[]): string | null {
      const used = grants.find((grant) => byReference.has(grant.reference));
      if (used) return used.reference;
      for (const grant of grants) {
        byReference.set(grant.reference, grant);
        byPlayer.set(grant.playerId, (byPlayer.get(grant.playerId) ?? new Set()).add(grant));
      }
      for (const oldest of byReference.values()) {
        if (byReference.size <= limit) break;
        forget(oldest);
      }
      return null;
    },
    /** Binds the player's unbound grants that name this game to it. */
    launch(playerId: string, gameId: string): void {
      for (const grant of byPlayer.get(playerId) ?? []) {
        if (grant.boundGame === null && usable(grant) && grant.gameIds.includes(gameId)) grant.boundGame = gameId;
      }
    },
    /** Returns the oldest grant that the player can use in this game now. */
    current(playerId: string, gameId: string): Grant | undefined {
      for (const grant of byPlayer.get(playerId) ?? []) if (grant.boundGame === gameId && usable(grant)) return grant;
      return undefined;
    },
    get: (reference: string): Grant | undefined => byReference.get(reference),
    /** Oldest first. */
    all: (): readonly Grant[] => [...byReference.values()],
    /** Ends a grant; returns false if there is none. */
    cancel(reference: string): boolean {
      const grant = byReference.get(reference);
      if (!grant) return false;
      grant.left = 0;
      return true;
    },
    /** Returns the reference of the player's newest grant that has free rounds left, otherwise of the newest one; null if there is none. */
    newestOf(playerId: string): string | null {
      const own = [...(byPlayer.get(playerId) ?? [])];
      return (own.findLast((grant) => grant.left > 0) ?? own.at(-1))?.reference ?? null;
    },
  };
}
