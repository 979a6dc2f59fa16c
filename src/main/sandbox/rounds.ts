import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Currency } from './money.ts';

/** One event of a round, in minor units of the round's currency. */
interface RoundRecord {
  readonly id: bigint;
  readonly action: 'bet' | 'win' | 'cancel' | 'freeRound' | 'promoWin';
  readonly bet: bigint;
  readonly win: bigint;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A round of a bet or of a free round. */
export interface Round {
  readonly id: bigint;
  /** The number of the game; 0 if the bet named a game that is not a number. */
  readonly gameId: number;
  readonly playerId: string;
  readonly currency: Currency;
  readonly start: number;
  readonly records: RoundRecord[];
  /** Final symbols of the demo game's reels, three per reel; null for a bet from elsewhere. */
  reels: readonly (readonly number[])[] | null;
}

export type RoundBook = ReturnType<typeof createRoundBook>;

/** First ID of the sequence: 2^53 + 1, the first integer that a JavaScript number damages. */
export const firstRoundId = 9_007_199_254_740_993n;
const largestId = 2n ** 63n - 1n;

/** Creates a book that keeps the newest `limit` rounds in memory. */
export function createRoundBook(deps: { now: () => number; secret: Uint8Array; limit?: number }) {
  const limit = deps.limit ?? 50_000;
  const rounds = new Map<bigint, Round>();
  const lastWon = new Map<string, bigint>();
  let next = firstRoundId;
  let nextRecord = 1n;

  /** Returns an unused round ID: the sequence begins beyond 2^53. */
  function nextId(): bigint {
    while (rounds.has(next)) next += 1n;
    const id = next;
    next += 1n;
    return id;
  }

  function add(id: bigint, record: Pick<RoundRecord, 'action' | 'bet' | 'win'>, at = deps.now()): void {
    const round = rounds.get(id);
    if (!round) return;
    round.records.push({ ...record, id: nextRecord, at });
    nextRecord += 1n;
    if (record.action === 'win') lastWon.set(round.playerId, id);
  }

  /** Returns the number of calendar months (UTC) from the round's start to now. */
  function monthsAgo(round: Round): number {
    return monthNumber(deps.now()) - monthNumber(round.start);
  }

  function replayToken(id: bigint): string {
    const mac = createHmac('sha256', deps.secret).update(id.toString()).digest('hex').slice(0, 24);
    return `${id.toString(36)}-${mac}`;
  }

  return {
    nextId,
    /** Returns the round of a bet transaction: its own ID if that is a free integer, otherwise the next of the sequence. */
    idFor(transactionId: string): bigint {
      if (/^[1-9]\d{0,18}$/.test(transactionId)) {
        const id = BigInt(transactionId);
        if (id <= largestId && !rounds.has(id)) return id;
      }
      return nextId();
    },
    open({
      id,
      gameId,
      playerId,
      currency,
      action,
      bet,
      at = deps.now(),
    }: {
      id: bigint;
      gameId: string;
      playerId: string;
      currency: Currency;
      action: 'bet' | 'freeRound';
      bet: bigint;
      /** Start of the round in milliseconds since the epoch; now unless given. */
      at?: number;
    }): Round {
      const number = /^[1-9]\d{0,8}$/.test(gameId) ? Number(gameId) : 0;
      const round: Round = { id, gameId: number, playerId, currency, start: at, records: [], reels: null };
      rounds.set(id, round);
      add(id, { action, bet, win: 0n }, at);
      if (rounds.size > limit) {
        const [oldest] = rounds.keys();
        if (oldest !== undefined) rounds.delete(oldest);
      }
      return round;
    },
    add,
    get: (id: bigint): Round | undefined => rounds.get(id),
    /** Returns the player's round that a win ended last. */
    lastWon: (playerId: string): Round | undefined => rounds.get(lastWon.get(playerId) ?? -1n),
    monthsAgo,
    /** Returns the round, if it began `logMonth` calendar months (UTC) before the current one. */
    find(id: bigint, logMonth: bigint): Round | undefined {
      const round = rounds.get(id);
      return round !== undefined && BigInt(monthsAgo(round)) === logMonth ? round : undefined;
    },
    replayToken,
    /** Returns the round of a replay token, if the token is genuine and the round is still kept. */
    byReplayToken(token: string): Round | undefined {
      const [text = ''] = token.split('-');
      if (!/^[0-9a-z]{1,13}$/.test(text)) return undefined;
      const id = parseBase36(text);
      const genuine = Buffer.from(replayToken(id));
      const given = Buffer.from(token);
      return genuine.length === given.length && timingSafeEqual(genuine, given) ? rounds.get(id) : undefined;
    },
    size: (): number => rounds.size,
    /** Returns everything that the book remembers; rounds oldest first. */
    saved: () => ({ next, nextRecord, rounds: [...rounds.values()] }),
    /** Takes over what `saved` returned; for a new book. */
    restore(saved: { readonly next: bigint; readonly nextRecord: bigint; readonly rounds: readonly Round[] }): void {
      ({ next, nextRecord } = saved);
      const wins = saved.rounds.flatMap(({ id, playerId, records }) =>
        records.filter(({ action }) => action === 'win').map((record) => ({ id, playerId, at: record.id })),
      );
      for (const round of saved.rounds) rounds.set(round.id, round);
      for (const { id, playerId } of wins.toSorted((one, other) => (one.at < other.at ? -1 : 1))) lastWon.set(playerId, id);
    },
  };
}

/** Adds up a round in minor units, without cancelled bets. */
export function roundTotals(round: Round): { bet: bigint; win: bigint; end: number } {
  let bet = 0n;
  let win = 0n;
  for (const record of round.records) {
    bet += record.action === 'cancel' ? -record.bet : record.bet;
    win += record.win;
  }
  return { bet, win, end: round.records.at(-1)?.at ?? round.start };
}

function monthNumber(epochMs: number): number {
  const date = new Date(epochMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function parseBase36(text: string): bigint {
  let value = 0n;
  for (const digit of text) value = value * 36n + BigInt(Number.parseInt(digit, 36));
  return value;
}
