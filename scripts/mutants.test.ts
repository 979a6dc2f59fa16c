import { expect, it } from 'vitest';
import { nearestTests } from './mutation.mjs';
import { mutantsOf } from './mutants.mjs';

it.each<[string, string[]]>([
  ['x = a < 1', ['< → <=', '< → >=', '1 → 2']],
  ['x = a ?? true', ['?? → &&', 'true → false']],
  ['x = a - -b', ['- → +', '-b → b']],
  ["x = f('a' + b, `c` + d)", []],
  ['x = f(a.filter(b), Math.min(c), d.trimEnd())', ['.filter(b) → ', 'min → max']],
  ['x = f([], [a])', ['[a] → []']],
  ['x = () => a', ['a → undefined']],
  ['x = () => { g(); return !a; }', ['g(); → ;', 'return !a; → return;', '!a → a']],
  ['x = () => { if (a) b(); }', ['a → !(a)', 'b(); → ;']],
  ['x = () => { switch (a) { case b: c = d; } }', ['c = d; → ', 'c = d; → ;']],
  ['x = () => { while (a) b &&= c++; }', ['a → false', 'b &&= c++; → ;', '&&= → ||=', '++ → --']],
  ['x: 1 | true = f({ 2: d } as { e: 3 })', ['2 → 3']],
])('the faults of %s', (source, expected) => {
  const faults = mutantsOf(`import type { A } from 'a'; let ${source};`, 'x.ts');
  expect(faults.map(({ before, after }) => `${before} → ${after}`)).toEqual(expected);
});

it('name their line', () => {
  expect(mutantsOf('const a = 1;\nexport const b = a && true;', 'x.ts').map(({ line }) => line)).toEqual([1, 2, 2]);
});

it('are looked for by the tests with the fewest imports and folders between', () => {
  const importers = new Map([
    ['src/a/one.ts', ['src/a/two.ts', 'src/b/one.test.ts', 'src/c/d/one.test.ts']],
    ['src/a/two.ts', ['src/a/two.test.ts', 'src/a/one.ts']],
  ]);
  const tests = ['src/a/two.test.ts', 'src/b/one.test.ts', 'src/c/d/one.test.ts'];
  expect(nearestTests('src/a/one.ts', importers)).toEqual(tests);
});
