import { use, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import type { editor } from 'monaco-editor/editor';
import type { Finding } from '#shared/model/finding.ts';
import { parseJson } from '#shared/json/parse.ts';
import { withStandIns } from '#shared/payload-text/placeholders.ts';
import { isApplePlatform } from '#renderer/ui/key-label.ts';
import { editorOptions } from './editor-options.ts';
import { fitComment, lineComments, type LineComment } from './line-comments.ts';
import { useMonaco, type Monaco } from './load.ts';
import { bringTo, lineEndsNote, modelOf, positionOf, rememberedView, rememberView, textOf } from './models.ts';
import { drawLines, hiddenCharacterMarks } from './hidden-characters.ts';
import { attachHover } from './hover.ts';
import { offerPlainText } from './plain-texts.ts';
import { useRestingCursor } from './resting-cursor.ts';
import { ScreenReaderContext, tabKeys, useScreenReader } from './screen-reader.ts';
import { explainPlace, setSpecHelp, type SpecHelp } from './spec-help.ts';
import styles from './editor.module.css';

interface JsonEditorProps {
  /** Names the model, which keeps its undo steps and its cursor while another document is shown. */
  readonly documentId: string;
  readonly label: string;
  readonly text: string;
  /** Called at every change made in the editor. */
  readonly onChange: (text: string) => void;
  readonly help: SpecHelp;
  /** Findings with offsets become markers. */
  readonly findings: readonly Finding[];
  /** True if the spec's comments stand at the ends of the lines. */
  readonly comments: boolean;
  readonly placeholder?: ReactNode;
}

/** Number of characters above which the comments at the ends of lines would cost more than they show. */
const MAX_COMMENTED = 200_000;
/** Number of spaces between a line and its comment. */
const GAP = 3;

/** A Monaco editor over one JSON text. The model holds what was typed, and every change is reported at once. */
export function JsonEditor(props: JsonEditorProps) {
  const { monaco, failed } = useMonaco();
  if (monaco !== null) return <LoadedEditor {...props} monaco={monaco} />;
  if (!failed) return <div className={styles.frame}>{props.placeholder}</div>;
  return (
    <textarea
      className={styles.fallback}
      aria-label={props.label}
      value={props.text}
      spellCheck={false}
      onChange={(event) => props.onChange(event.target.value)}
    />
  );
}

function LoadedEditor(props: JsonEditorProps & { readonly monaco: Monaco }) {
  const { monaco, documentId, label, text, onChange, help, findings, comments } = props;
  const host = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<editor.IStandaloneCodeEditor | null>(null);
  const [model, setModel] = useState<editor.ITextModel | null>(null);
  const listensFirst = useRef(use(ScreenReaderContext));
  const [focused, setFocused] = useState(false);
  const latest = useRef({ text, onChange, help });
  /** True while a text from outside replaces the model's, which is not typing. */
  const outside = useRef(false);
  /** The text last given to `onChange`: it comes back as a prop and need not be compared with the model. */
  const told = useRef<string | null>(null);
  useLayoutEffect(() => {
    latest.current = { text, onChange, help };
  });

  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const created = monaco.editor.create(element, {
      ...editorOptions(listensFirst.current),
      wordWrap: 'on',
      wrappingIndent: 'indent',
      quickSuggestions: { strings: true, other: true, comments: false },
      suggest: { showWords: false, showStatusBar: false },
      formatOnPaste: false,
      trimAutoWhitespace: false,
      autoClosingBrackets: 'languageDefined',
    });
    created.onDidFocusEditorText(() => setFocused(true));
    created.onDidBlurEditorText(() => setFocused(false));
    const hover = attachHover(monaco, created, (shown, at) => explainPlace(shown, at, latest.current.help), {
      card: styles.specCard ?? '',
      title: styles.specTitle ?? '',
    });
    setView(created);
    return () => {
      hover.dispose();
      const shown = created.getModel();
      if (shown !== null) rememberView(shown, created.saveViewState());
      created.dispose();
    };
  }, [monaco]);

  useLayoutEffect(() => {
    if (view === null) return undefined;
    told.current = null;
    const shown = modelOf(monaco, documentId, latest.current.text);
    // The form may have written while the model was not shown.
    bringTo(monaco, shown, latest.current.text);
    view.setModel(shown);
    view.restoreViewState(rememberedView(shown));
    setModel(shown);
    const listening = shown.onDidChangeContent(() => {
      if (outside.current) return;
      told.current = textOf(shown);
      latest.current.onChange(told.current);
    });
    return () => {
      listening.dispose();
      if (!shown.isDisposed() && view.getModel() === shown) rememberView(shown, view.saveViewState());
    };
  }, [monaco, view, documentId]);

  useLayoutEffect(() => {
    if (model === null || model.isDisposed() || model !== view?.getModel()) return;
    if (told.current === text) return;
    told.current = null;
    outside.current = true;
    bringTo(monaco, model, text);
    outside.current = false;
  }, [monaco, view, model, text]);

  useEffect(() => view?.updateOptions({ ariaLabel: label }), [view, label]);
  useRestingCursor(view);
  useScreenReader(view, { readOnly: false, problems: findings.some(({ start }) => start !== undefined) });
  useEffect(() => {
    const element = host.current;
    return element === null ? undefined : offerPlainText(element, () => ({ title: label, text: latest.current.text }));
  }, [label]);
  useEffect(() => {
    if (model !== null) setSpecHelp(model, help);
  }, [model, help]);

  useEffect(() => {
    if (model === null || model.isDisposed()) return;
    const markers = findings.flatMap((finding) => marker(monaco, model, finding));
    monaco.editor.setModelMarkers(model, 'croupier', markers);
  }, [monaco, model, findings]);

  useEffect(() => {
    if (view === null || model === null) return undefined;
    const collection = view.createDecorationsCollection();
    const draw = () => {
      if (model.isDisposed() || view.getModel() !== model) return;
      const labels = hiddenCharacterMarks(monaco, model);
      drawLines(monaco, view, labels.length);
      collection.set(labels);
    };
    draw();
    const listening = model.onDidChangeContent(draw);
    return () => {
      listening.dispose();
      collection.clear();
    };
  }, [monaco, view, model]);

  useEffect(() => {
    if (view === null || model === null || !comments) return undefined;
    const collection = view.createDecorationsCollection();
    const draw = () => {
      if (model.isDisposed() || view.getModel() !== model) return;
      const value = model.getValueLength() > MAX_COMMENTED ? '' : model.getValue();
      const parsed = parseJson(withStandIns(value));
      if (parsed.ok) collection.set(lineComments(parsed.root, value, help).flatMap((one) => atLineEnd(monaco, view, model, one)));
      // An unfinished text keeps the comments of the last finished one, unless lines were joined.
      else if (sharesLine(collection)) collection.clear();
    };
    draw();
    let timer = 0;
    const listening = model.onDidChangeContent(() => {
      clearTimeout(timer);
      timer = window.setTimeout(draw, 120);
    });
    const resizing = view.onDidLayoutChange(draw);
    return () => {
      clearTimeout(timer);
      listening.dispose();
      resizing.dispose();
      collection.clear();
    };
  }, [monaco, view, model, comments, help]);

  const lineEnds = model === null || model.isDisposed() ? null : lineEndsNote(model, text);
  return (
    <div className={styles.frame}>
      <div ref={host} className={styles.host} />
      {lineEnds === null ? null : <p className={styles.lineEnds}>{lineEnds}</p>}
      {focused && lineEnds === null && (
        // The editor's description says it. It would cover the note.
        <p className={styles.tabHint} aria-hidden="true">
          Tab indents; {tabKeys(isApplePlatform(navigator.platform))} makes Tab move on
        </p>
      )}
    </div>
  );
}

