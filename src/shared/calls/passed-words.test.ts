import { expect, it } from 'vitest';
import { openBetsText, passedText, passedWords } from './passed-words.ts';

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

it.each([
  [{ count: 4, late: 2, calls: [1, 2, 5] }, true, '4 bets had no win or cancel yet: the oldest are calls 1, 2 and 5.'],
  [{ count: 4, late: 2, calls: [1, 2, 5] }, false, '2 bets have had no win or cancel for 10 minutes: calls 1 and 2.'],
  [{ count: 1, late: 0, calls: [7] }, true, '1 bet had no win or cancel yet: call 7.'],
  [{ count: 1, late: 1, calls: [] }, false, '1 bet has had no win or cancel for 10 minutes.'],
  [{ count: 1, late: 0, calls: [7] }, false, null],
])('names the bets without a win: %j, at the end: %s', (bets, isEnded, text) => {
  expect(openBetsText(bets, isEnded)).toBe(text);
});
