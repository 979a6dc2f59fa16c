import { environmentsFolder } from '#shared/collections/file-names.ts';
import { isUtf8 } from 'node:buffer';
import type { Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  fileOfOtherVersion,
  folderOf,
  nameKey,
  nameOf,
  otherVersionText,
  partsOfPath,
  pathIn,
  requestOfFile,
  settingsNames,
} from '#shared/collections/file-names.ts';
import { AppError } from '#shared/errors.ts';
import type { CollectionNode, FileProblem } from '#shared/ipc/index.ts';
import { compareNames } from '#shared/listed.ts';
import { asStorage, readBeginning, readSource } from './disk.ts';
import type { FileReader } from './file-reader.ts';
import type { FileKind } from './unknown-names.ts';
import type { Place } from './yaml-tree.ts';

/** A collection as it is on the disk at one moment. */
export interface Scan {
  /** Each folder before its contents, in the order they are shown. */
  readonly nodes: readonly CollectionNode[];
  /** Of `collection.yaml`. */
  readonly problem: FileProblem | null;
  readonly warnings: readonly FileProblem[];
  /** Number of variables that `collection.yaml` defines. */
  readonly variables: number;
  /** Format of the collection if a newer version wrote it; null if this version may save and run it. */
  readonly newerFormat: number | null;
  /** Sentences about all that nobody reads though it may be a part of the collection: no rule lets Croupier pass over it. */
  readonly remarks: readonly Remark[];
  /** Every folder that was read, also those without a request; paths with `/`, the collection first. */
  readonly folders: readonly string[];
  /**
   * Revisions by path, of every request and settings file and every shown folder; of other programs' versions only that they exist.
   */
  readonly contents: ReadonlyMap<string, string>;
}

/** A sentence about an entry of the directory that nobody reads. */
export interface Remark {
  /** Empty for the directory as a whole. */
  readonly path: string;
  readonly words: string;
  /** True if a run would leave out what it was meant to hold. */
  readonly prevents: boolean;
}

interface ReadFile {
  readonly stamp: string;
  readonly revision: string;
  readonly problem: FileProblem | null;
  readonly warnings: readonly FileProblem[];
  readonly unchecked: boolean;
  readonly takes: readonly string[];
  /** Number of variables that a settings file defines. */
  readonly variables: number;
  readonly operation: CollectionNode['operation'];
  readonly order: readonly string[];
  readonly newerFormat: number | null;
}

const mostEntries = 20_000;
const deepest = 32;

