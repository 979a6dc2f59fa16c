import type { Environment } from '#shared/ipc/index.ts';
import { recordedAnswer, type SpecGap } from '#shared/provider/index.ts';

export type PointFilter = 'all' | 'open' | 'answered' | 'invalid';
export type PointState = Exclude<PointFilter, 'all'>;

/** Whether the environment has an answer to the point, and whether it is one that is used. */
export function pointState(gap: SpecGap, environment: Pick<Environment, 'answers'> | null): PointState {
  const { state } = environment === null ? { state: 'none' as const } : recordedAnswer(gap.id, environment.answers);
  return state === 'none' ? 'open' : state === 'valid' ? 'answered' : 'invalid';
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
    if (filter !== 'all' && pointState(gap, environment) !== filter) return false;
    const haystack = [gap.id, gap.title, gap.section, gap.question, ...gap.operations].join(' ').toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
}

/** The questions that have no valid answer yet, numbered, as the text of a letter to the provider. */
export function questionsText(gaps: readonly SpecGap[], environment: Pick<Environment, 'answers' | 'name'> | null): string {
  const open = gaps.filter((gap) => pointState(gap, environment) !== 'answered');
  return open.map((gap, at) => `${at + 1}. ${gap.title} (${gap.section})\n${gap.question}\n`).join('\n');
}
