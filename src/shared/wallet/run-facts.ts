import type { CaseOutcome, CaseStepOutcome } from '../collections/case-outcome.ts';
import type { ReportedRequest } from '../collections/reported-request.ts';
import { amount } from '../amount.ts';
import { walletNames, type WalletName } from '../model/operations.ts';
import { moneyText, readMoney, type Money } from './money.ts';

/** Milliseconds after which the first providers give up. */
export const patienceMs = 4_000;

type Reported = Pick<ReportedRequest, 'case'>;

/** Milliseconds that the calls of one method took; the 95th is the time within which 95 of 100 were answered. */
export interface Latency {
  readonly method: WalletName;
  readonly calls: number;
  readonly median: number;
  readonly ninetyFifth: number;
  readonly worst: number;
}

/** Returns how long the calls of each method took, for the methods that have any. */
export function latencies(cases: readonly Pick<CaseOutcome, 'timings'>[]): readonly Latency[] {
  return walletNames.flatMap((method) => {
    const times = cases.flatMap(({ timings }) => timings[method] ?? []).toSorted((one, other) => one - other);
    const [median, ninetyFifth, worst] = [0.5, 0.95, 1].map((part) => times[Math.ceil(times.length * part) - 1]);
    if (median === undefined || ninetyFifth === undefined || worst === undefined) return [];
    return [{ method, calls: times.length, median, ninetyFifth, worst }];
  });
}

type Judged = Pick<CaseOutcome, 'id' | 'verdict'>;

/** The change of a case since an earlier run. */
export type CaseChange = 'fixed' | 'broken since' | 'still failing' | 'failing, first run';

/** Compares two runs. Returns the cases of the later one that changed or fail, by their ID. */
export function changesSince(before: readonly Judged[], after: readonly Judged[]): ReadonlyMap<string, CaseChange> {
  const earlier = new Map(before.filter(isMade).map((one) => [one.id, isWrong(one)]));
  const changes = after.filter(isMade).map((one) => [one.id, changeOf(earlier.get(one.id), isWrong(one))] as const);
  return new Map(changes.flatMap(([id, change]) => (change === null ? [] : [[id, change]])));
}

function changeOf(wasWrong: boolean | undefined, isNowWrong: boolean): CaseChange | null {
  if (!isNowWrong) return wasWrong === true ? 'fixed' : null;
  return wasWrong === undefined ? 'failing, first run' : wasWrong ? 'still failing' : 'broken since';
}

const isMade = ({ verdict }: Judged): boolean => verdict !== 'waiting' && verdict !== 'skipped';

/** Returns whether a case does not hold. */
export const isWrong = ({ verdict }: Pick<CaseOutcome, 'verdict'>): boolean => verdict === 'fails' || verdict === 'warns';

export interface RunDifference<Case> {
  /** Cases that did not hold before, and do now. */
  readonly fixed: readonly Case[];
  readonly brokenSince: readonly Case[];
  readonly stillFailing: readonly Case[];
  /** Cases that do not hold now and were not made before. */
  readonly firstFailing: readonly Case[];
}

/** Compares two runs by their cases; all that it returns are cases of the later one. */
export function compareRuns<Case extends Judged>(before: readonly Judged[], after: readonly Case[]): RunDifference<Case> {
  const earlier = new Map(before.map(({ id, verdict }) => [id, stateOf(verdict)]));
  const among = (now: CaseState, was: CaseState) =>
    after.filter(({ id, verdict }) => stateOf(verdict) === now && (earlier.get(id) ?? 'unknown') === was);
  return {
    fixed: among('good', 'bad'),
    brokenSince: among('bad', 'good'),
    stillFailing: among('bad', 'bad'),
    firstFailing: among('bad', 'unknown'),
  };
}

type CaseState = 'good' | 'bad' | 'unknown';

function stateOf(verdict: CaseOutcome['verdict']): CaseState {
  if (verdict === 'fails' || verdict === 'warns') return 'bad';
  return verdict === 'holds' || verdict === 'observed' ? 'good' : 'unknown';
}

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

