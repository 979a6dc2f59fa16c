import type { ReportedIteration } from '#shared/collections/run-report.ts';
import type { RunTotals } from '#shared/collections/reported-request.ts';

/** Writes `iteration 2` or `row 2`. */
export function roundOf({ number, row }: ReportedIteration): string {
  return row === null ? `iteration ${counted(number)}` : `row ${counted(row)}`;
}

/** Writes `999 ms` or `1.0 s`. */
export function duration(milliseconds: number): string {
  return milliseconds < 999.5 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

export function counted(value: number): string {
  return value.toLocaleString('en');
}

/** Returns the counts of the states that are not `passed`, in words, without zeros. */
export function notPassed({ failed, errored, unfinished, skipped, cancelled }: RunTotals): string[] {
  const counts = [
    [failed, 'failed'],
    [errored, 'with an error'],
    [unfinished, 'unfinished'],
    [skipped, 'skipped'],
    [cancelled, 'cancelled'],
  ] as const;
  return counts.filter(([count]) => count > 0).map(([count, words]) => `${counted(count)} ${words}`);
}
