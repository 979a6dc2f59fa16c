import type { KeyPress } from '#shared/chords.ts';

/**
 * Keeps the keys of an input method from the page: Enter takes a candidate and Escape drops it, and nothing else may happen by them. To be
 * called before anything listens to keys, so that no field, menu, dialog or package has to know. The method itself hears them before the
 * page does. Monaco needs them, and keeps them for itself.
 */
export function keepComposition(page: Window): void {
  page.addEventListener(
    'keydown',
    (event) => {
      if (isComposed(event) && !(event.target as Element).matches('.monaco-editor .inputarea')) event.stopImmediatePropagation();
    },
    { capture: true },
  );
}

/** Returns whether an input method took the key. 229 is what a browser calls such a key, also the one that begins a composition. */
export function isComposed(event: KeyboardEvent): boolean {
  return event.isComposing || pressOf(event).keyCode === 229;
}

/** Returns the members of a keyboard event that decide what a chord is. */
export function pressOf(
  event: KeyPress & { readonly keyCode: number; readonly getModifierState: (key: 'AltGraph') => boolean },
): KeyPress & { readonly keyCode: number } {
  const { key, code, keyCode, ctrlKey, metaKey, shiftKey, altKey } = event;
  return { key, code, keyCode, ctrlKey, metaKey, shiftKey, altKey, altGraph: event.getModifierState('AltGraph') };
}
