import { expect, it } from 'vitest';
import { emptyWords, withMeaning } from './round-result.tsx';

it('an empty response is explained by the recorded answer to an unknown round', () => {
  const words = (value: string) => emptyWords(0, { 'rounds.unknown': { value } });
  expect(emptyWords(0, {})).toMatch(/empty list, with logMonth 0\. Check that the ID/);
  expect(words('empty')).toContain('the provider reports an unknown round this way');
  expect(words('code')).toContain('a code other than 0');
  expect(words('bananas')).toBe(emptyWords(0, {}));
});

it('a value stands with its recorded meaning, and one that is not recorded is marked', () => {
  const meanings = new Map([
    ['1', 'desktop'],
    ['2', ''],
  ]);
  expect(withMeaning('1', null)).toBe('1');
  expect(withMeaning('1', meanings)).toBe('1 (desktop)');
  expect(withMeaning('2', meanings)).toBe('2');
  expect(withMeaning('3', meanings)).toBe('3 (not recorded)');
  expect(withMeaning(null, meanings)).toBe('none');
});
