import { use, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { editor } from 'monaco-editor/editor';
import { editorOptions } from './editor-options.ts';
import { drawLines, hiddenCharacterMarks } from './hidden-characters.ts';
import { useMonaco, type Monaco } from './load.ts';
import { createModel, lineEndsOf } from './models.ts';
import { comparisonText, offerPlainText, type LineDifference, type PlainText } from './plain-texts.ts';
import { ScreenReaderContext, useScreenReader } from './screen-reader.ts';
import styles from './editor.module.css';

/** One of the two texts. */
export interface DiffSide {
  /** Name of this half for a screen reader. */
  readonly label: string;
  readonly text: string;
}

interface ReadOnlyDiffProps {
  readonly left: DiffSide;
  readonly right: DiffSide;
  readonly language?: 'json' | 'plaintext';
  readonly wrap?: boolean;
  /** Folds the parts that are the same on both sides, except for some lines around each difference. */
  readonly foldSame?: boolean;
}

/** Width in pixels below which both texts are shown in one column. */
const SIDE_BY_SIDE_FROM = 760;

/** Milliseconds, off the page's thread, after which the editor shows everything as changed. */
const LONGEST_SEARCH = 5_000;
/** Number of lines below which a comparison is never given up. */
const MANY_LINES = 1_000;

/** Compares two texts in Monaco's diff editor: beside each other, or in one column if they do not fit. */
export function ReadOnlyDiff(props: ReadOnlyDiffProps) {
  const { monaco, failed } = useMonaco();
  const { left, right } = props;
  const [givenUp, setGivenUp] = useState(false);
  // An editor knows one way to end a line per text, so it cannot show this difference.
  const lineEnds = new Set([...lineEndsOf(left.text), ...lineEndsOf(right.text)]).size > 1;
  return (
    <div className={styles.frame}>
      {monaco !== null ? <DiffEditor {...props} monaco={monaco} onGivenUp={setGivenUp} /> : null}
      {monaco === null && failed ? <Plain {...props} /> : null}
      {lineEnds ? <p className={styles.lineEnds}>Line endings differ, which isn&apos;t shown here.</p> : null}
      {givenUp ? <p className={styles.lineEnds}>Too many differences to match lines, so everything is marked.</p> : null}
    </div>
  );
}

/** Shows the same texts without the editor, if it could not be fetched. */
function Plain({ left, right }: ReadOnlyDiffProps) {
  return (
    <div className={styles.plainPair}>
      {[left, right].map(({ label, text }) => (
        // A pre that scrolls must be reachable by the keyboard.
        <section key={label} aria-label={label}>
          <pre className={styles.plain}>{text}</pre>
        </section>
      ))}
    </div>
  );
}

function DiffEditor(
  props: ReadOnlyDiffProps & {
    readonly monaco: Monaco;
    /** Called after each comparison: true if the texts were too large to be compared. */
    readonly onGivenUp: (givenUp: boolean) => void;
  },
) {
  const { monaco, left, right, language = 'plaintext', wrap = true, foldSame = false, onGivenUp } = props;
  const host = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<editor.IStandaloneDiffEditor | null>(null);
  const listensFirst = useRef(use(ScreenReaderContext));
  const compared = useRef<editor.IDiffEditorViewModel | null>(null);

  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const { model: _none, ...options } = editorOptions(listensFirst.current);
    const made = monaco.editor.createDiffEditor(element, {
      ...options,
      readOnly: true,
      domReadOnly: true,
      originalEditable: false,
      tabFocusMode: true,
      folding: false,
      lineDecorationsWidth: 18,
      stopRenderingLineAfter: 100_000,
      renderSideBySide: true,
      useInlineViewWhenSpaceIsLimited: true,
      renderSideBySideInlineBreakpoint: SIDE_BY_SIDE_FROM,
      ignoreTrimWhitespace: false,
      renderIndicators: true,
      renderMarginRevertIcon: false,
      renderGutterMenu: false,
      renderOverviewRuler: false,
      maxComputationTime: LONGEST_SEARCH,
      accessibilityVerbose: false,
    });
    setShown(made);
    return () => {
      setShown(null);
      letGo(made, compared.current);
      compared.current = null;
      made.dispose();
    };
  }, [monaco]);

  useScreenReader(shown?.getOriginalEditor() ?? null, { readOnly: true });
  useScreenReader(shown?.getModifiedEditor() ?? null, { readOnly: true });

  useEffect(() => {
    const element = host.current;
    if (element === null || shown === null) return undefined;
    return offerPlainText(element, () => {
      const sides = [left, right].map(({ label, text }) => ({ title: label, text })) as [PlainText, PlainText];
      return { title: `${left.label} and ${right.label}`, text: comparisonText(...sides, differencesOf(shown)) };
    });
  }, [shown, left, right]);

  // In one column, the editor draws the lines of the first text once, with the colors of then.
  useEffect(() => {
    if (shown === null) return undefined;
    return monaco.onThemeChange(() => {
      const place = shown.saveViewState();
      shown.setModel(null);
      shown.setModel(compared.current);
      shown.restoreViewState(place);
    });
  }, [monaco, shown]);

  useEffect(() => {
    const listening = shown?.onDidUpdateDiff(() => onGivenUp(isGivenUp(shown)));
    return () => listening?.dispose();
  }, [shown, onGivenUp]);

  useLayoutEffect(() => {
    shown?.updateOptions({
      wordWrap: wrap ? 'on' : 'off',
      diffWordWrap: wrap ? 'on' : 'off',
      hideUnchangedRegions: { enabled: foldSame, contextLineCount: 3, minimumLineCount: 8 },
    });
    shown?.getOriginalEditor().updateOptions({ ariaLabel: left.label });
    shown?.getModifiedEditor().updateOptions({ ariaLabel: right.label });
  }, [shown, left.label, right.label, wrap, foldSame]);

  useLayoutEffect(() => {
    if (shown === null) return;
    const [original, modified] = [left.text, right.text].map((text) => createModel(monaco, text, language));
    if (original === undefined || modified === undefined) return;
    for (const [model, side] of [
      [original, shown.getOriginalEditor()],
      [modified, shown.getModifiedEditor()],
    ] as const) {
      model.updateOptions({ bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false } });
      // The model keeps them as long as it exists.
      const labels = hiddenCharacterMarks(monaco, model);
      model.deltaDecorations([], labels);
      drawLines(monaco, side, labels.length);
    }
    letGo(shown, compared.current);
    compared.current = shown.createViewModel({ original, modified });
    shown.setModel(compared.current);
  }, [monaco, shown, left.text, right.text, language]);

  return <div ref={host} className={styles.host} />;
}

