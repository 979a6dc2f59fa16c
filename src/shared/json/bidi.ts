/** Bidirectional controls with Unicode's abbreviations. */
const names: Readonly<Record<string, string>> = {
  '\u061c': 'ALM',
  '\u200e': 'LRM',
  '\u200f': 'RLM',
  '\u202a': 'LRE',
  '\u202b': 'RLE',
  '\u202c': 'PDF',
  '\u202d': 'LRO',
  '\u202e': 'RLO',
  '\u2066': 'LRI',
  '\u2067': 'RLI',
  '\u2068': 'FSI',
  '\u2069': 'PDI',
};

const control = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** The twelve controls, for use inside a character class. */
export const bidiControls = control.source.slice(1, -1);

/** Returns the abbreviation of a bidirectional control, such as `RLO` for U+202E; null for any other character. */
export function bidiName(character: string): string | null {
  return names[character] ?? null;
}

/** Returns the abbreviations of the bidirectional controls in a text, each once, in their order. */
export function bidiControlsIn(text: string): string[] {
  if (!control.test(text)) return [];
  // A text may hold millions of them, so each kind is searched for once.
  const found = Object.entries(names).map(([character, name]) => ({ name, at: text.indexOf(character) }));
  return found
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at)
    .map(({ name }) => name);
}
