import type { editor } from 'monaco-editor/editor';
import { hiddenPlaces, shortCharacterName } from '#shared/json/characters.ts';
import type { Monaco } from './load.ts';
import styles from './editor.module.css';

/** Beyond this, labels would cost more than they tell; what would order other characters is drawn by the editor itself all the same. */
const mostMarks = 2_000;

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
