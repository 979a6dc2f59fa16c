import type { editor } from 'monaco-editor/editor';
import { hiddenPlaces, shortCharacterName } from '#shared/json/hidden-characters.ts';
import type { Monaco } from './load.ts';
import styles from './editor.module.css';

/**
 * Number of labels beyond which they would cost more than they show; the editor itself still draws the characters that reorder
 * others.
 */
const mostMarks = 2_000;

/**
 * Returns the number of characters of a line that are drawn, by the number of labels in the text. Each character that has no label
 * and reorders others is a box of the editor's own: a screen of lines full of them holds the page up for seconds. The editor offers
 * the rest of the line.
 */
export function drawnOfLine(labels: number): number {
  return labels < mostMarks ? 10_000 : 300;
}

/** Makes the editor draw that much of each line. Nearly no text changes it. */
export function drawLines(monaco: Monaco, shown: editor.ICodeEditor, labels: number): void {
  const most = drawnOfLine(labels);
  if (shown.getOption(monaco.editor.EditorOption.stopRenderingLineAfter) !== most)
    shown.updateOptions({ stopRenderingLineAfter: most });
}

/** Draws a label in place of a part of the text; selecting and copying still take the part. */
export function replacedBy(label: string, className: string): editor.IModelDecorationOptions {
  return {
    inlineClassName: styles.replaced ?? '',
    inlineClassNameAffectsLetterSpacing: true,
    before: { content: label, inlineClassName: className, inlineClassNameAffectsLetterSpacing: true },
  };
}

/** Returns the labels of all characters of a text that show nothing themselves, such as `NBSP`, `ZWSP` and `RLO`. */
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
