import type { CheckResult } from '#shared/collections/reported-request.ts';

/** Results of a request's checks on a response. */
export type ShownChecks =
  | { readonly state: 'evaluating' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'ready'; readonly checks: readonly CheckResult[]; readonly taken: readonly string[] };

/** Returns `3 checks passed`, `1 of 3 checks failed`. */
export function checksText(checks: readonly CheckResult[]): string {
  const failed = failedCount(checks);
  const all = `${checks.length} ${checks.length === 1 ? 'check' : 'checks'}`;
  return failed === 0 ? `${all} passed` : `${failed} of ${all} failed`;
}

/** Returns the number of checks that failed. */
export function failedCount(checks: readonly CheckResult[]): number {
  return checks.filter(({ passed }) => !passed).length;
}
