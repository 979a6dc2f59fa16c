import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { builtFiles, coreFiles } from '../vitest.config.ts';
import { readShard, shardOf } from './shards.mjs';

it('each file is in one part, and the parts take alike', () => {
  const seconds = { a: 10, b: 6, c: 5, d: 1, e: 1 };
  const parts = [1, 2].map((index) => [...shardOf(['a', 'b', 'c', 'd', 'e', 'new'], seconds, index, 2)]);
  expect(parts).toEqual([
    ['a', 'd', 'e'],
    ['b', 'c', 'new'],
  ]);
  expect([...shardOf(['a'], {}, 2, 2)]).toEqual([]);
});

it('a part is named by its number and how many there are', () => {
  expect(readShard('2/3')).toEqual([2, 3]);
  for (const text of ['0/3', '4/3', '2', '', '1/x', '1/300']) expect(() => readShard(text)).toThrow('such as 2/3');
});

it('every file that is timed exists', () => {
  const { check, page, ...seconds } = JSON.parse(readFileSync('scripts/seconds.json', 'utf8')) as Record<string, number>;
  expect(Math.min(check ?? 0, page ?? 0)).toBeGreaterThan(0);
  const files = new Set(globSync([...coreFiles, ...builtFiles, 'e2e/*.e2e.ts']));
  expect(Object.keys(seconds).filter((file) => !files.has(file))).toEqual([]);
});
