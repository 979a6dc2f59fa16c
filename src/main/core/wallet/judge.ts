import { moneyText, sizeOf, type Money } from '#shared/wallet/money.ts';
import { caseChecks, type CaseCheck, type CaseExpectation, type CaseStep } from '#shared/wallet/wallet-case.ts';
import { minorUnitDecimals } from '#shared/provider/iso-codes.ts';
import { patienceMs } from '#shared/wallet/run-facts.ts';
import type { Terms } from '#shared/wallet/terms.ts';
import { amount } from '#shared/amount.ts';
import { answerText, namesIn, readBody, typeOf, type Answer } from './answer.ts';
import type { Session } from './requests.ts';

/** Changes of a session's balance that agree with a step: an amount may also be converted. */
interface Allowed {
  readonly changes: readonly Money[];
  readonly allows: (change: Money) => boolean;
}

/** Demands of an expectation on each response, and on the money, by the session's own responses and those of them that said yes. */
interface Demand {
  readonly words: string;
  readonly isWrong: (answer: Answer, retriesHaveCode: boolean) => boolean;
  readonly allowed: (own: readonly Answer[], booked: readonly Answer[], lost: readonly Money[]) => Allowed;
}

const effectsOf = (answers: readonly Answer[]) => answers.map(({ sent }) => sent.effect);
/** Sums by how much responses change a balance, if all of them said yes. */
export const sumOf = (answers: readonly Answer[]) => effectsOf(answers).reduce((total, one) => total + one, 0n);
const among = (...changes: readonly Money[]): Allowed => ({ changes, allows: (change) => changes.includes(change) });
const unmoved = () => among(0n);
const never = () => false;
const isNotBooked = ({ kind }: Answer) => kind !== 'booked';
const isNone = ({ kind }: Answer) => kind === 'none';
const isFinalRefusal = ({ kind }: Answer, retriesHaveCode: boolean) =>
  kind === 'none' || (kind === 'refused' && !retriesHaveCode);

const demands: Readonly<Record<CaseExpectation, Demand>> = {
  booked: { words: 'accepted, the money moved', isWrong: isNotBooked, allowed: (own) => among(sumOf(own)) },
  accepted: { words: 'accepted, no money moved', isWrong: isNotBooked, allowed: unmoved },
  refused: { words: 'refused, no money moved', isWrong: ({ kind }) => kind !== 'refused', allowed: unmoved },
  invalidToken: {
    words: 'code 404, no money moved',
    isWrong: ({ kind, member }) => kind !== 'refused' || member('code') !== '404',
    allowed: unmoved,
  },
  unmoved: { words: 'no money moved', isWrong: never, allowed: unmoved },
  recognised: { words: 'recognised, no money moved again', isWrong: isFinalRefusal, allowed: unmoved },
  either: {
    words: 'the money agrees with the response',
    isWrong: isNone,
    allowed(own, booked) {
      // A cancel that came first may be accepted without a bet, and nobody knows what became of a request without a response.
      const alone = booked.filter(({ sent }) => own.length === 1 || sent.method !== 'cancel');
      return among(...new Set([booked, alone, own.filter(({ kind }) => kind !== 'refused')].map(sumOf)));
    },
  },
  once: {
    words: 'the money moved once',
    isWrong: never,
    allowed: (own, _, lost) => among([...lost, ...effectsOf(own)][0] ?? 0n),
  },
  lost: { words: 'nothing: the connection is cut', isWrong: never, allowed: unmoved },
  converted: {
    words: 'refused, or converted',
    isWrong: isNone,
    allowed: (_, booked) => (booked.length === 0 ? among(0n) : { changes: [0n], allows: (change) => change !== sumOf(booked) }),
  },
  notBoth: {
    words: 'one of the two moved money',
    isWrong: never,
    allowed: (_, booked) => (booked.length === 0 ? among(0n) : among(...effectsOf(booked))),
  },
  oneToken: { words: 'one new token works', isWrong: never, allowed: unmoved },
  moved: {
    words: 'the money moved as asked, or not at all',
    isWrong: never,
    allowed: (own) => among(0n, sumOf(own)),
  },
};

