import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { link, lstat, mkdir, open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError, reasonAndAdvice } from '#shared/errors.ts';
import { textOfFile } from '#shared/json/file-text.ts';
import { beyond, type Kind } from '#shared/model/readers.ts';
import type { Passed } from './passed.ts';
import { rename, rm, unlink } from './moves.ts';

/** Matches a temporary file of `writeFileDurably`, which begins with a dot, so that no listing by extension mistakes it for the file. */
const temporaryName = /^\..+\.[0-9a-f]{16}\.tmp$/;
const staleAfterMs = 60_000;

/** Access to a file: its owner only, or as the file it replaces (a new one: the system's default). */
export type Access = 'private' | 'shared';

/**
 * Makes a directory of its owner's and those above it that are missing. Fails as `mkdir` does. Node's own `recursive` never ends where a
 * file system refuses a name with ENOENT, as /proc does.
 */
export async function makePrivateDirectory(path: string): Promise<void> {
  const missing: string[] = [];
  const isMissing = (at: string) =>
    stat(at).then(
      () => false,
      ({ code }: NodeJS.ErrnoException) => code === 'ENOENT',
    );
  for (let at = path; dirname(at) !== at && (await isMissing(at)); at = dirname(at)) missing.unshift(at);
  for (const one of missing) {
    await mkdir(one, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      // Another process of Croupier made it just now.
      if (error.code !== 'EEXIST') throw error;
    });
  }
  if (!(await stat(path)).isDirectory()) throw new Error(`${path} is not a directory.`);
}

/**
 * Puts `bytes` in place of the file's content so that after a crash or a full disk it is either the old or the new one, whole.
 * Fails with `storage`; then the old file is untouched.
 */
export async function writeFileDurably(path: string, bytes: Passed, access: Access = 'private'): Promise<void> {
  await writeDurably(path, bytes, access, rename);
}

/** Writes a file that must not exist yet: fails with `conflict` if it does, and leaves it as it is. */
export async function writeNewFileDurably(path: string, bytes: Passed, access: Access = 'private'): Promise<void> {
  await writeDurably(path, bytes, access, moveToNew);
}

/**
 * Replaces a file through `move`, which puts the finished temporary file in its place, or fails: then the temporary file is
 * removed.
 */
export async function replaceFileDurably(
  path: string,
  bytes: Passed,
  access: Access,
  move: (temporary: string) => Promise<void>,
): Promise<void> {
  await writeDurably(path, bytes, access, move);
}

/** Most new files to flush at a time, because a disk takes several at once. */
const mostUnderWay = 16;

/**
 * Creates files together: each is on the disk before it gets its name, and the names of a folder are made to last together, at the
 * end.
 */
export function writeNewFiles(access: Access = 'private') {
  const underWay = new Set<Promise<void>>();
  const folders = new Set<string>();
  const failures: unknown[] = [];
  async function settle(): Promise<void> {
    await Promise.all(underWay);
    if (failures.length > 0) throw failures[0];
  }
  return {
    /**
     * Begins with one more, as `writeNewFileDurably`, once there is room for it; calls `onMade` when it exists. Fails if an earlier
     * one failed.
     */
    async add(path: string, bytes: Passed, onMade: () => void): Promise<void> {
      while (underWay.size >= mostUnderWay) await Promise.race(underWay);
      if (failures.length > 0) await settle();
      folders.add(dirname(path));
      const one = writeDurably(path, bytes, access, moveToNew, async () => undefined)
        .then(onMade)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => underWay.delete(one));
      underWay.add(one);
    },
    /**
     * Settles when all exist, whole and under their names, also after a crash. Fails if one failed; none is under way any more in any
     * case.
     */
    async end(): Promise<void> {
      await settle();
      for (const folder of folders) await asWritten(folder, () => syncFolder(folder));
    },
  };
}

/** Codes of a file system without links: Windows says EISDIR or EINVAL of one whose name for that it does not know, such as FAT. */
const withoutLinks: readonly string[] = ['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP', 'EISDIR', 'EINVAL'];

/** Gives a file its name. Unlike a rename, a link replaces no other file. */
export async function moveToNew(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    if (code === 'EEXIST') {
      throw new AppError('conflict', `${path} already exists and was not changed. Choose another name.`, undefined, { cause });
    }
    if (!withoutLinks.includes(code)) throw cause;
    // The name is taken first, then filled.
    await takeName(path);
    await rename(temporary, path).catch(async (error: unknown) => {
      await unlink(path).catch(() => undefined);
      throw error;
    });
    return;
  }
  // Another process may have swept this second name already.
  await rm(temporary, { force: true });
}

async function takeName(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', 0o600)).close();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    throw new AppError('conflict', `${path} already exists and was not changed. Choose another name.`, undefined, { cause });
  }
}

