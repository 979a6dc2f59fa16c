import type { editor } from 'monaco-editor/editor';

/** The scroll bars of every editor. */
export const scrollbar = { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false };

/**
 * Returns the options that all editors of the workbench share. Sticky scroll is off because its outline blocks the page for a
 * second on a 5 MB response; hints, lenses and the minimap are off because nothing here uses them. `listens`: for a screen reader.
 */
export function editorOptions(listens: boolean): editor.IStandaloneEditorConstructionOptions {
  return {
    model: null,
    automaticLayout: true,
    stickyScroll: { enabled: false },
    minimap: { enabled: false },
    fontFamily: 'var(--font-code)',
    fontSize: 12,
    lineHeight: 20,
    fontLigatures: false,
    scrollBeyondLastLine: false,
    renderLineHighlight: 'none',
    overviewRulerLanes: 0,
    hideCursorInOverviewRuler: true,
    overviewRulerBorder: false,
    codeLens: false,
    links: false,
    colorDecorators: false,
    occurrencesHighlight: 'off',
    selectionHighlight: false,
    wordBasedSuggestions: 'off',
    bracketPairColorization: { enabled: false },
    guides: { indentation: true, bracketPairs: false },
    // Labels of this page show what is hidden; this option frames only some of it.
    unicodeHighlight: { ambiguousCharacters: false, invisibleCharacters: false, nonBasicASCII: false },
    // A character that reorders others never reaches the page: the editor draws `[U+202E]` in its place, even without a label.
    renderControlCharacters: true,
    unusualLineTerminators: 'off',
    fixedOverflowWidgets: true,
    autoDetectHighContrast: false,
    scrollbar,
    padding: { top: 8, bottom: 8 },
    smoothScrolling: false,
    contextmenu: true,
    // A copy is the text alone: colours would come along into tickets and mails.
    copyWithSyntaxHighlighting: false,
    folding: true,
    showFoldingControls: 'mouseover',
    lineDecorationsWidth: 6,
    lineNumbersMinChars: 3,
    glyphMargin: false,
    maxTokenizationLineLength: 200_000,
    tabSize: 2,
    insertSpaces: true,
    detectIndentation: false,
    ...accessibilityOf(listens),
  };
}

/**
 * Returns the option that decides whether an editor writes its text for a screen reader. Nothing tells Monaco of one by itself: on
 * `auto` it never writes a text.
 */
export function accessibilityOf(listens: boolean): Pick<editor.IEditorOptions, 'accessibilitySupport'> {
  return { accessibilitySupport: listens ? 'on' : 'auto' };
}
