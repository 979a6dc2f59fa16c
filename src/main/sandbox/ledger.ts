import { type Currency, parseAmount, printAmount } from './money.ts';
import { phpFloat, type PhpValue, textOf } from './php-json.ts';
import type { RoundBook } from './rounds.ts';
import { createTransactionBook, type Movement, type Player, type Receipt, type Transaction } from './transaction-book.ts';
import type { StartPlayer } from './start.ts';
import type { WalletFault } from './wallet-faults.ts';

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

/** Creates a wallet with these players, each with a valid session. It remembers the newest `limit` transactions and has one fault, or none. */
export function createLedger(deps: {
  rounds: RoundBook;
  newToken: () => string;
  players: readonly StartPlayer[];
  limit?: number;
  fault?: WalletFault | undefined;
}) {
  const has = (fault: WalletFault) => deps.fault === fault;
  const limit = deps.limit ?? 100_000;
  const players: Player[] = deps.players.map(({ externalToken, ...player }) => ({
    ...player,
    token: externalToken ?? deps.newToken(),
  }));
  const byToken = new Map(players.map((player) => [player.token, player]));
  const book = createTransactionBook(limit, (id) => (has('id-case-folded') ? id.toLowerCase() : id));
  const references = new Set<string>();
  let nextTransaction = 1;
  /** The balance before the last payment. */
  let balanceBefore = 0n;
  /** The present balances as floats, for the fault that shows them. */
  const floats = new Map<Player, number>();

  const playerById = (playerId: PhpValue | undefined): Player | undefined =>
    players.find((player) => player.playerId === playerId);

  /** Returns the player of this session token, or why there is none. */
  function session(token: PhpValue | undefined, field = 'externalToken'): { ok: true; player: Player } | Refusal {
    if (typeof token !== 'string' || token === '') return refuse('token', `${field} is missing or not a non-empty string.`);
    let player = byToken.get(token);
    if (has('token-case-folded')) player ??= players.find((one) => one.token.toLowerCase() === token.toLowerCase());
    if (has('unknown-token-first-player')) player ??= players[0];
    if (player) return { ok: true, player };
    return refuse(
      'token',
      `No session has this ${field}: the built-in provider hasn't issued it since it started, or generateNewToken replaced it.`,
    );
  }

  function newReceipt(player: Player, transactionId: string, roundId: bigint | null): Receipt {
    const externalTrxId = roundId === null ? `trx-${nextTransaction}` : roundId.toString();
    nextTransaction += 1;
    return { transactionId, externalTrxId, balance: has('balance-before') ? balanceBefore : player.balance, player };
  }

  function pay(player: Player, change: bigint): void {
    balanceBefore = player.balance;
    player.balance += change;
    if (!has('float-money')) return;
    const float = (minor: bigint) => Number(printAmount(minor, player.currency.digits));
    floats.set(player, (floats.get(player) ?? float(balanceBefore)) + float(change));
  }

  function cancel(player: Player, transactionId: string, request: MovementRequest): MovementOutcome {
    const bet = book.find(player, 'bet', transactionId);
    const sent = parseAmount(request.amount, player.currency, request.amountText);
    if (!bet) {
      if (!has('cancel-unknown-credits'))
        return refuse('rule', `There is no bet with transactionId ${show(transactionId)} to cancel.`);
      pay(player, typeof sent === 'bigint' ? sent : 10n ** BigInt(player.currency.digits));
      return { ok: true, receipt: newReceipt(player, transactionId, null), repeated: false };
    }
    if (bet.state === 'won' && !has('cancel-after-win-refunds'))
      return refuse('rule', 'The bet was finalized by a win and can no longer be cancelled.');
    book.close(bet, 'cancelled');
    if (!has('cancel-moves-nothing')) pay(player, has('cancel-trusts-amount') && typeof sent === 'bigint' ? sent : bet.amount);
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
      pay(player, -amount);
      roundId = deps.rounds.idFor(id);
      deps.rounds.open({ id: roundId, gameId, playerId: player.playerId, currency: player.currency, action: 'bet', bet: amount });
    } else {
      pay(player, amount);
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

  function amountOf(kind: Movement, { amount, amountText }: MovementRequest, currency: Currency): bigint | string {
    if (has('negative-bet-pays') && kind === 'bet' && (typeof amount === 'bigint' || typeof amount === 'number') && amount < 0) {
      const size = parseAmount(-amount, currency);
      return typeof size === 'bigint' ? -size : size;
    }
    const read = parseAmount(amount, currency, amountText);
    return has('amount-cut-to-int') && typeof read === 'bigint' ? read - (read % 10n ** BigInt(currency.digits)) : read;
  }

  function again({ receipt }: Transaction): MovementOutcome {
    if (!has('retry-refused')) return { ok: true, receipt, repeated: true };
    return refuse('rule', `transactionId ${show(receipt.transactionId)} was already used.`);
  }

  /** Moves money once per player, method and transaction ID, or rejects and moves nothing. */
  function move(kind: Movement, request: MovementRequest): MovementOutcome {
    const found = session(request.externalToken);
    if (!found.ok) return found;
    const player = (has('other-players-token') ? playerById(request.playerId) : undefined) ?? found.player;
    if (request.playerId !== player.playerId) {
      return refuse('rule', `playerId ${show(request.playerId)} is not the player of this session (${show(player.playerId)}).`);
    }
    const id = request.transactionId;
    if (typeof id !== 'string' || id === '' || id.length > maxIdLength) {
      return refuse('rule', `transactionId must be a string of 1 to ${maxIdLength} characters.`);
    }
    const earlier = book.find(player, kind, id);
    if (kind === 'cancel') return earlier && !has('cancel-twice-pays-twice') ? again(earlier) : cancel(player, id, request);

    if (request.currency !== player.currency.code && !has('currency-ignored')) {
      return refuse(
        'rule',
        `currency ${show(request.currency)} is not the currency of the player (${show(player.currency.code)}).`,
      );
    }
    const { gameId } = request;
    if (typeof gameId !== 'string' || gameId === '') return refuse('rule', 'gameId must be a non-empty string.');
    const amount = amountOf(kind, request, player.currency);
    if (typeof amount === 'string') return refuse('rule', `${amount}.`);
    if (has('zero-win-refused') && kind === 'win' && amount === 0n) return refuse('rule', 'amount must be more than 0.');
    const reference = request.externalReferenceId;
    if (kind === 'promoWin' && (typeof reference !== 'string' || reference === '')) {
      return refuse('rule', 'externalReferenceId must be a non-empty string.');
    }
    const fingerprint = fingerprintOf(amount, gameId, kind === 'promoWin' ? textOf(reference) : null);
    if (earlier && earlier.fingerprint !== fingerprint && !has('conflict-booked')) {
      if (has('conflict-replayed')) return again(earlier);
      return refuse('rule', `transactionId ${show(id)} was already used for a ${kind} with other values.`);
    }
    const isForgotten =
      (has('retry-debits-twice') && kind === 'bet') ||
      (has('retry-credits-twice') && (kind === 'win' || kind === 'tournamentWin')) ||
      (has('cancelled-bet-booked-again') && earlier?.state === 'cancelled');
    if (earlier?.fingerprint === fingerprint && !isForgotten) return again(earlier);
    if (kind === 'promoWin' && references.has(textOf(reference)) && !has('promo-reference-not-unique')) {
      return refuse('rule', `externalReferenceId ${show(reference)} was already used by another promoWin.`);
    }
    if (kind === 'bet' && amount > player.balance && !has('no-funds-check')) {
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
    playerById,
    has,
    session,
    move,
    /** Returns a balance as a response has it. */
    balanceText({ player, balance }: Pick<Receipt, 'player' | 'balance'>): string {
      const float = balance === player.balance ? floats.get(player) : undefined;
      return float === undefined ? printAmount(balance, player.currency.digits) : phpFloat(float);
    },
    /** Replaces the session token; the old one is invalid at once. */
    renew(player: Player): string {
      if (!has('old-token-lives')) byToken.delete(player.token);
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
