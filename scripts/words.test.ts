import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { rules, wordFaults, wordsIn } from './words.mjs';

const found = (source: string, file = 'src/shared/x.ts') => wordsIn(file, source);

describe('a forbidden word', () => {
  it('stands nowhere in the tree', () => {
    expect(wordFaults(path.resolve(import.meta.dirname, '..'))).toEqual([]);
  });

  it.each([
    ["const a = 'The file was put aside.';", 'src/shared/x.ts:1: "put aside". Write set aside.'],
    ['const a = `\n${b} is no number`;', 'src/shared/x.ts:2: "is no". Write is not.'],
    ["// Nothing.\n// It can't fail.\n", 'src/shared/x.ts:2: "can\'t". Write cannot.'],
    ['/** What it is. */\nexport const a = 1;', '"What". Write a verb (of a function) or a noun (of a value) as the first word.'],
    ['/**\n * Where it is.\n */\nexport const a = 1;', '"Where". Write a verb'],
    ["const a = 'Launch URL';", 'Write launcher URL.'],
    ['// The game’s own.\n', 'Write straight quotes.'],
    ["const a = 'Ask the app.';", 'Write Croupier.'],
  ])('is refused in %j', (source, line) => expect(found(source).join('\n')).toContain(line));

  it('is refused in the text of an element', () => {
    expect(found('const a = <p>Type the whole path.</p>;', 'src/renderer/x.tsx')).toEqual([
      'src/renderer/x.tsx:1: "whole path". Write absolute path.',
    ]);
  });

  it.each([
    "const a = 'There is no environment yet. It is no longer there.';",
    "const a = 'See Game launch URL parameters.';",
    "// Where there is no `can't`, nothing happens.\n",
    "const anew = 1; import { letGo } from './let go.ts';",
    '/** Returns what it is. */\nexport const a = 1;',
    '// In this program the app is a value.\n',
  ])('is none in %j', (source) => expect(found(source)).toEqual([]));

  it('is allowed in the strings of a test and where a rule does not hold', () => {
    expect(found("it('puts aside', () => {});", 'src/shared/x.test.ts')).toEqual([]);
    expect(found('/** What it is. */\nconst a = 1;', 'src/elsewhere/x.ts')).toEqual([]);
    expect(found("const a = 'put aside';", 'docs/x.ts')).toEqual([]);
  });

  it('has one replacement each', () => {
    expect(rules.every(({ instead }) => instead.length > 0)).toBe(true);
    expect(new Set(rules.map(({ word }) => word.source)).size).toBe(rules.length);
  });
});
