import { punctuation } from '#shared/chords.ts';

/** Returns whether a platform writes shortcuts with Apple's symbols. */
export function isApplePlatform(platform: string): boolean {
  return /mac|iphone|ipad/i.test(platform);
}

const appleNames: Readonly<Record<string, string>> = { Mod: '⌘', Ctrl: '⌃', Alt: '⌥', Shift: '⇧', Del: '⌘⌫' };
const otherNames: Readonly<Record<string, string>> = { Mod: 'Ctrl' };
const keyNames: Readonly<Record<string, string>> = {
  ...punctuation,
  Enter: '↵',
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
};

/** Returns the words of a chord such as `Mod+Shift+H`, one a key, as the platform writes them. */
function keyLabels(chord: string, apple: boolean): string[] {
  const names = apple ? appleNames : otherNames;
  return chord.split('+').map((key) => names[key] ?? keyNames[key] ?? key);
}

/** Returns a chord as one text: `Ctrl ↵`, or `⌘↵` on an Apple keyboard. */
export function keyText(chord: string, apple: boolean): string {
  return keyLabels(chord, apple).join(apple ? '' : ' ');
}

/** On an Apple keyboard, the key that is called Delete is Backspace. */
const spokenNames = (apple: boolean): Readonly<Record<string, string>> => ({ Del: apple ? 'Command+Delete' : 'Delete' });

/** Returns a chord in words, as a screen reader says it: the other writing has symbols. */
export function spokenKeys(chord: string, apple: boolean): string {
  const mod = apple ? 'Command' : 'Ctrl';
  return chord
    .split('+')
    .map((key) => (key === 'Mod' ? mod : (spokenNames(apple)[key] ?? key.replace('Arrow', ''))))
    .join('+');
}

/** Returns a chord as `aria-keyshortcuts` has it: `Control+Shift+/`. */
export function ariaKeys(chord: string, apple: boolean): string {
  const mod = apple ? 'Meta' : 'Control';
  const names: Readonly<Record<string, string>> = { ...punctuation, Mod: mod, Del: apple ? 'Meta+Backspace' : 'Delete' };
  return chord
    .split('+')
    .map((key) => names[key] ?? key)
    .join('+');
}
