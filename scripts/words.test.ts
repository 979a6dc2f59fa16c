import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readModule } from './imports-of.mjs';
import { rules, wordFaults, wordsIn } from './words.mjs';

const found = (source: string, file = 'src/shared/x.ts') => wordsIn(file, source);

describe('a forbidden word', () => {
  it('is found in the code of a tree and in its Markdown files', () => {
    const root = mkdtempSync(path.join(tmpdir(), 'croupier-words-'));
    try {
      mkdirSync(path.join(root, 'docs'));
      writeFileSync(path.join(root, 'README.md'), '# Croupier\n\nFill in the base\naddress.\n');
      writeFileSync(path.join(root, 'docs', 'runs.md'), 'It runs for ever.\n');
      const texts = new Map([
        ['src/a.ts', "// It runs for ever.\nconst a = 'for ever';\n"],
        ['src/b.test.ts', "const a = 'for ever';\n"],
      ]);
      const pieces = new Map([...texts].map(([file, text]) => [file, readModule(text, file)]));
      expect(wordFaults({ texts, pieces }, root)).toEqual([
        'README.md:3: "base address". Write base URL or wallet URL.',
        'docs/runs.md:1: "for ever". Write forever.',
        'src/a.ts:1: "for ever". Write forever.',
        'src/a.ts:2: "for ever". Write forever.',
      ]);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it.each([
    ["const a = 'The file was put aside.';", 'src/shared/x.ts:1: "put aside". Write set aside.'],
    ['const a = `\n${b} is no number`;', 'src/shared/x.ts:2: "is no". Write is not.'],
    ['// Nothing.\n// It begins anew.\n', 'src/shared/x.ts:2: "anew". Write again.'],
    ['/** What it is. */\nexport const a = 1;', '"What". Write a verb (of a function) or a noun (of a value) as the first word.'],
    ['/**\n * Where it is.\n */\nexport const a = 1;', '"Where". Write a verb'],
    ['interface A {\n  /** Whether it is. */\n  b: boolean;\n}', 'src/shared/x.ts:2: "Whether". Write a verb'],
    ["const a = 'Launch URL';", 'Write launcher URL.'],
    ['// The game’s own.\n', 'Write straight quotes.'],
    ["const a = 'Ask the app.';", 'Write Croupier.'],
    ['const a = `Moved “${b}”.`;', 'Write straight quotes.'],
    ["const a = 'Copy the id';", 'src/shared/x.ts:1: "the id". Write ID.'],
    ['const a = `at byte ${b}`;', 'Write byteText(position).'],
    ['/** It is\n * no number. */\n', 'src/shared/x.ts:1: "is no". Write is not.'],
  ])('is refused in %j', (source, line) => expect(found(source).join('\n')).toContain(line));

  it('is refused in the text of an element', () => {
    expect(found('const a = <p>From byte {at} on.</p>;', 'src/renderer/x.tsx').join()).toContain('Write byteText(position).');
    expect(found('const a = <p>Type the whole path.</p>;', 'src/renderer/x.tsx')).toEqual([
      'src/renderer/x.tsx:1: "whole path". Write absolute path.',
    ]);
  });

  it.each([
    ['Its id.', 'docs/x.md:1: "id". Write ID.'],
    ['One\n\n- two, and it is\n  no number\n', 'docs/x.md:3: "is no". Write is not.'],
    ['The game’s `own`.', 'Write straight quotes.'],
    ['`a` _anew_ `b`', 'Write again.'],
    ['The app and `croupier run`.', 'Write Croupier.'],
  ])('is refused in the page %j', (source, line) => expect(found(source, 'docs/x.md').join('\n')).toContain(line));

  it.each([
    '| `/` and `~` | `a.id` | ``it`s anew`` |',
    'Before.\n\n```json\n{ "id": "anew" }\n```\n\n    croupier anew id\n',
    '[the ID](anew.md#id) <!-- anew -->',
    'It is no longer there.',
  ])('is none in the page %j', (source) => expect(found(source, 'docs/x.md')).toEqual([]));

  it.each([
    "const a = 'There is no environment yet. It is no longer there.';",
    "const a = 'See Game launch URL parameters.';",
    '// Where there is no `anew`, nothing happens.\n',
    "const anew = 1; import { letGo } from './let go.ts';",
    '/** Returns what it is. */\nexport const a = 1;',
    '// In this program the app is a value.\n',
  ])('is none in %j', (source) => expect(found(source)).toEqual([]));

  it('is allowed in the strings of a test and where a rule does not hold', () => {
    expect(found("it('puts aside', () => {});", 'src/shared/x.test.ts')).toEqual([]);
    expect(found("const a = 'Ask the app.';", 'e2e/x.ts')).toEqual([]);
    expect(found('const a = `SELECT id FROM calls ORDER BY id`;')).toEqual([]);
  });

  it('has one replacement each', () => {
    expect(rules.every(({ instead }) => instead.length > 0)).toBe(true);
    expect(new Set(rules.map(({ word }) => word.source)).size).toBe(rules.length);
  });
});
