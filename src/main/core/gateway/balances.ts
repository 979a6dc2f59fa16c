import { addDecimals, compareDecimals } from '#shared/json/decimal.ts';
import type { Finding } from '#shared/model/finding.ts';
import type { OperationName } from '#shared/model/operations.ts';
import { answerOf, type Answers } from '#shared/provider/index.ts';
import type { WalletFields } from './read-request.ts';

/** Result of a request. `unknown`: nobody can say whether the other side acted on it. */
export type Standing = 'accepted' | 'repeated' | 'refused' | 'unknown';

/** A player of whom something passed; the ticks say in which order. */
interface Player {
  /** The balance after the last exchange, if it says so and nothing else passed meanwhile. */
  known: { readonly balance: string; readonly id: number | null; readonly tick: number } | null;
  currency: string | null;
  /** Amounts came in several currencies: nobody knows what a converted one changes. */
  isMixed: boolean;
  underWay: number;
  /** Tick of the last beginning or end. */
  tick: number;
}

/** Most players that are remembered; the oldest are forgotten first. */
const most = 100_000;
/** A longer number is no amount. */
const longestNumber = 40;

/** The methods that move money by an amount, and its name in a sentence; 1 for those that add to the balance. */
const moves: Readonly<Partial<Record<OperationName, readonly [sign: 1 | -1, words: string]>>> = {
  bet: [-1, 'a bet'],
  win: [1, 'a win'],
  tournamentWin: [1, 'a tournament win'],
  promoWin: [1, 'a promotional win'],
};

/** Compares each balance of a wallet with the one before it. Of exchanges that overlap, or that did not pass here, it says nothing. */
export function createBalances(answers: Answers) {
  const players = new Map<string, Player>();
  /** Stands for requests that name no player. */
  const everybody = newPlayer();
  let ticks = 0;

  function playerOf(id: string): Player {
    const player = players.get(id) ?? newPlayer();
    // The newest last.
    players.delete(id);
    players.set(id, player);
    const [oldest] = players.keys();
    if (players.size > most && oldest !== undefined) players.delete(oldest);
    return player;
  }

  function noteCurrency(player: Player, currency: string | null): void {
    player.isMixed ||= currency === null || (player.currency !== null && player.currency !== currency);
    player.currency = currency;
  }

  /** Notes that a request begins. Returns what notes its end, and then says whether the balance agrees with the one before. */
  function begin(
    operation: OperationName,
    sent: WalletFields,
  ): (standing: Standing, came: WalletFields, id: number | null) => Finding[] {
    if (operation !== 'cancel' && operation !== 'playerInfo' && moves[operation] === undefined) return () => [];
    const begun = ++ticks;
    if (operation === 'playerInfo') {
      return (standing, { playerId, balance, currency }, id) => {
        if (standing !== 'accepted' || playerId === null) return [];
        const player = playerOf(playerId);
        noteCurrency(player, currency);
        if (player.underWay + everybody.underWay > 0 || Math.max(player.tick, everybody.tick) > begun) return [];
        player.known = balance === null ? null : { balance, id, tick: ++ticks };
        return [];
      };
    }
    const player = sent.playerId === null ? everybody : playerOf(sent.playerId);
    player.underWay += 1;
    player.tick = begun;
    return (standing, { balance }, id) => {
      player.underWay -= 1;
      const isAlone = player.underWay + everybody.underWay === 0 && Math.max(player.tick, everybody.tick) === begun;
      player.tick = ++ticks;
      const before = player.known !== null && player.known.tick > everybody.tick ? player.known : null;
      const isSure = isAlone && standing !== 'unknown';
      if (player === everybody) return [];
      if (operation !== 'cancel') noteCurrency(player, sent.currency);
      // Neither a repeat nor what was refused moves anything.
      if (isSure && standing !== 'accepted') return [];
      player.known = isSure && balance !== null ? { balance, id, tick: ticks } : null;
      const isJudged = isSure && !player.isMixed && answerOf('wallet.currency', answers) !== 'converted';
      return isJudged && before !== null && balance !== null ? judge(operation, sent.amount, before, balance) : [];
    };
  }

  return {
    begin,
    forget(): void {
      for (const player of players.values()) player.known = null;
    },
  };
}

const newPlayer = (): Player => ({ known: null, currency: null, isMixed: false, underWay: 0, tick: 0 });

function judge(
  operation: OperationName,
  amount: string | null,
  before: NonNullable<Player['known']>,
  balance: string,
): Finding[] {
  const [sign, words] = moves[operation] ?? [];
  if (sign === undefined || amount === null || amount.startsWith('-')) return [];
  if ([amount, before.balance, balance].some(({ length }) => length > longestNumber)) return [];
  const expected = addDecimals(before.balance, sign === 1 ? amount : negated(amount));
  const change = addDecimals(balance, negated(before.balance));
  if (expected === null || change === null || compareDecimals(expected, balance) === 0) return [];
  // Nobody says whether both are in the same unit: whole units and minor units differ by a power of ten.
  if (compareDecimals(change, '0') === sign && digitsOf(change) === digitsOf(addDecimals(amount, '0') ?? '')) return [];
  const message = `balance is ${balance}. ${before.id === null ? 'An earlier exchange' : `Call ${before.id}`} had ${before.balance}, and ${words} of ${amount} makes that ${expected}; another change may have passed elsewhere.`;
  return [{ rule: 'gateway.balance', severity: 'warning', path: '/balance', message }];
}

const negated = (number: string) => (number.startsWith('-') ? number.slice(1) : `-${number}`);
/** Returns the digits of a number without an exponent, whatever power of ten it is multiplied by. */
const digitsOf = (number: string) => number.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
