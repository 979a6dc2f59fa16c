import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
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
} from '#shared/collections/file-names.ts';
import { AppError } from '#shared/errors.ts';
import { writeNewFileDurably } from '../files/files.ts';
import { vouched } from '../files/passed.ts';
import { asStorage, clashWith, locateExisting, moveEntry, namesIn, readBytes, readNamed } from './disk.ts';
import { rename, rm } from '../files/moves.ts';

/** Names and positions of the requests and folders of one collection. It does not read them. */
export function createDirectoryEntries(directory: string) {
  const { folder, freeName } = createNames(directory);

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
      // With another case or spelling it is the same file on some systems.
      if (nameKey(from) === nameKey(to)) await rename(source, target);
      else await moveEntry(source, target);
    } catch (cause) {
      throw asStorage(cause, from);
    }
    return to;
  }

  return {
    /** Returns the names of everything in a folder, hidden files too. */
    names: async (path: string): Promise<readonly string[]> => namesIn(await folder(path)),
    async createFolder(parent: string, name: string): Promise<string> {
      const path = await freeName(parent, name, 'folder', null);
      try {
        await mkdir(join(directory, ...path.split('/')));
      } catch (cause) {
        throw asStorage(cause, path);
      }
      return path;
    },
    /** Returns the new path, as `move` and `duplicate` do. */
    async rename(path: string, name: string): Promise<string> {
      const { kind } = await kindOf(path);
      return relocate(path, await freeName(folderOf(path), name, kind, nameOf(path)));
    },
    async move(path: string, parent: string): Promise<string> {
      const { kind, name } = await kindOf(path);
      if (kind === 'folder' && (parent === path || parent.startsWith(`${path}/`))) {
        throw new AppError('invalid_input', 'A folder cannot be moved into itself. Choose another place.');
      }
      return relocate(path, await freeName(parent, name, kind, parent === folderOf(path) ? nameOf(path) : null));
    },
    async duplicate(path: string): Promise<string> {
      const { absolute, kind, name } = await kindOf(path);
      const parent = folderOf(path);
      const to = await freeName(parent, await copyName(dirname(absolute), name, kind), kind, null);
      const target = join(directory, ...to.split('/'));
      if (kind === 'request') {
        const bytes = await readNamed(path, () => readBytes('collection.file', absolute));
        if (bytes === null) throw new AppError('not_found', `${path} is not in the collection.`);
        await writeNewFileDurably(target, vouched('team', 'same', bytes), 'shared');
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
    /** Returns the path of an existing file or folder, for setting it aside. */
    find: async (path: string): Promise<string> => (await kindOf(path)).absolute,
    /** Returns the path to which a file or folder can be restored. Fails with `conflict` if it is taken. */
    async findFree(path: string): Promise<string> {
      const parent = await folder(folderOf(path));
      const clash = await clashWith(parent, nameOf(path));
      if (clash !== null) {
        throw new AppError('conflict', `${clash} is in its place now. Rename that first.`, { name: clash });
      }
      return join(parent, nameOf(path));
    },
  };
}

/** Creates the checks for a new item: its folder exists, and its name is free there. */
export function createNames(directory: string) {
  async function folder(path: string): Promise<string> {
    const { absolute, stats } = await locateExisting(directory, path);
    if (!stats.isDirectory()) throw new AppError('invalid_input', `${path} is not a folder. Choose one.`);
    return absolute;
  }

  /** Returns the name of the file or folder for a new item; `own` is its current name, if that is in the same folder. */
  async function freeName(parent: string, name: string, kind: 'request' | 'folder', own: string | null): Promise<string> {
    const file = fileFor(name, kind);
    const clash = await clashWith(await folder(parent), file);
    if (clash !== null && clash !== own) throw taken(clash);
    return pathIn(parent, file);
  }

  return { folder, freeName };
}

/** Returns the name of the file or folder for a new item; refuses a name that some system cannot have. */
export function fileFor(name: string, kind: 'request' | 'folder'): string {
  const refusal = refusedName(name, kind);
  if (refusal !== null) throw new AppError('invalid_input', refusal, { field: 'name' });
  return kind === 'request' ? fileOfRequest(normalName(name)) : normalName(name);
}

/** Returns the error for a name that is not free. */
export function taken(name: string): AppError {
  return new AppError('conflict', `${name} already exists here. Choose another name.`, { name });
}

/** Returns `name copy`, or with a number behind it. */
async function copyName(parent: string, name: string, kind: 'request' | 'folder'): Promise<string> {
  const others = await namesIn(parent);
  for (let number = 1; ; number += 1) {
    const copy = `${name} copy${number === 1 ? '' : ` ${number}`}`;
    const file = (kind === 'request' ? fileOfRequest(copy) : copy).toLowerCase();
    if (!others.some((other) => other.toLowerCase() === file)) return copy;
  }
}

/** Copies files and folders; links, hidden files and other programs' versions stay behind. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || fileOfOtherVersion(entry.name) !== null) continue;
    if (entry.isDirectory()) await copyFolder(join(from, entry.name), join(to, entry.name));
    else if (entry.isFile()) await copyFile(join(from, entry.name), join(to, entry.name), constants.COPYFILE_EXCL);
  }
}
