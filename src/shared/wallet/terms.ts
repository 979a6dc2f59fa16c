import { operationByName } from '../provider/operations.ts';
import { minorUnitDecimals } from '../provider/iso-codes.ts';
import type { Answers, OpenPointId } from '../provider/model.ts';
import { openPointById } from '../provider/open-points.ts';
import { recordedAnswer, valueOf } from '../provider/recorded-answers.ts';
import { shapeFieldNames } from '../provider/recorded-answer-shape.ts';
import { answerOf } from '../provider/wire-form.ts';
import type { WalletName } from '../model/operations.ts';
import { minorUnit, moneyText, readMoney, sizeOf, type Money } from './money.ts';
import { amountExpression, requestsOf, type CaseNeed, type CaseRequest, type WalletCase } from './wallet-case.ts';

/** The amounts of a run: everything is exact. */
export interface Terms {
  readonly currency: string;
  /** Decimals of an amount in this currency. */
  readonly digits: number;
  /** Says whether amounts have decimals: nobody knows before a bet with decimals, or a recorded answer. */
  readonly decimals: 'yes' | 'no' | 'unknown';
  /** One minor unit, one small bet, and what the whole run may lose. */
  readonly unit: Money;
  readonly small: Money;
  readonly stake: Money;
}

/** Number of small bets that a stake, and a balance, are worth at least: as many as the longest cases have. */
const betsInStake = 200n;
const betsInBalance = 20n;
const usualStake = '20';

/**
 * Returns the terms of a run. `stake`: JSON number, empty for the usual one. `fractions`: amounts with decimals were seen. `balance`: the smallest
 * of its players; absent if it is not known yet.
 */
export function termsOf(facts: {
  currency: string;
  answers: Answers;
  stake: string;
  fractions: boolean;
  balance?: Money;
}): Terms {
  const { currency, answers, fractions } = facts;
  const ofCurrency = minorUnitDecimals(currency) ?? 2;
  const unitAnswer = answerOf('amounts.unit', answers);
  const digits = unitAnswer === 'minor' ? 0 : ofCurrency;
  const decimals = digits === 0 ? 'no' : unitAnswer === 'whole' || fractions ? 'yes' : 'unknown';
  const unit = minorUnit(digits);
  const usual = unitAnswer === 'minor' ? 10n ** BigInt(ofCurrency) : 1n;
  const stake = facts.stake === '' ? (readMoney(usualStake) ?? 0n) * usual : (readMoney(facts.stake) ?? 0n);
  const step = decimals === 'unknown' ? minorUnit(0) : unit;
  const ofStake = stake / betsInStake;
  const ofBalance = facts.balance === undefined ? ofStake : facts.balance / betsInBalance;
  const share = ((ofBalance < ofStake ? ofBalance : ofStake) / step) * step;
  return { currency, digits, decimals, unit, stake, small: share > step ? share : step };
}

/** Returns an amount as JSON text and what it means as money, null where that is no number. */
export function amountOf(text: string, terms: Terms, balance: Money): { json: string; money: Money | null } {
  const [, sign, times, of, divisor = '1', more] = amountExpression.exec(text) ?? [];
  if (of === undefined) {
    const json = text.slice(1).replaceAll('{b}', moneyText(terms.small));
    return { json, money: readMoney(/^"(.*)"$/.exec(json)?.[1] ?? json) };
  }
  const most = ((2n * balance) / 3n / terms.unit) * terms.unit;
  const base = { b: terms.small, u: terms.unit, balance, most }[of as 'b' | 'u' | 'balance' | 'most'];
  const extra = more === undefined ? 0n : BigInt(more || 1) * terms.unit;
  const value = (base * BigInt(times || 1)) / BigInt(divisor) + extra;
  const money = sign === '-' ? -value : value;
  return { json: moneyText(money), money };
}

const direction: Readonly<Record<WalletName, -1n | 0n | 1n>> = {
  playerInfo: 0n,
  bet: -1n,
  win: 1n,
  cancel: 1n,
  tournamentWin: 1n,
  promoWin: 1n,
  generateNewToken: 0n,
};

/** Returns by how much a method changes the balance. */
export function effectOf(method: WalletName, amount: Money): Money {
  return direction[method] * amount;
}

/** Returns what a faulty wallet could take, or give, in a case at most, of one player or of all; null if that is the whole balance and it is not known. */
export function exposureOf({ steps }: WalletCase, terms: Terms, balance: Money | null, player?: number): Money | null {
  let [takes, gives] = [0n, 0n];
  const all = steps.flatMap(requestsOf);
  for (const request of all) {
    const { times = 1, each } = request;
    const what = request.call === 'again' ? (all.find(({ as }) => as === request.of) ?? request) : request;
    const { call, amount, player: own = 1 } = what;
    if (balance === null && amount !== undefined && /balance|most/.test(amount)) return null;
    if (player !== undefined && player !== own) continue;
    const money = amountOf(amount ?? 'b', terms, balance ?? 0n).money ?? 0n;
    const sum = sizeOf(money) * BigInt(times * (each === undefined ? 1 : 8));
    if (call === 'bet') takes += sum;
    else if (call !== 'playerInfo' && call !== 'generateNewToken') gives += sum;
  }
  return takes > gives ? takes : gives;
}

