import { use, useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import type { editor } from 'monaco-editor/editor';
import { classNames } from '#renderer/ui/class-names.ts';
import { editorOptions, scrollbar } from './editor-options.ts';
import { drawLines, hiddenCharacterMarks, replacedBy } from './hidden-characters.ts';
import { attachHover } from './hover.ts';
import { useMonaco, type Monaco } from './load.ts';
import { createModel, setText } from './models.ts';
import { minimalEdit } from './minimal-edit.ts';
import { offerPlainText } from './plain-texts.ts';
import { useRestingCursor } from './resting-cursor.ts';
import { ScreenReaderContext, useScreenReader } from './screen-reader.ts';
import styles from './editor.module.css';

/** A coloured or marked part of a read-only text, by UTF-16 offsets. */
export interface TextMark {
  readonly start: number;
  readonly end: number;
  readonly className: string;
  /** Text drawn in place of the part, for characters that show nothing themselves. */
  readonly before?: string;
  /** Lines shown under the pointer, the title first. */
  readonly lines?: readonly string[];
}

interface ReadOnlyTextProps {
  /** Name of the pane for a screen reader. */
  readonly label: string;
  readonly text: string;
  readonly language?: 'json' | 'plaintext';
  readonly marks?: readonly TextMark[];
  readonly wrap?: boolean;
  /** Lets the user fold parts by the arrows at the left edge. */
  readonly folding?: boolean;
  /** Shown until the editor is loaded. */
  readonly placeholder?: ReactNode;
  /** Wraps at any character instead of between words: a hash input has no words. */
  readonly breakAnywhere?: boolean;
  /** Draws it on the sunken background instead of the surface. */
  readonly sunken?: boolean;
  /** A position to bring into view; a new object does it again. */
  readonly reveal?: { readonly offset: number } | null;
  /** Called with the offset of the cursor when the user moves it. */
  readonly onCursor?: (offset: number) => void;
  /** Entries of the editor's own menu, about the position of the cursor. */
  readonly actions?: readonly TextAction[];
  /** Makes it as high as its text, up to this many pixels; without it, as high as its container. */
  readonly fit?: number;
}

/** An entry of an editor's menu. */
interface TextAction {
  readonly id: string;
  readonly label: string;
  readonly run: () => void;
}

/** Height in pixels until the text is there: one line with its padding. */
const smallestFit = 36;
const NO_MARKS: readonly TextMark[] = [];
const noEntries: readonly TextAction[] = [];

/** A read-only Monaco over a text that may change at every key press elsewhere: only the part that differs is replaced. */
export function ReadOnlyText(props: ReadOnlyTextProps) {
  const { monaco, failed } = useMonaco({ later: true });
  if (monaco !== null) return <ReadOnlyEditor {...props} monaco={monaco} />;
  // The same text without the editor: while it loads, and for good if it could not be fetched.
  return (
    <div className={styles.frame} style={props.fit === undefined ? undefined : { minHeight: smallestFit }}>
      {props.placeholder !== undefined && !failed ? (
        props.placeholder
      ) : (
        <pre className={styles.plain}>{failed ? props.text : ''}</pre>
      )}
    </div>
  );
}

function ReadOnlyEditor(props: ReadOnlyTextProps & { readonly monaco: Monaco }) {
  const {
    monaco,
    label,
    text,
    language = 'plaintext',
    marks = NO_MARKS,
    wrap = true,
    folding = false,
    breakAnywhere = false,
    reveal = null,
    fit,
    actions = noEntries,
  } = props;
  const host = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View | null>(null);
  const listens = use(ScreenReaderContext);
  const first = useRef({ text, language, breakAnywhere, fit, listens });
  const shownMarks = useRef(marks);
  useLayoutEffect(() => {
    shownMarks.current = marks;
  });

  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const model = createModel(monaco, first.current.text, first.current.language);
    model.updateOptions({ bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false } });
    const shown = monaco.editor.create(element, {
      ...editorOptions(first.current.listens),
      model,
      readOnly: true,
      domReadOnly: true,
      tabFocusMode: true,
      stopRenderingLineAfter: 100_000,
      renderWhitespace: 'none',
      // At its end, scrolling goes on in the box around it.
      ...(first.current.fit === undefined ? {} : { scrollbar: { ...scrollbar, alwaysConsumeMouseWheel: false } }),
      // Monaco reads these once.
      ...(first.current.breakAnywhere ? { wordWrapBreakBeforeCharacters: '', wordWrapBreakAfterCharacters: '' } : {}),
    });
    const hover = attachHover(
      monaco,
      shown,
      (_model, at) => {
        const mark = shownMarks.current.find(({ start, end, lines }) => lines !== undefined && at >= start && at <= end);
        return mark?.lines === undefined ? null : { offset: mark.start, texts: mark.lines };
      },
      { card: styles.specCard ?? '', title: styles.specTitle ?? '' },
    );
    setView({ editor: shown, model, marks: shown.createDecorationsCollection(), text: first.current.text });
    return () => {
      hover.dispose();
      shown.dispose();
      model.dispose();
    };
  }, [monaco]);

  useCursor(view, props.onCursor);
  useActions(view, actions);
  useRestingCursor(view?.editor ?? null);
  useScreenReader(view?.editor ?? null, { readOnly: true });
  useEffect(() => {
    const element = host.current;
    return element === null ? undefined : offerPlainText(element, () => ({ title: label, text }));
  }, [label, text]);

  // Before the text is set: with the wrong wrapping, a long text would be broken into lines twice.
  useLayoutEffect(() => {
    view?.editor.updateOptions({
      ariaLabel: label,
      wordWrap: wrap ? 'on' : 'off',
      wrappingIndent: breakAnywhere ? 'none' : 'indent',
      wordBreak: 'normal',
      wrappingStrategy: 'simple',
      lineNumbers: 'off',
      folding,
      lineDecorationsWidth: folding ? 0 : 14,
      guides: { indentation: false },
    });
  }, [view, label, wrap, folding, breakAnywhere]);

  useLayoutEffect(() => {
    if (view === null || isGone(view)) return;
    if (view.model.getLanguageId() !== language) monaco.editor.setModelLanguage(view.model, language);
    replace(monaco, view, text);
    const labelled = marks.some(({ before }) => before !== undefined);
    const labels = labelled ? [] : hiddenCharacterMarks(monaco, view.model);
    drawLines(monaco, view.editor, labels.length);
    view.marks.set([...marks.map((mark) => decoration(monaco, view.model, mark)), ...labels]);
  }, [monaco, view, text, marks, language]);

  useEffect(() => {
    if (view === null || reveal === null) return;
    const position = view.model.getPositionAt(reveal.offset);
    view.editor.revealPositionInCenterIfOutsideViewport(position);
    view.editor.setPosition(position);
  }, [view, reveal]);

  useLayoutEffect(() => {
    const element = host.current;
    if (view === null || isGone(view) || element === null || fit === undefined) return undefined;
    const take = () => {
      element.style.height = `${Math.min(view.editor.getContentHeight(), fit)}px`;
    };
    take();
    const sizes = view.editor.onDidContentSizeChange(take);
    return () => sizes.dispose();
  }, [view, fit]);

  return <div ref={host} className={classNames(styles.frame, props.sunken === true && styles.sunken)} />;
}

