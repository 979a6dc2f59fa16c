import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, it } from 'vitest';
import { areaFiles } from './area-files.mjs';
import { areas } from './areas.mjs';
import { mutantsOf } from './mutants.mjs';

/** Returns the mutants of a text, as `before → after`. */
const changes = (source: string) => mutantsOf(source, 'x.ts').mutants.map(({ before, after }) => `${before} → ${after}`);

describe('mutants of a source', () => {
  it.each<[string, string[]]>([
    ['f(a < 1)', ['a < 1 → true', 'a < 1 → false', '< → <=', '< → >=']],
    ['f(a ?? true)', ['?? → &&', 'true → false']],
    ['f(a - -b)', ['- → +', '-b → +b']],
    ['f(a?.b, c?.[d], e?.())', ['?. → .', '?. → ', '?. → ']],
    ["f('', 'a', `b${c}`)", ["'' → 'mutated'", "'a' → ''", '`b${c}` → ``']],
    ['f(a.filter(b), Math.min(c), d.trimEnd())', ['.filter(b) → ', 'min → max', 'trimEnd → trimStart']],
    ['f([], [a], { b })', ["[] → ['mutated']", '[a] → []', '{ b } → {}']],
    ['if (a) b();', ['a → true', 'a → false']],
    [
      'function f() { if (a) { b(); return; } c(); }',
      ['{ if (a) { b(); return; } c(); } → {}', 'a → true', 'a → false', 'return; → ;'],
    ],
    ['const f = () => a;', ['a → undefined']],
    ['function f() { g(); return a; }', ['{ g(); return a; } → {}', 'return a; → return;']],
    [
      'const f = () => { if (a) return b; return c; };',
      ['{ if (a) return b; return c; } → {}', 'a → true', 'a → false', 'return b; → return;', 'return c; → return;'],
    ],
    ['switch (a) { case b: c(); }', ['c(); → ']],
    ['a += b; c++; a &&= !d;', ['+= → -=', '++ → --', '&&= → ||=', '!d → d']],
    ['f(/^a+/u)', ['/^a+/u → /a+/u', '/^a+/u → /^a/u']],
    ['f(/[b]\\d$/)', ['/[b]\\d$/ → /[^b]\\d$/', '/[b]\\d$/ → /[b]\\D$/', '/[b]\\d$/ → /[b]\\d/']],
  ])('%s', (source, expected) => {
    expect(changes(source)).toEqual(expected);
  });

  it('leave types, names of modules and of members alone', () => {
    const source =
      "import a from 'a'; import type { B } from 'b'; type C = 'c' | 1; let d: Array<'e'>; f({ 'g': 1 } as { h: 'i' });";
    expect(changes(source)).toEqual(["{ 'g': 1 } → {}"]);
  });

  it('are mutants of the place that control must reach first', () => {
    const source = 'const f = (a) => (a ? 1 < 2 : g(a && 3 < 4)); if (b) c(5 < 6); else { d(7 < 8); }';
    const { mutants, marked } = mutantsOf(source, 'x.ts', (mark) => `m(${mark})`);
    const reached = new Set<number>([0]);
    const nothing = () => 0;
    runInNewContext(`${marked}; f(0);`, { m: (mark: number) => reached.add(mark), b: true, c: nothing, d: nothing, g: nothing });
    const seen = mutants.filter(({ mark, before, after }) => before === '<' && after === '<=' && reached.has(mark));
    // Of `1 < 2`, `3 < 4` and `7 < 8` control reaches none.
    expect(seen.map(({ changed, start }) => changed.slice(start - 2))).toEqual(['5 <= 6); else { d(7 < 8); }']);
  });

  it('keep every line where it was', () => {
    const source =
      'switch (a) {\n  case 1:\n    b();\n    c();\n}\nfor (const d of e)\n  if (d) f(d);\n  else g(() => ({ d }));\n';
    const { marked } = mutantsOf(source, 'x.ts', (mark) => `m(${mark})`);
    expect(marked.split('\n')).toHaveLength(source.split('\n').length);
    expect(marked).toContain('m(1);b();');
    expect(mutantsOf(marked, 'x.ts').mutants.length).toBeGreaterThan(0);
  });
});

describe('the areas of the mutation test', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'croupier-areas-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it.each(Object.keys(areas))('%s has its sources and tests', (name) => {
    const { sources, tests } = areaFiles(name, areas[name as keyof typeof areas], process.cwd());
    expect(sources.length).toBeGreaterThan(0);
    expect(tests.length).toBeGreaterThan(0);
  });

  it('says which line of the table names nothing', () => {
    writeFileSync(path.join(root, 'a.ts'), '');
    writeFileSync(path.join(root, 'a.test.ts'), '');
    expect(areaFiles('some', { sources: ['*.ts'], tests: ['a.test.ts'] }, root)).toEqual({
      sources: ['a.ts'],
      tests: ['a.test.ts'],
    });
    expect(() => areaFiles('some', { sources: ['a.ts'], tests: ['b.test.ts'] }, root)).toThrow(
      'b.test.ts in the area some matches nothing. Correct it in scripts/mutation/areas.mjs.',
    );
  });
});
