import type { editor } from 'monaco-editor/editor';
import { hiddenPlaces, shortCharacterName } from '#shared/json/hidden-characters.ts';
import type { Monaco } from './load.ts';
import styles from './editor.module.css';

/** Beyond this, labels would cost more than they tell; what would order other characters is drawn by the editor itself all the same. */
const mostMarks = 2_000;

/**
 * How many characters of a line are drawn, by how many labels the text has. Each character that has none and would order others is a box of the editor's
 * own: a screen of lines full of them holds the page for seconds. The editor offers the rest of the line.
 */
export function drawnOfLine(labels: number): number {
  return labels < mostMarks ? 10_000 : 300;
}

/** Lets the editor draw so much of each line. Nearly every text leaves it as it is. */
export function drawLines(monaco: Monaco, shown: editor.ICodeEditor, labels: number): void {
  const most = drawnOfLine(labels);
  if (shown.getOption(monaco.editor.EditorOption.stopRenderingLineAfter) !== most)
    shown.updateOptions({ stopRenderingLineAfter: most });
}

/** Draws a label in the place of a part of the text; selecting and copying take the part. */
export function replacedBy(label: string, className: string): editor.IModelDecorationOptions {
  return {
    inlineClassName: styles.replaced ?? '',
    inlineClassNameAffectsLetterSpacing: true,
    before: { content: label, inlineClassName: className, inlineClassNameAffectsLetterSpacing: true },
  };
}

/** The labels of all characters of a text that show nothing themselves, such as `NBSP`, `ZWSP` and `RLO`. */
export function hiddenCharacterMarks(monaco: Monaco, model: editor.ITextModel): editor.IModelDeltaDecoration[] {
  const marks: editor.IModelDeltaDecoration[] = [];
  for (const match of hiddenPlaces(model.getValue())) {
    if (marks.length === mostMarks) break;
    const start = model.getPositionAt(match.index);
    marks.push({
      range: new monaco.Range(start.lineNumber, start.column, start.lineNumber, start.column + match[0].length),
      options: replacedBy(shortCharacterName(match[0].codePointAt(0) ?? 0), styles.hiddenCharacter ?? ''),
    });
  }
  return marks;
}