function useCursor(view: View | null, onCursor: ((offset: number) => void) | undefined): void {
  const told = useEffectEvent((offset: number) => onCursor?.(offset));
  useEffect(() => {
    if (view === null || isGone(view)) return undefined;
    const moves = view.editor.onDidChangeCursorPosition(({ position, source }) => {
      // A text that is replaced moves the cursor, too.
      if (source !== 'model') told(view.model.getOffsetAt(position));
    });
    return () => moves.dispose();
  }, [view]);
}

function useActions(view: View | null, actions: readonly TextAction[]): void {
  const run = useEffectEvent((id: string) => actions.find((action) => action.id === id)?.run());
  const names = actions.map(({ id, label }) => `${id}\n${label}`).join('\n\n');
  useEffect(() => {
    if (view === null || isGone(view) || names === '') return undefined;
    const added = names.split('\n\n').map((name, at) => {
      const [id = '', label = ''] = name.split('\n');
      return view.editor.addAction({ id, label, contextMenuGroupId: 'navigation', contextMenuOrder: at, run: () => run(id) });
    });
    return () => {
      for (const one of added) one.dispose();
    };
  }, [view, names]);
}

interface View {
  readonly editor: editor.IStandaloneCodeEditor;
  readonly model: editor.ITextModel;
  readonly marks: editor.IEditorDecorationsCollection;
  /** The text that the model was last given: comparing with it saves reading a large model back. */
  text: string;
}

/**
 * Returns whether the editor was disposed of. React runs effects again with such an editor if the page around it waited for code; a
 * new one comes right after.
 */
function isGone({ model }: View): boolean {
  return model.isDisposed();
}

function replace(monaco: Monaco, view: View, text: string): void {
  const change = minimalEdit(view.text, text);
  if (change === null) return;
  const most = change.end - change.start > 100_000 || change.text.length > 100_000;
  // A model that made different line ends alike counts other offsets than its text; then only the whole can be replaced.
  if (most || view.model.getValueLength() !== view.text.length) setText(monaco, view.model, text);
  else {
    const range = monaco.Range.fromPositions(view.model.getPositionAt(change.start), view.model.getPositionAt(change.end));
    view.model.applyEdits([{ range, text: change.text }]);
  }
  view.text = text;
}

function decoration(monaco: Monaco, model: editor.ITextModel, mark: TextMark): editor.IModelDeltaDecoration {
  return {
    range: monaco.Range.fromPositions(model.getPositionAt(mark.start), model.getPositionAt(mark.end)),
    options: mark.before === undefined ? { inlineClassName: mark.className } : replacedBy(mark.before, mark.className),
  };
}
