import { expect, it } from 'vitest';
import { shortened, warningsText } from './run-words.ts';

it('counts what is not read, also where more is not read than is listed', () => {
  const sentences = (count: number) => Array.from({ length: count }, (_, at) => `a.yaml, line ${at}: x is not known.`);
  const texts = [0, 1, 2, 100, 101, 2_000].map((count) => warningsText(shortened(sentences(count))));
  expect(texts).toEqual(['', sentences(1)[0], '2 warnings', '100 warnings', '101 warnings', '2,000 warnings']);
});
