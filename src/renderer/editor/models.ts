import type { editor } from 'monaco-editor/editor';
import type { Monaco } from './load.ts';
import { minimalEdit } from './minimal-edit.ts';

const SCHEME = 'croupier-request';
const viewStates = new WeakMap<editor.ITextModel, editor.ICodeEditorViewState | null>();

/** Returns the model of one open document, created on first use. It keeps its undo steps while the document is not shown. */
export function modelOf(monaco: Monaco, documentId: string, text: string): editor.ITextModel {
  const uri = monaco.Uri.from({ scheme: SCHEME, path: `/${documentId}.json` });
  return monaco.editor.getModel(uri) ?? monaco.editor.createModel(text, 'json', uri);
}

/** Drops the models of documents that are no longer open. */
export function keepModels(monaco: Monaco, documentIds: readonly string[]): void {
  const kept = new Set(documentIds.map((id) => `/${id}.json`));
  for (const model of monaco.editor.getModels()) {
    if (model.uri.scheme === SCHEME && !kept.has(model.uri.path)) model.dispose();
  }
}

/** Remembers scroll and cursor of a model while another one is shown. */
export function rememberView(model: editor.ITextModel, state: editor.ICodeEditorViewState | null): void {
  viewStates.set(model, state);
}

/** Returns the state that `rememberView` was last given; null for a model that was never shown. */
export function rememberedView(model: editor.ITextModel): editor.ICodeEditorViewState | null {
  return viewStates.get(model) ?? null;
}

/** Returns whether a text ends its lines in more than one way. An editor knows one way per text, so an edit makes them alike. */
export function hasMixedLineEnds(text: string): boolean {
  return text.includes('\r') && new Set(text.match(/\r\n|\r|\n/g)).size > 1;
}

/** Brings a model to a text by one replacement of the part that differs; `undoable` makes it a step that Ctrl+Z undoes. */
export function bringTo(monaco: Monaco, model: editor.ITextModel, text: string, undoable: boolean): void {
  const before = model.getValue();
  const change = minimalEdit(before, text);
  if (change === null || (hasMixedLineEnds(text) && withOneLineEnd(before) === withOneLineEnd(text))) return;
  const range = monaco.Range.fromPositions(model.getPositionAt(change.start), model.getPositionAt(change.end));
  const edit = { range, text: change.text, forceMoveMarkers: true };
  if (!undoable) model.applyEdits([edit]);
  else {
    model.pushStackElement();
    model.pushEditOperations(null, [edit], () => null);
    model.pushStackElement();
  }
}

function withOneLineEnd(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
