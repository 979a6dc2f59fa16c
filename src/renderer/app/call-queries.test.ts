import { expect, it } from 'vitest';
import { callQueries } from './call-queries.ts';

it('asks for the newest calls without a word', () => {
  expect(callQueries('  ')).toEqual([{}]);
});

it('takes a number beside an operation for a code first, then for a text', () => {
  expect(callQueries('bet 404')).toEqual([
    { filter: { operations: ['bet'], codes: [404] } },
    { filter: { operations: ['bet'] }, text: '404', match: 'words' },
    { text: 'bet 404', match: 'words' },
  ]);
});

it.each([
  ['/bet', { operations: ['bet'] }],
  ['GETLAUNCHERURL', { operations: ['getLauncherURL'] }],
  ['getlau', { operations: ['getLauncherURL'] }],
  ['bet refused', { operations: ['bet'], outcomes: ['refused'] }],
  ['failed', { outcomes: ['unanswered'] }],
  ['pinned', { pinned: true }],
])('takes %j for a filter, and then for words', (text, filter) => {
  expect(callQueries(text)).toEqual([{ filter }, { text, match: 'words' }]);
});

it('searches words that name nothing in the texts alone', () => {
  expect(callQueries('player-2  trx81')).toEqual([{ text: 'player-2 trx81', match: 'words' }]);
  // Two letters begin too many names.
  expect(callQueries('be')).toEqual([{ text: 'be', match: 'words' }]);
});
