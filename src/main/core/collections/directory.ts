import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { CollectionRequest, FolderSettings } from '#shared/collections/model.ts';
import { newerFormatText, saysNothing } from '#shared/collections/format.ts';
import {
  fileOfOtherVersion,
  fileOfRequest,
  folderOf,
  nameKey,
  nameOf,
  normalName,
  pathIn,
  refusedName,
  requestOfFile,
  settingsNames,
} from '#shared/collections/file-names.ts';
import { AppError } from '#shared/errors.ts';
import type { ReadRequest, ReadSettings } from '#shared/ipc/index.ts';
import { writeNewFileDurably, writeNewFiles } from '../files/files.ts';
import {
  asStorage,
  bytesOf,
  checkWritable,
  clashWith,
  locate,
  locateExisting,
  moveEntry,
  namesIn,
  readBytes,
  readSource,
  writeNewSource,
} from './disk.ts';
import type { FileReader } from './file-reader.ts';
import type { Replacing } from './replace-file.ts';

interface NewRequest {
  readonly folder: string;
  readonly name: string;
  readonly request: CollectionRequest;
}

/** The files of one collection. Nothing here takes turns: whoever changes something holds the collection's lock. */
export interface Directory {
  /** Everything that lies in a folder, hidden files too. */
  names(folder: string): Promise<readonly string[]>;
  readRequest(path: string): Promise<ReadRequest>;
  saveRequest(path: string, request: CollectionRequest, revision: string): Promise<ReadRequest>;
  createRequest(folder: string, name: string, request: CollectionRequest): Promise<ReadRequest>;
  /** The same for many: `each` is called before each one and may end it by failing; `onMade` is told of each file that is there, before this ends. */
  createRequests(requests: readonly NewRequest[], each: (at: number) => void, onMade: (path: string) => void): Promise<void>;
  createFolder(folder: string, name: string): Promise<string>;
  readSettings(path: string): Promise<ReadSettings>;
  /** Fails with `refused` where a newer version wrote the collection. Where that cannot be told, whoever reads the file says why. */
  checkFormat(): Promise<void>;
  saveSettings(path: string, settings: FolderSettings, revision: string | null): Promise<ReadSettings>;
  /** Gives the new path back, as `move` and `duplicate` do. */
  rename(path: string, name: string): Promise<string>;
  move(path: string, folder: string): Promise<string>;
  duplicate(path: string): Promise<string>;
  /** Returns the path of an existing file or folder, for setting it aside. */
  find(path: string): Promise<string>;
  /** Returns the path to which a file or folder can be restored. Fails with `conflict` if it is taken. */
  findFree(path: string): Promise<string>;
  /** Changes a folder's order. Unless `meant`, skips unreadable settings. */
  changeOrder(folder: string, change: (order: readonly string[]) => readonly string[], meant?: boolean): Promise<void>;
  /** Removes the settings of a folder where nothing stands in them. */
  dropEmptySettings(folder: string): Promise<void>;
}

export interface DirectoryDeps {
  readonly reader: FileReader;
  /** Fails with `refused` for a text that may not be written. */
  readonly checkText: (text: string) => Promise<void>;
  readonly replacing: Pick<Replacing, 'replace'>;
}

