import { expect, it } from 'vitest';
import { operations } from '#shared/provider/index.ts';
import { filterOperations, operationGroups } from './operation-list.ts';
import { paletteScore } from './palette-score.ts';

const launcher = ['getLauncherURL', 'The address under which one game opens', 'Launch', '§4'];

it('finds names by their beginning, a word, a part or the initials, in that order', () => {
  const scores = ['get', 'launch', 'aunch', 'glu'].map((text) => paletteScore(text, ['getLauncherURL']));
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(new Set(scores).size).toBe(4);
  expect(scores.every((score) => score > 0)).toBe(true);
  expect(paletteScore('bet', ['/bet'])).toBe(1);
});

it('wants every word, somewhere', () => {
  expect(paletteScore('game §4', launcher)).toBeGreaterThan(0);
  expect(paletteScore('game §5', launcher)).toBe(0);
  expect(paletteScore('roun', ['gameList', 'The games with their allowed bets in one currency.'])).toBe(0);
  expect(paletteScore('', launcher)).toBe(1);
});

it('filters and groups the operations without losing one', () => {
  expect(operationGroups(operations).map(({ title }) => title)).toEqual([
    'Launch',
    'Catalogue',
    'Rounds',
    'Free rounds',
    'Wallet',
  ]);
  expect(operationGroups(operations).flatMap((group) => group.operations)).toHaveLength(operations.length);
  expect(filterOperations(operations, '/bet').map(({ name }) => name)).toEqual(['bet']);
  expect(filterOperations(operations, '§4').map(({ name }) => name)).toEqual(['getLauncherURL']);
  expect(operationGroups(filterOperations(operations, 'no such thing'))).toEqual([]);
});
