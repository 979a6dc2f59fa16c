/** Returns whether a platform writes shortcuts with Apple's symbols. */
export function isApplePlatform(platform: string): boolean {
  return /mac|iphone|ipad/i.test(platform);
}

const appleNames: Readonly<Record<string, string>> = { Mod: '⌘', Ctrl: '⌃', Alt: '⌥', Shift: '⇧' };
const otherNames: Readonly<Record<string, string>> = { Mod: 'Ctrl' };
const keyNames: Readonly<Record<string, string>> = {
  Enter: '↵',
  Escape: 'Esc',
  Period: '.',
  Comma: ',',
  Slash: '/',
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