export function createDirectory(directory: string, { reader, checkText, replacing }: DirectoryDeps): Directory {
  async function save(path: string, write: (source: string | null) => Promise<string>, revision: string | null): Promise<void> {
    const { absolute } = await locate(directory, path);
    const source = await readNamed(path, () => readSource(absolute));
    if ((source?.revision ?? null) !== revision) throw conflictOf(path, source?.revision ?? null);
    const text = await readNamed(path, () => write(source?.text ?? null));
    if (text === source?.text) return;
    await checkText(text);
    try {
      await put(absolute, text, source?.revision ?? null);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      // Another program wrote it since it was read here: that is as if it had been so before.
      const now = await readSource(absolute).catch(() => null);
      throw conflictOf(path, now?.revision ?? null);
    }
  }

  async function put(absolute: string, text: string, revision: string | null): Promise<void> {
    if (revision === null) return writeNewSource(absolute, text);
    const bytes = bytesOf(text);
    await checkWritable(absolute);
    await replacing.replace(absolute, bytes, revision);
  }

  async function readRequest(path: string): Promise<ReadRequest> {
    const name = requestOfFile(nameOf(path));
    if (name === null) throw new AppError('invalid_input', `${path} is not a file of a request: those end with .yaml.`);
    const { absolute } = await locate(directory, path);
    const source = await readNamed(path, () => readSource(absolute));
    if (source === null) throw new AppError('not_found', `There is no ${path} in the collection.`);
    const { value, unknown, warnings } = await readNamed(path, () => reader.read('request', source.text));
    return { path, name, request: value, revision: source.revision, unknown: [...unknown], warnings: [...warnings] };
  }

  async function readSettings(path: string): Promise<ReadSettings> {
    const file = settingsOf(path);
    if (path !== '') await folder(path);
    const { absolute } = await locate(directory, file);
    const source = await readNamed(file, () => readSource(absolute));
    const { value, unknown, warnings } = await readNamed(file, () => reader.read(settingsKind(path), source?.text ?? ''));
    return { path, settings: value, revision: source?.revision ?? null, unknown: [...unknown], warnings: [...warnings] };
  }

  async function folder(path: string): Promise<string> {
    const { absolute, stats } = await locateExisting(directory, path);
    if (!stats.isDirectory()) throw new AppError('invalid_input', `${path} is not a folder. Choose one.`);
    return absolute;
  }

  /** The file or folder of a new name in a folder; `own` is what it is called now, where that is in the same folder. */
  async function freeName(parent: string, name: string, kind: 'request' | 'folder', own: string | null): Promise<string> {
    const file = fileFor(name, kind);
    const clash = await clashWith(await folder(parent), file);
    if (clash !== null && clash !== own) throw taken(clash);
    return pathIn(parent, file);
  }

  async function textOf(path: string, request: CollectionRequest): Promise<string> {
    const text = await readNamed(path, () => reader.write('request', null, request));
    await checkText(text);
    return text;
  }

  async function kindOf(path: string): Promise<{ absolute: string; kind: 'request' | 'folder'; name: string }> {
    const { absolute, stats } = await locateExisting(directory, path);
    const file = nameOf(path);
    if (path === '') throw new AppError('invalid_input', 'This is the whole collection. Choose a request or a folder in it.');
    if (stats.isDirectory()) return { absolute, kind: 'folder', name: file };
    const name = requestOfFile(file);
    if (name === null || !stats.isFile()) throw new AppError('invalid_input', `${path} is neither a request nor a folder.`);
    return { absolute, kind: 'request', name };
  }

  async function relocate(from: string, to: string): Promise<string> {
    if (from === to) return to;
    const [source, target] = [join(directory, ...from.split('/')), join(directory, ...to.split('/'))];
    try {
      // In another case or spelling it is the same file on some systems.
      if (nameKey(from) === nameKey(to)) await rename(source, target);
      else await moveEntry(source, target);
    } catch (cause) {
      throw asStorage(cause, from);
    }
    return to;
  }

  return {
    names: async (path) => namesIn(await folder(path)),
    readRequest,
    async saveRequest(path, request, revision) {
      await readNameOnly(path);
      await save(path, (source) => reader.write('request', source, request), revision);
      return readRequest(path);
    },
    async createRequest(parent, name, request) {
      const path = await freeName(parent, name, 'request', null);
      await writeNewSource(join(directory, ...path.split('/')), await textOf(path, request));
      return readRequest(path);
    },
    async createRequests(requests, each, onMade) {
      const files = writeNewFiles('shared');
      // A folder's names are read once: what is added to them is made here.
      const names = new Map<string, Map<string, string>>();
      try {
        for (const [at, { folder: parent, name, request }] of requests.entries()) {
          each(at);
          const file = fileFor(name, 'request');
          const known = names.get(parent) ?? new Map((await namesIn(await folder(parent))).map((one) => [nameKey(one), one]));
          names.set(parent, known);
          const clash = known.get(nameKey(file));
          if (clash !== undefined) throw taken(clash);
          known.set(nameKey(file), file);
          const path = pathIn(parent, file);
          await files.add(join(directory, ...path.split('/')), bytesOf(await textOf(path, request)), () => onMade(path));
        }
      } catch (error) {
        // Whoever removes what was made hears of all of it before.
        await files.end().catch(() => undefined);
        throw error;
      }
      await files.end();
    },
    async createFolder(parent, name) {
      const path = await freeName(parent, name, 'folder', null);
      try {
        await mkdir(join(directory, ...path.split('/')));
      } catch (cause) {
        throw asStorage(cause, path);
      }
      return path;
    },
    readSettings,
    async saveSettings(path, settings, revision) {
      if (path !== '') await folder(path);
      await save(settingsOf(path), (source) => reader.write(settingsKind(path), source, settings), revision);
      return readSettings(path);
    },
    async rename(path, name) {
      const { kind } = await kindOf(path);
      return relocate(path, await freeName(folderOf(path), name, kind, nameOf(path)));
    },
    async move(path, parent) {
      const { kind, name } = await kindOf(path);
      if (kind === 'folder' && (parent === path || parent.startsWith(`${path}/`))) {
        throw new AppError('invalid_input', 'A folder cannot be moved into itself. Choose another place.');
      }
      return relocate(path, await freeName(parent, name, kind, parent === folderOf(path) ? nameOf(path) : null));
    },
    async duplicate(path) {
      const { absolute, kind, name } = await kindOf(path);
      const parent = folderOf(path);
      const to = await freeName(parent, await copyName(dirname(absolute), name, kind), kind, null);
      const target = join(directory, ...to.split('/'));
      if (kind === 'request') {
        const bytes = await readNamed(path, () => readBytes(absolute));
        if (bytes === null) throw new AppError('not_found', `There is no ${path} in the collection.`);
        await writeNewFileDurably(target, bytes, 'shared');
        return to;
      }
      // Under a hidden name first, so that half a copy is never shown.
      const copy = join(dirname(target), `.${basename(target).slice(0, 50)}.${randomBytes(8).toString('hex')}.tmp`);
      try {
        await copyFolder(absolute, copy);
        await rename(copy, target);
      } catch (cause) {
        await rm(copy, { recursive: true, force: true });
        throw asStorage(cause, path);
      }
      return to;
    },
    async checkFormat() {
      const source = await readSource(join(directory, settingsNames.collection)).catch(() => null);
      const read = source === null ? null : await reader.read('collection', source.text).catch(() => null);
      const newer = read?.newerFormat ?? null;
      if (newer !== null) throw new AppError('refused', newerFormatText(newer));
    },
    find: async (path) => (await kindOf(path)).absolute,
    async findFree(path) {
      const parent = await folder(folderOf(path));
      const clash = await clashWith(parent, nameOf(path));
      if (clash !== null) {
        throw new AppError('conflict', `There is a ${clash} in its place now. Rename that one first.`, { name: clash });
      }
      return join(parent, nameOf(path));
    },
    async changeOrder(path, change, meant = false) {
      const { settings, revision } = await readSettings(path).catch((error: unknown) => {
        if (!meant && error instanceof AppError && error.code === 'invalid_input') return { settings: null, revision: null };
        throw error;
      });
      if (settings === null) return;
      const order = change(settings.order);
      if (order.length === settings.order.length && order.every((name, at) => name === settings.order[at])) return;
      const changed = { ...settings, order: [...order] };
      // What follows from another change adds no format, so that undoing that change gives the old bytes.
      const kind = (source: string | null) => (meant || source === null ? settingsKind(path) : 'settings');
      await save(settingsOf(path), (source) => reader.write(kind(source), source, changed), revision);
    },
    async dropEmptySettings(path) {
      const { absolute } = await locate(directory, settingsOf(path));
      const source = await readSource(absolute);
      if (source !== null && saysNothing(source.text)) await rm(absolute);
    },
  };
}

