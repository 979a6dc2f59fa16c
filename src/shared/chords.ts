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
  /** Number that the system has for the key on the layout: of a Latin letter also where it writes another character. Electron has none. */
  readonly keyCode?: number;
  /** True while AltGr is held, which writes the third characters of keys. */
  readonly altGraph?: boolean;
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

/** Characters of these keys with Shift, on the keyboard that names them. */
const shifted: Readonly<Record<string, string>> = {
  Backquote: '~',
  Backslash: '|',
  BracketLeft: '{',
  BracketRight: '}',
  Comma: '<',
  Equal: '+',
  Minus: '_',
  Period: '>',
  Quote: '"',
  Semicolon: ':',
  Slash: '?',
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
 * Returns whether the keys that are down are exactly the chord. A letter is the one printed on the key, on a layout without Latin
 * letters the one at its place; a digit goes by its place, and a punctuation mark by its character.
 */
export function matchesChord(chord: Chord, press: KeyPress, apple: boolean): boolean {
  const { mod, other } = modifiers(press, apple);
  if (mod !== chord.mod || other || press.altKey !== chord.alt || press.shiftKey !== chord.shift) return false;
  if (/^[A-Z]$/.test(chord.key)) return letterOf(press, apple) === chord.key;
  if (/^\d$/.test(chord.key)) return press.key === chord.key || press.code === `Digit${chord.key}`;
  return Object.hasOwn(punctuation, chord.key) ? isMark(chord.key, press) : press.key === chord.key;
}

/** Returns whether a key acts alone on what has the focus, as `P` on a call. */
export function isSingleKey(key: string): boolean {
  return /^(?:[A-Z]|Del(?:ete)?|Backspace)$/.test(key);
}

/** Returns whether keys remove what has the focus: Delete alone, or Command and the key above Enter, as on an Apple keyboard without Delete. */
export function removes({ key, altKey, ctrlKey, metaKey }: Pick<KeyPress, 'key' | 'altKey' | 'ctrlKey' | 'metaKey'>): boolean {
  return !altKey && !ctrlKey && key === (metaKey ? 'Backspace' : 'Delete');
}

/** Returns the Latin letter that a pressed key stands for; null if none. */
export function letterOf({ key, code, keyCode, altKey }: KeyPress, apple: boolean): string | null {
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  // Also with Option, which writes another character, and for the marks that Hebrew and Greek have in the place of letters.
  if (keyCode !== undefined && keyCode >= 65 && keyCode <= 90) return String.fromCharCode(keyCode);
  return isForeign(key) || (apple && altKey) ? (/^Key([A-Z])$/.exec(code)?.[1] ?? null) : null;
}

/** Returns whether a key writes a letter of another script: then its layout has no Latin ones. */
function isForeign(key: string): boolean {
  return /^[\p{L}\p{M}]$/u.test(key) && !/[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(key);
}

function isMark(name: string, { key, code, shiftKey }: KeyPress): boolean {
  return key === punctuation[name] || (shiftKey && key === shifted[name]) || (code === name && isForeign(key));
}

/**
 * Returns whether the keys write a character in a text field: with Option on an Apple keyboard, with AltGr elsewhere, which some systems
 * take for Ctrl with Alt.
 */
export function writesCharacter(press: KeyPress, apple: boolean): boolean {
  const { key, altGraph = false, altKey, ctrlKey, metaKey } = press;
  if (key !== 'Dead' && Array.from(key).length !== 1) return false;
  if (apple) return altKey && !ctrlKey && !metaKey;
  return altGraph || (altKey && ctrlKey && !/^[a-z\d]$/i.test(key) && !isForeign(key));
}

/** Returns whether the keys of a chord write a character on some layout, so that a menu must not take them from text fields. */
export function mayWrite({ mod, alt, key }: Chord, apple: boolean): boolean {
  return alt && mod !== apple && !named.test(key);
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

/** Reads the keys that are pressed as the chord of a command. */
export function chordOf(press: KeyPress, apple: boolean): PressedChord {
  if (/^(?:Alt|AltGraph|CapsLock|Control|Meta|OS|Shift)$/.test(press.key)) return null;
  const key = keyOf(press, apple);
  if (key === null) return { refused: "Croupier can't use this key. Choose a letter, a digit or a function key." };
  const { mod, other } = modifiers(press, apple);
  if (other) return { refused: apple ? 'Use Command instead of Control.' : 'The system reserves this key.' };
  if (press.altGraph === true) return { refused: 'AltGr types characters. Use the left Alt key.' };
  const chord = { mod, alt: press.altKey, shift: press.shiftKey, key };
  const problem = reserved(chord, apple);
  return problem === null ? { chord: chordText(chord) } : { refused: problem };
}

/** Returns the name of a key in a chord; null for one that no chord has. */
function keyOf(press: KeyPress, apple: boolean): string | null {
  const { key, code, shiftKey } = press;
  const letter = letterOf(press, apple);
  if (letter !== null) return letter;
  const digit = /^\d$/.exec(key)?.[0] ?? /^Digit(\d)$/.exec(code)?.[1] ?? null;
  const mark = Object.keys(punctuation).find((name) => isMark(name, press)) ?? null;
  // With Shift, a key of the row of digits may have a mark, as German's / on the 7.
  const first = shiftKey ? (mark ?? digit) : (digit ?? mark);
  return first ?? (named.test(key) ? key : null);
}

/** Returns why a chord cannot be a command's: it writes or edits text, or the system or the desktop's menu has it. Null if it can. */
function reserved({ mod, alt, shift, key }: Chord, apple: boolean): string | null {
  const isFunction = /^F\d/.test(key);
  const main = apple ? 'Command' : 'Ctrl';
  if (!mod && !alt && !isFunction) return `Hold ${main} or Alt with it, or choose a function key.`;
  if (mod && !alt && !shift && Object.hasOwn(editing, key)) return `${main}+${key} ${editing[key] ?? ''} in text fields.`;
  if (mod && !alt && shift && key === 'Z') return `${main}+Shift+Z redoes in text fields.`;
  if (mod && !alt && ['0', 'Equal', 'Minus'].includes(key)) return `${main} with this key zooms.`;
  if (mod && !alt && !shift && key === 'Q') return `${main}+Q quits Croupier.`;
  if (mod && shift && !alt && key === 'I' && !apple) return 'Ctrl+Shift+I opens developer tools.';
  if (key === 'F11' && !mod && !alt && !shift) return 'F11 toggles full screen.';
  if (key === 'F4' && alt) return 'Alt+F4 closes the window.';
  return null;
}