/** Says what a step expects. */
export function expectedText({ expect, check = [] }: CaseStep): string {
  return [demands[expect].words, ...check.map((one) => caseChecks[one])].join('; ');
}

/** Returns the first response of a step that says something else than its expectation; null if there is none. `retriesHaveCode`: the recorded answer is that a repeat gets a code. */
export function wrongResponse(expect: CaseExpectation, answers: readonly Answer[], retriesHaveCode: boolean): Answer | null {
  return answers.find((answer) => demands[expect].isWrong(answer, retriesHaveCode)) ?? null;
}

/** Returns the changes of a session's balance that agree with what was said in a step. `lost`: effects of requests whose response nobody heard. */
export function allowedChanges(
  expect: CaseExpectation,
  answers: readonly Answer[],
  session: Session,
  lost: readonly Money[],
): Allowed {
  const own = answers.filter(({ sent }) => sent.session === session);
  return demands[expect].allowed(
    own,
    own.filter(({ kind }) => kind === 'booked'),
    lost,
  );
}

const mostSums = 5_000;

/** Returns whether requests explain a change, each booked once with either sign and the amount that it has or names, or not at all. */
export function explains(answers: readonly Answer[], change: Money): boolean {
  let sums = new Set<Money>([0n]);
  for (const value of answers.flatMap(({ sent }) => [...new Set([sizeOf(sent.effect), sizeOf(sent.named)])])) {
    sums = new Set([...sums].flatMap((one) => [one, one + value, one - value]));
    if (sums.size > mostSums) return true;
  }
  return sums.has(change);
}

/** Facts that the checks of a step need beside its responses. */
export interface Beside {
  readonly terms: Terms;
  /** The response that a request names with `of`; null without one. */
  readonly first: Answer | null;
  /** The transaction before it in this case; null if it is the first. */
  readonly previous: Answer | null;
  readonly retriesHaveCode: boolean;
}

const longestToken = 255;

/** Returns whether every response came before a provider would give up. A call of which Croupier missed a part has no duration. */
export function isWithinPatience(answers: readonly Answer[]): boolean {
  return answers.every(({ delivered }) => (delivered.call.durationMs ?? 0) <= patienceMs);
}

/** Makes one check of the responses of a step. Returns what came instead; null if it holds. */
export function missOf(check: CaseCheck, answers: readonly Answer[], beside: Beside): string | null {
  return answers.reduce<string | null>((found, answer) => found ?? faultOf(check, answer, beside, answers), null);
}