async function writeDurably(
  path: string,
  bytes: Passed,
  access: Access,
  move: (temporary: string, path: string) => Promise<void>,
  last: (folder: string) => Promise<void> = syncFolder,
): Promise<void> {
  const content = typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes;
  // In the same folder, because a rename is atomic only within one file system; `wx` follows no link that somebody put there.
  const temporary = join(dirname(path), `.${basename(path).slice(0, 50)}.${randomBytes(8).toString('hex')}.tmp`);
  await asWritten(path, async () => {
    const replaced = access === 'shared' && move !== moveToNew ? await stat(path).catch(() => null) : null;
    const file = await open(temporary, 'wx', access === 'shared' ? 0o666 : 0o600);
    try {
      if (replaced !== null) await file.chmod(replaced.mode & 0o777);
      let written = 0;
      while (written < content.length) {
        const { bytesWritten } = await file.write(content, written);
        if (bytesWritten === 0) throw new Error('The disk took no more bytes');
        written += bytesWritten;
      }
      await file.sync();
      if ((await file.stat()).size !== content.length) throw new Error('The file is shorter than what was written');
    } finally {
      await file.close();
    }
    await move(temporary, path);
    await last(dirname(path));
  }).catch(async (error: unknown) => {
    await unlink(temporary).catch(() => undefined);
    throw error;
  });
}

/** Turns a system error about a failed write into a `storage` error. */
async function asWritten(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw writeFailure(path, cause);
  }
}

/** Returns the error for a file that could not be written. */
export function writeFailure(path: string, cause: unknown): AppError {
  // The file that is missing is in a folder that is.
  const where = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? dirname(path) : path;
  return new AppError('storage', `${where} could not be written: ${reasonAndAdvice(cause)}`, undefined, { cause });
}

/** Opens without waiting for a writer of a pipe: that would stop the program, or a thread that nothing can stop. What Windows lacks adds nothing. */
const reading = constants.O_RDONLY | constants.O_NONBLOCK;

/** Opens a file, and nothing else, to read it between other work. Fails as `readText` does. */
export async function openToRead(kind: Kind<'file' | 'lines'>, path: string): Promise<FileHandle> {
  const handle = await open(path, reading);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new AppError('invalid_input', 'It is not a file.');
    const excess = beyond(kind, { bytes: stats.size });
    if (excess !== null) throw new AppError('invalid_input', `It ${excess}`);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Reads the text of a file that others may have written. Of one beyond the limits of its kind nothing is read. Fails with
 * `invalid_input` for that, and as the system does.
 */
export function readText(kind: Kind<'file' | 'team'>, path: string): string {
  return readWhole(kind, path).toString('utf8');
}

/** Reads a file that people write as `readText` does, in any form of Unicode. */
export function readUsersText(kind: Kind<'file'>, path: string): string {
  return textOfFile(readWhole(kind, path), 'It').text;
}

/** Reads the bytes of a file as `readText` does. */
export function readWhole(kind: Kind<'file' | 'team'>, path: string): Buffer<ArrayBuffer> {
  const file = openSync(path, reading);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new AppError('invalid_input', 'It is not a file.');
    const { size } = stats;
    const excess = beyond(kind, { bytes: size });
    if (excess !== null) throw new AppError('invalid_input', `It ${excess}`);
    const bytes = Buffer.allocUnsafe(size + 1);
    let length = 0;
    for (let read = -1; read !== 0; length += read) read = readSync(file, bytes, length, bytes.length - length, length);
    if (length > size) throw new AppError('invalid_input', 'It grew while Croupier read it. Try again.');
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/**
 * Removes what a killed process left in the folder under temporary names: files after a minute, half a copy of a folder after an hour,
 * and a second name of a finished file at once. Returns whether some is too young to tell it from what another process is writing.
 */
export async function removeStaleTemporaries(folder: string, now = Date.now()): Promise<boolean> {
  let isYoung = false;
  for (const name of await readdir(folder).catch(() => [])) {
    if (!temporaryName.test(name)) continue;
    const path = join(folder, name);
    const found = await lstat(path).catch(() => null);
    if (found === null) continue;
    const isFinished = found.isFile() && found.nlink > 1;
    const isStale = now - found.mtimeMs > (found.isDirectory() ? 60 * staleAfterMs : staleAfterMs);
    if (isFinished || isStale) await rm(path, { recursive: true, force: true }).catch(() => undefined);
    else isYoung = true;
  }
  return isYoung;
}

/** Codes where a folder cannot be opened or flushed by itself: on Windows, on some shares, and without the permission to list it. */
const withoutSync: readonly string[] = ['EPERM', 'EACCES', 'EISDIR', 'EINVAL', 'ENOTSUP', 'ENOSYS'];

/** Makes the new name itself survive a power loss, where the system can: what has its name is saved all the same. */
export async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | null = null;
  try {
    handle = await open(folder, 'r');
    await handle.sync();
  } catch (error) {
    if (!withoutSync.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await handle?.close();
  }
}
