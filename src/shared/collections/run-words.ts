import type { CheckResult } from './reported-request.ts';

/** Sentence at the top of a report that has parts unknown to this version. */
export const partsNotShown = 'Another version of Croupier wrote parts of this report. This version does not show them.';

const mostSentences = 100;
const moreOf = /^And ([\d,]+) more\.$/;

/** Shortens a list of sentences; the last one then says how many more there are. */
export function shortened(sentences: readonly string[]): string[] {
  const more = sentences.length - mostSentences;
  return more <= 0 ? [...sentences] : [...sentences.slice(0, mostSentences), `And ${more.toLocaleString('en')} more.`];
}

/** Returns the warning of a run, or `2 warnings` for several, as `shortened` returns them; empty if there are none. */
export function warningsText(warnings: readonly string[]): string {
  const [, more] = moreOf.exec(warnings.at(-1) ?? '') ?? [];
  const count = more === undefined ? warnings.length : mostSentences + Number(more.replaceAll(',', ''));
  return count > 1 ? `${count.toLocaleString('en')} warnings` : (warnings[0] ?? '');
}

/** Writes `2 of 8 requests have no check of their own`; empty if each has one. */
export function uncheckedText(unchecked: number, requests: number): string {
  if (unchecked === 0) return '';
  const all = `${requests.toLocaleString('en')} ${requests === 1 ? 'request' : 'requests'}`;
  return `${unchecked.toLocaleString('en')} of ${all} ${unchecked === 1 ? 'has no check of its own' : 'have no check of their own'}`;
}

/** Writes `1 outcome is not in the history`; empty if all are. */
export function unrecordedText(unrecorded: number): string {
  if (unrecorded === 0) return '';
  return `${unrecorded.toLocaleString('en')} ${unrecorded === 1 ? 'outcome is' : 'outcomes are'} not in the history`;
}

/** Writes `2 of 8 requests have findings`; empty if none needs attention. */
export function withFindingsText(withFindings: number, requests: number): string {
  if (withFindings === 0) return '';
  const all = `${requests.toLocaleString('en')} ${requests === 1 ? 'request' : 'requests'}`;
  return `${withFindings.toLocaleString('en')} of ${all} ${withFindings === 1 ? 'has findings' : 'have findings'}`;
}

/** Writes `code is 0: expected 0, actual 7. It is 7.`; a sentence that holds both values stands alone. */
export function failedCheckText({ check, expected, actual, message }: CheckResult): string {
  const saysBoth = [expected, actual].every((value) => value !== '' && message.includes(value));
  return saysBoth ? `${check}: ${message}` : `${check}: expected ${expected}, actual ${actual}. ${message}`;
}

/** The collection of the runs of wallet cases. */
export const walletCollection = 'wallet';