/** Returns the lines that differ; null while the editor compares. Monaco writes an empty side as the line before it, to 0. */
function differencesOf(shown: editor.IStandaloneDiffEditor): readonly LineDifference[] | null {
  const lines = (start: number, end: number) => (end === 0 ? { from: start + 1, to: start + 1 } : { from: start, to: end + 1 });
  return (
    shown.getLineChanges()?.map((change) => ({
      left: lines(change.originalStartLineNumber, change.originalEndLineNumber),
      right: lines(change.modifiedStartLineNumber, change.modifiedEndLineNumber),
    })) ?? null
  );
}

/** Returns whether the editor gave up: it then shows one change from the first line to the last. */
function isGivenUp(shown: editor.IStandaloneDiffEditor): boolean {
  const [change, ...more] = shown.getLineChanges() ?? [];
  const lines = shown.getModel()?.modified.getLineCount() ?? 0;
  if (change === undefined || more.length > 0 || lines < MANY_LINES) return false;
  return change.modifiedStartLineNumber <= 1 && change.modifiedEndLineNumber >= lines;
}

/**
 * Makes the editor release its texts before they are disposed of. It never ends a comparison that it started itself, and a
 * comparison whose texts disappear fails unheard.
 */
function letGo(shown: editor.IStandaloneDiffEditor, compared: editor.IDiffEditorViewModel | null): void {
  shown.setModel(null);
  compared?.dispose();
  compared?.model.original.dispose();
  compared?.model.modified.dispose();
}
