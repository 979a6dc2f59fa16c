import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { access, cp, lstat, open, readdir, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { nameKey, partsOfPath } from '#shared/collections/file-names.ts';
import { AppError, reasonAndAdvice } from '#shared/errors.ts';
import { kindOfFile, otherKind } from '#shared/json/file-text.ts';
import { beyond, type Kind } from '#shared/model/readers.ts';
import { moveToNew, writeFailure } from '../files/files.ts';
import { faultAt } from './yaml-tree.ts';
import { rename, rm } from '../files/moves.ts';

/** An entry below a collection's directory: no link leads to it. */
export interface Located {
  readonly absolute: string;
  readonly stats: Stats | null;
}

/** The text of a file, byte order mark and all, and the revision of these bytes. */
export interface Source {
  readonly text: string;
  readonly revision: string;
}

/**
 * Follows a path step by step, because a link could lead out of the collection. Fails with `invalid_input` for a path that leads
 * out of it, `refused` for a link on the way and `not_found` for a missing folder on the way.
 */
export async function locate(directory: string, path: string): Promise<Located> {
  const parts = partsOfPath(path);
  if (parts === null) throw new AppError('invalid_input', `${path.slice(0, 200)} is not a valid path in a collection.`);
  let absolute = directory;
  let stats = await statOf(directory);
  if (stats === null) throw new AppError('not_found', `${directory} no longer exists. Open the collection where it is now.`);
  for (const part of parts) {
    if (stats === null || !stats.isDirectory()) throw new AppError('not_found', `${path} is not in the collection.`);
    absolute = join(absolute, part);
    stats = await statOf(absolute);
    if (stats?.isSymbolicLink() === true) {
      throw new AppError(
        'refused',
        `${path} is a link or inside one, and Croupier doesn't follow links. Put the file itself there.`,
      );
    }
  }
  return { absolute, stats };
}

/** Locates an entry that must exist; fails as `locate` does, and with `not_found`. */
export async function locateExisting(directory: string, path: string): Promise<Located & { stats: Stats }> {
  const { absolute, stats } = await locate(directory, path);
  if (stats === null) throw new AppError('not_found', `${path} is not in the collection.`);
  return { absolute, stats };
}

async function statOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return null;
    throw new AppError('storage', `${path} cannot be read (${code}). Check its permissions.`, undefined, { cause });
  }
}

/** Opens neither a link nor a pipe that waits for a writer. What Windows lacks adds nothing. */
export const readingFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Reads a text file; null if there is none. Fails with `invalid_input` if it is not a file of a collection, and with `storage` if
 * it cannot be read.
 */
export async function readSource(
  kind: Kind<'team'>,
  absolute: string,
  decode: (bytes: Buffer) => string = textOf,
): Promise<Source | null> {
  const bytes = await readBytes(kind, absolute);
  return bytes === null ? null : { text: decode(bytes), revision: revisionOf(bytes) };
}

/** Returns the first bytes of a file as text, malformed ones replaced. */
export async function readBeginning(absolute: string, bytes: number): Promise<string> {
  const file = await open(absolute, readingFlags);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Reads the bytes of a file as `readSource` does. */
export async function readBytes(kind: Kind<'team'>, absolute: string): Promise<Buffer | null> {
  try {
    const file = await open(absolute, readingFlags);
    try {
      const { size, ...stats } = await file.stat();
      if ((stats.mode & constants.S_IFMT) !== constants.S_IFREG) throw noFile('It is not a file.');
      const excess = beyond(kind, { bytes: size });
      if (excess !== null) throw noFile(`The file ${excess}`);
      return await readWhole(file, size);
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    if (code === 'ENOENT') return null;
    if (code === 'ELOOP') throw noFile("It is a link, and Croupier doesn't follow links. Put the file itself there.");
    throw new AppError('storage', `It cannot be read (${code}). Check its permissions.`, undefined, { cause });
  }
}

/** Reads one byte more than the file had a moment ago, which would show a file that grows; keeps the limit all the same. */
async function readWhole(file: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size + 1);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
    if (bytesRead === 0) return bytes.subarray(0, length);
    length += bytesRead;
  }
  throw new AppError('conflict', 'It grew while Croupier read it. Try again.');
}

function noFile(message: string): AppError {
  return new AppError('invalid_input', message);
}

export function revisionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}

/** Decodes the bytes of a file, with a byte order mark. Fails with `invalid_input` if they are not UTF-8: edits are written back as that. */
export function textOf(bytes: Buffer): string {
  const kind = kindOfFile(bytes);
  if (kind.is !== 'UTF-8') throw otherKind('The file', kind);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const lenient = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const again = Buffer.from(lenient, 'utf8');
    let at = 0;
    while (at < bytes.length && bytes[at] === again[at]) at += 1;
    const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, at)).replace(/\ufffd$/, '');
    throw faultAt(lenient, before.length, 'A byte here is not UTF-8. Save the file as UTF-8.');
  }
}

/** Fails with `storage` for a read-only file: replacing it would circumvent that. */
export async function checkWritable(absolute: string): Promise<void> {
  try {
    await access(absolute, constants.W_OK);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw new AppError('storage', `${absolute} is read-only. Change its permissions, or save under another name.`, undefined, {
      cause,
    });
  }
}

/** Returns the name in a folder that some system takes for the same file, or null. */
export async function clashWith(folder: string, name: string): Promise<string | null> {
  const key = nameKey(name);
  return (await namesIn(folder)).find((other) => nameKey(other) === key) ?? null;
}

export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    throw asStorage(cause, folder);
  }
}

/** Turns a system error about a file into a `storage` error. */
export function asStorage(cause: unknown, path: string): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError('storage', `${path} could not be changed or read: ${reasonAndAdvice(cause)}`, undefined, { cause });
}

/**
 * Moves a file or a folder to a free path, also from one file system to another: copied whole under a hidden name, then renamed,
 * and only then removed. Fails with `conflict` if another program has put a file there meanwhile.
 */
export async function moveEntry(from: string, to: string): Promise<void> {
  try {
    await moveToFree(from, to);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EXDEV') throw cause;
    const copy = join(dirname(to), `.${basename(to).slice(0, 50)}.moving`);
    const removeCopy = () => rm(copy, { recursive: true, force: true });
    await removeCopy();
    try {
      await cp(from, copy, { recursive: true, verbatimSymlinks: true, errorOnExist: true, force: false });
      await moveToFree(copy, to);
    } catch (failure) {
      await removeCopy();
      // It is the other disk.
      throw ['ENOSPC', 'EDQUOT'].includes((failure as NodeJS.ErrnoException).code ?? '')
        ? writeFailure(dirname(to), failure)
        : failure;
    }
    const left = await lstat(from);
    await rm(from, { recursive: left.isDirectory() });
  }
}

/** A rename replaces a file; a folder replaces an empty folder at most. */
async function moveToFree(from: string, to: string): Promise<void> {
  if ((await lstat(from)).isFile()) await moveToNew(from, to);
  else await rename(from, to);
}

/** Adds path, line and column to an error about a file. */
export async function readNamed<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'invalid_input' && error.code !== 'storage')) throw error;
    const { line, column } = (error.details ?? {}) as { line?: number; column?: number };
    const place = line === undefined ? '' : `, line ${line}, column ${column}`;
    throw new AppError(error.code, `${path}${place}: ${error.message}`, error.details, { cause: error });
  }
}
