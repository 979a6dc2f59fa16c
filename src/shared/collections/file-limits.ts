/** Begins with a letter or an underscore. A name that begins with `$` is generated and cannot be set. */
export const variableName = {
  pattern: /^[A-Za-z_][\w.-]{0,99}$/,
  problem: 'Use letters, digits, _, . and - and begin with a letter.',
} as const;

/** A name by which a run selects requests. */
export const tagName = {
  pattern: /^[A-Za-z0-9_][\w.-]{0,49}$/,
  problem: 'Use letters, digits, _, . and -, at most 50.',
} as const;

/** Path in a response: a JSON Pointer (`/data/slots/0/id`, empty for the whole) or a JSONPath (`$.data.slots[*].id`). */
export const answerPath = {
  most: 2_000,
  pattern: /^(?:[/$]|$)/,
  problem: 'Begin with / (JSON Pointer) or $ (JSONPath).',
} as const;

/** Longest value of a check and longest regular expression, in UTF-16 units. */
export const mostOfValue = 1_000_000;
export const mostOfPattern = 1_000;

/** Longest body of an example, in UTF-16 units: people read and compare a collection's files. */
export const mostOfExample = 262_144;
