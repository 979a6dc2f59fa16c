import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { requestOfFile, settingsNames } from '#shared/collections/names.ts';
import { AppError } from '#shared/errors.ts';

/** The collection's directory, and what of it is run: a path with `/`, empty for all. */
export interface RunPath {
  readonly directory: string;
  readonly path: string;
}

/**
 * The collection around a file or directory: the nearest directory with `collection.yaml`, from there upwards; without one, the directory itself or
 * the one that the file is in. Fails with `not_found` and `invalid_input`.
 */
export async function locateRun(given: string): Promise<RunPath> {
  const real = await realpath(given).catch(() => null);
  if (real === null)
    throw new AppError('not_found', `There is no ${given}. Name a collection's directory, a folder or a request in it.`);
  const isDirectory = (await stat(real)).isDirectory();
  if (!isDirectory && requestOfFile(basename(real)) === null) {
    throw new AppError('invalid_input', `${given} is no file of a request: those end with .yaml.`);
  }
  const start = isDirectory ? real : dirname(real);
  const directory = (await collectionAround(start)) ?? start;
  return { directory, path: relative(directory, real).split(sep).join('/') };
}

async function collectionAround(start: string): Promise<string | null> {
  for (let directory = start; ; directory = dirname(directory)) {
    const found = await stat(join(directory, settingsNames.collection)).catch(() => null);
    if (found?.isFile() === true) return directory;
    if (directory === dirname(directory)) return null;
  }
}
