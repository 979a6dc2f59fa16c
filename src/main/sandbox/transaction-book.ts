import type { Currency } from './money.ts';

/** A player of the demo operator. The balance is in minor units of the currency; `token` is the only valid session token. */
export interface Player {
  readonly playerId: string;
  readonly currency: Currency;
  readonly country: string;
  balance: bigint;
  token: string;
}

export type Movement = 'bet' | 'win' | 'cancel' | 'tournamentWin' | 'promoWin';

export interface Receipt {
  readonly transactionId: string;
  readonly externalTrxId: string;
  /** Minor units after the transaction; a repeated request gets the balance of the first time. */
  readonly balance: bigint;
  readonly player: Player;
}

/** One movement of money that was accepted. */
export interface Transaction {
  readonly kind: Movement;
  readonly fingerprint: string;
  readonly receipt: Receipt;
  readonly amount: bigint;
  readonly gameId: string;
  readonly roundId: bigint | null;
  state: 'open' | 'won' | 'cancelled' | 'final';
}

/**
 * The newest transactions of the wallet, and the bets among them that are open. Keeps the newest `limit` transactions. `asKey` returns what is
 * compared of a transaction ID.
 */
export function createTransactionBook(limit: number, asKey: (transactionId: string) => string) {
  const transactions = new Map<string, Transaction>();
  /** Bets that no win or cancel has closed, oldest first, by player and game. */
  const openBets = new Map<string, Set<Transaction>>();
  /** The newest bet of each player, and the newest that was cancelled. */
  const lastBet = new Map<Player, Transaction>();
  const lastCancelled = new Map<Player, Transaction>();

  function keyOf(player: Player, kind: Movement, transactionId: string): string {
    return `${player.playerId}\n${kind}\n${asKey(transactionId)}`;
  }

  function add(transaction: Transaction): void {
    const { player, transactionId } = transaction.receipt;
    const key = keyOf(player, transaction.kind, transactionId);
    transactions.set(key, transaction);
    if (transaction.kind === 'cancel') lastCancelled.set(player, transaction);
    if (transaction.state === 'open') {
      lastBet.set(player, transaction);
      const place = placeOf(transaction);
      openBets.set(place, (openBets.get(place) ?? new Set()).add(transaction));
    }
    if (transactions.size <= limit) return;
    const [oldest] = transactions;
    if (!oldest) return;
    transactions.delete(oldest[0]);
    forgetOpen(oldest[1]);
  }

  function forgetOpen(bet: Transaction): void {
    const place = placeOf(bet);
    const open = openBets.get(place);
    open?.delete(bet);
    if (open?.size === 0) openBets.delete(place);
  }

  function close(bet: Transaction, state: 'won' | 'cancelled'): void {
    bet.state = state;
    forgetOpen(bet);
  }

  return {
    find: (player: Player, kind: Movement, transactionId: string): Transaction | undefined =>
      transactions.get(keyOf(player, kind, transactionId)),
    add,
    /** Oldest first. */
    all: (): Iterable<Transaction> => transactions.values(),
    close,
    /** Returns the bet that a win closes: the one with its transaction ID, otherwise the player's oldest open one in that game. */
    openBet(player: Player, transactionId: string, gameId: string): Transaction | undefined {
      const named = transactions.get(keyOf(player, 'bet', transactionId));
      if (named?.state === 'open') return named;
      const [oldest] = openBets.get(`${player.playerId}\n${gameId}`) ?? [];
      return oldest;
    },
    /**
     * Returns the transactionId of a bet that /cancel accepts now: the player's last one while it is open, otherwise the oldest open one,
     * otherwise the last cancelled one, whose cancel is repeated.
     */
    cancellable(player: Player): string | null {
      const last = lastBet.get(player);
      if (last?.state === 'open') return last.receipt.transactionId;
      for (const [open] of openBets.values()) if (open?.receipt.player === player) return open.receipt.transactionId;
      return lastCancelled.get(player)?.receipt.transactionId ?? null;
    },
  };
}

function placeOf(transaction: Transaction): string {
  return `${transaction.receipt.player.playerId}\n${transaction.gameId}`;
}