function faultOf(check: CaseCheck, answer: Answer, beside: Beside, all: readonly Answer[]): string | null {
  const { terms, first, previous, retriesHaveCode } = beside;
  const { member, sent, kind } = answer;
  const { before, balance: after } = sent.session;
  const isTransaction = kind === 'booked' && sent.method !== 'playerInfo';
  const written = (name: string) => `${name} ${member(name) ?? typeOf(answer, name) ?? 'missing'}`;
  switch (check) {
    case 'player': {
      const types = { country: 'string', currency: 'string', balance: 'number', playerId: 'string' } as const;
      const wrong = Object.entries(types).find(([name, type]) => typeOf(answer, name) !== type);
      return wrong === undefined ? null : `${wrong[0]} is ${typeOf(answer, wrong[0]) ?? 'missing'}`;
    }
    case 'ownPlayer':
      return member('playerId') === sent.session.playerId ? null : written('playerId');
    case 'noPlayerData': {
      const name = ['balance', 'playerId', 'country'].find((one) => member(one) !== null);
      return name === undefined ? null : `the response has ${name}`;
    }
    case 'sameAnswer':
    case 'sameContext': {
      const names = ['playerId', 'country', 'currency', ...(check === 'sameAnswer' ? ['balance'] : [])];
      const name = names.find((one) => member(one) !== first?.member(one));
      return name === undefined ? null : `${written(name)}; before: ${first?.member(name) ?? 'missing'}`;
    }
    case 'echo': {
      return !isTransaction || member('transactionId') === readBody(sent.body).member('transactionId')
        ? null
        : written('transactionId');
    }
    case 'externalId':
      return typeOf(answer, 'externalTrxId') === 'string' && member('externalTrxId') !== '' ? null : written('externalTrxId');
    case 'otherExternalId':
      return member('externalTrxId') !== previous?.member('externalTrxId') ? null : `${written('externalTrxId')}, as before`;
    case 'balance':
      return answer.balance === before + sent.effect ? null : `${written('balance')}; it is ${moneyText(before + sent.effect)}`;
    case 'plainNumber': {
      const text = member('balance');
      if (text === null && sent.method !== 'playerInfo' && sent.method !== 'bet') return null;
      if (typeOf(answer, 'balance') !== 'number') return `balance is ${typeOf(answer, 'balance') ?? 'missing'}`;
      const isKnown = terms.decimals === 'yes' && minorUnitDecimals(terms.currency) !== null;
      const tooFine = isKnown && answer.balance !== null && answer.balance % terms.unit !== 0n;
      return /[eE]/.test(text ?? '') || answer.balance === null || tooFine ? written('balance') : null;
    }
    case 'sameMembers': {
      const names = (one: Answer | null) => (one === null ? '' : namesIn(one).toSorted().join(', '));
      return names(answer) === names(first) ? null : `${names(answer)}; /win: ${names(first)}`;
    }
    case 'newToken':
      return sent.session.token === sent.session.replaced || sent.session.replaced === null
        ? 'no new token in the response'
        : sent.session.token.length > longestToken
          ? `a token of ${amount(sent.session.token.length, 'character')}`
          : null;
    case 'noRefusal':
      return isFinalRefusal(answer, retriesHaveCode) ? answerText(answer) : null;
    case 'betweenStates': {
      if (sent.method !== 'playerInfo' || answer.balance === null) return null;
      const bets = all.filter(({ sent: { method } }) => method === 'bet');
      const step = bets[0]?.sent.effect ?? 0n;
      const exists = bets.some((_, count) => answer.balance === before + step * BigInt(count)) || answer.balance === after;
      return exists && answer.balance >= 0n ? null : `${written('balance')} between ${moneyText(before)} and ${moneyText(after)}`;
    }
    case 'json':
      return envelopeFault(answer);
    case 'patience': {
      const slowest = Math.max(...all.map(({ delivered }) => delivered.call.durationMs ?? 0));
      return isWithinPatience(all) ? null : `the slowest took ${(slowest / 1_000).toFixed(1)} s`;
    }
  }
}

const traces = /stack trace|traceback \(most recent|fatal error:|uncaught \w|\bon line \d+|\.(?:php|py|js|ts|java|rb|cs|go):\d+/i;

/** Returns what is wrong with a refusal as a refusal; null if nothing is. */
export function refusalFault(answer: Answer): string | null {
  const fault = envelopeFault(answer);
  return fault === null ? null : `/${answer.sent.method}: ${fault}`;
}

function envelopeFault(answer: Answer): string | null {
  const type = typeOf(answer, 'code');
  if (type !== 'number') return type === null ? answerText(answer) : `code is ${type}`;
  return typeOf(answer, 'message') === 'string' ? null : 'no message';
}

/** Returns what a refusal gives away; null if nothing is seen. */
export function leakIn(answer: Answer, otherPlayers: readonly string[]): string | null {
  const what = `/${answer.sent.method}`;
  const body = Buffer.from(answer.delivered.body).toString('utf8');
  if (traces.test(body.replaceAll('\\n', '\n').replaceAll('\\/', '/')))
    return `${what}: the response holds the trace of an error`;
  const other = otherPlayers.find((player) => body.includes(JSON.stringify(player)) && !answer.sent.body.includes(player));
  return other === undefined ? null : `${what}: the response names ${other}`;
}
