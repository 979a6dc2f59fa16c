import type { CaseOutcome } from '#shared/collections/case-outcome.ts';
import type { RunReport } from '#shared/collections/run-report.ts';
import type { ReportedRequest } from '#shared/collections/reported-request.ts';
import { aboutTexts, gradeText, stepTexts } from '#shared/wallet/run-facts.ts';
import { htmlTable } from '../../files/html.ts';

/** Returns the requests of a run of wallet cases; null for any other run. */
export function walletCasesIn({ iterations }: RunReport): readonly ReportedRequest[] | null {
  const requests = iterations.flatMap((iteration) => iteration.requests);
  return requests.some((request) => request.case !== undefined) ? requests : null;
}

/** Draws what each step of a case sent, expected and got. */
export function stepsTable({ steps }: CaseOutcome): string {
  const rows = steps.map((step) => ({ texts: stepTexts(step), mark: step.passed ? 'info' : 'error' }));
  return htmlTable(
    rows[0]?.texts.map(([title]) => title) ?? [],
    rows.map(({ texts, mark }) => ({ cells: texts.map(([, text]) => text), mark })),
  );
}

/** Explains to the wallet's developer why a case does not hold: what was expected and came, the damage in production, the usual cause. */
export function caseArticle(one: CaseOutcome): string {
  const { verdict, about = { why: '', harm: '', cause: '' } } = one;
  const grade = `${gradeText(one)}${verdict === 'warns' ? '; every wallet is expected to, so this is a warning' : ''}`;
  const rows = [...aboutTexts(about), ['Grade', grade] as const];
  return `${stepsTable(one)}${htmlTable(
    [],
    rows.map((cells) => ({ cells })),
  )}`;
}
