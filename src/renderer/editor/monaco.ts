/*
 * The only module that imports Monaco's code. Monaco keeps its themes, languages and key bindings for the whole page,
 * so they are set here, once, when this module is fetched; nothing imports it statically.
 */
import 'monaco-editor/features/anchorSelect/register';
import 'monaco-editor/features/bracketMatching/register';
import 'monaco-editor/features/caretOperations/register';
import 'monaco-editor/features/clipboard/register';
import 'monaco-editor/features/codicon/register';
import 'monaco-editor/features/comment/register';
import 'monaco-editor/features/contextmenu/register';
import 'monaco-editor/features/cursorUndo/register';
import 'monaco-editor/features/diffEditor/register';
import 'monaco-editor/features/dnd/register';
import 'monaco-editor/features/dropOrPasteInto/register';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/folding/register';
import 'monaco-editor/features/format/register';
import 'monaco-editor/features/gotoError/register';
import 'monaco-editor/features/gotoLine/register';
import 'monaco-editor/features/hover/register';
import 'monaco-editor/features/indentation/register';
import 'monaco-editor/features/insertFinalNewLine/register';
import 'monaco-editor/features/lineSelection/register';
import 'monaco-editor/features/linesOperations/register';
import 'monaco-editor/features/longLinesHelper/register';
import 'monaco-editor/features/middleScroll/register';
import 'monaco-editor/features/multicursor/register';
import 'monaco-editor/features/quickCommand/register';
import 'monaco-editor/features/readOnlyMessage/register';
import 'monaco-editor/features/smartSelect/register';
import 'monaco-editor/features/toggleTabFocusMode/register';
import 'monaco-editor/features/wordOperations/register';
import 'monaco-editor/features/wordPartOperations/register';
// Of the completions, `features/suggest` is only the part that draws them as ghosts.
import 'monaco-editor/editor/contrib/caretOperations/browser/caretOperations';
import 'monaco-editor/editor/contrib/suggest/browser/suggestController';
import { editor, KeyCode, KeyMod, languages, MarkerSeverity, Range, Uri } from 'monaco-editor/editor';
import { TokenizationRegistry } from 'monaco-editor/editor/common/languages';
import editorWorker from 'monaco-editor/editor/editor.worker?worker&url';
import { createTokenizationSupport } from 'monaco-editor/languages/features/json/tokenization';
import { formatJson } from '#shared/json/format.ts';
import { minimalEdit } from './minimal-edit.ts';
import { registerSpecHelp } from './spec-help.ts';
import { packTokens } from './token-memory.ts';
import { shownTheme, themeFromTokens, themeKinds, themeNames, tokensOf } from './themes.ts';
import { startWorker } from './worker.ts';

Object.assign(globalThis, { MonacoEnvironment: { getWorker: () => startWorker(editorWorker) } });

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
// Only the colours of Monaco's JSON: its service parses with doubles, knows nothing of the spec, and brings every feature of Monaco.
languages.register({ id: 'json' });
languages.setTokensProvider('json', createTokenizationSupport(true));
languages.setLanguageConfiguration('json', {
  wordPattern: /(-?\d*\.\d\w*)|([^[{\]}:",\s]+)/g,
  comments: { lineComment: '//', blockComment: ['/*', '*/'] },
  brackets: [
    ['{', '}'],
    ['[', ']'],
  ],
  autoClosingPairs: [
    { open: '{', close: '}', notIn: ['string'] },
    { open: '[', close: ']', notIn: ['string'] },
    { open: '"', close: '"', notIn: ['string'] },
  ],
});

// The workbench's own keys, which Monaco must not take.
editor.addKeybindingRules([
  { keybinding: KeyCode.F1, command: null },
  { keybinding: KeyMod.CtrlCmd | KeyCode.Enter, command: null },
  { keybinding: KeyMod.CtrlCmd | KeyMod.Shift | KeyCode.Enter, command: null },
]);

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