/** Writes `1 fails, 80 hold, 4 not run`, without zeros; the counts add up to the cases. */
export function verdictsText(found: readonly CountedVerdict[]): string {
  return Object.entries(severalOf)
    .map(([verdict, several]) => ({ verdict, several, count: found.filter((one) => one === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, several, count }) => amount(count, verdict, several))
    .join(', ');
}

/** Writes the same of the requests of a run. */
export function countsText(requests: readonly Reported[]): string {
  return verdictsText(requests.map((request) => request.case?.verdict ?? 'not run'));
}

/** Money of one player that a run moved, and what of it was not put back. */
export interface Moved {
  readonly playerId: string;
  readonly cases: number;
  readonly moved: string;
  readonly left: string;
}

/** Sums what the cases moved, for each player. */
export function movedMoney(cases: readonly Pick<CaseOutcome, 'moved'>[]): readonly Moved[] {
  const moves = cases.flatMap(({ moved }) => moved);
  return [...Map.groupBy(moves, ({ playerId }) => playerId)].map(([playerId, own]) => {
    const decimals = own[0]?.before.split('.')[1]?.length ?? 0;
    const sum = (values: readonly Money[]) =>
      moneyText(
        values.reduce((total, one) => total + one, 0n),
        decimals,
      );
    const change = (one: (typeof own)[number]) => money(one.after) - money(one.before);
    return {
      playerId,
      cases: own.length,
      moved: sum(own.map((one) => (change(one) < 0n ? -change(one) : change(one)))),
      left: sum(own.map(({ left }) => money(left))),
    };
  });
}

/** Writes `player-1 -0.10, put back`. */
export function moveText({ playerId, before, after, left }: CaseOutcome['moved'][number]): string {
  const change = money(after) - money(before);
  const text = moneyText(change, before.split('.')[1]?.length ?? 0);
  return `${playerId} ${change > 0n ? '+' : ''}${text}, ${isZero(left) ? 'put back' : `${left} left`}`;
}

/** Returns the ID and the name of a case from the path of its request, which begins with its group. */
export const caseName = (path: string): string => path.slice(path.indexOf('/') + 1);

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

/** A text with its title. */
export type TitledText = readonly [title: string, text: string];

/** Returns what a step of a case sent, expected and got. */
export function stepTexts({ sent, expected, came, calls }: CaseStepOutcome): readonly TitledText[] {
  const range = calls.length > 5 ? [`${calls[0] ?? ''} to ${calls.at(-1) ?? ''}`] : calls;
  return [
    ['Sent', sent],
    ['Expected', expected],
    ['Came', came],
    ['Calls', range.join(', ')],
  ];
}

/** Returns what is known of a case whatever it showed. */
export function aboutTexts({ why, harm, cause }: NonNullable<CaseOutcome['about']>): readonly TitledText[] {
  const texts = [
    ['If this fails in production', harm],
    ['Usual cause', cause],
    ['Why a provider sends this', why],
  ] as const;
  return texts.filter(([, text]) => text !== '');
}

/** A fact about a run in words; `bad`: of a wallet that is not as it should be. */
export interface RunFact {
  readonly name: string;
  readonly text: string;
  readonly bad: boolean;
}

/** Returns the facts about a run: the verdicts of each grade, the money of each player, how long the calls of each method took. */
export function runFacts(requests: readonly Reported[]): readonly RunFact[] {
  const cases = requests.flatMap((request) => request.case ?? []);
  const grades = Object.entries(gradeWords).map(([grade, name]) => ({
    name,
    text: countsText(requests.filter((request) => request.case?.grade === grade)),
    bad: false,
  }));
  const sums = movedMoney(cases).map(({ playerId, cases: count, moved, left }) => ({
    name: `Money of ${playerId}`,
    text: `${moved} moved in ${amount(count, 'case')}, ${isZero(left) ? 'all put back' : `${left} left`}`,
    bad: !isZero(left),
  }));
  const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
  const times = latencies(cases).map(({ method, calls, median, ninetyFifth, worst }) => ({
    name: `/${method}`,
    text: `${amount(calls, 'call')}: median ${ms(median)}, 95th ${ms(ninetyFifth)}, worst ${ms(worst)}`,
    bad: worst > patienceMs,
  }));
  const limit = { name: 'Time limit', text: `The first providers give up after ${patienceMs / 1_000} s.`, bad: false };
  return [...grades, ...sums, ...times, ...(times.length === 0 ? [] : [limit])].filter(({ text }) => text !== '');
}

/** Returns whether a sum of money is none. */
export const isZero = (text: string): boolean => !/[1-9]/.test(text);

function money(text: string): Money {
  return readMoney(text) ?? 0n;
}
