import type { editor, IPosition, Uri } from 'monaco-editor/editor';
import { hiddenPlaces, onHiddenTokens } from '#renderer/ui/hidden-tokens.ts';
import type { Monaco } from './load.ts';
import { minimalEdit } from './minimal-edit.ts';

const SCHEME = 'croupier-request';
const viewStates = new WeakMap<editor.ITextModel, editor.ICodeEditorViewState | null>();

/** Texts that a model was given and cannot hold, because it ends all its lines alike. */
interface Given {
  /** Texts by what the model made of them. */
  readonly texts: Map<string, string>;
  /** True if the last one was such a text. */
  last: boolean;
}

const given = new WeakMap<editor.ITextModel, Given>();

/** Returns the model of one open document, created on first use. It keeps its undo steps while the document is not shown. */
export function modelOf(monaco: Monaco, documentId: string, text: string): editor.ITextModel {
  const uri = monaco.Uri.from({ scheme: SCHEME, path: `/${documentId}.json` });
  const known = monaco.editor.getModel(uri);
  if (known !== null) return known;
  const made = createModel(monaco, text, 'json', uri);
  remember(made, text);
  return made;
}

/** Creates a model of exactly this text, but for line ends of several kinds. */
export function createModel(monaco: Monaco, text: string, language: string, uri?: Uri): editor.ITextModel {
  const model = monaco.editor.createModel(text, language, uri);
  insertMark(monaco, model, text);
  // What is typed is the same on every system.
  if (!/[\r\n]/.test(text)) model.setEOL(monaco.editor.EndOfLineSequence.LF);
  hideTokensIn(monaco, model);
  return model;
}

/** Hides the tokens of a model while those of the page are hidden, in every editor that shows it. */
function hideTokensIn(monaco: Monaco, model: editor.ITextModel): void {
  let ids: string[] = [];
  const draw = () => {
    const places = hiddenPlaces(model.getValue());
    if (places.length === 0 && ids.length === 0) return;
    const marks = places.map(({ start, end }) => ({
      range: monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end)),
      options: { inlineClassName: 'hidden-token', stickiness: monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges },
    }));
    ids = model.deltaDecorations(ids, marks);
  };
  const stop = onHiddenTokens(draw);
  model.onDidChangeContent(draw);
  model.onWillDispose(stop);
  draw();
}

/** Gives a model another text, which cannot be undone. */
export function setText(monaco: Monaco, model: editor.ITextModel, text: string): void {
  model.setValue(text);
  insertMark(monaco, model, text);
}

/** Inserts the byte order mark of a text: Monaco drops it from a whole text, but takes one that is inserted. */
function insertMark(monaco: Monaco, model: editor.ITextModel, text: string): void {
  if (text.startsWith(orderMark)) model.applyEdits([{ range: new monaco.Range(1, 1, 1, 1), text: orderMark }]);
}

const orderMark = '\ufeff';

function remember(model: editor.ITextModel, text: string): void {
  const value = model.getValue();
  const known = given.get(model);
  if (value === text && known === undefined) return;
  const { texts } = known ?? { texts: new Map<string, string>() };
  if (value === text) texts.delete(value);
  else texts.set(value, text);
  given.set(model, { texts, last: value !== text });
}

/** Returns the text of a model; where it holds the lines that it was given, with the ends that they had. */
export function textOf(model: editor.ITextModel): string {
  const value = model.getValue();
  return given.get(model)?.texts.get(value) ?? value;
}

/** Returns where an offset of the text is in its model, which may count other line ends. */
export function positionOf(model: editor.ITextModel, offset: number): IPosition {
  const text = given.get(model)?.texts.get(model.getValue());
  return model.getPositionAt(text === undefined ? offset : endedAlike(text.slice(0, offset), model).length);
}

function endedAlike(text: string, model: editor.ITextModel): string {
  return text.replaceAll(/\r\n|\r|\n/g, model.getEOL());
}

/** Says what becomes, or became, of line ends that the model of a text cannot hold; null if it holds them. */
export function lineEndsNote(model: editor.ITextModel, text: string): string | null {
  if (given.get(model)?.last !== true) return null;
  const end = model.getEOL() === '\n' ? 'LF' : 'CR LF';
  return given.get(model)?.texts.get(model.getValue()) === text
    ? `Your next edit changes all line endings to ${end}.`
    : `Your edit changed all line endings to ${end}. Undo restores them.`;
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

/** Returns the ways in which the lines of a text end. */
export function lineEndsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/\r\n|\r|\n/g));
}

/** Brings a model to a text by one replacement of the part that differs, which Ctrl+Z undoes in one step. */
export function bringTo(monaco: Monaco, model: editor.ITextModel, text: string): void {
  if (textOf(model) === text) return;
  const [end, ...others] = lineEndsOf(text);
  const { LF, CRLF } = monaco.editor.EndOfLineSequence;
  model.pushStackElement();
  if (others.length === 0 && (end === '\n' || end === '\r\n')) model.pushEOL(end === '\n' ? LF : CRLF);
  const change = minimalEdit(model.getValue(), endedAlike(text, model));
  if (change !== null) {
    const range = monaco.Range.fromPositions(model.getPositionAt(change.start), model.getPositionAt(change.end));
    model.pushEditOperations(null, [{ range, text: change.text, forceMoveMarkers: true }], () => null);
  }
  model.pushStackElement();
  remember(model, text);
}
