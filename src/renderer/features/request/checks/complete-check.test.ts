import { describe, expect, it } from 'vitest';
import { Expectation } from '#shared/collections/model.ts';
import { mostOfPattern, mostOfValue } from '#shared/collections/file-limits.ts';
import { isComplete } from './complete-check.ts';

const long = 'x'.repeat(mostOfValue + 1);

describe('a check as it was typed', () => {
  it.each<[name: string, check: Expectation]>([
    ['an empty code', { code: '' }],
    ['a long code', { code: long }],
    ['a status', { status: '200' }],
    ['a time', { withinMs: '{{most}}' }],
    ['a shape', { shape: 'documented' }],
    ['a balance', { balance: { before: '{{balance}}', change: '-1' } }],
    ['a long balance', { balance: { before: long, change: '0' } }],
    ['a long change', { balance: { before: '0', change: long } }],
    ['the whole', { path: '' }],
    ['a pointer', { path: '/data/0', present: true }],
    ['a JSONPath', { path: '$.data', type: 'array', count: '3' }],
    ['a word as path', { path: 'data' }],
    ['a long path', { path: `/${'x'.repeat(2_000)}` }],
    ['the longest path', { path: `/${'x'.repeat(1_999)}` }],
    ['a long value', { path: '/a', equals: long }],
    ['the longest value', { path: '/a', equals: long.slice(1) }],
    ['a long pattern', { path: '/a', matches: 'x'.repeat(mostOfPattern + 1) }],
    ['the longest pattern', { path: '/a', matches: 'x'.repeat(mostOfPattern) }],
  ])('is complete where the schema of files takes it: %s', (_name, check) => {
    expect(isComplete(check)).toBe(Expectation.safeParse(check).success);
  });
});
