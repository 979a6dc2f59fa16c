import { subjectText } from '#shared/calls/subject-words.ts';
import type { SubjectField } from '#shared/provider/subject.ts';

/** The facts of a tab that its title is made of. */
export interface TitledTab {
  readonly id: string;
  /** The name of its file, or of its operation. */
  readonly name: string;
  /** Values of its text that tell it from others; none for a file, whose name does that. */
  readonly subject: readonly SubjectField[];
  /** The folder of its file; empty without one, and at the top. */
  readonly folder: string;
  /** The collection of its file; empty without one. */
  readonly collection: string;
  /** The environment that its last call went to; empty without one. */
  readonly environment: string;
}

/** A title in two parts, and all that there is to say. */
export interface TabTitle {
  readonly name: string;
  /** Tells it from the other tabs of its name; empty if nothing needs to. */
  readonly detail: string;
  readonly whole: string;
}

/** Numbers of characters that are drawn: a tab is wide enough for them. */
const longestName = 38;
const longestDetail = 30;

/**
 * Returns the titles of open tabs by their IDs. No two are equal as they are drawn: of tabs with one name, each shows first what differs,
 * and those that differ in nothing are numbered.
 */
export function tabTitles(tabs: readonly TitledTab[]): ReadonlyMap<string, TabTitle> {
  const titles = new Map<string, TabTitle>();
  for (const group of Map.groupBy(tabs, ({ name }) => shortened(name, longestName)).values()) {
    const drawn = new Set<string>();
    const details = group.map((tab) => shortened(detailOf(tab, group), longestDetail));
    for (const [at, tab] of group.entries()) {
      const detail = unlike(details[at] ?? '', drawn);
      drawn.add(detail);
      titles.set(tab.id, { name: shortened(tab.name, longestName), detail, whole: wholeOf(tab) });
    }
  }
  return titles;
}

function detailOf(tab: TitledTab, group: readonly TitledTab[]): string {
  if (group.length === 1) return tab.subject.every(({ field }) => field === 'currency') ? '' : subjectText(tab.subject);
  const differs = (fact: (tab: TitledTab) => string) => new Set(group.map(fact)).size > 1;
  const telling = tab.subject.filter(({ field }) => differs((one) => valueOf(one, field)));
  const parts = [
    ...(differs(({ collection }) => collection) ? [tab.collection] : []),
    ...(differs(({ folder }) => folder) ? [tab.folder] : []),
    subjectText(telling),
    ...(differs(({ environment }) => environment) ? [tab.environment] : []),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function valueOf({ subject }: TitledTab, field: string): string {
  const found = subject.find((one) => one.field === field);
  return found === undefined ? '' : `${found.value} ${found.more}`;
}

function unlike(detail: string, drawn: ReadonlySet<string>): string {
  let text = detail;
  for (let number = 2; drawn.has(text); number += 1) text = detail === '' ? `(${number})` : `${detail} (${number})`;
  return text;
}

function wholeOf({ name, subject, folder, collection, environment }: TitledTab): string {
  const path = [collection, folder, name].filter((part) => part !== '').join('/');
  const last = environment === '' ? '' : `last sent to ${environment}`;
  return [path, subjectText(subject), last].filter((part) => part !== '').join(' · ');
}

/** Keeps both ends of a long text: names differ in either. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = Math.floor((most - 1) / 2);
  return `${text.slice(0, most - 1 - end).toWellFormed()}…${text.slice(-end).toWellFormed()}`;
}
