import type { CaseOutcome } from '#shared/collections/case-outcome.ts';
import type { Environment, Output } from '#shared/ipc/index.ts';
import { gradeText, movedMoney } from '#shared/wallet/run-facts.ts';
import { caseGroups } from '#shared/wallet/wallet-case.ts';
import type { PillTone } from '#renderer/ui/pill.tsx';
import { nameParts, type ToldCase } from './told-case.ts';

type PlannedCase = Output<'wallet.plan'>['cases'][number];

/** `planned`: to be run. `notRun`: the run ended before, or left it out. */
type CaseState = CaseOutcome['verdict'] | 'planned' | 'notRun';

/** One case with what was seen of it; `told` is null while no run has told anything. */
export interface CaseRow extends Omit<PlannedCase, 'group' | 'waits' | 'risk'> {
  /** The title of its group. */
  readonly group: string;
  /** Null for the whole balance; undefined for a case of another run's collection. */
  readonly risk?: string | null;
  readonly state: CaseState;
  readonly told: ToldCase | null;
  /** Says what was seen, or why it was not made; empty where everything held. */
  readonly saw: string;
}

interface StateWords {
  readonly tone: PillTone;
  /** On the row, and under the count of all such cases. */
  readonly text: string;
  readonly sum: string;
}

/** Words of each state, in the order of the sum. */
export const stateWords: Readonly<Record<CaseState, StateWords>> = {
  holds: { tone: 'good', text: 'holds', sum: 'hold' },
  fails: { tone: 'bad', text: 'fails', sum: 'fail' },
  warns: { tone: 'warn', text: 'warns', sum: 'warn' },
  observed: { tone: 'note', text: 'observed', sum: 'observed' },
  waiting: { tone: 'plain', text: 'waiting', sum: 'waiting for an answer' },
  skipped: { tone: 'plain', text: 'skipped', sum: 'skipped' },
  planned: { tone: 'plain', text: 'planned', sum: 'planned' },
  notRun: { tone: 'plain', text: 'not run', sum: 'not run' },
};

/** Returns the rows of all cases. `left`: the state of those of which no run has told. */
export function caseRows(
  cases: readonly PlannedCase[],
  told: ReadonlyMap<string, ToldCase>,
  left: 'planned' | 'notRun',
): readonly CaseRow[] {
  const known = new Set(cases.map(({ id }) => id));
  const others = [...told].flatMap(([id, { request }]): PlannedCase[] => {
    if (known.has(id)) return [];
    const { grade = 'customary', section = '', about = { why: '', harm: '', cause: '' } } = request.case ?? {};
    return [{ ...about, ...nameParts(request.path), id, grade, section, waits: null, point: null, risk: null }];
  });
  return [...cases, ...others].map(({ group, waits, risk, ...about }) => {
    const own = told.get(about.id) ?? null;
    const outcome = own?.request.case;
    const row = { ...about, group: titleOf(group), ...(known.has(about.id) ? { risk } : {}), told: own };
    if (own !== null)
      return {
        ...row,
        state: outcome?.verdict ?? 'notRun',
        saw: sentence(outcome?.saw ?? own.request.reason),
        point: outcome === undefined ? about.point : (outcome.waitsFor ?? null),
      };
    return { ...row, state: waits === null || left === 'notRun' ? left : 'waiting', saw: waits ?? '' };
  });
}

/** Ends a text like a sentence. */
const sentence = (text: string): string => (text === '' || /[.?!]$/.test(text) ? text : `${text}.`);

const titleOf = (group: string): string => (group in caseGroups ? caseGroups[group as keyof typeof caseGroups] : group);

/** A group with its numbers of cases, of those that hold, and whether one does not. */
export interface GroupRow {
  readonly title: string;
  readonly rows: readonly CaseRow[];
  readonly holds: number;
  readonly bad: boolean;
}

/** Returns the groups in the order in which the documents list them, after the one that has all cases. */
export function groupsOf(rows: readonly CaseRow[]): readonly GroupRow[] {
  const group = (title: string, own: readonly CaseRow[]): GroupRow => ({
    title,
    rows: own,
    holds: own.filter(({ state }) => state === 'holds').length,
    bad: own.some(({ state }) => state === 'fails' || state === 'warns'),
  });
  const titles = new Set([...Object.values(caseGroups), ...rows.map((row) => row.group)]);
  const own = [...titles].map((title) =>
    group(
      title,
      rows.filter((row) => row.group === title),
    ),
  );
  return [group('All cases', rows), ...own.filter((one) => one.rows.length > 0)];
}

/** Returns the money that the cases left moved, by player: `12.00 of player-1`. */
export function leftMoney(rows: readonly CaseRow[]): readonly string[] {
  const moved = movedMoney(rows.flatMap(({ told }) => told?.request.case ?? []));
  return moved.flatMap(({ playerId, left }) => (/[1-9]/.test(left) ? [`${left} of ${playerId}`] : []));
}

/** Returns the text of a case for a ticket. */
export function ticketText(row: CaseRow, { name, walletUrl, baseUrl }: Environment, when: string): string {
  const { id, grade, section, state, saw, why, harm, cause, told } = row;
  const outcome = told?.request.case;
  const lines = [
    `Wallet case ${id}: ${row.name}`,
    `${stateWords[state].text}, ${gradeText({ grade, section })}. ${name}, ${walletUrl === '' ? baseUrl : walletUrl}${when === '' ? '' : `, ${when}`}.`,
    '',
    outcome?.steps.some(({ passed }) => !passed) === true ? '' : saw,
    ...(outcome?.steps ?? []).flatMap(({ sent, expected, came, passed }, at) => [
      '',
      `${at + 1}. Sent: ${sent}`,
      `   Expected: ${expected}`,
      `   Came: ${came}${passed ? '' : ' (not as expected)'}`,
    ]),
    '',
    why === '' ? '' : `Why a provider sends this: ${why}`,
    harm === '' ? '' : `If this fails in production: ${harm}`,
    cause === '' ? '' : `Usual cause: ${cause}`,
  ];
  return `${lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}
