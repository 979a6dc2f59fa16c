import { expect, it } from 'vitest';
import { passedText, passedWords } from './passed-words.ts';

it.each([
  [{}, 'No exchanges yet'],
  [{ playerInfo: { good: 1 } }, '1 exchange, OK'],
  [{ playerInfo: { good: 1_000 }, other: { good: 2 } }, '1,002 exchanges, all OK'],
  [
    { playerInfo: { good: 375, rejected: 30 }, other: { other: 3 }, authenticate: { rejected: 4 } },
    `34 of 412 ${passedWords.rejected.toLowerCase()}, 3 not this API`,
  ],
])('tells what passed by its verdicts: %j', (counts, text) => {
  expect(passedText(counts)).toBe(text);
});
