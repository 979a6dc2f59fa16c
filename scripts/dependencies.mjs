// `npm run dependencies-list`: writes docs/dependencies.md from the lock file and the build. Decisions (the last column of each
// table) are taken over from the file; a new row is undecided until somebody writes what it may do.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { programOf } from './program-of.mjs';

const undecided = '**undecided**';
const file = 'docs/dependencies.md';
/** Packages that ship without being bundled, and the programs that load them. */
const besideTheBundles = { 'node_modules/electron': ['desktop'], 'node_modules/keytar': ['key-agent'] };
/** Licences that only a package's own files name: a person read them there. */
const licencesReadInFiles = { httpntlm: 'MIT', 'stack-trace': 'MIT' };
const places = {
  desktop: 'desktop',
  loopback: 'browser host',
  cli: 'command line',
  'key-agent': 'key agent',
  'search-worker': 'search thread',
  'reading-worker': 'reading thread',
  'export-worker': 'export thread',
  preload: 'preload',
  page: 'page',
};

const inOrder = (a, b) => (a < b ? -1 : 1);
const nameOf = (place, entry) => entry.name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
const licenceOf = (name, entry) => entry.license ?? licencesReadInFiles[name] ?? 'none';
const readJson = (name) => JSON.parse(readFileSync(name, 'utf8'));

/**
 * Returns every package that ships to a user, by name: its position, version, licence, digest, programs it runs in, modules of Node
 * it asks for. Those that run in the programs `without` alone are left out.
 */
export function shippedPackages(root, without = []) {
  const { packages } = readJson(path.join(root, 'package-lock.json'));
  const shipped = new Map();
  const add = (place, program, modules) => {
    const entry = packages[place];
    if (entry === undefined) throw new Error(`${place} is bundled and not in the lock file.`);
    const name = nameOf(place, entry);
    const { version, integrity } = entry;
    const known = shipped.get(place) ?? {
      name,
      place,
      version,
      integrity,
      licence: licenceOf(name, entry),
      programs: new Set(),
      modules: new Set(),
    };
    shipped.set(place, known);
    known.programs.add(places[program]);
    for (const module of modules) known.modules.add(module);
  };
  for (const [place, programs] of Object.entries(besideTheBundles)) for (const program of programs) add(place, program, []);
  for (const part of ['main', 'preload', 'page'])
    for (const [program, bundled] of Object.entries(readJson(path.join(root, 'out', `packages-${part}.json`))))
      for (const [place, modules] of Object.entries(bundled)) add(place, program, modules);
  const kept = [...shipped.values()].filter(({ programs }) => [...programs].some((program) => !without.includes(program)));
  return kept.sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

/** Returns the rows that docs/dependencies.md has to have, without the decisions. */
export function dependencyRows(root) {
  const manifest = readJson(path.join(root, 'package.json'));
  const { '': _, ...packages } = readJson(path.join(root, 'package-lock.json')).packages;
  const shipped = shippedPackages(root);
  const all = (name, of) => new Set(shipped.filter((one) => one.name === name).flatMap((one) => [...one[of]]));
  const listed = (set) =>
    Object.values(places)
      .filter((name) => set.has(name))
      .join(', ');
  const single = shipped.map(({ name, licence }) => [
    name,
    licence === 'MIT' ? '' : licence,
    listed(all(name, 'programs')),
    [...all(name, 'modules')].sort(inOrder).join(', '),
  ]);
  const names = new Set(shipped.map(({ name }) => name));
  const direct = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies })
    .map((name) => [nameOf(`node_modules/${name}`, packages[`node_modules/${name}`])])
    .filter(([name]) => !names.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const licences = new Map();
  for (const [place, entry] of Object.entries(packages)) {
    const name = nameOf(place, entry);
    const licence = licenceOf(name, entry);
    licences.set(licence, licences.get(licence) || names.has(name));
  }
  return {
    'What ships': together(single),
    'What makes and tests it': together(direct),
    Licences: [...licences].sort(([a], [b]) => (a < b ? -1 : 1)).map(([licence, ships]) => [licence, ships ? 'yes' : 'no']),
  };
}

/**
 * Joins two versions of a package in one row, and the packages of one scope that differ in their names alone in one row with their
 * number.
 */
function together(rows) {
  const once = [...new Map(rows.map((row) => [row.join('|'), row])).values()];
  const scopeOf = (name) => /^@[^/]+/.exec(name)?.[0];
  const groups = Map.groupBy(once, ([name, ...others]) => (scopeOf(name) ? `${scopeOf(name)} ${others.join('|')}` : { name }));
  return [...groups.values()].map((group) =>
    group.length === 1 ? group[0] : [`${scopeOf(group[0][0])}/… (${group.length})`, ...group[0].slice(1)],
  );
}

/** Returns the tables of a text by the heading above each: rows of cells. */
export function readTables(text) {
  const sections = text.split(/^## /m).slice(1);
  return Object.fromEntries(
    sections.map((section) => {
      const rows = [...section.matchAll(/^\|(.*)\|$/gm)].map(([, cells]) => cells.split('|').map((cell) => cell.trim()));
      return [section.slice(0, section.indexOf('\n')), rows.slice(2)];
    }),
  );
}

function write(root) {
  const target = path.join(root, file);
  let text = existsSync(target) ? readFileSync(target, 'utf8') : '';
  const before = readTables(text);
  for (const [heading, rows] of Object.entries(dependencyRows(root))) {
    // A number in a name may change without a new decision about the others of its scope.
    const key = (name) => name.replace(/ \(\d+\)$/, '');
    const decided = new Map((before[heading] ?? []).map((row) => [key(row[0]), row.at(-1)]));
    const lines = rows.map((row) => `| ${[...row, decided.get(key(row[0])) ?? undecided].join(' | ')} |`);
    text = text.replace(
      new RegExp(`(## ${heading}\\n[^]*?\\n\\|[^\\n]*\\n\\|[-| ]*\\|\\n)(?:\\|.*\\n)*`),
      (_, head) => `${head}${lines.join('\n')}\n`,
    );
  }
  writeFileSync(target, text);
  spawnSync(...programOf('oxfmt', [target]), { stdio: 'inherit' });
  const open = text.split(undecided).length - 1;
  console.log(open === 0 ? `${file} is up to date.` : `${file} has ${open} rows that nobody decided on.`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) write(process.cwd());
