import type { CaseOutcome } from '../collections/case-outcome.ts';
import { amount } from '../amount.ts';
import { walletNames, type WalletName } from '../model/operations.ts';
import { moneyText, readMoney, type Money } from './money.ts';

/** Milliseconds after which the first providers give up. */
export const patienceMs = 4_000;

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

/** Verdicts in the order in which they are counted; `not run`: the run ended before it. */
const countedVerdicts = ['fails', 'warns', 'holds', 'observed', 'waiting', 'skipped', 'not run'] as const satisfies readonly (
  | CaseOutcome['verdict']
  | 'not run'
)[];
export type CountedVerdict = (typeof countedVerdicts)[number];

/** Writes `1 fails, 80 hold, 4 not run`, without zeros; the counts add up to the cases. */
export function verdictsText(found: readonly CountedVerdict[]): string {
  return countedVerdicts
    .map((verdict) => [verdict, found.filter((one) => one === verdict).length] as const)
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) =>
      verdict === 'fails' || verdict === 'warns' || verdict === 'holds'
        ? amount(count, verdict, verdict.slice(0, -1))
        : `${count.toLocaleString('en')} ${verdict}`,
    )
    .join(', ');
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

/** Writes how much a balance changed: `-0.10`, `+4.90`. */
export function changeText(before: string, after: string): string {
  const change = money(after) - money(before);
  return `${change > 0n ? '+' : ''}${moneyText(change, before.split('.')[1]?.length ?? 0)}`;
}

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

function money(text: string): Money {
  return readMoney(text) ?? 0n;
}
