import { expect, it } from 'vitest';
import { fuzz } from '#testing/fuzz.ts';
import { fuzzTargets } from '#testing/fuzz-targets.ts';
import { chooseSeed } from '#testing/seeded-random.ts';

// `npm run test:long -- fuzz` goes on for as long as is asked.
it.each(fuzzTargets)('$name keeps its promises of any text', (target) => {
  const report = fuzz(target, chooseSeed(), (tried) => tried >= 400);
  expect(report.faults).toEqual([]);
  expect(Math.min(report.refused, report.through)).toBeGreaterThan(0);
});
