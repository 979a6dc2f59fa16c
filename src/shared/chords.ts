/** One combination of keys, as read from `Mod+Shift+H`. `mod` is Ctrl, or the command key on an Apple keyboard. */
export interface Chord {
  readonly mod: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
  readonly key: string;
}

/** The members of a keyboard event that decide. */
export interface KeyPress {
  /** The character that the key writes on the user's layout, or its name. */
  readonly key: string;
  /** Its place on the keyboard. */
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** Keys that write a character, by their place on the keyboard. */
export const punctuation: Readonly<Record<string, string>> = {
  Backquote: '`',
  Backslash: '\\',
  BracketLeft: '[',
  BracketRight: ']',
  Comma: ',',
  Equal: '=',
  Minus: '-',
  Period: '.',
  Quote: "'",
  Semicolon: ';',
  Slash: '/',
};

/** Keys that a chord names as the browser does. */
const named =
  /^(?:F(?:[1-9]|1\d|2[0-4])|Arrow(?:Up|Down|Left|Right)|Backspace|Delete|End|Enter|Escape|Home|Insert|PageDown|PageUp)$/;

/** Reads a chord as the command list writes it. */
export function parseChord(text: string): Chord {
  const parts = text.split('+');
  const has = (name: string) => parts.includes(name);
  return { mod: has('Mod'), shift: has('Shift'), alt: has('Alt'), key: parts.at(-1) ?? '' };
}

/** Writes a chord as the command list does. */
function chordText({ mod, shift, alt, key }: Chord): string {
  return [...(mod ? ['Mod'] : []), ...(alt ? ['Alt'] : []), ...(shift ? ['Shift'] : []), key].join('+');
}

/** Returns whether a text is a chord that `matchesChord` can match. */
export function isChord(text: string): boolean {
  const { key, ...held } = parseChord(text);
  const isKey = /^[A-Z0-9]$/.test(key) || named.test(key) || Object.hasOwn(punctuation, key);
  return isKey && text.split('+').length === 1 + Object.values(held).filter(Boolean).length;
}

/**
 * Returns whether the keys that are down are exactly the chord, on any layout: by the character, or by the position of the key if
 * no chord uses that character.
 */
export function matchesChord(chord: Chord, press: KeyPress, apple: boolean): boolean {
  const { mod, other } = modifiers(press, apple);
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

function modifiers({ ctrlKey, metaKey }: KeyPress, apple: boolean): { mod: boolean; other: boolean } {
  return apple ? { mod: metaKey, other: ctrlKey } : { mod: ctrlKey, other: metaKey };
}

/** The chord that keys mean if they are pressed to choose one, or the reason why they cannot be one. Neither: only modifiers are down. */
export type PressedChord = { readonly chord: string } | { readonly refused: string } | null;

const editing: Readonly<Record<string, string>> = {
  A: 'selects all',
  C: 'copies',
  V: 'pastes',
  X: 'cuts',
  Y: 'redoes',
  Z: 'undoes',
};

/** Reads the keys that are pressed as the chord of a command. `altGraph`: the key that writes third characters is down. */
export function chordOf(press: KeyPress, { apple, altGraph }: { apple: boolean; altGraph: boolean }): PressedChord {
  if (/^(?:Alt|AltGraph|CapsLock|Control|Meta|OS|Shift)$/.test(press.key)) return null;
  const key = keyOf(press);
  if (key === null) return { refused: 'Croupier does not know this key. Choose a letter, a digit or a function key.' };
  const { mod, other } = modifiers(press, apple);
  if (other) return { refused: apple ? 'Use Command in place of Control.' : 'The system keeps this key for itself.' };
  if (altGraph) return { refused: 'AltGr writes characters. Use the Alt key on the left.' };
  const chord = { mod, alt: press.altKey, shift: press.shiftKey, key };
  const problem = reserved(chord, apple);
  return problem === null ? { chord: chordText(chord) } : { refused: problem };
}

/** Returns the name of a key in a chord; null for one that no chord has. */
function keyOf({ key, code }: KeyPress): string | null {
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  const place = /^(?:Key([A-Z])|Digit(\d))$/.exec(code);
  const atPlace = place?.[1] ?? place?.[2];
  const mark = Object.keys(punctuation).find((name) => punctuation[name] === key);
  if (mark !== undefined) return mark;
  if (atPlace !== undefined) return atPlace;
  if (Object.hasOwn(punctuation, code)) return code;
  return named.test(key) ? key : null;
}

/** Returns why a chord cannot be a command's: it writes or edits text, or the system or the desktop's menu has it. Null if it can. */
function reserved({ mod, alt, shift, key }: Chord, apple: boolean): string | null {
  const isFunction = /^F\d/.test(key);
  const main = apple ? 'Command' : 'Ctrl';
  if (!mod && !alt && !isFunction) return `${main} or Alt has to be held with it, or it must be a function key.`;
  if (mod && !alt && !shift && Object.hasOwn(editing, key)) return `${main} with ${key} ${editing[key] ?? ''} in text fields.`;
  if (mod && !alt && shift && key === 'Z') return `${main} with Shift and Z redoes in text fields.`;
  if (mod && !alt && ['0', 'Equal', 'Minus'].includes(key)) return `${main} with this key zooms.`;
  if (mod && !alt && !shift && key === 'Q') return `${main} with Q quits.`;
  if (mod && shift && !alt && key === 'I' && !apple) return 'Ctrl with Shift and I opens developer tools.';
  if (key === 'F11' && !mod && !alt && !shift) return 'F11 is full screen.';
  if (key === 'F4' && alt) return 'Alt with F4 closes the window.';
  return null;
}
