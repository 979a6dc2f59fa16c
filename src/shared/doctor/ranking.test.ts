import { describe, expect, test } from 'vitest';
import { layoutMistakes } from './layout-mistakes.ts';
import { htmlMistakes, slashMistakes } from './text-mistakes.ts';
import { rankOf, sharedLanguages } from './ranking.ts';

function named(id: string) {
  const found = [...htmlMistakes, ...layoutMistakes, ...slashMistakes].find((mistake) => mistake.id === id);
  if (found === undefined) throw new Error(`There is no mistake ${id}.`);
  return found;
}

describe('rankOf', () => {
  test('puts fewer mistakes before more, and usual ones before rare ones', () => {
    expect(rankOf([named('html.gson')])).toBeLessThan(rankOf([named('html.lower'), named('slash.escaped')]));
    expect(rankOf([named('html.lower')])).toBeLessThan(rankOf([named('html.gson')]));
  });

  test('puts what one language makes together before what two make', () => {
    // PHP escapes slashes, and < as <, with its flags; Go escapes < so, and no slash.
    const php = [named('slash.escaped'), named('html.upper')];
    const goToo = [named('slash.escaped'), named('html.lower')];
    expect(sharedLanguages(php)).toEqual(['php']);
    expect(sharedLanguages(goToo)).toEqual([]);
    expect(rankOf(php)).toBeLessThan(rankOf(goToo));
  });
});
