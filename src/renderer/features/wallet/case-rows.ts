import type { CaseOutcome } from '#shared/collections/case-outcome.ts';
import type { ReportedRequest } from '#shared/collections/reported-request.ts';
import type { Environment, Output, RunSummary } from '#shared/ipc/index.ts';
import { aboutTexts, caseGroups, gradeText, isZero, type CaseGroup, type CountedVerdict } from '#shared/wallet/run-facts.ts';
import type { PillTone } from '#renderer/ui/pill.tsx';

type PlannedCase = Output<'wallet.plan'>['cases'][number];

/** Requests that runs have told of: by run, then by case. */
export type Told = ReadonlyMap<string, ReadonlyMap<string, ReportedRequest>>;

/** Report of a run about one case. */
export interface ToldCase {
  readonly run: RunSummary;
  readonly request: ReportedRequest;
}

/** One case with what was seen of it; `told` is null while no run has told anything. */
export interface CaseRow extends Omit<PlannedCase, 'risk'> {
  /** Null for the whole balance; undefined for a case of another run's collection. */
  readonly risk?: string | null;
  readonly state: CountedVerdict | 'planned';
  readonly told: ToldCase | null;
  /** Says what was seen, or why it was not made; empty where everything held. */
  readonly saw: string;
}

/** Tone of each state, and the word under the number of such cases, in the order of the sum. */
export const stateWords: Readonly<Record<CaseRow['state'], { readonly tone: PillTone; readonly sum: string }>> = {
  fails: { tone: 'bad', sum: 'fail' },
  warns: { tone: 'warn', sum: 'warn' },
  holds: { tone: 'good', sum: 'hold' },
  observed: { tone: 'note', sum: 'observed' },
  waiting: { tone: 'plain', sum: 'waiting for an answer' },
  skipped: { tone: 'plain', sum: 'skipped' },
  planned: { tone: 'plain', sum: 'planned' },
  'not run': { tone: 'plain', sum: 'not run' },
};

/** Returns whether a case fails or warns. */
export const isBad = ({ state }: CaseRow): boolean => state === 'fails' || state === 'warns';

/** Returns the rows of all cases with what the newest of the shown runs told of each. */
export function caseRows(cases: readonly PlannedCase[], shown: readonly RunSummary[], told: Told): readonly CaseRow[] {
  const newest = new Map<string, ToldCase>();
  for (const run of shown.toReversed()) for (const [id, request] of told.get(run.runId) ?? []) newest.set(id, { run, request });
  const first = shown.at(-1);
  const left = first === undefined || first.state === 'running' ? 'planned' : 'not run';
  const known = new Set(cases.map(({ id }) => id));
  const others = [...newest].flatMap(([id, { request }]) => {
    if (known.has(id)) return [];
    const { grade = 'customary', section = '', about = { why: '', harm: '', cause: '' } } = request.case ?? {};
    return [{ ...about, ...nameParts(request.path), grade, section, waits: null, point: null }];
  });
  return [...cases, ...others].map((one) => {
    const own = newest.get(one.id) ?? null;
    if (own === null)
      return { ...one, told: null, state: one.waits === null || left === 'not run' ? left : 'waiting', saw: one.waits ?? '' };
    const saw = own.request.case?.saw ?? own.request.reason;
    // Ended like a sentence.
    return { ...one, told: own, state: own.request.case?.verdict ?? 'not run', saw: /(?:^|[.?!])$/.test(saw) ? saw : `${saw}.` };
  });
}

const groupNames = Object.keys(caseGroups) as CaseGroup[];

/** Reads `Retries/retries-02 The same win again`. */
export function nameParts(path: string): { readonly group: CaseGroup; readonly id: string; readonly name: string } {
  const [, title = '', id = '', name = ''] = /^([^/]*)\/(\S+) ?(.*)$/.exec(path) ?? [];
  return { group: groupNames.find((group) => caseGroups[group] === title) ?? 'own', id, name };
}

/**
 * Returns all cases, those that do not hold, and the groups in the order in which the documents list them, each with what is to be run
 * for it alone.
 */
export function groupsOf(rows: readonly CaseRow[]) {
  const bad = rows.filter(isBad);
  const own = groupNames.map((name) => ({
    name,
    title: caseGroups[name],
    rows: rows.filter(({ group }) => group === name),
    only: [name],
  }));
  const others = [{ name: 'bad', title: 'Failures and warnings', rows: bad, only: bad.map(({ id }) => id) }, ...own];
  return [{ name: '', title: 'All cases', rows, only: [] }, ...others.filter((group) => group.rows.length > 0)] as const;
}

/** Returns what the cases showed that were made. */
export const casesOf = (requests: Iterable<ReportedRequest>): readonly CaseOutcome[] =>
  [...requests].flatMap((request) => request.case ?? []);

/** Returns the money that is left moved, by player: `12.00 of player-1`. */
export function notPutBack(players: readonly { readonly playerId: string; readonly left: string }[]): string {
  return players.flatMap(({ playerId, left }) => (isZero(left) ? [] : [`${left} of ${playerId}`])).join(', ');
}

/** Returns the text of a case for a ticket. */
export function ticketText(row: CaseRow, { name, walletUrl, baseUrl }: Environment, when: string): string {
  const steps = row.told?.request.case?.steps ?? [];
  const where = [name, walletUrl || baseUrl, when].filter((text) => text !== '').join(', ');
  const parts = [
    `Wallet case ${row.id}: ${row.name}\n${row.state}, ${gradeText(row)}. ${where}.`,
    steps.every(({ passed }) => passed) ? row.saw : '',
    ...steps.map(
      ({ sent, expected, came, passed }, at) =>
        `${at + 1}. Sent: ${sent}\n   Expected: ${expected}\n   Came: ${came}${passed ? '' : ' (not as expected)'}`,
    ),
    aboutTexts(row)
      .map((texts) => texts.join(': '))
      .join('\n'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
