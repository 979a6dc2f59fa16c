// Records which packages the bundler put into each program, and which modules of Node they import. The build shows what ships;
// package.json does not: everything but keytar is a development dependency there.
import { writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';

/** Part of the build → program → place in the lock file → modules of Node. */
const found = new Map();

/**
 * Notes the packages of a part of the build, and writes them beside it: `out/packages-<part>.json`. A worker of the page is built by itself and has
 * its own plugin, with the same part.
 * @param {string} part
 * @param {boolean} writes
 * @returns {import('vite').Plugin}
 */
export function bundledPackages(part, writes = true) {
  return {
    name: 'bundled-packages',
    generateBundle(_options, bundle) {
      const programs = found.get(part) ?? new Map();
      found.set(part, programs);
      const outputs = Object.values(bundle).filter((output) => output.type === 'chunk');
      for (const entry of outputs.filter((chunk) => chunk.isEntry)) {
        const name = part === 'main' ? entry.name : part;
        const packages = programs.get(name) ?? new Map();
        programs.set(name, packages);
        for (const chunk of reachedFrom(entry, bundle))
          for (const [id, { renderedLength }] of Object.entries(chunk.modules))
            if (renderedLength > 0) note(packages, id, this.getModuleInfo(id));
      }
      // Styles and fonts are files of their own.
      const page = programs.get(part);
      if (page === undefined) return;
      for (const output of Object.values(bundle))
        if (output.type === 'asset') for (const file of output.originalFileNames ?? []) note(page, file, null);
    },
    writeBundle({ dir }) {
      if (!writes || dir === undefined) return;
      const programs = [...(found.get(part) ?? [])].map(([name, packages]) => [name, sorted(packages)]);
      writeFileSync(path.join(dir, '..', `packages-${part}.json`), `${JSON.stringify(Object.fromEntries(programs), null, 1)}\n`);
      found.delete(part);
    },
  };
}

/** Returns a chunk and every one that it loads, at once or later. */
function reachedFrom(entry, bundle, seen = new Set()) {
  if (entry?.type !== 'chunk' || seen.has(entry)) return seen;
  seen.add(entry);
  for (const name of [...entry.imports, ...entry.dynamicImports]) reachedFrom(bundle[name], bundle, seen);
  return seen;
}

function note(packages, id, info) {
  const place = /^.*?(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)/.exec(id.replaceAll('\\', '/'))?.[1];
  if (place === undefined) return;
  const asked = packages.get(place) ?? new Set();
  packages.set(place, asked);
  for (const module of [...(info?.importedIds ?? []), ...(info?.dynamicallyImportedIds ?? [])])
    if (isBuiltin(module)) asked.add(module.replace(/^node:/, ''));
}

function sorted(packages) {
  return Object.fromEntries(
    [...packages]
      .map(([place, asked]) => [place, [...asked].sort((a, b) => (a < b ? -1 : 1))])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
