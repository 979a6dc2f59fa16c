/** The characters that only order others, by the abbreviation that Unicode gives each. */
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
const controls = new RegExp(control, 'g');

/** Letters that are read from right to left, and halves of such letters beyond U+FFFF. */
const letter = '\\u0590-\\u061b\\u061d-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\ud802\\ud803\\ud83a\\ud83b';
const reordering = new RegExp(`${control.source}|[${letter}]`);
/** A control, or everything from one letter read from right to left to the last one before other letters, digits or a control. */
const parts = new RegExp(
  `(${control.source})|[${letter}](?:[^A-Za-z0-9\\u00c0-\\u058f${control.source.slice(1, -1)}]*[${letter}\\udc00-\\udfff])?`,
  'g',
);

/** A part of a text: as it is read from left to right, letters read from right to left, or one control with its abbreviation. */
export type BidiPart =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'rightToLeft'; readonly text: string }
  | { readonly kind: 'control'; readonly text: string; readonly name: string };

/** Whether a text could change the order of what stands around it, or is not shown in the order of its characters. */
export function canReorder(text: string): boolean {
  return reordering.test(text);
}

/** The abbreviation of a bidirectional control, such as `RLO` for U+202E; null for any other character. */
export function bidiName(character: string): string | null {
  return names[character] ?? null;
}

/** Divides a text so that each part can be isolated from the others; joined, the parts are the text. */
export function bidiParts(text: string): BidiPart[] {
  const found: BidiPart[] = [];
  let at = 0;
  for (const match of text.matchAll(parts)) {
    if (match.index > at) found.push({ kind: 'plain', text: text.slice(at, match.index) });
    const [part] = match;
    const name = bidiName(part);
    found.push(name === null ? { kind: 'rightToLeft', text: part } : { kind: 'control', text: part, name });
    at = match.index + part.length;
  }
  if (at < text.length) found.push({ kind: 'plain', text: text.slice(at) });
  return found;
}

/** The abbreviations of the bidirectional controls in a text, each once, in their order. */
export function bidiControlsIn(text: string): string[] {
  return control.test(text) ? [...new Set(Array.from(text.matchAll(controls), ([character]) => names[character] ?? ''))] : [];
}

/** Writes the abbreviation of each bidirectional control in its place, as in `user[RLO]nimda`, for where a text cannot be divided. */
export function withNamedControls(text: string): string {
  return control.test(text) ? text.replace(controls, (character) => `[${names[character] ?? ''}]`) : text;
}
