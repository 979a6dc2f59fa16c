import type { Expectation } from '#shared/collections/model.ts';
import { answerPath, mostOfPattern, mostOfValue } from '#shared/collections/file-limits.ts';

/**
 * Returns whether a check as typed can be saved in a file. The contract's schema has the same rules, and the page does not load
 * schemas at its start.
 */
export function isComplete(check: Expectation): boolean {
  if ('balance' in check) return isShort(check.balance.before) && isShort(check.balance.change);
  if ('path' in check) {
    const { path, matches = '' } = check;
    if (path.length > answerPath.most || !answerPath.begins(path) || matches.length > mostOfPattern) return false;
  }
  return Object.values(check).every(isShort);
}

function isShort(value: unknown): boolean {
  return typeof value !== 'string' || value.length <= mostOfValue;
}
