import type { CaseOutcome, CaseStepOutcome } from '../collections/case-outcome.ts';
import type { ReportedRequest } from '../collections/reported-request.ts';
import { amount } from '../amount.ts';
import { walletNames } from '../model/operations.ts';
import { moneyText, readMoney, sizeOf, type Money } from './money.ts';

/*
 * Words about wallet cases and about a run of them, the same on the command line, on the page of a run and on the screen.
 */

/** Groups of cases, in the order of the list. */
export const caseGroups = {
  session: 'Player and session',
  bet: 'Bet',
  win: 'Win',
  cancel: 'Cancel',
  retries: 'Retries',
  money: 'Money',
  order: 'Order and concurrency',
  prizes: 'Tournament and promotion',
  token: 'New token',
  hostile: 'Hostile input',
  own: 'Own cases',
} as const;
export type CaseGroup = keyof typeof caseGroups;

/** Milliseconds after which the first providers give up. */
export const patienceMs = 4_000;

type Reported = Pick<ReportedRequest, 'case'>;

/** Words of each grade. */
export const gradeWords: Readonly<Record<CaseOutcome['grade'], string>> = {
  required: 'required',
  customary: 'customary',
  open: 'open point',
};

/** Returns `required, Endpoints, 14`. */
export function gradeText({ grade, section }: Pick<CaseOutcome, 'grade' | 'section'>): string {
  return section === '' ? gradeWords[grade] : `${gradeWords[grade]}, ${section}`;
}

/** Returns the ID and the name of a case from the path of its request, which begins with its group. */
export const caseName = (path: string): string => path.slice(path.indexOf('/') + 1);

/** Returns the state in whose colour a request is shown: a case that warns is neither good nor a failure. */
export const shownAs = ({ state, case: one }: Pick<ReportedRequest, 'case' | 'state'>): ReportedRequest['state'] =>
  one?.verdict === 'warns' ? 'skipped' : state;

/** Verdicts in the order in which they are counted, each as it is said of several cases; `not run`: the run ended before it. */
const severalOf = {
  fails: 'fail',
  warns: 'warn',
  holds: 'hold',
  observed: 'observed',
  waiting: 'waiting',
  skipped: 'skipped',
  'not run': 'not run',
} as const satisfies Record<CaseOutcome['verdict'] | 'not run', string>;
export type CountedVerdict = keyof typeof severalOf;

/** Writes `1 fails, 80 hold, 4 not run`, without zeros; the counts add up to the requests. */
export function countsText(requests: readonly Reported[]): string {
  const found = requests.map((request) => request.case?.verdict ?? 'not run');
  return Object.entries(severalOf)
    .map(([verdict, several]) => [found.filter((one) => one === verdict).length, verdict, several] as const)
    .filter(([count]) => count > 0)
    .map((counted) => amount(...counted))
    .join(', ');
}

/** Returns what a step of a case sent, expected and got, by its title. */
export function stepTexts({ sent, expected, came, calls }: CaseStepOutcome) {
  const numbers = calls.length > 5 ? [calls[0], calls.at(-1)].join(' to ') : calls.join(', ');
  return { Sent: sent, Expected: expected, Came: came, Calls: numbers };
}

/** Returns what is known of a case whatever it showed, each with its title. */
export function aboutTexts({ why, harm, cause }: NonNullable<CaseOutcome['about']>): [title: string, text: string][] {
  const texts = { 'If this fails in production': harm, 'Usual cause': cause, 'Why a provider sends this': why };
  return Object.entries(texts).filter(([, text]) => text !== '');
}

type Move = CaseOutcome['moved'][number];

const money = (text: string): Money => readMoney(text) ?? 0n;
const changeOf = ({ before, after }: Move): Money => money(after) - money(before);
const sumOf = (values: readonly Money[]): Money => values.reduce((total, one) => total + one, 0n);

/** Writes money with as many decimals as a balance has. */
const textOf = (value: Money, balance = ''): string => moneyText(value, balance.split('.')[1]?.length ?? 0);

/** Returns whether a sum of money is none. */
export const isZero = (text: string): boolean => !/[1-9]/.test(text);

/** Writes `player-1 -0.10, put back`. */
export function moveText(move: Move): string {
  const { playerId, before, left } = move;
  const change = changeOf(move);
  return `${playerId} ${change > 0n ? '+' : ''}${textOf(change, before)}, ${isZero(left) ? 'put back' : `${left} left`}`;
}

/** Sums what the cases moved, for each player, and what of it was not put back. */
export function movedMoney(cases: readonly Pick<CaseOutcome, 'moved'>[]) {
  const moves = cases.flatMap(({ moved }) => moved);
  return Array.from(
    Map.groupBy(moves, ({ playerId }) => playerId),
    ([playerId, own]) => {
      const sizes = own.map(changeOf).map(sizeOf);
      const moved = textOf(sumOf(sizes), own[0]?.before);
      const left = textOf(sumOf(own.map((move) => money(move.left))), own[0]?.before);
      return { playerId, cases: own.length, moved, left };
    },
  );
}

/**
 * Returns the facts about a run in words: the verdicts of each grade, the money of each player, how long the calls of each method took. `bad`: a
 * wallet should not be so.
 */
export function runFacts(requests: readonly Reported[]) {
  const cases = requests.flatMap((request) => request.case ?? []);
  const grades = Object.entries(gradeWords).map(([grade, words]) => ({
    name: `Grade: ${words}`,
    text: countsText(requests.filter((request) => request.case?.grade === grade)),
    bad: false,
  }));
  const sums = movedMoney(cases).map(({ playerId, cases: count, moved, left }) => ({
    name: `Money of ${playerId}`,
    text: `${moved} moved in ${amount(count, 'case')}, ${isZero(left) ? 'all put back' : `${left} left`}`,
    bad: !isZero(left),
  }));
  const times = walletNames.flatMap((method) => {
    const sorted = cases.flatMap(({ timings }) => timings[method] ?? []).toSorted((one, other) => one - other);
    // The 95th: within it, 95 of 100 calls were answered.
    const within = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
    const [median, ninetyFifth, worst] = [0.5, 0.95, 1].map((share) => `${within(share).toFixed(within(share) < 10 ? 1 : 0)} ms`);
    const text = `${amount(sorted.length, 'call')}: median ${median}, 95th ${ninetyFifth}, worst ${worst}`;
    return sorted.length === 0 ? [] : [{ name: `/${method}`, text, bad: within(1) > patienceMs }];
  });
  const limit = { name: 'Time limit', text: `The first providers give up after ${patienceMs / 1_000} s.`, bad: false };
  return [...grades.filter(({ text }) => text !== ''), ...sums, ...times, ...(times.length === 0 ? [] : [limit])];
}

type Judged = Pick<CaseOutcome, 'id' | 'verdict'>;

const isWrong = ({ verdict }: Judged): boolean => verdict === 'fails' || verdict === 'warns';

/** Compares two runs. Returns the change of each case of the later one that does not hold, or did not before, by its ID. */
export function changesSince(before: readonly Judged[], after: readonly Judged[]): ReadonlyMap<string, string> {
  const made = (cases: readonly Judged[]) => cases.filter(({ verdict }) => verdict !== 'waiting' && verdict !== 'skipped');
  const wasWrong = new Map(made(before).map((one) => [one.id, isWrong(one)]));
  return new Map(
    made(after).flatMap((one) => {
      const was = wasWrong.get(one.id);
      if (!isWrong(one)) return was === true ? [[one.id, 'fixed']] : [];
      return [[one.id, was === undefined ? 'failing, first run' : was ? 'still failing' : 'broken since']];
    }),
  );
}
