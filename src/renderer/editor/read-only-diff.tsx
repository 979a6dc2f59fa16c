import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { editor } from 'monaco-editor/editor';
import { codeFont, editorOptions } from './editor-options.ts';
import { drawLines, hiddenCharacterMarks } from './hidden-characters.ts';
import { useMonaco, type Monaco } from './load.ts';
import { hasMixedLineEnds } from './models.ts';
import styles from './editor.module.css';

/** One of the two texts. */
interface DiffSide {
  /** Said by a screen reader for its half. */
  readonly label: string;
  readonly text: string;
}

interface ReadOnlyDiffProps {
  readonly left: DiffSide;
  readonly right: DiffSide;
  readonly language?: 'json' | 'plaintext';
  readonly wrap?: boolean;
  /** Folds away what is the same on both sides, but for some lines around each difference. */
  readonly foldSame?: boolean;
}

/** Narrower than this, in pixels, both texts are shown in one column. */
const SIDE_BY_SIDE_FROM = 760;

/** Milliseconds, off the page's thread, after which the editor shows all as changed. */
const LONGEST_SEARCH = 5_000;
/** Fewer lines than this are never given up. */
const MANY_LINES = 1_000;

/** Two texts against each other in Monaco's diff editor: beside each other, or in one column where there is no room. */
export function ReadOnlyDiff(props: ReadOnlyDiffProps) {
  const { monaco, failed } = useMonaco();
  const { left, right } = props;
  const [givenUp, setGivenUp] = useState(false);
  // An editor knows one way to end a line per text, so that it cannot show this difference.
  const ends = [endOf(left.text), endOf(right.text)];
  const lineEnds = hasMixedLineEnds(left.text) || hasMixedLineEnds(right.text) || (!ends.includes('') && ends[0] !== ends[1]);
  return (
    <div className={styles.frame}>
      {monaco !== null ? <DiffEditor {...props} monaco={monaco} onGivenUp={setGivenUp} /> : null}
      {monaco === null && failed ? <Plain {...props} /> : null}
      {lineEnds ? <p className={styles.lineEnds}>The texts end their lines differently, which is not shown here.</p> : null}
      {givenUp ? (
        <p className={styles.lineEnds}>Too much differs to set these texts line against line: all of it is marked.</p>
      ) : null}
    </div>
  );
}

/** The same texts without the editor, where it could not be fetched. */
function Plain({ left, right }: ReadOnlyDiffProps) {
  return (
    <div className={styles.plainPair}>
      {[left, right].map(({ label, text }) => (
        // A pre that scrolls is reached by the keyboard.
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
    /** Whether it was too much to be compared; told again whenever it was. */
    readonly onGivenUp: (givenUp: boolean) => void;
  },
) {
  const { monaco, left, right, language = 'plaintext', wrap = true, foldSame = false, onGivenUp } = props;
  const host = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<editor.IStandaloneDiffEditor | null>(null);
  const compared = useRef<editor.IDiffEditorViewModel | null>(null);

  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const { model: _none, ...options } = editorOptions(codeFont());
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
    const [original, modified] = [left.text, right.text].map((text) => monaco.editor.createModel(text, language));
    if (original === undefined || modified === undefined) return;
    for (const [model, side] of [
      [original, shown.getOriginalEditor()],
      [modified, shown.getModifiedEditor()],
    ] as const) {
      model.updateOptions({ bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false } });
      // The model keeps them as long as it is there.
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

/** One change from the first line to the last is what the editor makes of texts that it has no time for. */
function isGivenUp(shown: editor.IStandaloneDiffEditor): boolean {
  const [change, ...more] = shown.getLineChanges() ?? [];
  const lines = shown.getModel()?.modified.getLineCount() ?? 0;
  if (change === undefined || more.length > 0 || lines < MANY_LINES) return false;
  return change.modifiedStartLineNumber <= 1 && change.modifiedEndLineNumber >= lines;
}

/**
 * The editor releases its texts before they are gone. The editor never ends a comparison that it made itself, and one whose texts went
 * under it fails where nobody listens.
 */
function letGo(shown: editor.IStandaloneDiffEditor, compared: editor.IDiffEditorViewModel | null): void {
  shown.setModel(null);
  compared?.dispose();
  compared?.model.original.dispose();
  compared?.model.modified.dispose();
}

function endOf(text: string): string {
  return /\r\n|\r|\n/.exec(text)?.[0] ?? '';
}
