/** Longest text of a request's payload, in UTF-16 units. */
export const longestPayload = 5_000_000;

/** Longest text of a file that is given to a call. */
export const longestFile = 10_000_000;

/** What an input of a call may be, of whatever shape: arrays and objects in each other, values and characters of all texts. */
export const inputLimits = {
  depth: 32,
  values: 100_000,
  characters: 12_000_000,
} as const;

/** No environment takes larger responses: each is held whole, written in one step and read within a bounded memory. */
export const mostResponseBytes = 20_971_520;

/** Longest JSON text of one tab that is kept, in UTF-16 units. */
export const longestTab = 64_000_000;

/** Longest part of such a text that one call takes or gives, in UTF-16 units: six bytes each at most, and a call takes 16 MB. */
export const longestPiece = 1_000_000;

/** The newest calls stay whatever the limits and the clock say: what was just sent is among them. */
export const alwaysKept = 100;

/** So many damaged histories are kept as they are; of so many before them, the calls that were read out. One that was not read out stays. */
export const setAsideWhole = 5;

export const setAsideCalls = 20;
