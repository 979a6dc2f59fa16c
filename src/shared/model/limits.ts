/** Longest text of a request's payload, in UTF-16 units. */
export const longestPayload = 5_000_000;

/** Longest text of a file in the input of a call, in UTF-16 units. */
export const longestFile = 10_000_000;

/** Limits of every call's input: nesting, number of values, and characters of all strings. */
export const inputLimits = {
  depth: 32,
  values: 100_000,
  characters: 12_000_000,
} as const;

export { mostBytes as mostResponseBytes } from '../json/measure.ts';

/** Longest JSON text of one tab that is kept, in UTF-16 units. */
export const longestTab = 64_000_000;

/** Longest part of such a text in one call, in UTF-16 units: a unit takes at most six bytes, and a call 16 MB. */
export const longestPiece = 1_000_000;

/** Number of newest calls that stay whatever the limits and the clock say, so that a call just sent is never removed. */
export const alwaysKept = 100;

/** Number of damaged histories that are kept whole; of older ones only the recovered calls. A history that was not recovered stays. */
export const setAsideWhole = 5;

export const setAsideCalls = 20;
