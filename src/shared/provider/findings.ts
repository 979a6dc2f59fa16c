import type { Finding } from '../model/finding.ts';

/** Names of the rules of a payload and of a response. `rules.test.ts` has a failing and a passing case for each. */
export type Rule =
  | 'amount'
  | 'amount-precision'
  | 'amount-unit'
  | 'bet-level'
  | 'bet-level-open'
  | 'bet-zero'
  | 'code-not-listed'
  | 'combined-length'
  | 'country'
  | 'currency'
  | 'data-on-rejection'
  | 'date-time'
  | 'digits'
  | 'duplicate-key'
  | 'empty'
  | 'envelope'
  | 'exact-length'
  | 'http-status'
  | 'in-the-past'
  | 'integer-range'
  | 'ip'
  | 'json'
  | 'key-mark'
  | 'language'
  | 'launch.different'
  | 'launch.duplicated'
  | 'launch.encoding'
  | 'launch.malformed'
  | 'launch.token'
  | 'launch.undocumented'
  | 'left-out'
  | 'message'
  | 'minimum'
  | 'missing'
  | 'missing-payload'
  | 'more'
  | 'no-data'
  | 'non-ascii'
  | 'not-object'
  | 'not-recorded'
  | 'number-range'
  | 'query'
  | 'reference-echo'
  | 'required'
  | 'same-count'
  | 'shape-not-shown'
  | 'table-m'
  | 'time-format'
  | 'time-zone'
  | 'too-large'
  | 'too-long'
  | 'type'
  | 'undocumented'
  | 'unique'
  | 'unknown-field'
  | 'unknown-round'
  | 'url'
  | 'value'
  | 'wallet-envelope'
  | 'wallet-host'
  | 'whole-number';

/** A finding of a check of this room. */
export interface RuleFinding extends Finding {
  readonly rule: Rule;
}

/** Collects findings, so that an array of 10,000 wrong values is one finding with a count. */
export type FindingList = ReturnType<typeof createFindingList>;

/**
 * Returns whether to report a finding to a user who did not ask for all of them, because a rejection is likely or a value may not be what
 * the sender intends: everything but notes, and an expiry in the past, whose zone the spec does not state.
 */
export function needsAttention({ severity, rule }: Pick<Finding, 'severity' | 'rule'>): boolean {
  return severity !== 'note' || rule === 'in-the-past';
}

/** Writes a finding in one line: `warning at /betLevel: …`. */
export function findingText({ severity, path, message }: Pick<Finding, 'severity' | 'path' | 'message'>): string {
  return `${severity}${path === '' ? '' : ` at ${path}`}: ${message}`;
}

/** The rule of the finding that a response was not read, or nothing of it but code and message, so that its faults are not known. */
export const unreadRule = 'answer.unread';

/** Rules of findings that another reader may take another code or another value from the response, or that Croupier read a part of it. */
const ambiguousRules: ReadonlySet<string> = new Set([unreadRule, 'duplicate-key' satisfies Rule]);
/** Rules of findings that Croupier read past something, or that the code is not all that the response says. */
const doubtRules: ReadonlySet<string> = new Set([
  ...ambiguousRules,
  'http-status' satisfies Rule,
  'answer.status',
  'answer.acting',
  'answer.bom',
  'answer.charset',
  'answer.php',
]);

/** Returns the findings about a response that are said before its code, wherever the code is shown. */
export function doubtsOf(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ rule, severity }) => doubtRules.has(rule) || (rule.startsWith('http.') && severity !== 'note'));
}

/** Returns whether another reader may take another code or other values from a response. */
export function isAmbiguous(findings: readonly Finding[]): boolean {
  return findings.some(({ rule }) => ambiguousRules.has(rule));
}

/** Returns the first of these findings in words, for where there is room for one; null without any. */
export function doubtOf(findings: readonly Finding[]): string | null {
  return doubtsOf(findings)[0]?.message ?? null;
}

/** Returns the finding that says why the response was not read; null if it was. */
export function unreadFinding(findings: readonly Finding[]): Finding | null {
  return findings.find(({ rule }) => rule === unreadRule) ?? null;
}

const mostGroups = 100;

/** Creates an empty list of findings; beyond 100 different ones it only counts. */
export function createFindingList() {
  const groups = new Map<string, { finding: Finding; count: number }>();
  let left = 0;
  return {
    /** `group` is the finding's path without positions in arrays; only the first finding of a rule and group is made. */
    add(rule: Rule, group: string, make: () => Omit<Finding, 'rule'>) {
      const key = `${rule} ${group}`;
      const seen = groups.get(key);
      if (seen !== undefined) seen.count++;
      else if (groups.size < mostGroups) groups.set(key, { finding: { rule, ...make() }, count: 1 });
      else left++;
    },
    /** Returns the findings in the order of the text; those without a position come first. */
    all(): Finding[] {
      if (groups.size === 0) return [];
      const findings = Array.from(groups.values(), ({ finding, count }) =>
        count === 1 ? finding : { ...finding, message: `${finding.message} ${counted(count - 1)} more like it.` },
      );
      findings.sort((a, b) => (a.start ?? -1) - (b.start ?? -1));
      if (left > 0) {
        findings.push({ rule: 'more', severity: 'note', path: '', message: `${counted(left)} more findings are not listed.` });
      }
      return findings;
    },
  };
}

/** Writes a number with thousands separators. */
export function counted(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Number of characters of a longer value to show in a sentence. */
export const shownBeginning = 79;

/** Shortens a name or value of unknown origin for a sentence. */
export function shown(text: string): string {
  return text.length <= shownBeginning + 1 ? text : `${text.slice(0, shownBeginning)}…`;
}

/** Counts the characters of a text in code points, so that a character beyond U+FFFF counts once. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) {
    const low = (text.charCodeAt(i) & 0xfc00) === 0xdc00;
    if (low && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) count--;
  }
  return count;
}
