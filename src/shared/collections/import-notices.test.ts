import { expect, it } from 'vitest';
import { noticeLines } from './import-notices.ts';

it('has a line for each notice, and one with a count and examples for a reason of many', () => {
  const notices = [
    { place: 'a', reason: 'alone' },
    ...Array.from({ length: 1_317 }, (_, at) => ({ place: `p${at}`, reason: 'often' })),
  ];
  expect(noticeLines(notices, 'part', ({ place, reason }) => `${place}: ${reason}`)).toEqual([
    { text: 'a: alone', such: [] },
    { text: '1,317 parts: often', such: ['p0', 'p1', 'p2', 'and 1,314 more'] },
  ]);
});