function conflictOf(path: string, revision: string | null): AppError {
  const message =
    revision === null
      ? `${path} was removed by another program. Save it as a new one, or give up the changes.`
      : `${path} was changed by another program since it was read. Look at both and choose which one stays.`;
  return new AppError('conflict', message, { revision });
}

/** The file or folder name of something new; what no system can have is refused. */
function fileFor(name: string, kind: 'request' | 'folder'): string {
  const refusal = refusedName(name, kind);
  if (refusal !== null) throw new AppError('invalid_input', refusal, { field: 'name' });
  return kind === 'request' ? fileOfRequest(normalName(name)) : normalName(name);
}

function taken(name: string): AppError {
  return new AppError('conflict', `There is already a ${name} here. Choose another name.`, { name });
}

async function readNameOnly(path: string): Promise<void> {
  if (requestOfFile(nameOf(path)) === null) {
    throw new AppError('invalid_input', `${path} is not a file of a request: those end with .yaml.`);
  }
}

function settingsKind(path: string): 'collection' | 'settings' {
  return path === '' ? 'collection' : 'settings';
}

function settingsOf(path: string): string {
  return path === '' ? settingsNames.collection : pathIn(path, settingsNames.folder);
}

/** Adds path, line and column to an error about a file. */
async function readNamed<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'invalid_input' && error.code !== 'storage')) throw error;
    const { line, column } = (error.details ?? {}) as { line?: number; column?: number };
    const place = line === undefined ? '' : `, line ${line}, column ${column}`;
    throw new AppError(error.code, `${path}${place}: ${error.message}`, error.details, { cause: error });
  }
}

/** `name copy`, or with a number behind it. */
async function copyName(parent: string, name: string, kind: 'request' | 'folder'): Promise<string> {
  const others = await namesIn(parent);
  for (let number = 1; ; number += 1) {
    const copy = `${name} copy${number === 1 ? '' : ` ${number}`}`;
    const file = (kind === 'request' ? fileOfRequest(copy) : copy).toLowerCase();
    if (!others.some((other) => other.toLowerCase() === file)) return copy;
  }
}

/** Files and folders; links, hidden files and other programs' versions stay behind. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || fileOfOtherVersion(entry.name) !== null) continue;
    if (entry.isDirectory()) await copyFolder(join(from, entry.name), join(to, entry.name));
    else if (entry.isFile()) await copyFile(join(from, entry.name), join(to, entry.name), constants.COPYFILE_EXCL);
  }
}
