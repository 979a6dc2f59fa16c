import { parseAmount, printAmount } from './money.ts';
import { type PhpValue, textOf } from './php-json.ts';
import type { RoundBook } from './rounds.ts';
import { createTransactionBook, type Movement, type Player, type Receipt, type Transaction } from './transaction-book.ts';
import type { StartPlayer } from './start.ts';

/** The fields of a wallet transaction as received. */
export interface MovementRequest {
  readonly externalToken: PhpValue | undefined;
  readonly playerId: PhpValue | undefined;
  readonly gameId: PhpValue | undefined;
  readonly transactionId: PhpValue | undefined;
  readonly amount: PhpValue | undefined;
  /** The amount as the request has it, of which a float may have lost digits. */
  readonly amountText?: string | undefined;
  readonly currency: PhpValue | undefined;
  /** Only for promoWin. */
  readonly externalReferenceId?: PhpValue | undefined;
}

/** `token`: the session token itself is not valid; `rule`: anything else. `why` is a sentence for the verdict. */
export interface Refusal {
  readonly ok: false;
  readonly cause: 'token' | 'rule';
  readonly why: string;
}

export type MovementOutcome = { readonly ok: true; readonly receipt: Receipt; readonly repeated: boolean } | Refusal;

/** Everything that a ledger remembers beside its players. */
interface SavedWallet {
  readonly nextTransaction: number;
  readonly references: readonly string[];
  /** Oldest first. */
  readonly transactions: readonly (Omit<Transaction, 'receipt'> & Omit<Receipt, 'player'> & { readonly playerId: string })[];
}

export type Ledger = ReturnType<typeof createLedger>;

/** Longest wallet ID: the spec limits the session token to it and shows no other limit. */
const maxIdLength = 255;

