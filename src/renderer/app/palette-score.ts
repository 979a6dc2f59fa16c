/**
 * Returns how well an entry fits a text, from 0 (not at all) to 1. Every word of the text must occur in one of the entry's
 * `phrases`; the first phrase is its name and counts most. `glu` finds getLauncherURL by its initials.
 */
export function paletteScore(text: string, phrases: readonly string[]): number {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let score = 1;
  for (const word of words) {
    const best = Math.max(0, ...phrases.map((phrase, at) => phraseScore(word, phrase) * (at === 0 ? 1 : 0.5)));
    if (best === 0) return 0;
    score *= best;
  }
  return score;
}

function phraseScore(word: string, phrase: string): number {
  const text = phrase.toLowerCase();
  if (text.startsWith(word) || text.startsWith(`/${word}`)) return 1;
  const at = text.indexOf(word);
  if (at > 0 && (/[^a-z0-9]/.test(text[at - 1] ?? '') || /[A-Z]/.test(phrase[at] ?? ''))) return 0.8;
  if (at > 0) return 0.6;
  return initials(phrase).startsWith(word) && word.length > 1 ? 0.5 : 0;
}

/** Returns the first letter of every part: `glu` of getLauncherURL. */
function initials(phrase: string): string {
  return [...phrase.matchAll(/(?:^|[^A-Za-z0-9])([A-Za-z0-9])|(?<=[a-z0-9])([A-Z])/g)]
    .map((match) => match[1] ?? match[2] ?? '')
    .join('')
    .toLowerCase();
}
