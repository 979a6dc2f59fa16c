import { expect, it } from 'vitest';
import { shortened, unreadText } from './run-words.ts';

it('counts what is not read, also where more is not read than is listed', () => {
  const sentences = (count: number) => Array.from({ length: count }, (_, at) => `a.yaml, line ${at}: x is not known.`);
  const texts = [0, 1, 2, 100, 101, 2_000].map((count) => unreadText(shortened(sentences(count))));
  expect(texts).toEqual([
    '',
    '1 thing is not read',
    '2 things are not read',
    '100 things are not read',
    '101 things are not read',
    '2,000 things are not read',
  ]);
});
