import { amount } from '../amount.ts';
import type { ForgetReport, ForgetStep } from '../ipc/outputs/forget.ts';

/** Lists everything that names the player, or was removed, one line each: `5 calls, 2 of production environments, 1 pinned`. */
export function namedLines(report: ForgetReport): string[] {
  const { calls, production, pinned, byToken, launches, runReports, evidence, examples, exampleFiles, setAside } = report;
  const more = [
    ...(production === 0 ? [] : [`${number(production)} in production environments`]),
    ...(pinned === 0 ? [] : [`${number(pinned)} pinned`]),
    ...(byToken === 0 ? [] : [`${number(byToken)} by session token only`]),
  ];
  return [
    ...(calls === 0 ? [] : [[amount(calls, 'call'), ...more].join(', ')]),
    ...(launches === 0 ? [] : [amount(launches, 'launch', 'launches')]),
    ...(runReports === 0 ? [] : [amount(runReports, 'run report')]),
    ...(evidence === 0 ? [] : [amount(evidence, 'evidence folder')]),
    ...(examples === 0 ? [] : [`${amount(examples, 'example')} in ${amount(exampleFiles.length, 'request file')}`]),
    ...(setAside === 0 ? [] : [`${amount(setAside, 'file')} of damaged histories`]),
  ];
}

/** Names the current step and its progress. */
export function stepText(step: ForgetStep, done: number, total: number): string {
  const part = total === 0 ? '' : `: ${number(Math.min(done, total))} of ${number(total)}`;
  switch (step) {
    case 'find':
      return `Checking calls${part}`;
    case 'others':
      return 'Checking launches, reports, evidence and examples';
    case 'remove':
      return `Removing calls${part}`;
    case 'erase':
      return 'Cleaning the history files';
  }
}

function number(value: number): string {
  return value.toLocaleString('en');
}
