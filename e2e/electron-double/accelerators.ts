const apple = process.platform === 'darwin';
const modifiers: Readonly<Record<string, string>> = {
  command: 'meta',
  cmd: 'meta',
  control: 'control',
  ctrl: 'control',
  commandorcontrol: apple ? 'meta' : 'control',
  cmdorctrl: apple ? 'meta' : 'control',
  alt: 'alt',
  option: 'alt',
  altgr: 'altgr',
  shift: 'shift',
  super: 'meta',
  meta: 'meta',
};
const named =
  'Plus Space Tab Capslock Numlock Scrolllock Backspace Delete Insert Return Enter Up Down Left Right Home End PageUp PageDown Escape Esc PrintScreen';
const keys = new Set(named.toLowerCase().split(' '));

/** Returns a chord in one spelling; throws for one that Electron would ignore with a line in its log. */
export function readAccelerator(text: string): string {
  const parts = text.split('+');
  const key = parts.pop() ?? '';
  const held = parts.map((part) => modifiers[part.toLowerCase()]);
  const isKey = /^(?:[A-Z0-9]|F(?:[1-9]|1\d|2[0-4])|[^\w\s])$/i.test(key) || keys.has(key.toLowerCase());
  if (!isKey || held.includes(undefined)) throw new Error(`The electron double does not know the accelerator ${text}.`);
  return chordOf(
    held.filter((part) => part !== undefined),
    key,
  );
}

/** Returns the same spelling for a pressed key. */
export function chordOf(held: readonly string[], key: string): string {
  const name = key.toLowerCase();
  return [...held.toSorted(), name === 'return' ? 'enter' : name].join('+');
}
