import { describe, expect, test } from 'vitest';
import { findMistakes, isNamed, knownMistakes, pairsOfMistakes, shownElsewhere } from '#testing/known-mistakes.ts';
import { chooseSeed, createChoices, seededRandom } from '#testing/seeded-random.ts';

test('every number of the catalogue is a mistake with a name, or says where it is shown', () => {
  const numbers = new Set([...knownMistakes.map(({ number }) => number), ...Object.keys(shownElsewhere).map(Number)]);
  expect([...numbers].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 103 }, (_, at) => at + 1));
});

describe('a single mistake', () => {
  test.each(knownMistakes.map((one) => [one.number, one.id, one] as const))('%i: %s', (_, id, one) => {
    const { stage, match } = findMistakes([one], ['rule', 'singles']);
    expect(isNamed(match, [one]), JSON.stringify(match?.ways)).toBe(true);
    // How a digest is written, and which one it is, is read off the text that was received.
    expect(stage).toBe(one.part === 'spell' || /^digest\.(md5|sha1|sha512)$/.test(id) ? 'rule' : 'singles');
  });
});

test('two mistakes of different parts', () => {
  const pairs = pairsOfMistakes(8, createChoices(seededRandom(chooseSeed())));
  const wrong = pairs.filter((pair) => !isNamed(findMistakes(pair, ['rule', 'singles', 'pairs']).match, pair));
  expect(wrong.map((pair) => pair.map(({ id }) => id).join(' + '))).toEqual([]);
});
