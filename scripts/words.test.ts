import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readModule } from './imports-of.mjs';
import { wordFaults, wordsIn } from './words.mjs';

const found = (source: string, file = 'src/shared/x.ts') => wordsIn(file, source);

describe('a forbidden word', () => {
  it('is found in the code of a tree and in its Markdown files', () => {
    const root = mkdtempSync(path.join(tmpdir(), 'croupier-words-'));
    try {
      mkdirSync(path.join(root, 'docs'));
      writeFileSync(path.join(root, 'README.md'), '# Croupier\n\nFill in the base\naddress.\n');
      writeFileSync(path.join(root, 'docs', 'runs.md'), 'Say a spec gap.\n');
      const texts = new Map([
        ['src/a.ts', "// Say a spec gap.\nconst a = 'a spec gap';\n"],
        ['src/b.test.ts', "const a = 'a spec gap';\n"],
      ]);
      const pieces = new Map([...texts].map(([file, text]) => [file, readModule(text, file)]));
      expect(wordFaults({ texts, pieces }, root)).toEqual([
        'README.md:3: "base address". Write base URL or wallet URL.',
        'docs/runs.md:1: "spec gap". Write open point.',
        'src/a.ts:1: "spec gap". Write open point.',
        'src/a.ts:2: "spec gap". Write open point.',
      ]);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it.each([
    ['/** What it is. */\nexport const a = 1;', '"What". Write a verb (of a function) or a noun (of a value) as the first word.'],
    ['/**\n * Where it is.\n */\nexport const a = 1;', '"Where". Write a verb'],
    ['interface A {\n  /** Whether it is. */\n  b: boolean;\n}', 'src/shared/x.ts:2: "Whether". Write a verb'],
    ["const a = 'Launch URL';", 'Write launcher URL.'],
    ["const a = 'Copy the id';", 'src/shared/x.ts:1: "the id". Write ID.'],
    ['const a = `\n${b} the base address`;', 'src/shared/x.ts:2: "base address".'],
    ['/** It is\n * the base\n * address. */\n', 'src/shared/x.ts:2: "base address".'],
  ])('is refused in %j', (source, line) => expect(found(source).join('\n')).toContain(line));

  it('is refused in the text of an element', () => {
    expect(found('const a = <p>Type the base address.</p>;', 'src/renderer/x.tsx')).toEqual([
      'src/renderer/x.tsx:1: "base address". Write base URL or wallet URL.',
    ]);
  });

  it.each([
    ['Its id.', 'docs/x.md:1: "id". Write ID.'],
    ['One\n\n- two, and a spec\n  gap\n', 'docs/x.md:3: "spec gap". Write open point.'],
    ['`a` _spec_ gap `b`', 'Write open point.'],
  ])('is refused in the page %j', (source, line) => expect(found(source, 'docs/x.md').join('\n')).toContain(line));

  it.each([
    '| `/` and `~` | `a.id` | ``it`s id`` |',
    'Before.\n\n```json\n{ "id": "id" }\n```\n\n    croupier id id\n',
    '[the ID](id.md#id) <!-- id -->',
  ])('is none in the page %j', (source) => expect(found(source, 'docs/x.md')).toEqual([]));

  it.each([
    "const a = 'See Game launch URL parameters.';",
    '// Where there is a `base address`, nothing happens.\n',
    "const specGap = 1; import { letGo } from './spec gap.ts';",
    '/** Returns what it is. */\nexport const a = 1;',
  ])('is none in %j', (source) => expect(found(source)).toEqual([]));

  it('is allowed in the strings of a test and where a rule does not hold', () => {
    expect(found("it('has a spec gap', () => {});", 'src/shared/x.test.ts')).toEqual([]);
    expect(found('const a = `SELECT id FROM calls ORDER BY id`;')).toEqual([]);
  });
});
