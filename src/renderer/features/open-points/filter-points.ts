import type { Environment } from '#shared/ipc/index.ts';
import { recordedAnswer, type OpenPoint } from '#shared/provider/index.ts';

export type PointFilter = 'all' | 'open' | 'answered' | 'invalid';
export type PointState = Exclude<PointFilter, 'all'>;

/** Returns whether the environment has an answer to the point, and whether it is valid and used. */
export function pointState(point: OpenPoint, environment: Pick<Environment, 'answers'> | null): PointState {
  const { state } = environment === null ? { state: 'none' as const } : recordedAnswer(point.id, environment.answers);
  return state === 'none' ? 'open' : state === 'valid' ? 'answered' : 'invalid';
}

/** Returns the points that pass the filter and hold every word of the text. */
export function filterPoints(
  points: readonly OpenPoint[],
  filter: PointFilter,
  text: string,
  environment: Pick<Environment, 'answers'> | null,
): readonly OpenPoint[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return points.filter((point) => {
    if (filter !== 'all' && pointState(point, environment) !== filter) return false;
    const haystack = [point.id, point.title, point.section, point.question, ...point.operations].join(' ').toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
}

/** Returns the questions that have no valid answer yet, numbered, as the text of a letter to the provider. */
export function questionsText(points: readonly OpenPoint[], environment: Pick<Environment, 'answers' | 'name'> | null): string {
  const open = points.filter((point) => pointState(point, environment) !== 'answered');
  return open.map((point, at) => `${at + 1}. ${point.title} (${point.section})\n${point.question}\n`).join('\n');
}
