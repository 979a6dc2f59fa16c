import { AppError } from '#shared/errors.ts';
import type { PoolToken } from '#shared/ipc/index.ts';
import type { ReadToken, ReadTokens } from './read-tokens.ts';

/** A token that was taken from a pool: no other launch gets it until `back` is called. */
export interface TakenToken {
  readonly id: number;
  readonly token: string;
  /** The player whose session it is; a field is empty if it is not known. */
  readonly player: Readonly<Record<'playerId' | 'lang' | 'country', string>>;
  /** Its origin, without the token: `pool, line 3 of players.csv`. */
  readonly from: string;
  /** A launch was sent with it. */
  used(): void;
  /** Nothing was sent with it: the next launch may have it. */
  back(): void;
  /** The provider replaced it; the new one is unused. */
  renewed(token: string): void;
}

/** Source of tokens that are added. */
export interface TokenSource {
  readonly kind: 'pasted' | 'file' | 'command';
  /** Name of the file; empty without one. */
  readonly file: string;
}

/** Number of tokens that were added; `left` are sentences about lines without one to add. */
export interface AddedTokens {
  readonly added: number;
  readonly left: string[];
}

interface Entry {
  readonly id: number;
  readonly token: string;
  readonly read: ReadToken;
  readonly source: TokenSource;
  readonly renewed: boolean;
  readonly state: 'unused' | 'taken' | 'used';
}

const mostTokens = 10_000;
/** Numbers of lines that a sentence names. */
const namedLines = 10;
/** A token shows its first characters only if it has many more. */
const shownCharacters = 4;
const leastLength = 16;

/**
 * The session tokens of each environment, in memory until the session ends: a token is a player's, so no file has it. Every
 * function is synchronous, so that no two launches take one token.
 */
export function createTokenPools(onChange: (environmentId: string) => void) {
  const pools = new Map<string, Map<number, Entry>>();
  let lastId = 0;

  const entriesOf = (environmentId: string) => [...(pools.get(environmentId)?.values() ?? [])];

  /** Replaces an entry; one that was removed meanwhile stays away. */
  function put(environmentId: string, id: number, change: Partial<Entry>): void {
    const pool = pools.get(environmentId);
    const entry = pool?.get(id);
    if (pool === undefined || entry === undefined) return;
    pool.set(id, { ...entry, ...change });
    onChange(environmentId);
  }

  function takeEntry(environmentId: string, entry: Entry): TakenToken {
    const { id, token, read } = entry;
    put(environmentId, id, { state: 'taken' });
    return {
      id,
      token,
      player: { playerId: read.playerId, lang: read.lang, country: read.country },
      from: fromWords(entry),
      used: () => put(environmentId, id, { state: 'used' }),
      back: () => put(environmentId, id, { state: entry.state }),
      renewed: (next) => put(environmentId, id, { token: next, state: 'unused', renewed: true }),
    };
  }

  return {
    /** Returns the tokens of all pools. */
    tokens: (): string[] => [...pools.keys()].flatMap((id) => entriesOf(id).map(({ token }) => token)),
    /** `userOf` returns the name of the launch that has a token; null if none has it. */
    list: (environmentId: string, userOf: (token: string) => string | null): PoolToken[] =>
      entriesOf(environmentId).map((entry) => {
        const { id, token, read, state } = entry;
        const user = userOf(token);
        const { playerId, lang, country, currency } = read;
        const start = token.length < leastLength ? '' : token.slice(0, shownCharacters);
        const shown = user === null ? state : ('in use' as const);
        return { id, from: fromWords(entry), start, playerId, lang, country, currency, state: shown, user: user ?? '' };
      }),
    /** Fails with `refused` if the pool would have too many. */
    add(environmentId: string, { tokens, left }: ReadTokens, source: TokenSource): AddedTokens {
      const pool = pools.get(environmentId) ?? new Map<number, Entry>();
      const known = new Set([...pool.values()].map(({ token }) => token));
      const fresh = tokens.filter(({ token }) => !known.has(token));
      if (pool.size + fresh.length > mostTokens) {
        throw new AppError(
          'refused',
          `Nothing was added: the pool would have more than ${mostTokens.toLocaleString('en')} tokens. Remove used ones first.`,
        );
      }
      for (const read of fresh) {
        lastId += 1;
        pool.set(lastId, { id: lastId, token: read.token, read, source, renewed: false, state: 'unused' });
      }
      pools.set(environmentId, pool);
      if (fresh.length > 0) onChange(environmentId);
      const repeated = tokens.filter(({ token }) => known.has(token)).map(({ line }) => line);
      return { added: fresh.length, left: leftWords([...left, ['has a token that the pool already has', repeated]]) };
    },
    /** Takes the next unused token that `allows` allows; null if there is none. */
    take(environmentId: string, allows: (token: string) => boolean): TakenToken | null {
      const next = entriesOf(environmentId).find(({ state, token }) => state === 'unused' && allows(token));
      return next === undefined ? null : takeEntry(environmentId, next);
    },
    /** Takes this token in whatever state; null if another launch is taking it, or it is gone. */
    takeOne(environmentId: string, id: number): TakenToken | null {
      const entry = pools.get(environmentId)?.get(id);
      return entry === undefined || entry.state === 'taken' ? null : takeEntry(environmentId, entry);
    },
    /** Returns the ID of a token; undefined if the pool does not have it. */
    find: (environmentId: string, token: string): number | undefined =>
      entriesOf(environmentId).find((entry) => entry.token === token)?.id,
    /** Lets the used ones be taken again, and returns how many. */
    restore(environmentId: string): number {
      const used = entriesOf(environmentId).filter(({ state }) => state === 'used');
      for (const entry of used) pools.get(environmentId)?.set(entry.id, { ...entry, state: 'unused' });
      if (used.length > 0) onChange(environmentId);
      return used.length;
    },
    /** Removes the tokens of a player from every pool. */
    forget(playerId: string): void {
      for (const [environmentId, pool] of pools) {
        const ids = [...pool.values()].filter(({ read }) => read.playerId === playerId).map(({ id }) => id);
        for (const id of ids) pool.delete(id);
        if (ids.length > 0) onChange(environmentId);
      }
    },
    /** Removes tokens, and returns how many; one that a launch is taking stays. */
    remove(environmentId: string, ids: readonly number[]): number {
      const pool = pools.get(environmentId);
      const going = ids.filter((id) => pool?.has(id) === true && pool.get(id)?.state !== 'taken');
      for (const id of going) pool?.delete(id);
      if (going.length > 0) onChange(environmentId);
      return going.length;
    },
  };
}

function fromWords({ source, read, renewed }: Entry): string {
  const lines = {
    pasted: `pool, pasted line ${read.line}`,
    file: `pool, line ${read.line} of ${source.file}`,
    command: 'command',
  };
  return `${renewed ? 'generateNewToken of ' : ''}${lines[source.kind]}`;
}

/** Returns a sentence for each reason, which is the predicate of one line. */
function leftWords(left: Iterable<readonly [reason: string, lines: readonly number[]]>): string[] {
  return [...left]
    .filter(([, lines]) => lines.length > 0)
    .toSorted(([, one], [, other]) => (one[0] ?? 0) - (other[0] ?? 0))
    .map(([reason, lines]) => {
      const named = lines.slice(0, namedLines).join(', ');
      const more = lines.length > namedLines ? ` and ${(lines.length - namedLines).toLocaleString('en')} more` : '';
      return lines.length === 1 ? `Line ${named} ${reason}.` : `Each of the lines ${named}${more} ${reason}.`;
    });
}
