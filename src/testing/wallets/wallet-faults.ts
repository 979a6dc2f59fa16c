import type { ReferenceWalletOptions, WalletLanguage } from './reference-wallet.ts';

/** A fault that a reference wallet has when it is asked to, and the cases of the wallet suite that must find it. */
export interface WalletFaultRow {
  readonly says: string;
  readonly in: readonly WalletLanguage[];
  readonly cases: readonly string[];
  /** The wallet that shows it, where the usual one does not. */
  readonly shownBy?: Pick<ReferenceWalletOptions, 'currency' | 'players'>;
  /** Answers to open points that the environment must have, by ID: without them the cases observe and blame nothing. */
  readonly answers?: Readonly<Record<string, { readonly value: string }>>;
}

const php = ['php'] as const;
const python = ['python'] as const;

const rows = {
  // Session.
  'unknown-token-first-player': { in: php, cases: ['session-03'], says: 'An unknown token opens the first player’s session.' },
  'token-case-folded': { in: python, cases: ['session-05'], says: 'Tokens are compared without letter case.' },
  'token-cut-to-64': { in: php, cases: ['session-06'], says: 'A token is cut to 64 characters before it is looked up.' },
  'empty-token-matches-null': { in: python, cases: ['session-04'], says: 'An empty token finds a session that has none.' },
  'player-from-body': {
    in: php,
    cases: ['bet-08', 'win-11'],
    says: 'The player is taken from playerId and the token is ignored.',
  },
  'balance-cached-per-process': {
    in: python,
    cases: ['bet-01'],
    says: '/playerInfo answers the balance that the process read first.',
  },
  'sql-by-joining': { in: python, cases: ['hostile-05'], says: 'The token is joined into the SQL that looks it up.' },

  // Bet.
  'whole-balance-refused': { in: php, cases: ['bet-02'], says: 'A bet of the whole balance is refused.' },
  'no-funds-check': { in: python, cases: ['bet-03'], says: 'A bet is booked whatever the balance is.' },
  'funds-in-whole-units': { in: php, cases: ['bet-03'], says: 'Funds are compared in whole units of the currency.' },
  'amount-made-positive': { in: python, cases: ['bet-06'], says: 'A negative amount is booked as a positive one.' },
  'currency-ignored': {
    in: php,
    cases: ['bet-07', 'win-09', 'prizes-04'],
    says: 'The currency of a transaction is not looked at.',
  },
  'unknown-player-created': { in: python, cases: ['bet-09'], says: 'An unknown player gets an account with money.' },
  'duplicates-by-content': { in: php, cases: ['bet-11'], says: 'Two bets of one amount within ten seconds count as one.' },
  'balance-of-before': { in: python, cases: ['bet-01'], says: 'The balance from before the transaction is answered.' },
  'refusal-leaves-lock': { in: php, cases: ['bet-04'], says: 'A refused bet leaves the account locked.' },
  'same-external-id': { in: php, cases: ['bet-12'], says: 'All transactions of a player get one externalTrxId.' },

  // Win.
  'zero-win-refused': { in: php, cases: ['win-03'], says: 'A win of 0 is refused.' },
  'win-without-bet-dropped': { in: python, cases: ['win-05'], says: 'A win without an open bet succeeds and pays nothing.' },
  'win-capped': { in: python, cases: ['win-08'], says: 'A win pays at most ten times its bet.' },
  'negative-win-booked': { in: php, cases: ['win-04'], says: 'A negative win takes money.' },
  'one-id-for-all-methods': {
    in: php,
    cases: ['win-02', 'prizes-11'],
    answers: { 'win.bet': { value: 'transactionId' }, 'wallet.idempotency': { value: 'idPlayerMethod' } },
    says: 'A win with the ID of a bet counts as a retry of the bet.',
  },
  'win-currency-unchecked': { in: python, cases: ['win-09'], says: 'The currency of wins is not looked at.' },

  // Cancel.
  'cancel-twice-pays-twice': { in: php, cases: ['cancel-02'], says: 'Each cancel of a bet refunds it.' },
  'cancel-trusts-amount': { in: python, cases: ['cancel-04'], says: 'A cancel refunds the amount that it names.' },
  'cancel-unknown-credits': { in: php, cases: ['cancel-05'], says: 'A cancel of an unknown bet pays the amount that it names.' },
  'cancel-moves-nothing': { in: python, cases: ['cancel-01'], says: 'A cancel succeeds and refunds nothing.' },
  'cancelled-bet-booked-again': { in: php, cases: ['cancel-07'], says: 'A retry of a cancelled bet debits again.' },
  'refused-bet-cancellable': { in: python, cases: ['cancel-10'], says: 'A cancel refunds a bet that was refused.' },
  'cancel-after-win-refunds': { in: php, cases: ['cancel-08'], says: 'A cancel refunds a bet whose win was paid.' },
  'any-players-bet-cancelled': { in: python, cases: ['cancel-11'], says: 'A cancel refunds another player’s bet to the caller.' },
  'cancel-without-amount-refunds-0': { in: php, cases: ['cancel-03'], says: 'A cancel without amount refunds 0.' },
  'cancel-of-any-method': { in: python, cases: ['cancel-12'], says: 'A cancel with the ID of a win takes the win back.' },

  // Prizes.
  'tournament-win-not-deduplicated': { in: python, cases: ['prizes-02'], says: 'A repeated tournament win pays again.' },
  'tournament-token-unchecked': { in: python, cases: ['prizes-03'], says: 'A tournament win needs no valid token.' },
  'reference-not-unique': { in: php, cases: ['prizes-07'], says: 'One externalReferenceId pays several promotional wins.' },
  'promo-without-reference': { in: php, cases: ['prizes-09'], says: 'A promotional win without externalReferenceId is paid.' },
  'promo-needs-open-bet': { in: python, cases: ['prizes-10'], says: 'A promotional win is refused while no bet is open.' },

  // Token.
  'same-token-again': { in: php, cases: ['token-01'], says: '/generateNewToken answers the token that it got.' },
  'old-token-lives-on': { in: php, cases: ['token-03', 'token-04'], says: 'The old token still opens the session.' },
  'new-token-loses-currency': { in: python, cases: ['token-02'], says: 'The session of a new token has no currency.' },
  'new-token-of-first-player': { in: php, cases: ['token-02'], says: 'Every new token opens the first player’s session.' },
  'renewed-by-ended-token': { in: python, cases: ['token-05'], says: 'An ended token yields a new one.' },
  'dedupe-by-token': { in: python, cases: ['token-07'], says: 'A bet repeated with a new token debits again.' },

  // Retries.
  'retry-books-twice': { in: php, cases: ['retries-01', 'retries-02'], says: 'A repeated transaction is booked again.' },
  'bets-only-deduplicated': { in: python, cases: ['retries-02'], says: 'A repeated win is booked again.' },
  'conflict-replayed': { in: php, cases: ['retries-05'], says: 'Another transaction with a used ID succeeds and moves nothing.' },
  'conflict-booked': { in: python, cases: ['retries-05'], says: 'Another amount with a used ID is booked as well.' },
  'id-unique-for-all-players': {
    in: php,
    cases: ['retries-06'],
    answers: { 'wallet.idempotency': { value: 'idPlayerMethod' } },
    says: 'An ID that another player used counts as a retry.',
  },
  'id-case-folded': { in: php, cases: ['retries-08'], says: 'IDs are compared without letter case.' },
  'id-trimmed': { in: python, cases: ['retries-08'], says: 'IDs are compared without spaces around them.' },
  'key-from-raw-body': { in: python, cases: ['retries-09'], says: 'A retry is known by the bytes of its body alone.' },
  'keys-forgotten-after-12-hours': { in: php, cases: ['retries-10'], says: 'A retry after twelve hours is booked again.' },
  'keys-in-memory': { in: python, cases: ['retries-10'], says: 'A retry after a restart is booked again.' },
  'retry-refused': { in: php, cases: ['retries-04', 'retries-02'], says: 'A retry of what was booked is refused.' },
  'bet-retried-after-win-booked': {
    in: python,
    cases: ['retries-12'],
    says: 'A retry of a bet whose win was paid debits again.',
  },
  'two-commits': { in: php, cases: ['retries-04'], says: 'A client that goes away leaves a debit without its transaction.' },
  'answered-before-commit': { in: php, cases: ['retries-14'], says: 'Success is answered before it is stored.' },

  // Money.
  'float-money': { in: python, cases: ['money-01'], says: 'Money is counted in floats.' },
  'balance-with-float-tail': { in: php, cases: ['money-02'], says: 'Balances are printed with 17 digits of a float.' },
  'balance-as-text': { in: php, cases: ['money-02'], says: 'Balances are printed as text.' },
  'balance-through-float': {
    in: python,
    cases: ['money-07'],
    shownBy: { players: [{ balance: '90071992547409.93' }, {}] },
    says: 'Balances pass through a float, which loses digits of large ones.',
  },
  'amount-cut-to-int': { in: php, cases: ['money-03'], says: 'Decimals of an amount are cut off.' },
  'amount-rounded-silently': { in: python, cases: ['money-04'], says: 'An amount finer than the currency is rounded.' },
  'two-decimals-always': { in: php, cases: ['money-05'], shownBy: { currency: 'KWD' }, says: 'Every currency has two decimals.' },
  'amount-times-100-always': {
    in: python,
    cases: ['money-06'],
    shownBy: { currency: 'JPY' },
    says: 'Every amount is multiplied by 100.',
  },
  'text-amount-as-minor-units': { in: php, cases: ['money-08'], says: 'An amount sent as text counts in minor units.' },
  'exponent-ignored': { in: php, cases: ['money-09'], says: 'The exponent of an amount is ignored.' },
  'true-books-1': { in: python, cases: ['money-13'], says: 'true is booked as an amount of 1.' },

  // Races.
  'balance-written-absolute': {
    in: php,
    cases: ['order-02', 'order-08'],
    says: 'The balance is read, changed and written without a lock.',
  },
  'lock-after-read': { in: python, cases: ['order-02', 'order-08'], says: 'The lock is taken after the balance was read.' },
  'looked-up-before-lock': {
    in: ['php', 'python'],
    cases: ['order-01', 'order-04'],
    says: 'Repeated IDs are looked up before the lock, and no index is unique.',
  },
  'funds-checked-before-lock': { in: php, cases: ['order-03'], says: 'Funds are checked before the lock.' },
  'state-checked-before-lock': { in: python, cases: ['order-06'], says: 'Whether a bet is open is checked before the lock.' },
  'player-in-global': { in: python, cases: ['order-07'], says: 'Calls that overlap all take the first of their players.' },
  'debit-first-check-after': { in: python, cases: ['order-09'], says: 'A bet is debited, then checked, then paid back.' },
  'reference-looked-up-before-lock': { in: php, cases: ['order-11'], says: 'The reference is looked up before the lock.' },
  'deferred-transaction': {
    in: php,
    cases: ['order-02', 'order-12'],
    says: 'The transaction reads before it locks: “database is locked”.',
  },
  'one-lock-for-all-players': {
    in: python,
    cases: ['order-13'],
    says: 'Every hundredth transaction tidies up for 4 s, while it holds the lock of all players.',
  },
  'token-renewed-without-compare': { in: python, cases: ['token-08'], says: 'Calls that come at once each get a new token.' },

  // Input.
  'missing-amount-is-0': { in: php, cases: ['hostile-01'], says: 'A missing amount counts as 0.' },
  'id-cut-at-255': { in: php, cases: ['hostile-03'], says: 'IDs are cut to 255 characters.' },
  'ids-normalised': { in: python, cases: ['hostile-04'], says: 'Composed and decomposed characters of IDs are one.' },
  'balance-from-body-stored': { in: python, cases: ['hostile-06'], says: 'A balance in the request is stored.' },
  'crash-page-as-html': { in: php, cases: ['hostile-08'], says: 'What is not JSON is answered with an HTML page of the crash.' },
  // This case looks at the refusals of the cases before it in a run.
  'refusal-with-trace': { in: php, cases: ['hostile-13'], says: 'A refusal holds the trace of an exception.' },
  'error-with-code-0': { in: php, cases: ['bet-03'], says: 'Refusals have the code 0.' },
} as const satisfies Readonly<Record<string, WalletFaultRow>>;

export type WalletFault = keyof typeof rows;

/** Names every fault that can be planted in a reference wallet. */
export const walletFaults: Readonly<Record<WalletFault, WalletFaultRow>> = rows;
