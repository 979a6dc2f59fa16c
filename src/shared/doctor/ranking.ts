import type { Language, Mistake } from './model.ts';

/**
 * Ranks explanations of the same bytes: fewer mistakes first, then more usual ones, then those that one language makes together. The lowest comes
 * first.
 */
export function rankOf(way: readonly Mistake[]): number {
  const rarity = way.reduce((sum, mistake) => sum + 10 + 3 * mistake.rarity, 0);
  return way.length > 1 && sharedLanguages(way).length > 0 ? rarity - 4 : rarity;
}

/** Returns the languages whose usual code makes all mistakes of an explanation, but for those that belong to none. */
export function sharedLanguages(way: readonly Mistake[]): Language[] {
  const [first, ...rest] = way.map(({ languages }) => languages).filter((languages) => languages.length > 0);
  return (first ?? []).filter((language) => rest.every((languages) => languages.includes(language)));
}
