import type { Finding } from '../model/finding.ts';

/** Gathers findings so that a list of 10,000 wrong members is one finding with a count. */
export interface FindingList {
  /** `group` is the finding's path with positions in lists left out; of one rule and group only the first finding is made. */
  add(rule: string, group: string, make: () => Omit<Finding, 'rule'>): void;
  /** In the order of the text; what has no place comes first. */
  all(): Finding[];
}

/**
 * Whether a finding is told where a person did not ask for all of them: it makes a rejection likely, or a field is not what the sender may
 * think it is. Everything but notes, and an expiry in the past, whose zone the spec does not state.
 */
export function needsAttention({ severity, rule }: Pick<Finding, 'severity' | 'rule'>): boolean {
  return severity !== 'note' || rule === 'in-the-past';
}

/** A finding in one line: `warning at /betLevel: …`. */
export function findingText({ severity, path, message }: Pick<Finding, 'severity' | 'path' | 'message'>): string {
  return `${severity}${path === '' ? '' : ` at ${path}`}: ${message}`;
}

/** The rule of the finding that says that a response was not read: it has neither a code nor a fault that is known. */
export const unreadRule = 'answer.unread';

/** The finding that says that the response was not read, and why; null where it was. */
export function unreadFinding(findings: readonly Finding[]): Finding | null {
  return findings.find(({ rule }) => rule === unreadRule) ?? null;
}

const mostGroups = 100;

/** Creates an empty list of findings; beyond 100 different ones it only counts. */
export function createFindingList(): FindingList {
  const groups = new Map<string, { finding: Finding; count: number }>();
  let left = 0;
  return {
    add(rule, group, make) {
      const key = `${rule} ${group}`;
      const seen = groups.get(key);
      if (seen !== undefined) seen.count++;
      else if (groups.size < mostGroups) groups.set(key, { finding: { rule, ...make() }, count: 1 });
      else left++;
    },
    all() {
      const findings = Array.from(groups.values(), ({ finding, count }) =>
        count === 1 ? finding : { ...finding, message: `${finding.message} ${counted(count - 1)} more like it.` },
      );
      findings.sort((a, b) => (a.start ?? -1) - (b.start ?? -1));
      if (left > 0) {
        findings.push({ rule: 'more', severity: 'note', path: '', message: `${counted(left)} more remarks are not listed.` });
      }
      return findings;
    },
  };
}

/** A number with a comma at the thousands. */
export function counted(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** So many characters of a longer value stand in a sentence. */
export const shownBeginning = 79;

/** A name or value of somebody else's, short enough for a sentence. */
export function shown(text: string): string {
  return text.length <= shownBeginning + 1 ? text : `${text.slice(0, shownBeginning)}…`;
}

/** How many characters a text has: code points, so that a character beyond U+FFFF is one. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) {
    const low = (text.charCodeAt(i) & 0xfc00) === 0xdc00;
    if (low && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) count--;
  }
  return count;
}
