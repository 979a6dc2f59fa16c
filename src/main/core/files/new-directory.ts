import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError, reasonAndAdvice } from '#shared/errors.ts';
import type { Passed } from './passed.ts';
import { writeNewFileDurably } from './files.ts';
import { rm } from './moves.ts';

/**
 * Writes files into a directory that must not exist yet; their names are paths below it. Writes all of them, or leaves no directory. Fails with
 * `conflict` if the directory exists, and with `storage`.
 */
export async function writeNewDirectory(
  path: string,
  files: readonly { readonly name: string; readonly text: Passed }[],
): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new AppError('conflict', `${path} already exists. Name a new folder.`);
    throw new AppError('storage', `The folder ${path} cannot be created: ${reasonAndAdvice(error)}`, undefined, { cause: error });
  }
  try {
    for (const { name, text } of files) {
      const file = join(path, name);
      await mkdir(dirname(file), { recursive: true });
      await writeNewFileDurably(file, text, 'shared');
    }
  } catch (error) {
    await rm(path, { recursive: true, force: true });
    throw error;
  }
}
