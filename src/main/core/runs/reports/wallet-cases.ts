import type { CaseOutcome } from '#shared/collections/case-outcome.ts';
import type { RunReport } from '#shared/collections/run-report.ts';
import type { ReportedRequest } from '#shared/collections/reported-request.ts';
import { amount } from '#shared/amount.ts';
import {
  changeText,
  gradeText,
  gradeWords,
  latencies,
  movedMoney,
  verdictsText,
  type CountedVerdict,
} from '#shared/wallet/run-facts.ts';
import { caseChecks, caseGroups } from '#shared/wallet/wallet-case.ts';
import { escapeHtml, htmlTable } from '../../files/html.ts';
import { duration } from './report-words.ts';

const marks = {
  holds: 'good',
  fails: 'error',
  warns: 'warning',
  observed: '',
  waiting: 'warning',
  skipped: 'warning',
  'not run': 'warning',
} as const satisfies Record<CountedVerdict, string>;

const verdictOf = (request: ReportedRequest): CountedVerdict => request.case?.verdict ?? 'not run';

/** Returns the requests of a run of wallet cases; null for any other run. */
export function walletCasesIn({ iterations }: RunReport): readonly ReportedRequest[] | null {
  const requests = iterations.flatMap((iteration) => iteration.requests);
  return requests.some((request) => request.case !== undefined) ? requests : null;
}

/** Counts cases by their verdict. */
export function countsOf(requests: readonly ReportedRequest[]): string {
  return verdictsText(requests.map(verdictOf));
}

/** Returns the parts of the bar above the page, each with the class of its colour. */
export function barOf(requests: readonly ReportedRequest[]): readonly (readonly [string, number])[] {
  const count = (...verdicts: CountedVerdict[]) => requests.filter((request) => verdicts.includes(verdictOf(request))).length;
  return [
    ['passed', count('holds', 'observed')],
    ['failed', count('fails')],
    ['skipped', count('warns', 'waiting', 'skipped', 'not run')],
  ];
}

/** Returns facts about the run beside those of any run: latencies, and the money that moved. */
export function walletFacts(requests: readonly ReportedRequest[]): string[][] {
  const cases = requests.flatMap((request) => request.case ?? []);
  const grade = (name: CaseOutcome['grade']) => requests.filter((request) => request.case?.grade === name);
  const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
  return [
    ...(['required', 'customary', 'open'] as const)
      .filter((name) => grade(name).length > 0)
      .map((name) => [`Grade: ${gradeWords[name]}`, countsOf(grade(name))]),
    ...movedMoney(cases).map(({ playerId, cases: count, moved, left }) => [
      `Money of ${playerId}`,
      `${moved} moved in ${amount(count, 'case')}; ${/[1-9]/.test(left) ? `${left} is left` : 'all of it was put back'}`,
    ]),
    ...latencies(cases).map(({ method, calls, median, ninetyFifth, worst }) => [
      `/${method}`,
      `${amount(calls, 'call')}: median ${ms(median)}, 95th ${ms(ninetyFifth)}, worst ${ms(worst)}`,
    ]),
    ['Expected', caseChecks.patience],
  ];
}

/** Returns a table of the cases of each group; those of a group in which one does not hold are unfolded. */
export function casesByGroup(requests: readonly ReportedRequest[]): string {
  const groups = Map.groupBy(requests, ({ path }) => path.slice(0, path.indexOf('/')));
  return Object.values(caseGroups)
    .flatMap((title) => {
      const own = groups.get(title);
      if (own === undefined) return [];
      const verdicts = own.map(verdictOf);
      const isBad = verdicts.includes('fails') || verdicts.includes('warns');
      const head = '<tr><th>Case</th><th>Grade</th><th>Result</th><th>Expected and came</th><th>Money</th><th>Duration</th></tr>';
      const words = escapeHtml(`${title}: ${verdictsText(verdicts)}`);
      return `<details class="iteration"${isBad ? ' open' : ''}><summary>${words}</summary>
<div class="wide"><table class="requests"><thead>${head}</thead><tbody>${own.map(row).join('\n')}</tbody></table></div></details>`;
    })
    .join('\n');
}

function row(request: ReportedRequest): string {
  const { path, reason, durationMs, case: one } = request;
  const verdict = verdictOf(request);
  const saw = one?.saw ?? reason;
  const cells = [
    `<td>${escapeHtml(path.slice(path.indexOf('/') + 1))}</td>`,
    `<td>${one === undefined ? '' : escapeHtml(gradeText(one))}</td>`,
    `<td class="result ${marks[verdict]}">${escapeHtml(saw === '' ? verdict : `${verdict}: ${saw}`)}</td>`,
    `<td>${one === undefined || one.steps.length === 0 ? '' : `<details><summary>${amount(one.steps.length, 'step')}</summary>${stepsTable(one)}</details>`}</td>`,
    `<td>${escapeHtml((one?.moved ?? []).map(moveText).join('\n'))}</td>`,
    `<td class="number">${durationMs === null ? '' : duration(durationMs)}</td>`,
  ];
  return `<tr class="request">${cells.join('')}</tr>`;
}

function moveText({ playerId, before, after, left }: CaseOutcome['moved'][number]): string {
  return `${playerId} ${changeText(before, after)}${/[1-9]/.test(left) ? `, ${left} left` : ', put back'}`;
}

function stepsTable({ steps }: CaseOutcome): string {
  return htmlTable(
    ['Sent', 'Expected', 'Came', 'Calls'],
    steps.map(({ sent, expected, came, calls, passed }) => ({
      cells: [sent, expected, came, calls.length > 5 ? `${calls[0] ?? ''} to ${calls.at(-1) ?? ''}` : calls.join(', ')],
      mark: passed ? 'info' : 'error',
    })),
  );
}

/** Explains to the wallet's developer why a case does not hold: what was expected and came, the damage in production, the usual cause. */
export function caseArticle(one: CaseOutcome): string {
  const { why = '', harm = '', cause = '' } = one.about ?? {};
  const facts = [
    ['In production', harm],
    ['Usual cause', cause],
    ['Why a provider sends this', why],
    ['Grade', `${gradeText(one)}${one.verdict === 'warns' ? '; every wallet is expected to, so this is a warning' : ''}`],
  ].filter(([, text]) => text !== '');
  return `${stepsTable(one)}<dl>${facts.map(([name = '', text = '']) => `<dt>${name}</dt><dd>${escapeHtml(text)}</dd>`).join('')}</dl>`;
}
