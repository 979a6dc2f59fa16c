/** One combination of keys, as read from `Mod+Shift+H`. `mod` is Ctrl, or the command key on an Apple keyboard. */
export interface Chord {
  readonly mod: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
  readonly key: string;
}

/** The members of a keyboard event that decide. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

const punctuation: Readonly<Record<string, string>> = { Period: '.', Comma: ',', Slash: '/' };

/** Reads a chord as the command list writes it. */
export function parseChord(text: string): Chord {
  const parts = text.split('+');
  const has = (name: string) => parts.includes(name);
  return { mod: has('Mod'), shift: has('Shift'), alt: has('Alt'), key: parts.at(-1) ?? '' };
}

/**
 * Returns whether the keys that are down are exactly the chord, on any layout: by the character, or by the position of the key if
 * no chord uses that character.
 */
export function matchesChord(chord: Chord, press: KeyPress, apple: boolean): boolean {
  const mod = apple ? press.metaKey : press.ctrlKey;
  const other = apple ? press.ctrlKey : press.metaKey;
  if (mod !== chord.mod || other || press.altKey !== chord.alt || press.shiftKey !== chord.shift) return false;
  if (/^[A-Z]$/.test(chord.key)) {
    if (/^[a-z]$/i.test(press.key)) return press.key.toUpperCase() === chord.key;
    return press.code === `Key${chord.key}`;
  }
  if (/^\d$/.test(chord.key)) return press.key === chord.key || press.code === `Digit${chord.key}`;
  const character = punctuation[chord.key];
  if (character !== undefined) return press.key === character || press.code === chord.key;
  return press.key === chord.key;
}
