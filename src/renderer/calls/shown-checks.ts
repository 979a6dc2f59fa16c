import type { CheckResult } from '#shared/collections/reported-request.ts';

/** What the checks of a request made of an answer. */
export type ShownChecks =
  | { readonly state: 'looking' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'ready'; readonly checks: readonly CheckResult[]; readonly taken: readonly string[] };

/** `3 checks passed`, `1 of 3 checks failed`. */
export function checksText(checks: readonly CheckResult[]): string {
  const failed = failedCount(checks);
  const all = `${checks.length} ${checks.length === 1 ? 'check' : 'checks'}`;
  return failed === 0 ? `${all} passed` : `${failed} of ${all} failed`;
}

/** How many did not pass. */
export function failedCount(checks: readonly CheckResult[]): number {
  return checks.filter(({ passed }) => !passed).length;
}