/** Creates a scanner that reads a file again only if it changed, and fails with the reason of its signal if that is aborted. */
export function createScanner(directory: string, reader: FileReader, signal: AbortSignal): () => Promise<Scan> {
  let known = new Map<string, ReadFile>();

  return async () => {
    const next = new Map<string, ReadFile>();
    const folders: string[] = [];
    const remarks: Remark[] = [];
    const contents = new Map<string, string>();
    let seen = 0;

    function remark(path: string, words: string, prevents = false): void {
      remarks.push({ path, words, prevents });
      contents.set(path, words);
    }

    async function read(path: string, kind: FileKind): Promise<ReadFile | null> {
      signal.throwIfAborted();
      const absolute = join(directory, ...path.split('/'));
      const stats = await lstat(absolute).catch(() => null);
      if (stats === null) return null;
      const stamp = stampOf(stats);
      const before = known.get(path);
      const file = before?.stamp === stamp ? before : await readFresh(reader, absolute, stamp, kind, signal);
      next.set(path, file);
      contents.set(path, file.revision);
      return file;
    }

    /** Returns the shown contents of a folder, or null if it holds nothing of the collection. */
    async function visit(path: string, depth: number): Promise<{ nodes: CollectionNode[]; settings: ReadFile | null } | null> {
      folders.push(path);
      const entries: Entry[] = [];
      for (const entry of await listed(path)) {
        if (isPassedOver(entry.name)) continue;
        const inside = pathIn(path, entry.name);
        const words = await refusalOf(directory, inside, entry);
        if (words === null) entries.push(entry);
        else remark(inside, words, path !== environmentsFolder);
      }
      for (const [one, other] of alike(entries)) remark(pathIn(path, other), oneName(pathIn(path, one), pathIn(path, other)));
      seen += entries.length;
      if (seen > mostEntries || depth > deepest) {
        if (!remarks.some((one) => one.path === '')) remark('', tooMuchText, true);
        return null;
      }
      const settingsName = path === '' ? settingsNames.collection : settingsNames.folder;
      const settings = entries.some(({ name }) => name === settingsName)
        ? await read(pathIn(path, settingsName), path === '' ? 'collection' : 'settings')
        : null;
      const found: { name: string; nodes: CollectionNode[] }[] = [];
      for (const entry of entries) {
        const nodes = await nodesOf(path, entry, depth);
        if (nodes !== null) found.push({ name: entry.name, nodes });
      }
      if (path !== '' && found.length === 0 && settings === null && entries.length > 0) return null;
      return { nodes: inOrder(found, settings?.order ?? []).flatMap(({ nodes }) => nodes), settings };
    }

    /** A folder that is gone by now hides nothing but itself; one that cannot be read is said. */
    async function listed(path: string): Promise<readonly Entry[]> {
      try {
        return await list(directory, path);
      } catch (cause) {
        if (path === '') throw cause;
        const code = (cause as NodeJS.ErrnoException).code ?? '';
        if (code !== 'ENOENT') remark(path, `${path} cannot be read (${code}). Check its permissions.`, true);
        return [];
      }
    }

    async function nodesOf(folder: string, entry: Entry, depth: number): Promise<CollectionNode[] | null> {
      const path = pathIn(folder, entry.name);
      if (entry.isFolder) {
        const inside = await visit(path, depth + 1);
        if (inside === null) return null;
        contents.set(path, 'folder');
        const { problem = null, warnings = [], variables = 0 } = inside.settings ?? {};
        const node = { kind: 'folder', path, name: entry.name, operation: null, problem, unchecked: false, variables } as const;
        return [{ ...node, takes: [], warnings: [...warnings] }, ...inside.nodes];
      }
      if (fileOfOtherVersion(entry.name) !== null) {
        remark(path, otherVersionNotice(path));
        return null;
      }
      if (folder === environmentsFolder && !(await holdsRequest(join(directory, ...path.split('/'))))) {
        const stats = await lstat(join(directory, ...path.split('/'))).catch(() => null);
        if (stats !== null) contents.set(path, stampOf(stats));
        if (isYml(path)) remark(path, notRead(path));
        return null;
      }
      const name = requestOfFile(entry.name);
      if (isYml(path) && (isSettings(path) || (await holdsRequest(join(directory, ...path.split('/'))))))
        remark(path, notRead(path), !isSettings(path));
      if (name === null) return null;
      const file = await read(path, 'request');
      if (file === null) return null;
      const { operation, problem, warnings, unchecked, takes } = file;
      const node = { kind: 'request', path, name, operation, problem, unchecked, variables: 0 } as const;
      return [{ ...node, takes: [...takes], warnings: [...warnings] }];
    }

    const whole = await visit('', 0);
    known = next;
    const { problem = null, warnings = [], newerFormat = null, variables = 0 } = whole?.settings ?? {};
    const nodes = whole?.nodes ?? [];
    return { nodes, problem, warnings, variables, newerFormat, remarks, folders, contents };
  };
}

/** An entry of a folder by its name as text. */
interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isLink: boolean;
  readonly isUtf8: boolean;
}

async function list(directory: string, path: string): Promise<Entry[]> {
  const absolute = path === '' ? directory : join(directory, ...path.split('/'));
  try {
    // As bytes: two names that are no UTF-8 may be the same text.
    return (await readdir(absolute, { withFileTypes: true, encoding: 'buffer' })).map((entry) => ({
      name: entry.name.toString('utf8'),
      isFolder: entry.isDirectory(),
      isLink: entry.isSymbolicLink(),
      isUtf8: isUtf8(entry.name),
    }));
  } catch (cause) {
    if (path !== '') throw cause;
    throw (cause as NodeJS.ErrnoException).code === 'ENOENT'
      ? new AppError('not_found', `${directory} is missing. Restore it, or forget the collection.`, undefined, { cause })
      : asStorage(cause, directory);
  }
}

