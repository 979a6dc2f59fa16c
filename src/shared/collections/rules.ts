/** Begins with a letter or an underscore. A name that begins with `$` is generated and cannot be set. */
export const variableName = {
  pattern: /^[A-Za-z_][\w.-]{0,99}$/,
  problem: 'Use letters, digits, _, . and - and begin with a letter.',
} as const;

/** Where in an answer: a JSON Pointer (`/data/slots/0/id`, empty for the whole) or a JSONPath (`$.data.slots[*].id`). */
export const answerPath = {
  most: 2_000,
  begins: (path: string): boolean => path === '' || path.startsWith('/') || path.startsWith('$'),
  problem: 'Begin with / (JSON Pointer) or $ (JSONPath).',
} as const;

/** JSON types; `integer` is a number without a fraction and an exponent as it is written. */
export const jsonTypes = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;

/** Names that say of what kind a check is; one that has `path` has any of the others too. */
export const checkKinds = ['code', 'status', 'withinMs', 'shape', 'balance', 'path'] as const;
export const checkMembers = [
  'present',
  'type',
  'equals',
  'not',
  'contains',
  'matches',
  'above',
  'atLeast',
  'below',
  'atMost',
  'count',
] as const;

/** Longest value of a check and longest regular expression, in UTF-16 units. */
export const mostOfValue = 1_000_000;
export const mostOfPattern = 1_000;

/** Longest body of an example, in UTF-16 units: a file of a collection is made to be read and compared. */
export const mostOfExample = 262_144;

/** Largest file of a collection in bytes. A larger one is listed and left as it is. */
export const mostFileBytes = 5_000_000;
