import { expect, it } from 'vitest';
import { readModule } from './imports-of.mjs';
import { unused } from './unused.mjs';

/** Returns the lines about a project of these files, with these packages beside it. */
function said(files: Readonly<Record<string, string>>, devDependencies: Readonly<Record<string, string>> = {}): string[] {
  const modules = Object.entries(files).map(([file, text]) => [file, readModule(text, file)] as const);
  const tree = {
    manifest: { scripts: {}, devDependencies },
    files: new Set(Object.keys(files)),
    texts: new Map(Object.entries(files)),
    imports: new Map(modules.map(([file, { imports }]) => [file, imports])),
    exports: new Map(modules.map(([file, { exports }]) => [file, exports])),
    shown: new Map(modules.map(([file, { shown }]) => [file, new Set(shown)])),
    aliases: [['#shared/', './src/shared/']],
  };
  return unused(tree, process.cwd());
}

const exporter = 'src/shared/planted.ts';
const importer = 'src/shared/planted.test.ts';

it.each([
  ['export const left = 1;', "import './planted.ts';", 'left'],
  ['export function left() {}', "import { other } from './planted.ts';", 'left'],
  ['export interface Left {}', "import type {} from './planted.ts';", 'Left'],
  ['export type Left = 1; export type Whole = Left;', "import type { Whole } from './planted.ts';", 'Left'],
  ['export const { kept, left } = { kept: 1, left: 2 };', "import { kept } from './planted.ts';", 'left'],
  ["export { other as left } from './planted.ts';", "import './planted.ts';", 'left'],
  ['const left = 1; export { left };', "void import('./planted.ts');", 'left'],
  ['export default 1;', "import './planted.ts';", 'default'],
])('names an export that no file imports: %s beside %s', (text, importing, name) => {
  expect(said({ [exporter]: text, [importer]: importing })).toEqual([
    `${exporter}: line 1: no file imports ${name}: use it (a command stands in commands.ts), or take its export away`,
  ]);
});

it.each([
  ['export const kept = 1;', "import { kept } from './planted.ts';"],
  ['export const kept = 1;', "import { kept as other } from './planted.ts';"],
  ['export const kept = 1;', "import * as all from './planted.ts'; void all.kept;"],
  ['export const kept = 1;', "void (await import('./planted.ts')).kept;"],
  ['export const kept = 1;', "const load = () => import('./planted.ts');"],
  ['export type Kept = 1;', "let kept: import('./planted.ts').Kept;"],
  ['export const kept = 1;', "let all: typeof import('./planted.ts');"],
  ['export default 1;', "import kept from './planted.ts';"],
  ['export interface Shown {} export function kept(shown: Shown) {}', "import { kept } from './planted.ts';"],
])('names none that one does: %s beside %s', (text, importing) => {
  expect(said({ [exporter]: text, [importer]: importing })).toEqual([]);
});

it('names none that another file passes on to one that imports it', () => {
  const files = { [exporter]: 'export const a = 1; export const b = 2;', 'src/shared/index.ts': "export * from './planted.ts';" };
  expect(said({ ...files, [importer]: "import { a, b } from './index.ts';" })).toEqual([]);
  expect(said({ ...files, [importer]: "import { a } from '#shared/index.ts';" })).toEqual([
    expect.stringContaining('imports b:'),
  ]);
});

it('names files that nothing imports, and packages without a use or a row', () => {
  expect(said({ [exporter]: '' })).toEqual([
    `${exporter}: no file imports it or starts it by its name: import it or delete it (a test ends in .test.ts, a spec in .e2e.ts)`,
  ]);
  expect(said({ [exporter]: '', [importer]: "new Worker('./planted.ts');" })).toEqual([]);
  expect(said({ [importer]: "import 'left-pad';" })).toEqual([
    `${importer}: left-pad is in no list of package.json: add it at an exact version`,
  ]);
  expect(said({}, { oxfmt: '1.0.0' })).toEqual(['package.json: nothing uses oxfmt: npm uninstall it']);
  expect(said({ [importer]: "import 'oxfmt/all';" }, { oxfmt: '1.0.0' })).toEqual([]);
});
