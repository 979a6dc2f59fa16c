/*
 * The checks that a collection's file may hold, by the member that names their kind. A new one is a row here and its judge in
 * `core/collections/checks/call-checks.ts`: the file's schema, the editor, the report and the exported scripts are made of these rows.
 */

/** The form of a kind's value: one text, several by name, or the only word that it may be. A text's name, what stands between two, and the hint are those on screen. */
type Form =
  | { readonly text: string }
  | { readonly texts: Readonly<Record<string, string>>; readonly between: string }
  | { readonly word: string; readonly hint: string };

type ValueOf<F> = F extends { readonly text: string }
  ? string
  : F extends { readonly texts: infer Names }
    ? { -readonly [Name in keyof Names]: string }
    : F extends { readonly word: infer Word }
      ? Word
      : never;

interface CheckKind<F> {
  /** Name in the editor. */
  readonly label: string;
  /** Demand of a new check. */
  readonly first: ValueOf<F>;
  /** Returns the demand as a report names it, from the value as it may be shown. */
  words(value: ValueOf<F>): string;
  /** Returns the condition of an exported script, from texts as JavaScript; the reason where a script cannot know it. */
  readonly script: ((value: ValueOf<F>) => string) | { readonly unsaid: string };
}

function kind<const F extends Form>(form: F, row: CheckKind<F>): CheckKind<F> & { readonly form: F } {
  return { form, ...row };
}

/** The checks of the whole call or response. */
export const callCheckKinds = {
  /** The provider's code, as text. */
  code: kind(
    { text: 'code' },
    { label: 'Code is', first: '0', words: (code) => `code is ${code}`, script: (code) => `codeIs(${code})` },
  ),
  status: kind(
    { text: 'status' },
    {
      label: 'HTTP status is',
      first: '200',
      words: (status) => `HTTP status is ${status}`,
      script: (status) => `compare(String(pm.response.code), ${status}) === 0`,
    },
  ),
  /** The whole call took at most so many milliseconds. */
  withinMs: kind(
    { text: 'milliseconds' },
    {
      label: 'Responded within (ms)',
      first: '1000',
      words: (most) => `responded within ${most} ms`,
      script: (most) => `compare(String(pm.response.responseTime), ${most}) <= 0`,
    },
  ),
  /** No finding above a note. */
  shape: kind(
    { word: 'documented', hint: 'No warnings or errors about the response' },
    {
      label: 'Shape as documented',
      first: 'documented',
      words: () => 'the response has the documented shape',
      script: { unsaid: 'Only Croupier knows the documented shapes.' },
    },
  ),
  /** `/balance` is exactly `before` plus `change` (which may be negative), in decimal digits. */
  balance: kind(
    { texts: { before: 'balance before', change: 'change' }, between: 'plus' },
    {
      label: 'Balance is',
      first: { before: '{{balance}}', change: '0' },
      words: ({ before, change }) => `/balance is ${before} plus ${change}`,
      script: ({ before, change }) => `compare(number(one(['balance'])), add(${before}, ${change})) === 0`,
    },
  ),
} as const;

type CallCheckKinds = typeof callCheckKinds;
export type CallCheckKind = keyof CallCheckKinds;
export type CallCheckValue<K extends CallCheckKind> = ValueOf<CallCheckKinds[K]['form']>;
/** A check of the whole call or response, as a file holds it. */
export type CallExpectation = { [K in CallCheckKind]: { [Member in K]: CallCheckValue<K> } }[CallCheckKind];

/** A kind with its value, in which the compiler no longer knows the one from the other. */
export interface OpenedCheck {
  readonly kind: CallCheckKind;
  readonly value: never;
  readonly row: CheckKind<Form> & { readonly form: Form };
}

/** Returns the kind of a check, its value and its row. */
export function openedCheck(check: CallExpectation): OpenedCheck {
  const [[kind, value]] = Object.entries(check) as [[CallCheckKind, never]];
  return { kind, value, row: callCheckKinds[kind] as unknown as OpenedCheck['row'] };
}

/** JSON types; `integer` is a number written without a fraction or an exponent. */
export const jsonTypes = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;

/** Demands of a check with `path`: what the editor calls them, and what their value is. If a JSONPath finds several values, each must pass. */
export const pathDemands = {
  present: { label: 'exists', holds: 'presence' },
  type: { label: 'is of type', holds: 'type' },
  /** Numbers are compared by value: `1.50` equals `1.5`. */
  equals: { label: 'equals', holds: 'text' },
  not: { label: 'is not', holds: 'text' },
  contains: { label: 'contains', holds: 'text' },
  /** A JavaScript regular expression with the flag `u`. */
  matches: { label: 'matches', holds: 'pattern' },
  /** Comparisons of numbers of any length. */
  above: { label: 'is above', holds: 'number' },
  atLeast: { label: 'is at least', holds: 'number' },
  below: { label: 'is below', holds: 'number' },
  atMost: { label: 'is at most', holds: 'number' },
  /** Number of items of an array, members of an object, or values that a JSONPath finds. */
  count: { label: 'counts', holds: 'number' },
} as const;
export type PathDemand = keyof typeof pathDemands;
export type DemandHolds = (typeof pathDemands)[PathDemand]['holds'];
export const pathDemandNames = Object.keys(pathDemands) as PathDemand[];

/** Members that name the kind of a check. */
export const checkKinds = [...(Object.keys(callCheckKinds) as CallCheckKind[]), 'path'] as const;
export type CheckKindName = (typeof checkKinds)[number];
