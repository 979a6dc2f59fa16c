/** Said at the head of a report that holds what this version leaves out. */
export const partsNotShown = 'Another version of Croupier wrote parts of this report. This version does not show them.';

const mostSentences = 100;
const moreOf = /^And ([\d,]+) more\.$/;

/** As many sentences as a person reads; the last one says how many more there are. */
export function shortened(sentences: readonly string[]): string[] {
  const more = sentences.length - mostSentences;
  return more <= 0 ? [...sentences] : [...sentences.slice(0, mostSentences), `And ${more.toLocaleString('en')} more.`];
}

/** `2 things are not read`, of a run's warnings as `shortened` leaves them; empty where everything is read. */
export function unreadText(warnings: readonly string[]): string {
  const [, more] = moreOf.exec(warnings.at(-1) ?? '') ?? [];
  const count = more === undefined ? warnings.length : mostSentences + Number(more.replaceAll(',', ''));
  if (count === 0) return '';
  return `${count.toLocaleString('en')} ${count === 1 ? 'thing is' : 'things are'} not read`;
}

/** `2 of 8 requests have no check of their own`; empty where each has one. */
export function uncheckedText(unchecked: number, requests: number): string {
  if (unchecked === 0) return '';
  const all = `${requests.toLocaleString('en')} ${requests === 1 ? 'request' : 'requests'}`;
  return `${unchecked.toLocaleString('en')} of ${all} ${unchecked === 1 ? 'has no check of its own' : 'have no check of their own'}`;
}

/** `1 outcome is not in the history`; empty where all are. */
export function unrecordedText(unrecorded: number): string {
  if (unrecorded === 0) return '';
  return `${unrecorded.toLocaleString('en')} ${unrecorded === 1 ? 'outcome is' : 'outcomes are'} not in the history`;
}

/** `2 of 8 requests have findings`; empty where none has one that needs attention. */
export function withFindingsText(withFindings: number, requests: number): string {
  if (withFindings === 0) return '';
  const all = `${requests.toLocaleString('en')} ${requests === 1 ? 'request' : 'requests'}`;
  return `${withFindings.toLocaleString('en')} of ${all} ${withFindings === 1 ? 'has findings' : 'have findings'}`;
}
