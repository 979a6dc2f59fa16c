import { folderOf, nameOf, pathIn } from '#shared/collections/file-names.ts';
import type { Collection, CollectionNode, FileProblem, GitMark } from '#shared/ipc/outputs/collections.ts';

/** A request, a folder or a collection. */
export interface Place {
  readonly collectionId: string;
  /** Empty for the collection itself. */
  readonly path: string;
}

/** Returns the name of a file or folder for the user. */
export function titleOf(path: string): string {
  return nameOf(path).replace(/\.yaml$/, '');
}

/** Returns the folders around an item, from the nearest to the collection itself. */
export function ancestors(path: string): readonly string[] {
  const found: string[] = [];
  for (let at = folderOf(path); at !== ''; at = folderOf(at)) found.push(at);
  return [...found, ''];
}

/** An open collection, with what is known of its files. */
export interface OpenCollection {
  readonly collection: Collection;
  readonly tree:
    | { readonly state: 'loading' }
    | { readonly state: 'failed'; readonly message: string }
    | {
        readonly state: 'ready';
        readonly nodes: readonly CollectionNode[];
        readonly problem: FileProblem | null;
        readonly notices: readonly string[];
        /** The reason why Croupier neither saves nor runs it; null if it does both. */
        readonly readOnly: string | null;
        /** Number of variables of the collection itself. */
        readonly variables: number;
      };
}

/** The files of a collection that differ from the last commit. */
export interface CollectionMarks {
  /** By the path of the file. */
  readonly files: ReadonlyMap<string, GitMark['mark']>;
  /** Numbers of such files below each folder, and below the collection as the empty path. */
  readonly below: ReadonlyMap<string, { readonly files: number; readonly conflicts: number }>;
  readonly notices: readonly string[];
}

/** Returns why a collection is neither saved nor run; null if it is, and until it was read. */
export function readOnlyReason(tree: OpenCollection['tree'] | undefined): string | null {
  return tree?.state === 'ready' ? tree.readOnly : null;
}

/** A collection, a folder or a request as a row of the tree. */
export interface TreeRow {
  /** Names it among all rows, also in later sessions. */
  readonly key: string;
  readonly kind: 'collection' | 'folder' | 'request';
  readonly collectionId: string;
  /** Path below the collection's directory; empty for the collection itself. */
  readonly path: string;
  readonly name: string;
  readonly operation: CollectionNode['operation'];
  readonly problem: FileProblem | null;
  /** Names in its file that nothing reads; those of a collection are among its notices. */
  readonly warnings: readonly FileProblem[];
  /** Number of variables that a collection or a folder defines; 0 for a request. */
  readonly variables: number;
  /** True if its collection is neither saved nor run. */
  readonly readOnly: boolean;
  /** From 1, as a tree counts them. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  /** Null for a request. */
  readonly expanded: boolean | null;
  /** Of a request: how its file differs from the last commit. Of a folder or a collection: whether a file in it does. */
  readonly mark: GitMark['mark'] | null;
  /** Number of files in a folder or a collection that differ from the last commit; 0 for a request. */
  readonly marked: number;
}

/** Returns the key of a row: two collections may hold the same path. */
export function rowKey(collectionId: string, path: string): string {
  return `${collectionId}/${path}`;
}

/**
 * Returns the rows that are shown: the contents of open folders. With a filter, the items that hold every word of it in their path
 * or operation, with the folders around them; a folder that fits is shown with all its contents.
 */
export function treeRows(
  collections: readonly OpenCollection[],
  {
    open,
    filter,
    gitMarks,
  }: {
    readonly open: ReadonlySet<string>;
    readonly filter: string;
    readonly gitMarks: Readonly<Record<string, CollectionMarks>>;
  },
): readonly TreeRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const rows: TreeRow[] = [];
  for (const [at, { collection, tree }] of collections.entries()) {
    const { id, name } = collection;
    const nodes = tree.state === 'ready' ? tree.nodes : [];
    const shown = words.length === 0 ? null : fitting(nodes, words);
    if (shown?.size === 0 && !words.every((word) => name.toLowerCase().includes(word))) continue;
    const expanded = shown !== null || open.has(rowKey(id, ''));
    rows.push({
      key: rowKey(id, ''),
      kind: 'collection',
      collectionId: id,
      path: '',
      name,
      operation: null,
      problem: tree.state === 'ready' ? tree.problem : null,
      warnings: [],
      variables: tree.state === 'ready' ? tree.variables : 0,
      readOnly: readOnlyReason(tree) !== null,
      level: 1,
      position: at + 1,
      siblings: collections.length,
      expanded,
      ...markAround(gitMarks[id], ''),
    });
    if (!expanded) continue;
    const visible = shown === null ? nodes : nodes.filter(({ path }) => shown.has(path));
    addNodes(
      rows,
      { id, readOnly: readOnlyReason(tree) !== null, marks: gitMarks[id] },
      visible,
      (path) => shown !== null || open.has(rowKey(id, path)),
    );
  }
  return rows;
}

