import { expect, it } from 'vitest';
import { malformedFiles } from '#testing/malformed-files.ts';

it('malformed files are each told with their place, hide no other, and are not written to', async () => {
  // All of them: npm run test:long -- malformed.
  const { tried, wrong } = await malformedFiles(12);
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThanOrEqual(60);
});
