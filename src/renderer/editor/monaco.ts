/*
 * The only module that imports Monaco's code. Monaco keeps its themes, languages and key bindings for the whole page,
 * so they are set here, once, when this module is fetched; nothing imports it statically.
 */
import 'monaco-editor/features/register.all';
import { editor, KeyCode, KeyMod, languages, MarkerSeverity, Range, Uri } from 'monaco-editor/editor';
import { TokenizationRegistry } from 'monaco-editor/editor/common/languages';
import editorWorker from 'monaco-editor/editor/editor.worker?worker&url';
import 'monaco-editor/languages/features/json/jsonMode';
import { jsonDefaults } from 'monaco-editor/languages/features/json/register';
import { formatJson } from '#shared/json/format.ts';
import { minimalEdit } from './minimal-edit.ts';
import { registerSpecHelp } from './spec-help.ts';
import { packTokens } from './token-memory.ts';
import { shownTheme, themeFromTokens, themeKinds, themeNames, tokensOf } from './themes.ts';
import { startWorker } from './worker.ts';

Object.assign(globalThis, { MonacoEnvironment: { getWorker: () => startWorker(editorWorker) } });

// Monaco's JSON service parses with doubles and knows nothing of the spec: only its colours are kept.
jsonDefaults.setModeConfiguration({
  tokens: true,
  documentFormattingEdits: false,
  documentRangeFormattingEdits: false,
  completionItems: false,
  hovers: false,
  documentSymbols: false,
  colors: false,
  foldingRanges: false,
  diagnostics: false,
  selectionRanges: false,
});

languages.registerDocumentFormattingEditProvider('json', {
  provideDocumentFormattingEdits(model) {
    const text = model.getValue();
    const change = minimalEdit(text, formatJson(text));
    if (change === null) return [];
    const range = Range.fromPositions(model.getPositionAt(change.start), model.getPositionAt(change.end));
    return [{ range, text: change.text }];
  },
});

registerSpecHelp(languages);
packTokens(TokenizationRegistry, 'json');

// The workbench's own keys, which Monaco must not take.
editor.addKeybindingRules([
  { keybinding: KeyCode.F1, command: null },
  { keybinding: KeyMod.CtrlCmd | KeyCode.Enter, command: null },
  { keybinding: KeyMod.CtrlCmd | KeyMod.Shift | KeyCode.Enter, command: null },
]);

// Import eagerly: Monaco's lazy import fails silently.
await import('monaco-editor/languages/features/json/jsonMode');

const themeListeners = new Set<() => void>();

defineThemes();
let drawn = shownTheme(document);
new MutationObserver(followTheme).observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
matchMedia('(forced-colors: active)').addEventListener('change', followTheme);
// Monaco measures its characters once; the code font may arrive later.
document.fonts.addEventListener('loadingdone', () => editor.remeasureFonts());

/** Sets the theme only if it is another one: Monaco writes its whole style sheet again for each. */
function followTheme(): void {
  if (shownTheme(document) === drawn) return;
  drawn = shownTheme(document);
  editor.setTheme(drawn);
  for (const listener of themeListeners) listener();
}

/** Calls `listener` after each change of the theme. Returns the function that ends it. */
function onThemeChange(listener: () => void): () => void {
  themeListeners.add(listener);
  return () => {
    themeListeners.delete(listener);
  };
}

function defineThemes(): void {
  for (const kind of themeKinds) {
    editor.defineTheme(themeNames[kind], themeFromTokens(kind, tokensOf(kind, document)));
  }
  editor.setTheme(shownTheme(document));
}

export { editor, KeyCode, KeyMod, languages, MarkerSeverity, onThemeChange, Range, Uri };