function addNodes(
  rows: TreeRow[],
  { id, readOnly, marks }: { readonly id: string; readonly readOnly: boolean; readonly marks: CollectionMarks | undefined },
  nodes: readonly CollectionNode[],
  isOpen: (path: string) => boolean,
): void {
  const siblings = new Map<string, number>();
  for (const { path } of nodes) siblings.set(folderOf(path), (siblings.get(folderOf(path)) ?? 0) + 1);
  const places = new Map<string, number>();
  const opened = new Set(['']);
  for (const node of nodes) {
    const folder = folderOf(node.path);
    if (!opened.has(folder)) continue;
    const expanded = node.kind === 'folder' ? isOpen(node.path) : null;
    if (expanded === true) opened.add(node.path);
    const position = (places.get(folder) ?? 0) + 1;
    places.set(folder, position);
    const { kind, path, name, operation, problem, warnings, variables } = node;
    rows.push({
      kind,
      path,
      name,
      operation,
      problem,
      warnings,
      variables,
      readOnly,
      key: rowKey(id, path),
      collectionId: id,
      level: path.split('/').length + 1,
      position,
      siblings: siblings.get(folder) ?? 1,
      expanded,
      ...(kind === 'folder' ? markAround(marks, path) : { mark: marks?.files.get(path) ?? null, marked: 0 }),
    });
  }
}

/** Returns the mark of a folder or a collection: that of the files in it. */
function markAround(marks: CollectionMarks | undefined, path: string): Pick<TreeRow, 'mark' | 'marked'> {
  const { files, conflicts } = marks?.below.get(path) ?? { files: 0, conflicts: 0 };
  return { mark: conflicts > 0 ? 'conflicted' : files > 0 ? 'changed' : null, marked: files };
}

/** Returns the paths of the nodes that fit, of the folders around them, and of everything in a folder that fits. */
function fitting(nodes: readonly CollectionNode[], words: readonly string[]): ReadonlySet<string> {
  const shown = new Set<string>();
  for (const { path, operation } of nodes) {
    const text = `${path} ${operation ?? ''}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    for (let at = path; at !== '' && !shown.has(at); at = folderOf(at)) shown.add(at);
  }
  return shown;
}

/** Target of a move: a folder, and the file or folder before which the item comes; null for the end. */
export interface Destination {
  readonly folder: string;
  readonly before: string | null;
}

/**
 * Returns the target of a move by the keyboard: among its neighbours, out of its folder, or into the folder above it. Null if it
 * cannot move.
 */
export function stepDestination(
  nodes: readonly CollectionNode[],
  path: string,
  step: 'up' | 'down' | 'out' | 'in',
): Destination | null {
  const folder = folderOf(path);
  const names = childrenOf(nodes, folder);
  const at = names.indexOf(nameOf(path));
  if (at < 0) return null;
  if (step === 'up' && at > 0) return { folder, before: names[at - 1] ?? null };
  if (step === 'down' && at < names.length - 1) return { folder, before: names[at + 2] ?? null };
  if (step === 'in') {
    const above = nodes.find((node) => node.path === pathIn(folder, names[at - 1] ?? ''));
    return at > 0 && above?.kind === 'folder' ? { folder: above.path, before: null } : null;
  }
  if (folder === '') return null;
  const outer = childrenOf(nodes, folderOf(folder));
  const place = outer.indexOf(nameOf(folder));
  // At the upper end it leaves its folder upwards.
  return { folder: folderOf(folder), before: (step === 'up' ? outer[place] : outer[place + 1]) ?? null };
}

/**
 * Returns the target of a row dropped on another. `nodes` are those around the other row; `dragged` is the path of the dragged row
 * if it is one of them; `part` is how far down on the other row it is dropped, from 0 to 1. Null if nothing would move.
 */
export function dropDestination(
  nodes: readonly CollectionNode[],
  dragged: string | null,
  target: Pick<TreeRow, 'kind' | 'path' | 'expanded'>,
  part: number,
): (Destination & { readonly where: 'before' | 'into' | 'after' }) | null {
  if (dragged !== null && (target.path === dragged || target.path.startsWith(`${dragged}/`))) return null;
  if (target.kind === 'collection') return { folder: '', before: part > 0.5 ? first(nodes, '', dragged) : null, where: 'into' };
  if (target.kind === 'folder' && part > 0.25 && (part < 0.75 || target.expanded === true)) {
    return { folder: target.path, before: target.expanded === true ? first(nodes, target.path, dragged) : null, where: 'into' };
  }
  const folder = folderOf(target.path);
  const names = childrenOf(nodes, folder).filter((name) => pathIn(folder, name) !== dragged);
  const at = names.indexOf(nameOf(target.path));
  return part < 0.5
    ? { folder, before: names[at] ?? null, where: 'before' }
    : { folder, before: names[at + 1] ?? null, where: 'after' };
}

function first(nodes: readonly CollectionNode[], folder: string, without: string | null): string | null {
  return childrenOf(nodes, folder).find((name) => pathIn(folder, name) !== without) ?? null;
}

function childrenOf(nodes: readonly CollectionNode[], folder: string): string[] {
  return nodes.filter((node) => folderOf(node.path) === folder).map((node) => nameOf(node.path));
}
