// Finds what nobody needs: exports that no other file imports (a type that an exported function shows may stay, so that its caller
// can name it), files of code that no other file names, packages that the project installs without a use or uses without
// installing. It shares the reading of every file with the import table.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileOf } from './import-table.mjs';

/** Files that a name in no text asks for, with who does. */
const askedFor = new Map([
  ['src/renderer/jsx/jsx-runtime.ts', 'the compiler, by the jsxImportSource of the page'],
  ['src/renderer/jsx/jsx-dev-runtime.ts', 'the same, in the development build'],
  ['src/testing/build-first.ts', 'Vitest, before the core tests'],
  ['src/testing/page/server.ts', 'tests of the page, in place of testing/https-server.ts'],
  ['src/testing/page/files.ts', 'tests of the page, in place of node:fs/promises'],
  ['src/testing/page/path.ts', 'tests of the page, in place of node:path'],
  ['src/testing/page/from-outside.ts', 'Vitest, for what a test in the page asks of it'],
  ['src/main/cli/single/keychain.ts', 'the single file, in place of keytar'],
  ['e2e/electron-double/electron.ts', 'every import of electron, where the double stands in for it'],
]);

/** Packages that nothing here names, with who uses them. */
const usedBy = new Map([['oxlint-tsgolint', 'oxlint --type-aware']]);

/** Returns whether a file is a test, or one that a tool reads by its name. */
const isEntry = (file) => /\.(?:test|e2e)\.[cm]?tsx?$/.test(file) || /^[\w.-]+\.config\.ts$/.test(file) || file.endsWith('.d.ts');

/** Marks each export that some file imports, as `file#name`; an export that only passes another one on needs somebody who imports it. */
function usedExports({ imports, exports, texts, aliases }) {
  const used = new Set();
  const passedOn = (file) => exports.get(file)?.filter(({ name, from }) => name === '*' && from !== undefined) ?? [];

  function mark(file, name) {
    if (!exports.has(file) || used.has(`${file}#${name}`)) return;
    used.add(`${file}#${name}`);
    const own = exports.get(file).filter((one) => one.name === name);
    for (const { of, from } of own) if (from !== undefined) markAll(fileOf(file, from, aliases), of);
    if (own.length === 0) for (const { from } of passedOn(file)) mark(fileOf(file, from, aliases), name);
  }

  const markAll = (file, name) => (name === '*' ? namesOf(file).forEach((one) => mark(file, one)) : mark(file, name));

  function namesOf(file) {
    const own = (exports.get(file) ?? []).map(({ name }) => name);
    return [...own, ...passedOn(file).flatMap(({ from }) => namesOf(fileOf(file, from, aliases)))];
  }

  for (const file of askedFor.keys()) markAll(file, '*');
  for (const [file, asked] of imports) {
    const words = new Set(texts.get(file).match(/[\w$]+/g));
    for (const { specifier, form, names } of asked) {
      const target = specifier === null ? null : fileOf(file, specifier, aliases);
      if (target === null || form === 're-export') continue;
      for (const name of names ?? namesOf(target).filter((one) => words.has(one))) markAll(target, name);
    }
  }
  return used;
}

/** Matches the types of the contract's snapshot, which are exported schemas. */
const contractName = /^type (\w+)/gm;

function* unusedExports(tree) {
  const used = usedExports(tree);
  const named = new Set(
    [...(tree.texts.get('src/main/core/app/contract.snapshot.txt') ?? '').matchAll(contractName)].map(([, name]) => name),
  );
  for (const [file, list] of tree.exports) {
    if (isEntry(file)) continue;
    for (const { name, line } of list) {
      if (tree.shown.get(file).has(name) || (file.startsWith('src/shared/') && named.has(name))) continue;
      if (name !== '*' && !used.has(`${file}#${name}`))
        yield `${file}: line ${line}: no file imports ${name}: use it (a command stands in commands.ts), or take its export away`;
    }
  }
}

/** Yields files of code and of styles that no other file imports, and whose name stands in no other file. */
function* unusedFiles({ files, imports, texts, aliases }) {
  const imported = new Set();
  for (const [file, asked] of imports) {
    for (const { specifier } of asked) if (specifier !== null) imported.add(fileOf(file, specifier, aliases));
  }
  const left = [...files].filter(
    (file) => /\.(?:[cm]?[jt]sx?|css)$/.test(file) && !isEntry(file) && !askedFor.has(file) && !imported.has(file),
  );
  for (const file of left) {
    const name = path.posix.basename(file);
    const named = [...texts].some(([other, text]) => other !== file && text.includes(name));
    if (!named)
      yield `${file}: no file imports it or starts it by its name: import it or delete it (a test ends in .test.ts, a spec in .e2e.ts)`;
  }
}

const packageOf = (specifier) => /^(?:@[^/]+\/)?[^/?]+/.exec(specifier)[0];

function* packages({ manifest, imports, texts, aliases }, root) {
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies });
  const asked = new Map();
  for (const [file, list] of imports) {
    for (const { specifier, form } of list) {
      // Another package's `require` may load that one's dependency, and a URL names a file.
      if (
        !/import|re-export|type/.test(form) ||
        specifier === null ||
        /^(?:\.|[a-z]+:)/.test(specifier) ||
        fileOf(file, specifier, aliases) !== null
      )
        continue;
      if (!asked.has(packageOf(specifier))) asked.set(packageOf(specifier), file);
    }
  }
  for (const [name, file] of asked) {
    if (!installed.includes(name) && !installed.includes(`@types/${name}`))
      yield `${file}: ${name} is in no list of package.json: add it at an exact version`;
  }
  const scripts = JSON.stringify(manifest.scripts);
  const everywhere = [...texts].flatMap(([file, text]) => (/^package(?:-lock)?\.json$/.test(file) ? [] : [text])).join('\n');
  for (const name of installed) {
    const types = name.replace(/^@types\//, '');
    if (asked.has(types) || types === 'node' || usedBy.has(name) || name in (manifest.optionalDependencies ?? {})) continue;
    const { bin = {} } = JSON.parse(readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8'));
    const programs = typeof bin === 'string' ? [packageOf(name)] : Object.keys(bin);
    const started = programs.some((program) => scripts.includes(program) || everywhere.includes(`'${program}'`));
    if (!started && !new RegExp(`['"]${name}(?:['"/])`).test(everywhere))
      yield `package.json: nothing uses ${name}: npm uninstall it`;
  }
}

/** Returns what nobody needs in a tree that `readTree` read, a line each. */
export const unused = (tree, root) => [...unusedExports(tree), ...unusedFiles(tree), ...packages(tree, root)];
