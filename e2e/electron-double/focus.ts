/** A page, as far as the keyboard goes. */
export interface Focusable {
  emit(name: 'focus' | 'blur'): boolean;
}

let focused: Focusable | null = null;

/** Gives the keyboard to a page, or to none of ours. */
export function giveFocus(contents: Focusable | null): void {
  if (focused === contents) return;
  const before = focused;
  focused = contents;
  before?.emit('blur');
  contents?.emit('focus');
}

/** Returns the page that has the keyboard; null if none of ours has. */
export function focusedContents(): Focusable | null {
  return focused;
}

/** Returns whether a page has the keyboard. */
export function hasFocus(contents: Focusable): boolean {
  return focused === contents;
}
