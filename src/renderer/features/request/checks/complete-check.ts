import type { Expectation } from '#shared/collections/model.ts';
import { answerPath, mostOfPattern, mostOfValue } from '#shared/collections/file-limits.ts';

/**
 * Returns whether a check as typed can be saved in a file. The contract's schema has the same rules, and the page does not load
 * schemas at its start.
 */
export function isComplete(check: Expectation): boolean {
  if ('path' in check) {
    const { path, matches = '' } = check;
    if (path.length > answerPath.most || !answerPath.pattern.test(path) || matches.length > mostOfPattern) return false;
  }
  return isShort(check);
}

function isShort(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isShort);
  return typeof value !== 'string' || value.length <= mostOfValue;
}
