import { rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { saysNothing } from '#shared/collections/format.ts';
import { AppError } from '#shared/errors.ts';
import { requestOfFile, settingsNames } from '#shared/collections/file-names.ts';
import type { Client } from '#shared/ipc/index.ts';

/** A position in a collection, as in the contract. */
export interface CollectionPlace {
  readonly id: string;
  /** Path below the collection, with `/`; empty for the whole. */
  readonly path: string;
}

/**
 * Opens the collection that holds a path, for one piece of work: the nearest directory above it with a
 * `collection.yaml`, otherwise the directory itself, or that of the file. Afterwards closes a collection that was not open before. Fails
 * with `not_found` if the path does not exist. With `create` the collection stays open; it makes the directory, and removes it again, with the
 * directories above that it made, if the work fails and it is empty.
 */
export async function withCollection<T>(
  client: Client,
  path: string,
  { create }: { readonly create: boolean },
  work: (place: CollectionPlace) => Promise<T>,
): Promise<T> {
  const absolute = resolve(path);
  const stats = await stat(absolute).catch(() => null);
  if (stats === null && !create)
    throw new AppError('not_found', `No file or folder "${path}". Name a collection, a folder or a request file.`);
  const folder = stats?.isFile() === true ? dirname(absolute) : absolute;
  const root = (await rootAbove(folder)) ?? folder;
  const made = create ? await missingAbove(absolute) : [];
  const before = (await client.call('collections.list', {})).collections;
  const { id } = await client.call('collections.open', { directory: root, create: create && stats === null });
  let removed = false;
  try {
    return await work({ id, path: relative(root, absolute).split(sep).join('/') });
  } catch (error) {
    removed = stats === null && root === absolute && (await removeEmpty(root, made));
    if (removed) await client.call('collections.forget', { id });
    throw error;
  } finally {
    if (!create && !removed && !before.some((one) => one.id === id)) await client.call('collections.forget', { id });
  }
}

/** Returns a directory and those above it that do not exist, the deepest first. */
async function missingAbove(directory: string): Promise<string[]> {
  const missing: string[] = [];
  for (let at = directory; (await stat(at).catch(() => null)) === null && dirname(at) !== at; at = dirname(at)) missing.push(at);
  return missing;
}

/** Removes a directory that holds only the settings of a new collection, then those above it of `made` that are empty. Returns whether it did. */
async function removeEmpty(directory: string, made: readonly string[]): Promise<boolean> {
  const settings = join(directory, settingsNames.collection);
  try {
    const { readText } = await import('#core/app/app.ts');
    if (!saysNothing(readText('collection.file', settings))) return false;
    await rm(settings);
    await rmdir(directory);
  } catch {
    return false;
  }
  // One that holds something else stays, and so do those above it.
  for (const above of made.slice(1)) await rmdir(above).catch(() => undefined);
  return true;
}

/** The collection's directory, and the path in it to run, with `/`; empty for all. */
export interface RunPath {
  readonly directory: string;
  readonly path: string;
}

/**
 * Returns the collection around a file or directory: the nearest directory with `collection.yaml`, from there upwards; without one, the directory itself or
 * that of the file. Fails with `not_found` and `invalid_input`.
 */
export async function locateRun(given: string): Promise<RunPath> {
  // Not what a link leads to: of a collection, a run reads what the page shows.
  const absolute = resolve(given);
  const stats = await stat(absolute).catch(() => null);
  if (stats === null)
    throw new AppError('not_found', `There is no file or folder "${given}". Name a collection, a folder or a request file.`);
  if (!stats.isDirectory() && requestOfFile(basename(absolute)) === null) {
    throw new AppError('invalid_input', `${given} isn't a request file. Name a request's .yaml file or a folder.`);
  }
  const start = stats.isDirectory() ? absolute : dirname(absolute);
  const directory = (await rootAbove(start)) ?? start;
  return { directory, path: relative(directory, absolute).split(sep).join('/') };
}

/** Returns the nearest directory with the settings of a collection, from the given one upwards. */
async function rootAbove(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    const found = await stat(join(at, settingsNames.collection)).catch(() => null);
    if (found?.isFile() === true) return at;
    if (dirname(at) === at) return null;
  }
}
