import { LanguageService } from 'monaco-editor/editor/common/services/languageService';
import { TextModel } from 'monaco-editor/editor/common/model/textModel';
import { UndoRedoService } from 'monaco-editor/platform/undoRedo/common/undoRedoService';
import { Position } from 'monaco-editor/editor/common/core/position';
import { Range } from 'monaco-editor/editor/common/core/range';
import { EndOfLineSequence } from 'monaco-editor/editor/common/standalone/standaloneEnums';
import { URI } from 'monaco-editor/base/common/uri';
import type { editor } from 'monaco-editor/editor';
import { describe, expect, it } from 'vitest';
import type { Monaco } from './load.ts';
import { bringTo, createModel, lineEndsNote, modelOf, positionOf, setText, textOf } from './models.ts';

/** Monaco with its own models, and nothing that draws. `systemEnd` as on Windows: the line end of texts without one. */
function setUp(systemEnd = '\n') {
  const languages = new LanguageService();
  const configurations = { onDidChange: () => ({ dispose() {} }), getLanguageConfiguration: () => ({ characterPair: {} }) };
  const trees = { supportsLanguage: () => false };
  const creator = {
    createInstance: <T>(made: new (...args: readonly unknown[]) => T, ...args: readonly unknown[]) =>
      new made(...args, languages, configurations, creator, trees),
  };
  const options = { ...TextModel.DEFAULT_CREATION_OPTIONS, defaultEOL: systemEnd === '\n' ? 1 : 2 };
  const monaco = {
    Range,
    Uri: URI,
    editor: {
      EndOfLineSequence,
      getModel: () => null,
      createModel(text: string, language: string, uri?: object) {
        const undo = new UndoRedoService({}, {});
        return new TextModel(text, language, options, uri ?? null, undo, languages, configurations, creator);
      },
    },
  } as unknown as Monaco;
  return { monaco, model: (text: string) => modelOf(monaco, 'a', text) };
}

/** Types at a line, as the editor does, as a step of its own. */
function type(model: editor.ITextModel, lineNumber: number, text: string): void {
  const at = Range.fromPositions(new Position(lineNumber, 1), new Position(lineNumber, 1)) as never;
  model.pushStackElement();
  model.pushEditOperations(null, [{ range: at, text }], () => null);
  model.pushStackElement();
}

const undo = (model: editor.ITextModel) => (model as unknown as { undo(): void }).undo();
const redo = (model: editor.ITextModel) => (model as unknown as { redo(): void }).redo();

const texts = [
  '{"a":1}',
  '{\n"a":1\n}',
  '{\r\n"a":1\r\n}',
  '{\r\n"a":1\n}\n',
  '{\n"a":1\r\n}\r\n',
  '{\r"a":1\r}',
  '{\r"a":1\n}',
  'a\r\r\nb\n',
  '\ufeff{\r\n"a":1\n}',
  '\ufeff{}',
  '{"a":"\u2028\u2029\u0085"}\r\n\n',
];

describe('the text of a model', () => {
  it.each(texts)('is what was given and what an undone edit was made to: %j', (text) => {
    const { model } = setUp();
    const shown = model(text);
    expect(textOf(shown)).toBe(text);
    type(shown, 1, 'x');
    expect(textOf(shown)).not.toBe(text);
    type(shown, 2, '1\r\n2\n3\r');
    undo(shown);
    undo(shown);
    expect(textOf(shown)).toBe(text);
    redo(shown);
    undo(shown);
    expect(textOf(shown)).toBe(text);
  });

  it.each(texts.flatMap((from) => texts.map((to) => [from, to] as const)))('goes from %j to %j and back', (from, to) => {
    const { monaco, model } = setUp();
    const shown = model(from);
    const lines = shown.getValue();
    for (const _ of ['once', 'again']) bringTo(monaco, shown, to);
    expect(textOf(shown)).toBe(to);
    // Of texts that differ only in line ends that a model cannot hold, the last stays: there is no step to undo.
    if (shown.getValue() === lines) return;
    undo(shown);
    expect(textOf(shown)).toBe(from);
  });

  it('is the same on every system for what is typed and pasted', () => {
    for (const end of ['\n', '\r\n']) {
      const { model } = setUp(end);
      const shown = model('');
      type(shown, 1, '{\r\n}');
      expect(textOf(shown)).toBe('{\n}');
    }
  });

  it('keeps a byte order mark where it is only shown', () => {
    const { monaco } = setUp();
    const shown = createModel(monaco, '\ufeffa', 'json');
    expect(shown.getValue()).toBe('\ufeffa');
    setText(monaco, shown, '\ufeffb');
    expect(shown.getValue()).toBe('\ufeffb');
  });
});

it('an offset of the text is found at its line and column, whatever the model made of the line ends', () => {
  const text = 'ab\r\ncd\nef\rgh\r\n';
  const shown = setUp().model(text);
  for (const [at, letter] of Array.from(text).entries()) {
    if (letter < 'a') continue;
    const { lineNumber, column } = positionOf(shown, at);
    expect(shown.getLineContent(lineNumber)[column - 1]).toBe(letter);
  }
});

describe('the note on line ends', () => {
  it('stands where an edit would change or changed them, and nowhere else', () => {
    const { monaco, model } = setUp();
    const shown = model('a\r\nb\nc');
    const note = () => lineEndsNote(shown, textOf(shown));
    expect(note()).toMatch(/^Your next edit changes all line endings to LF/);
    type(shown, 1, 'x');
    expect(note()).toMatch(/^Your edit changed all line endings to LF/);
    undo(shown);
    expect(note()).toMatch(/^Your next edit/);
    bringTo(monaco, shown, 'a\nb\nc');
    expect(textOf(shown)).toBe('a\nb\nc');
    expect(note()).toBeNull();
    bringTo(monaco, shown, 'a\rb');
    expect(note()).toMatch(/^Your next edit/);
  });
});
