import { firstDifference, type FirstDifference } from '../json/first-difference.ts';

const key = '<PRIVATE_KEY>';

/** Compares two hash inputs after the key; null where they are equal, or the second one does not begin with the key. */
export function differenceAfterKey(rule: string, hashed: string): FirstDifference | null {
  return hashed.startsWith(key) ? firstDifference(rule.slice(key.length), hashed.slice(key.length)) : null;
}