/** Returns whether a name is that of a hidden entry, or of packages. */
function isPassedOver(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

/** Returns why an entry that may be a part of a collection is not read; null if it is, or if it is a file of another type. */
async function refusalOf(
  directory: string,
  path: string,
  { name, isFolder, isLink, isUtf8: readable }: Entry,
): Promise<string | null> {
  const leadsToFolder = isLink && (await stat(join(directory, ...path.split('/'))).catch(() => null))?.isDirectory() === true;
  if (!isFolder && !leadsToFolder && !/\.ya?ml$/i.test(name)) return null;
  // Of a request's file, its reader says so.
  if (isLink && !leadsToFolder && name.endsWith('.yaml') && folderOf(path) !== environmentsFolder) return null;
  if (isLink)
    return `${path} is a link, and Croupier doesn't follow links. Put the ${leadsToFolder ? 'folder' : 'file'} itself there.`;
  if (!readable) return `${path} is not read: its name is not UTF-8. Rename it.`;
  if (partsOfPath(name) === null)
    return `${path} is not read: a name in a collection can't contain a colon or a backslash. Rename it.`;
  return !isFolder && /\.yaml$/i.test(name) && !name.endsWith('.yaml') ? notRead(path) : null;
}

/** Returns pairs of entries that some systems take for one. */
function alike(entries: readonly Entry[]): [string, string][] {
  const known = new Map<string, string>();
  const sorted = [...entries].sort((one, other) => (one.name < other.name ? -1 : 1));
  return sorted.flatMap(({ name, isFolder }): [string, string][] => {
    if (!isFolder && !name.endsWith('.yaml')) return [];
    const first = known.get(nameKey(name));
    known.set(nameKey(name), first ?? name);
    return first === undefined ? [] : [[first, name]];
  });
}

function oneName(one: string, other: string): string {
  return `${one} and ${other} are the same name on macOS and Windows. Rename one of them.`;
}

const tooMuchText = `The collection has more than ${mostEntries.toLocaleString('en')} files and folders, or is more than ${deepest} folders deep. Open a folder in it instead.`;

function isYml(path: string): boolean {
  return path.toLowerCase().endsWith('.yml');
}

/** Returns whether a file has the name of the settings in its folder, but for the ending. */
function isSettings(path: string): boolean {
  return (
    settingsOf(path).toLowerCase() ===
    nameOf(path)
      .toLowerCase()
      .replace(/\.yml$/, '.yaml')
  );
}

function settingsOf(path: string): string {
  return folderOf(path) === '' ? settingsNames.collection : settingsNames.folder;
}

/** Returns whether a file says that it is a request. One beside environments that does not is an environment. */
export async function holdsRequest(absolute: string): Promise<boolean> {
  // Every version has written it near the beginning.
  const text = await readBeginning(absolute, 65_536).catch(() => '');
  return /^\uFEFF?operation:/m.test(text);
}

/** Returns a problem of a file in one sentence, with its position. */
export function placed(path: string, { message, line, column }: FileProblem): string {
  return `${path}${line === null ? '' : `, line ${line}, column ${column ?? 1}`}: ${message}`;
}

/** Returns the sentence that a file with another ending is not read. */
function notRead(path: string): string {
  if (folderOf(path) === environmentsFolder)
    return `${path} is not read: environment files end with .yaml. Rename it if it is one.`;
  if (isSettings(path)) return `${path} is not read: settings are in ${settingsOf(path)}. Rename it if it contains them.`;
  return `${path} is not read: request files end with .yaml. Rename it.`;
}

/** Returns the sentence about a version that another program wrote. */
function otherVersionNotice(path: string): string {
  return otherVersionText(pathIn(folderOf(path), fileOfOtherVersion(nameOf(path)) ?? ''), path);
}

async function readFresh(
  reader: FileReader,
  absolute: string,
  stamp: string,
  kind: FileKind,
  signal: AbortSignal,
): Promise<ReadFile> {
  let revision = stamp;
  const unread = {
    problem: null,
    warnings: [],
    unchecked: false,
    takes: [],
    variables: 0,
    operation: null,
    order: [],
    newerFormat: null,
  };
  try {
    const source = await readSource('collection.file', absolute);
    if (source === null) throw new AppError('not_found', 'It no longer exists.');
    revision = source.revision;
    if (kind === 'request') {
      const { value, warnings } = await reader.read('request', source.text, signal);
      const { operation, expect, take } = value;
      return { ...unread, stamp, revision, warnings, unchecked: expect.length === 0, takes: Object.keys(take), operation };
    }
    const { value, warnings, newerFormat } = await reader.read(kind, source.text, signal);
    const variables = Object.keys(value.variables).length;
    return { ...unread, stamp, revision, warnings, variables, order: value.order, newerFormat };
  } catch (error) {
    signal.throwIfAborted();
    return { ...unread, stamp, revision, problem: problemOf(error) };
  }
}

/** Returns an error about a file as data. Throws any other error again, as that of a reading that was stopped. */
function problemOf(error: unknown): FileProblem {
  if (!(error instanceof AppError) || error.code === 'cancelled') throw error;
  const { line = null, column = null, excerpt = '', conflict } = (error.details ?? {}) as Partial<Place>;
  return { message: error.message, line, column, excerpt, ...(conflict === true ? { conflict } : {}) };
}

function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
}

/** Returns the items that the order names first, then the others by name. */
function inOrder<T extends { name: string }>(found: readonly T[], order: readonly string[]): T[] {
  const places = new Map(order.map((name, at) => [name, at]));
  const placeOf = ({ name }: T) => places.get(name) ?? Number.MAX_SAFE_INTEGER;
  return [...found].sort((a, b) => placeOf(a) - placeOf(b) || compareNames(a.name, b.name) || (a.name < b.name ? -1 : 1));
}
