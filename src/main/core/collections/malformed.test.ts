import { expect, it } from 'vitest';
import { hostileFiles } from '#testing/hostile-files.ts';
import { malformedFiles } from '#testing/malformed-files.ts';

it('malformed files are each told with their place, hide no other, and are not written to', async () => {
  // All of them: npm run test:long -- malformed.
  const { tried, wrong } = await malformedFiles(12);
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThanOrEqual(60);
});

it('files of pieces of YAML in any order are read or refused with their place, whatever they are', () => {
  const { tried, refused, read, through } = hostileFiles(400);
  expect(through).toEqual([]);
  expect(refused + read).toBe(tried);
  expect(refused).toBeGreaterThan(100);
  expect(read).toBeGreaterThan(5);
});