function marker(monaco: Monaco, model: editor.ITextModel, finding: Finding): editor.IMarkerData[] {
  if (finding.start === undefined) return [];
  const start = positionOf(model, finding.start);
  const end = positionOf(model, Math.max(finding.end ?? 0, finding.start + 1));
  const severities = {
    error: monaco.MarkerSeverity.Error,
    warning: monaco.MarkerSeverity.Warning,
    note: monaco.MarkerSeverity.Info,
  };
  return [
    {
      severity: severities[finding.severity],
      message: finding.message,
      startLineNumber: start.lineNumber,
      startColumn: start.column,
      endLineNumber: end.lineNumber,
      endColumn: end.column,
    },
  ];
}

function sharesLine(comments: editor.IEditorDecorationsCollection): boolean {
  const lines = comments.getRanges().map((range) => range.startLineNumber);
  return new Set(lines).size < lines.length;
}

/**
 * Fits a comment into the room that is left at the end of its line, so that the line does not wrap; its letters are narrower than
 * the code's.
 */
function atLineEnd(
  monaco: Monaco,
  view: editor.IStandaloneCodeEditor,
  model: editor.ITextModel,
  comment: LineComment,
): editor.IModelDeltaDecoration[] {
  const { lineNumber } = model.getPositionAt(comment.offset);
  const column = model.getLineMaxColumn(lineNumber);
  const text = fitComment(comment.text, view.getLayoutInfo().viewportColumn - column - GAP - 2);
  if (text === null) return [];
  return [
    {
      range: new monaco.Range(lineNumber, column, lineNumber, column),
      options: {
        showIfCollapsed: true,
        after: { content: ' '.repeat(GAP) + text, inlineClassName: styles.comment ?? '', cursorStops: 2 },
      },
    },
  ];
}
