import { markCharacters, shownLength } from '#renderer/calls/character-marks.ts';
import { textMark } from '#renderer/calls/hash-marks.ts';
import type { TextMark } from '#renderer/editor/read-only-text.tsx';
import { keyPlaceholder } from '#shared/signing/hash-input.ts';
import type { TextRange } from './input-differences.ts';

/** A hash input as it is shown. */
export interface MarkedInput {
  readonly text: string;
  readonly marks: readonly TextMark[];
  /** Number of characters that are hashed and not shown. */
  readonly hidden: number;
}

/** Number of marks beyond which they would cost more than they show. */
const most = 2_000;

/** Marks key, time, unusual characters and the parts that the other input does not share, wherever they stand in a hash input. */
export function markInput(input: string, time: string, differing: readonly TextRange[], className: string): MarkedInput {
  const length = shownLength(input);
  const { text, marks: characters } = markCharacters(input.slice(0, length), 0, most);
  const key = input.indexOf(keyPlaceholder);
  const timeAt = time === '' ? -1 : input.indexOf(time, key === 0 ? keyPlaceholder.length : 0);
  const named = [
    ...(key === -1 ? [] : [textMark({ start: key, end: key + keyPlaceholder.length, kind: 'key' })]),
    ...(timeAt === -1 ? [] : [textMark({ start: timeAt, end: timeAt + time.length, kind: 'time' })]),
  ];
  const different = differing.filter(({ start, end }) => end > start && end <= length).map((range) => ({ ...range, className }));
  return { text, marks: [...named, ...characters.map(textMark), ...different], hidden: input.length - length };
}
