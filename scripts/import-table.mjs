// Who may import whom (ARCHITECTURE.md). Type imports count too: a type that leaks is a dependency.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Area of the tree → what it may import: other areas, npm packages by name or by a path in them, `node:` modules. */
const table = [
  { area: 'src/shared', areas: ['src/shared'], npm: ['zod/mini', 'zod/v4/locales/en.js'], node: false },
  {
    area: 'src/main/core',
    areas: ['src/shared', 'src/main/core'],
    npm: ['undici', 'keytar', 'csv-parse', 'json-p3', 'yaml'],
    node: true,
  },
  { area: 'src/main/sandbox', areas: ['src/shared', 'src/main/sandbox'], npm: ['selfsigned'], node: true },
  {
    area: 'src/main/electron',
    areas: ['src/shared', 'src/main/electron', 'src/main/sandbox'],
    files: ['src/main/core/app.ts', 'src/main/core/host.ts', 'src/main/core/network/game-proxy.ts', 'src/main/core/within.ts'],
    npm: ['electron'],
    node: true,
  },
  {
    area: 'src/main/loopback',
    areas: ['src/shared', 'src/main/loopback', 'src/main/sandbox'],
    files: ['src/main/core/app.ts', 'src/main/core/host.ts'],
    npm: ['ws'],
    node: true,
  },
  {
    area: 'src/main/cli',
    areas: ['src/shared', 'src/main/cli', 'src/main/sandbox', 'src/main/loopback'],
    files: ['src/main/core/app.ts', 'src/main/core/host.ts'],
    npm: [],
    node: true,
  },
  { area: 'src/renderer', areas: ['src/shared', 'src/renderer'], npm: true, node: false },
];
const never = { 'src/renderer': ['electron', 'keytar', 'undici', 'selfsigned', 'json-p3', 'csv-parse', 'zod'] };

/** Every import of a source text: static, dynamic, re-export and type-only alike. */
export function importsOf(source) {
  const found = [];
  for (const match of source.matchAll(
    /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g,
  )) {
    found.push(match[1] ?? match[2] ?? match[3]);
  }
  return found;
}

/** What is wrong with one import, or null. Paths are relative to the project's root, with slashes. */
export function refusal(file, specifier, aliases) {
  const row = table.find(({ area }) => file.startsWith(`${area}/`));
  if (!row) return null;
  const target = resolve(file, specifier, aliases);
  if (target === null) {
    if (specifier.startsWith('node:')) return row.node ? null : `${row.area} may not import ${specifier}`;
    const name = specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : specifier.split('/')[0];
    if (row.npm === true) return never[row.area].includes(name) ? `${row.area} may not import ${name}` : null;
    return row.npm.includes(name) || row.npm.includes(specifier) ? null : `${row.area} may not import the package ${name}`;
  }
  const allowed = row.areas.some((area) => target.startsWith(`${area}/`)) || (row.files ?? []).includes(target);
  if (!allowed) return `${row.area} may not import ${target}`;
  const feature = (name) => /^src\/renderer\/features\/([^/]+)\//.exec(name)?.[1];
  const [from, to] = [feature(file), feature(target)];
  if (to && from !== to && !file.startsWith('src/renderer/app/') && file !== 'src/renderer/main.tsx') {
    return `only src/renderer/app joins features: ${from ?? file} may not import ${to}`;
  }
  if (file.startsWith('src/renderer/ui/') && /^src\/renderer\/(api|app|features|editor)\//.test(target))
    return 'ui components know no store, no api and no feature';
  if (from && target.startsWith('src/renderer/app/')) return 'a feature may not import the shell';
  return null;
}

function resolve(file, specifier, aliases) {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier);
  for (const [alias, folder] of aliases) if (specifier.startsWith(alias)) return folder + specifier.slice(alias.length);
  return null;
}

/** Every refused import of the tree, as `file: reason`. Tests may use test libraries and src/testing. */
export function checkTree(root) {
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const aliases = Object.entries(manifest.imports).map(([alias, folder]) => [
    alias.replace('*', ''),
    folder.replace(/^\.\//, '').replace('*', ''),
  ]);
  const refused = [];
  for (const entry of readdirSync(path.join(root, 'src'), { recursive: true })) {
    const file = path.posix.join('src', String(entry).split(path.sep).join('/'));
    if (!/\.tsx?$/.test(file) || /\.test\.tsx?$/.test(file) || file.startsWith('src/testing/')) continue;
    const source = readFileSync(path.join(root, file), 'utf8');
    for (const specifier of importsOf(source)) {
      const reason = refusal(file, specifier, aliases);
      if (reason) refused.push(`${file}: ${reason}`);
    }
  }
  return refused;
}
