// Who may import whom: the floors of `floors.mjs`, read file by file. Type imports count too: a type that leaks is a dependency.
// What no row allows is refused, and so is a file that no row names.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { worlds } from './floors.mjs';
import { readModule } from './imports-of.mjs';

/** Every room: its path, its world and floor, its row. Later floors of a world are lower. */
const rooms = worlds.flatMap((world) =>
  world.floors.flatMap((floor, depth) =>
    Object.entries(floor).map(([name, row]) => ({
      name: path.posix.join(world.in.replace(/^src\//, ''), name),
      paths: row.files ? row.files.map((file) => `${world.in}/${file}`) : [`${world.in}/${name}/`],
      also: (row.also ?? []).map((place) => `${world.in}/${place}`),
      face: row.face?.map((file) => `${world.in}/${name}/${file}`),
      npm: row.npm ?? [],
      world,
      depth,
    })),
  ),
);

const within = (file, place) => file === place || file.startsWith(place.endsWith('/') ? place : `${place}/`);

/** Returns the room of a file, or null. */
const roomOf = (file) => rooms.find(({ paths }) => paths.some((place) => within(file, place))) ?? null;

const isCode = (file) => /\.[cm]?[jt]sx?$/.test(file);
const isTest = (file) => /\.test\.tsx?$/.test(file) || file.startsWith('src/testing/');

/** Returns the file of a specifier, relative to the root; null for a package or a module of Node. */
export function fileOf(from, specifier, aliases) {
  const plain = specifier.replace(/[?#].*$/, '');
  if (/^\.{1,2}(\/|$)/.test(specifier)) return path.posix.join(path.posix.dirname(from), plain);
  for (const [alias, folder] of aliases)
    if (specifier.startsWith(alias)) return path.posix.join(folder, specifier.slice(alias.length).replace(/[?#].*$/, ''));
  return null;
}

/** Returns why a room may not use a package or a module of Node, or null. */
function packageRefusal(room, specifier) {
  if (specifier.startsWith('node:')) return room.world.node ? null : `${room.name} may not use ${specifier}`;
  const bare = specifier.replace(/\?.*$/, '');
  return room.npm.some((allowed) => within(bare, allowed)) ? null : `${room.name} may not use the package ${bare}`;
}

/** Returns why a room may not import a file of another, or null. */
function roomRefusal(room, target) {
  const to = roomOf(target);
  if (to === null) return `${room.name} may not import ${target}, which is in no room`;
  if (to === room || room.also.some((place) => within(target, place))) return null;
  if (to.face && !to.face.includes(target)) return `${target} is ${to.name}'s own: ${room.name} may not import it`;
  const below = to.world === room.world && to.depth > room.depth;
  const ground = to.world.world === 'shared' && room.world !== to.world;
  const seen = !room.world.shared || room.world.shared.some((name) => to.name === `shared/${name}`);
  if (below || (ground && seen)) return null;
  return `${room.name} may not import ${target}: ${to.name} is not below it`;
}

/** Yields the requests of a file that it may not make. */
function* refusalsOf(file, imports, tree) {
  const test = isTest(file);
  const room = roomOf(file);
  if (room === null && !test) {
    yield 'no row names this file: give its room one in scripts/floors.mjs';
    return;
  }
  for (const { specifier, form, line } of imports) {
    const at = `line ${line}: `;
    if (specifier === null) {
      if (!test) yield `${at}this ${form} hides which module it loads: name it`;
      continue;
    }
    const target = fileOf(file, specifier, tree.aliases);
    if (test) continue;
    if (target === null) {
      const reason = packageRefusal(room, specifier);
      if (reason) yield at + reason;
    } else if (!tree.files.has(target)) yield `${at}${specifier} names no file: write its whole name`;
    else if (isTest(target)) yield `${at}${target} is for tests`;
    else {
      const reason = roomRefusal(room, target);
      if (reason) yield at + reason;
    }
  }
}

const byName = (a, b) => (a < b ? -1 : 1);

/** Returns the groups of files that import each other in a circle. */
function circles(graph) {
  const order = new Map();
  const lowest = new Map();
  const stack = [];
  const found = [];
  const visit = (file) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file));
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(file, Math.min(lowest.get(file), lowest.get(next)));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1 || graph.get(file)?.has(file)) found.push(group.sort(byName));
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return found;
}

/**
 * Returns every refused import of a file below `src`, as `file: reason`. `files` are all files of the project; `imports` are those
 * of each file of code; `aliases` are pairs of a prefix and its folder.
 */
export function refused(tree) {
  const { imports, aliases } = tree;
  const lines = [];
  const graph = new Map();
  for (const [file, asked] of imports) {
    if (!file.startsWith('src/')) continue;
    for (const reason of refusalsOf(file, asked, tree)) lines.push(`${file}: ${reason}`);
    if (isTest(file)) continue;
    const targets = asked.flatMap(({ specifier }) => (specifier === null ? [] : [fileOf(file, specifier, aliases)]));
    graph.set(file, new Set(targets.filter((target) => imports.has(target))));
  }
  for (const group of circles(graph)) lines.push(`${group[0]}: a circle of imports: ${group.join(', ')}`);
  return lines;
}

/** Folders of the project that hold code; its configuration lies beside them. */
const folders = ['src', 'e2e', 'bench', 'scripts', 'bin', '.ci'];

/**
 * Reads every file of the project: `texts` of text files, and of every file of code its imports, exports and shown types, and its
 * `pieces` (strings and comments), as `readModule` returns them.
 */
export function readTree(root) {
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const aliases = Object.entries(manifest.imports).map(([alias, folder]) => [alias.replace('*', ''), folder.replace('*', '')]);
  const tree = {
    manifest,
    files: new Set(),
    texts: new Map(),
    imports: new Map(),
    exports: new Map(),
    shown: new Map(),
    pieces: new Map(),
    aliases,
  };
  const read = (file) => {
    tree.files.add(file);
    if (!isCode(file) && !/(?:\.(?:json|ya?ml|sh|css|html|txt)|\/[^.]+)$/.test(file)) return;
    const text = readFileSync(path.join(root, file), 'utf8');
    tree.texts.set(file, text);
    if (!isCode(file)) return;
    const { imports, exports, shown, strings, comments } = readModule(text, file);
    tree.imports.set(file, imports);
    tree.exports.set(file, exports);
    tree.shown.set(file, new Set(shown));
    tree.pieces.set(file, { strings, comments });
  };
  for (const entry of readdirSync(root, { withFileTypes: true })) if (entry.isFile()) read(entry.name);
  for (const folder of folders) {
    for (const entry of readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) read(path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
    }
  }
  return tree;
}
