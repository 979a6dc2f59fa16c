import { createContext, use, useLayoutEffect } from 'react';
import type { editor } from 'monaco-editor/editor';
import { isApplePlatform } from '#renderer/ui/key-label.ts';
import { accessibilityOf } from './editor-options.ts';

/** True while editors write their text for a screen reader; it costs time with every change of a long text. */
export const ScreenReaderContext = createContext(false);

/** Facts that decide about an editor's keys. */
interface EditorKeys {
  /** Tab moves on, and nothing can be typed. */
  readonly readOnly: boolean;
  /** Some place of the text has a problem. */
  readonly problems?: boolean;
}

/** Returns the description of an editor for a screen reader: the keys that others do not know. */
export function editorDescription({ readOnly, problems = false }: EditorKeys, apple: boolean): string {
  const tab = readOnly ? 'Read-only. Tab moves on.' : `Tab indents; ${tabKeys(apple)} makes Tab move on.`;
  return problems ? `${tab} F8 goes to the next problem.` : tab;
}

/** Returns the keys that change what Tab does in an editor, as Monaco has them. */
export function tabKeys(apple: boolean): string {
  return apple ? 'Control+Shift+M' : 'Ctrl+M';
}

/**
 * Gives an editor its description, and its text to a screen reader while there is one. Create each editor for it, too: Monaco has
 * one choice for all editors, that of the newest.
 */
export function useScreenReader(view: editor.ICodeEditor | null, { readOnly, problems = false }: EditorKeys): void {
  const listens = use(ScreenReaderContext);
  useLayoutEffect(() => {
    if (view === null) return;
    const focused = view.hasTextFocus();
    view.updateOptions(accessibilityOf(listens));
    // Monaco makes the element that takes the keys again when the option changes.
    const element = view.getDomNode()?.querySelector<HTMLElement>('.native-edit-context, textarea.inputarea');
    // It fills the element when it gets the focus, and gave the focus on before it listened.
    if (focused) {
      element?.blur();
      view.focus();
    }
    element?.setAttribute('aria-description', editorDescription({ readOnly, problems }, isApplePlatform(navigator.platform)));
  }, [view, listens, readOnly, problems]);
}
