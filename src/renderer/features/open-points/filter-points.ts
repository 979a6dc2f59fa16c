import type { Environment } from '#shared/ipc/index.ts';
import type { SpecGap } from '#shared/provider/index.ts';

export type PointFilter = 'all' | 'unanswered' | 'answered' | 'changes';

/** Whether an answer to the point is recorded for the environment. */
export function isAnswered(gap: SpecGap, environment: Pick<Environment, 'answers'> | null): boolean {
  return environment !== null && Object.hasOwn(environment.answers, gap.id);
}

/** The points that pass the filter and hold every word of the text. */
export function filterPoints(
  gaps: readonly SpecGap[],
  filter: PointFilter,
  text: string,
  environment: Pick<Environment, 'answers'> | null,
): readonly SpecGap[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return gaps.filter((gap) => {
    if (filter === 'unanswered' && isAnswered(gap, environment)) return false;
    if (filter === 'answered' && !isAnswered(gap, environment)) return false;
    if (filter === 'changes' && gap.changes === null) return false;
    const haystack = [gap.id, gap.title, gap.section, gap.question, ...gap.operations].join(' ').toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
}

/** The questions that have no answer yet, numbered, as the text of a letter to the provider. */
export function questionsText(gaps: readonly SpecGap[], environment: Pick<Environment, 'answers' | 'name'> | null): string {
  const open = gaps.filter((gap) => !isAnswered(gap, environment));
  return open.map((gap, at) => `${at + 1}. ${gap.title} (${gap.section})\n${gap.question}\n`).join('\n');
}