/** The state of a run as far as it decides which cases can be made. */
export interface CaseScene {
  readonly answers: Answers;
  readonly terms: Terms;
  /** Of each player; null if they are not known yet. */
  readonly balances: readonly Money[] | null;
  readonly hasEarlierRun: boolean;
  /** Money that was not put back so far. */
  readonly lost: Money;
}

/** A case that is not made, and why. */
export interface Obstacle {
  readonly verdict: 'waiting' | 'skipped';
  readonly why: string;
  /** The open point that must have an answer first. */
  readonly point?: OpenPointId;
}

/** Members that Croupier can fill in a request of /cancel. */
const fillable = new Set(['externalToken', 'playerId', 'gameId', 'transactionId', 'amount', 'currency']);

/** Returns the members of a request, in order; those of /cancel are the recorded ones. */
export function memberNames(method: WalletName, answers: Answers): readonly string[] {
  if (method !== 'cancel') return operationByName(method).forms[0]?.fields.map(({ name }) => name) ?? [];
  const shape = valueOf('shape', 'cancel.request', answers)?.shape;
  return shape === undefined ? [] : shapeFieldNames(shape);
}

const largest = 2n ** 53n;

/** Returns why a case cannot be made in a run, or null. */
export function obstacleOf(one: WalletCase, scene: CaseScene): Obstacle | null {
  const { answers, terms, balances, hasEarlierRun, lost } = scene;
  const balance = balances?.[0] ?? null;
  for (const point of one.waitsFor) if (recordedAnswer(point, answers).state !== 'valid') return waits(point);
  const stranger = one.waitsFor.includes('cancel.request')
    ? memberNames('cancel', answers).find((name) => !fillable.has(name))
    : undefined;
  if (stranger !== undefined)
    return waits('cancel.request', `Croupier can't fill in ${stranger}, a member of the recorded request of /cancel.`);
  if (terms.decimals === 'unknown' && usesUnit(one)) return waits('amounts.unit');
  const unmet: Readonly<Record<CaseNeed, string | null>> = {
    secondPlayer: balances?.length === 1 ? 'It needs a session of a second player.' : null,
    fractions: terms.decimals === 'no' ? `Amounts in ${terms.currency} have no decimals here.` : null,
    noDecimals:
      terms.digits === 0 && answerOf('amounts.unit', answers) !== 'minor'
        ? null
        : 'It needs a player whose currency has no decimals, such as JPY.',
    threeDecimals: terms.digits === 3 ? null : 'It needs a player whose currency has three decimals, such as KWD.',
    largeBalance:
      balance !== null && balance >= largest * terms.unit ? null : 'It needs a player with at least 2^53 minor units.',
    earlierRun: hasEarlierRun ? null : 'It repeats transactions of an earlier run (--retry-of).',
    cancelAmount: memberNames('cancel', answers).includes('amount') ? null : 'The recorded request of /cancel has no amount.',
    ownWinId: answerOf('win.bet', answers) === 'transactionId' ? 'Wins have the transactionId of their bet here.' : null,
  };
  const need = one.needs.find((name) => unmet[name] !== null);
  if (need !== undefined) return { verdict: 'skipped', why: unmet[need] ?? '' };
  const text = (money: Money) => moneyText(money, terms.digits);
  for (const [index, own] of (balances ?? []).entries()) {
    const bets = betsOf(one, terms, index + 1);
    if (bets === 0n || bets <= own) continue;
    return { verdict: 'skipped', why: `It bets ${text(bets)} ${terms.currency}, and player ${index + 1} has ${text(own)}.` };
  }
  const exposure = exposureOf(one, terms, balance);
  if (exposure !== null && exposure + lost <= terms.stake) return null;
  const risk = exposure === null ? 'the whole balance' : `${text(exposure)} ${terms.currency}`;
  return {
    verdict: 'skipped',
    why: `A faulty wallet could take ${risk}; the stake is ${lost === 0n ? '' : 'now '}${text(terms.stake - lost)}.`,
  };
}

/** Returns the sum of the bets of a player that a case needs to be booked. */
function betsOf({ steps }: WalletCase, terms: Terms, player: number): Money {
  return steps
    .filter(({ expect }) => expect === 'booked' || expect === 'once' || expect === 'lost')
    .flatMap(requestsOf)
    .filter((one) => one.call === 'bet' && (one.player ?? 1) === player && !/balance|most/.test(one.amount ?? ''))
    .reduce(
      (sum, { amount, times = 1, id }) =>
        sum + (amountOf(amount ?? 'b', terms, 0n).money ?? 0n) * BigInt(id === undefined ? times : 1),
      0n,
    );
}

function waits(point: OpenPointId, why = `It waits for an answer to "${openPointById(point).title}" (${point}).`): Obstacle {
  return { verdict: 'waiting', point, why };
}

/** Returns whether a case sends an amount with decimals. */
function usesUnit(one: WalletCase): boolean {
  return (
    one.needs.some((need) => need === 'fractions' || need === 'threeDecimals') ||
    one.steps.flatMap(requestsOf).some(({ amount = '=' }: CaseRequest) => !amount.startsWith('=') && amount.includes('u'))
  );
}