/** Creates a wallet with these players, each with a valid session. It remembers the newest `limit` transactions. */
export function createLedger(deps: {
  rounds: RoundBook;
  newToken: () => string;
  players: readonly StartPlayer[];
  limit?: number;
}) {
  const limit = deps.limit ?? 100_000;
  const players: Player[] = deps.players.map(({ externalToken, ...player }) => ({
    ...player,
    token: externalToken ?? deps.newToken(),
  }));
  const byToken = new Map(players.map((player) => [player.token, player]));
  const book = createTransactionBook(limit);
  const references = new Set<string>();
  let nextTransaction = 1;

  /** Returns the player of this session token, or why there is none. */
  function session(token: PhpValue | undefined, field = 'externalToken'): { ok: true; player: Player } | Refusal {
    if (typeof token !== 'string' || token === '') return refuse('token', `${field} is missing or not a non-empty string.`);
    const player = byToken.get(token);
    if (player) return { ok: true, player };
    return refuse(
      'token',
      `No session has this ${field}: the built-in provider hasn't issued it since it started, or generateNewToken replaced it.`,
    );
  }

  function newReceipt(player: Player, transactionId: string, roundId: bigint | null): Receipt {
    const externalTrxId = roundId === null ? `trx-${nextTransaction}` : roundId.toString();
    nextTransaction += 1;
    return { transactionId, externalTrxId, balance: player.balance, player };
  }

  function cancel(player: Player, transactionId: string): MovementOutcome {
    const bet = book.find(player, 'bet', transactionId);
    if (!bet) return refuse('rule', `There is no bet with transactionId ${show(transactionId)} to cancel.`);
    if (bet.state === 'won') return refuse('rule', 'The bet was finalized by a win and can no longer be cancelled.');
    book.close(bet, 'cancelled');
    player.balance += bet.amount;
    if (bet.roundId !== null) deps.rounds.add(bet.roundId, { action: 'cancel', bet: bet.amount, win: 0n });
    const receipt = newReceipt(player, transactionId, null);
    book.add({
      kind: 'cancel',
      fingerprint: '',
      receipt,
      amount: bet.amount,
      gameId: bet.gameId,
      roundId: bet.roundId,
      state: 'final',
    });
    return { ok: true, receipt, repeated: false };
  }

  function apply(
    kind: Exclude<Movement, 'cancel'>,
    player: Player,
    id: string,
    gameId: string,
    amount: bigint,
    fingerprint: string,
  ) {
    let roundId: bigint | null = null;
    if (kind === 'bet') {
      player.balance -= amount;
      roundId = deps.rounds.idFor(id);
      deps.rounds.open({ id: roundId, gameId, playerId: player.playerId, currency: player.currency, action: 'bet', bet: amount });
    } else {
      player.balance += amount;
      const bet = kind === 'win' ? book.openBet(player, id, gameId) : undefined;
      if (bet) {
        book.close(bet, 'won');
        if (bet.roundId !== null) deps.rounds.add(bet.roundId, { action: 'win', bet: 0n, win: amount });
      }
    }
    const receipt = newReceipt(player, id, roundId);
    const state = kind === 'bet' ? 'open' : 'final';
    book.add({ kind, fingerprint, receipt, amount, gameId, roundId, state });
    return receipt;
  }

  /** Moves money once per player, method and transaction ID, or rejects and moves nothing. */
  function move(kind: Movement, request: MovementRequest): MovementOutcome {
    const found = session(request.externalToken);
    if (!found.ok) return found;
    const { player } = found;
    if (request.playerId !== player.playerId) {
      return refuse('rule', `playerId ${show(request.playerId)} is not the player of this session (${show(player.playerId)}).`);
    }
    const id = request.transactionId;
    if (typeof id !== 'string' || id === '' || id.length > maxIdLength) {
      return refuse('rule', `transactionId must be a string of 1 to ${maxIdLength} characters.`);
    }
    const earlier = book.find(player, kind, id);
    if (kind === 'cancel') return earlier ? { ok: true, receipt: earlier.receipt, repeated: true } : cancel(player, id);

    if (request.currency !== player.currency.code) {
      return refuse(
        'rule',
        `currency ${show(request.currency)} is not the currency of the player (${show(player.currency.code)}).`,
      );
    }
    const { gameId } = request;
    if (typeof gameId !== 'string' || gameId === '') return refuse('rule', 'gameId must be a non-empty string.');
    const amount = parseAmount(request.amount, player.currency, request.amountText);
    if (typeof amount === 'string') return refuse('rule', `${amount}.`);
    const reference = request.externalReferenceId;
    if (kind === 'promoWin' && (typeof reference !== 'string' || reference === '')) {
      return refuse('rule', 'externalReferenceId must be a non-empty string.');
    }
    const fingerprint = fingerprintOf(amount, gameId, kind === 'promoWin' ? textOf(reference) : null);
    if (earlier) {
      if (earlier.fingerprint === fingerprint) return { ok: true, receipt: earlier.receipt, repeated: true };
      return refuse('rule', `transactionId ${show(id)} was already used for a ${kind} with other values.`);
    }
    if (kind === 'promoWin' && references.has(textOf(reference))) {
      return refuse('rule', `externalReferenceId ${show(reference)} was already used by another promoWin.`);
    }
    if (kind === 'bet' && amount > player.balance) {
      const [balance, bet] = [player.balance, amount].map((minor) => printAmount(minor, player.currency.digits));
      return refuse('rule', `The balance of ${balance} ${player.currency.code} does not cover the bet of ${bet}.`);
    }
    const receipt = apply(kind, player, id, gameId, amount, fingerprint);
    if (kind === 'promoWin') rememberReference(textOf(reference));
    return { ok: true, receipt, repeated: false };
  }

  function rememberReference(reference: string): void {
    references.add(reference);
    if (references.size <= limit) return;
    const [oldest] = references;
    if (oldest !== undefined) references.delete(oldest);
  }

  return {
    players: (): readonly Player[] => players,
    playerById: (playerId: string): Player | undefined => players.find((player) => player.playerId === playerId),
    session,
    move,
    /** Replaces the session token; the old one is invalid at once. */
    renew(player: Player): string {
      byToken.delete(player.token);
      player.token = deps.newToken();
      byToken.set(player.token, player);
      return player.token;
    },
    /** Records a bet from before the provider's start, which the balance already includes. */
    startWithBet(
      player: Player,
      { transactionId, gameId, amount, roundId }: { transactionId: string; gameId: string; amount: bigint; roundId: bigint },
    ): void {
      const receipt = newReceipt(player, transactionId, roundId);
      const fingerprint = fingerprintOf(amount, gameId);
      book.add({
        kind: 'bet',
        fingerprint,
        receipt,
        amount,
        gameId,
        roundId,
        state: 'open',
      });
    },
    /**
     * Returns the transactionId of a bet that /cancel accepts now: the player's last one while it is open, otherwise the oldest open one,
     * otherwise the last cancelled one, whose cancel is repeated.
     */
    cancellable: book.cancellable,
    saved: (): SavedWallet => ({
      nextTransaction,
      references: [...references],
      transactions: Array.from(book.all(), ({ receipt, ...transaction }) => ({
        ...transaction,
        playerId: receipt.player.playerId,
        transactionId: receipt.transactionId,
        externalTrxId: receipt.externalTrxId,
        balance: receipt.balance,
      })),
    }),
    /** Takes over what `saved` returned; for a new ledger. */
    restore(saved: SavedWallet): void {
      nextTransaction = saved.nextTransaction;
      for (const reference of saved.references) references.add(reference);
      for (const { playerId, transactionId, externalTrxId, balance, ...transaction } of saved.transactions) {
        const player = players.find((one) => one.playerId === playerId);
        if (player !== undefined) book.add({ ...transaction, receipt: { transactionId, externalTrxId, balance, player } });
      }
    },
  };
}

/** Returns whether a repeated transaction is the same one. */
function fingerprintOf(amount: bigint, gameId: string, reference: string | null = null): string {
  return JSON.stringify([amount.toString(), gameId, reference]);
}

function refuse(cause: 'token' | 'rule', why: string): Refusal {
  return { ok: false, cause, why };
}

function show(value: PhpValue | undefined): string {
  if (typeof value !== 'string') return value === undefined ? '(missing)' : '(not a string)';
  return `"${value.length > 60 ? `${value.slice(0, 60)}…` : value}"`;
}
