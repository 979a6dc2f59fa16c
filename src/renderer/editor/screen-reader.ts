import { createContext, use, useLayoutEffect } from 'react';
import type { editor } from 'monaco-editor/editor';
import { useKeys } from '#renderer/ui/command-keys.ts';
import { isApplePlatform, spokenKeys } from '#renderer/ui/key-label.ts';
import { accessibilityOf } from './editor-options.ts';

/** True while editors write their text for a screen reader; it costs time with every change of a long text. */
export const ScreenReaderContext = createContext(false);

/** Facts that decide about an editor's keys. */
interface EditorKeys {
  /** Tab moves on, and nothing can be typed. */
  readonly readOnly: boolean;
  /** Some place of the text has a problem. */
  readonly problems?: boolean;
  /** The keys, as they are spoken, that open the text in a plain field; undefined where the editor itself gives it, or without keys. */
  readonly plainText?: string | undefined;
}

/** Returns the description of an editor for a screen reader: the keys that others do not know. */
export function editorDescription({ readOnly, problems = false, plainText }: EditorKeys, apple: boolean): string {
  const tab = readOnly ? 'Read-only. Tab moves on.' : `Tab indents; ${tabKeys(apple)} makes Tab move on.`;
  const problem = problems ? ' F8 goes to the next problem.' : '';
  return `${tab}${problem}${plainText === undefined ? '' : ` ${plainText} opens the text in a plain field.`}`;
}

/** Returns the keys that change what Tab does in an editor, as Monaco has them. */
export function tabKeys(apple: boolean): string {
  return apple ? 'Control+Shift+M' : 'Ctrl+M';
}

/**
 * Gives an editor its description, and its text to a screen reader while there is one. Create each editor for it, too: Monaco has
 * one choice for all editors, that of the newest.
 */
export function useScreenReader(
  view: editor.ICodeEditor | null,
  { readOnly, problems = false }: Omit<EditorKeys, 'plainText'>,
): void {
  const listens = use(ScreenReaderContext);
  const chord = useKeys({ command: 'plainText' });
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
    const apple = isApplePlatform(navigator.platform);
    const plainText = listens || chord === undefined ? undefined : spokenKeys(chord, apple);
    element?.setAttribute('aria-description', editorDescription({ readOnly, problems, plainText }, apple));
  }, [view, listens, chord, readOnly, problems]);
}
