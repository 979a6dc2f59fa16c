import { expect, test } from 'vitest';
import { describeWithTool } from '#testing/external-tools.ts';
import { pairTrials, proveFixes, singleTrials, titleOf, toolOf } from '#testing/fix-rounds.ts';
import { chooseSeed, createChoices, seededRandom } from '#testing/seeded-random.ts';
import { dialects } from './fixes.ts';

// Programs of each language that make the mistakes, and the same programs with the fix.

for (const dialect of dialects) {
  describeWithTool(toolOf(dialect.language), dialect.language, () => {
    test('each mistake makes a wrong hash, and its fix the right one', () => {
      const choices = createChoices(seededRandom(chooseSeed()));
      const singles = [
        ...new Map(
          singleTrials(dialect).map((one) => [`${one.way[0]?.id} ${one.request.subject.dataText === null}`, one]),
        ).values(),
      ];
      // Hundreds of orders of the parts are written alike in each language.
      const isOrder = ({ way }: (typeof singles)[number]) => way[0]?.axis === 'composition';
      const orders = Array.from({ length: 40 }, () => choices.pick(singles.filter(isOrder)));
      const searched = Array.from({ length: 12 }, () => choices.pick(singles));
      const trials = [...singles.filter((one) => !isOrder(one)), ...orders, ...searched, ...pairTrials(dialect, 40, choices)];
      expect(searched.map(titleOf)).not.toEqual([]);
      expect(proveFixes(dialect.language, trials, searched)).toEqual([]);
    });
  });
}
