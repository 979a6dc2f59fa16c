import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { picture } from './floors.mjs';
import { readTree, refused } from './import-table.mjs';
import { importsOf } from './imports-of.mjs';

const tree = readTree(process.cwd());

/** Returns the refusals for one more file of the tree, with this text. */
function planted(file: string, text: string): string[] {
  return refused({ ...tree, files: new Set([...tree.files, file]), imports: new Map([[file, importsOf(text, file)]]) });
}

describe('the import table', () => {
  it.each([
    ['src/shared/json/planted.ts', "import 'node:fs';"],
    ['src/main/helper.ts', "import 'electron';"],
    ['src/main/helper.ts', "import '#core/keys/keys.ts';"],
    ['src/main/core/planted.ts', 'export {};'],
    ['src/main/core/formats/exports/planted.ts', "import '../keys/agent.ts';"],
    ['src/main/core/collections/planted.ts', "import '#sandbox/server.ts';"],
    ['src/main/sandbox/planted.ts', "import '#core/host/host.ts';"],
    ['src/renderer/calls/planted.ts', "import '../app/shell.tsx';"],
    ['src/renderer/features/history/planted.ts', "import type {} from '../request/request-store.ts';"],
    ['src/renderer/ui/planted.tsx', "export * from '../api/connect.ts';"],
  ])('refuses in %s: %s', (file, text) => {
    expect(planted(file, text)).toHaveLength(1);
  });

  // The holder of keys in use, from a room that must not reach it.
  const holder = '../keys/key-holder.ts';
  it.each([
    `import '${holder}';`,
    `import { a } from '${holder}';`,
    `import a from "${holder}";`,
    `import * as a from '${holder}';`,
    `import a, { b } from '${holder}';`,
    `import {\n  a, // one\n  b,\n} from '${holder}';`,
    `import {} from '${holder}';`,
    `import type { A } from '${holder}';`,
    `import { type A } from '${holder}';`,
    `import a from '${holder}' with { type: 'json' };`,
    `import "../keys/key-\\u0068older.ts";`,
    `import '#core/keys/key-holder.ts';`,
    `import '../keys/../keys/key-holder.ts';`,
    `import a from '${holder}?raw';`,
    `export { a } from '${holder}';`,
    `export * from '${holder}';`,
    `export * as a from '${holder}';`,
    `export type { A } from '${holder}';`,
    `export type * from '${holder}';`,
    `await import('${holder}');`,
    `await import(\`${holder}\`);`,
    `await import(/* why */ '${holder}');`,
    `await import('${holder}', { with: { type: 'json' } });`,
    `import defer * as a from '${holder}';`,
    `import.defer('${holder}');`,
    `import source a from '${holder}';`,
    `const load = () => import('${holder}').then(({ a }) => a);`,
    `import a = require('${holder}');`,
    `export import a = require('${holder}');`,
    `import type a = require('${holder}');`,
    `const a = require('${holder}');`,
    `const a = module.require('${holder}');`,
    `const a = globalThis.require('${holder}');`,
    `const a = createRequire(import.meta.url)('${holder}');`,
    `const a = Module.createRequire(import.meta.url)('${holder}');`,
    `const a = require.resolve('${holder}');`,
    `const a = require.resolve(\`${holder}\`);`,
    `const a = createRequire(import.meta.url).resolve('${holder}');`,
    `const a = import.meta.resolve('${holder}');`,
    `const a = new URL('${holder}', import.meta.url);`,
    `const a = new URL(\`${holder}\`, import.meta.url);`,
    `const a = URL.parse('${holder}', import.meta.url);`,
    `const a = new Worker('${holder}');`,
    `const a = new Worker(new URL('${holder}', import.meta.url), { type: 'module' });`,
    `const a = new SharedWorker('${holder}');`,
    `vi.mock('${holder}');`,
    `vi.mock(import('${holder}'), () => ({}));`,
    `const a = await vi.importActual<object>('${holder}');`,
    `type A = import('${holder}').A;`,
    `let a: typeof import('${holder}');`,
    `declare module '${holder}' {\n  interface A {}\n}`,
    `/// <reference path="${holder}" />`,
    `/** @type {import('${holder}').A} */\nlet a;`,
    `/** @typedef {typeof import("${holder}")} A */`,
    `/**\n * @import { A } from '${holder}'\n */`,
    // A form that hides its module is refused as well, and so is a name that no file has.
    `await import(name);`,
    `await import(\`../keys/${'${name}'}.ts\`);`,
    `const a = new URL(\`../keys/${'${name}'}.ts\`, import.meta.url);`,
    `const a = require(name);`,
    `const a = require.resolve(name);`,
    `vi.mock(name);`,
    `const load = require;`,
    `const make = createRequire; const a = make(import.meta.url)('${holder}');`,
    `const a = import.meta.glob('../keys/*.ts');`,
    `import '../keys/key-holder';`,
  ])('sees an import in every form of the language: %s', (text) => {
    expect(planted('src/main/core/catalogue/planted.ts', text)).toHaveLength(1);
  });

  it('refuses a circle, of types alone too', () => {
    const file = 'src/shared/json/planted.ts';
    const imports = new Map([
      ...tree.imports,
      [file, importsOf("import type {} from './decimal.ts';", file)] as const,
      ['src/shared/json/decimal.ts', importsOf("import type {} from './planted.ts';")] as const,
    ]);
    expect(refused({ ...tree, files: new Set([...tree.files, file]), imports })).toEqual([
      'src/shared/json/decimal.ts: a circle of imports: src/shared/json/decimal.ts, src/shared/json/planted.ts',
    ]);
  });

  it('is the picture in ARCHITECTURE.md', () => {
    expect(
      readFileSync('ARCHITECTURE.md', 'utf8'),
      'print it: node -p "(await import(\'./scripts/floors.mjs\')).picture()"',
    ).toContain(picture());
  });
});
