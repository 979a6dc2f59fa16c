import type { Expectation } from '#shared/collections/model.ts';
import { answerPath, mostOfPattern, mostOfValue } from '#shared/collections/file-limits.ts';

/** Whether a check can stand in a file as it was typed. The schema says the same, and a start of the page has no use for schemas. */
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
