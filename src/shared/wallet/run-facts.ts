import type { CaseOutcome } from '../collections/case-outcome.ts';
import { walletNames, type WalletName } from '../model/operations.ts';

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
