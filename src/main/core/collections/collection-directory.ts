import { mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { newSettings } from '#shared/collections/format.ts';
import { settingsNames } from '#shared/collections/file-names.ts';
import { AppError } from '#shared/errors.ts';
import { writeNewFileDurably } from '../files/files.ts';
import { vouched } from '../files/passed.ts';
import { asStorage } from './disk.ts';

/** Fails with `invalid_input` unless the path is absolute. */
export function checkAbsolute(directory: string): void {
  if (!isAbsolute(directory) || directory.includes('\0')) {
    throw new AppError('invalid_input', 'Use an absolute path for the folder.', { field: 'directory' });
  }
}

/** Returns the real path of a directory that is there. Fails with `not_found`, and with `invalid_input` for what cannot be a collection. */
export async function existingDirectory(directory: string): Promise<string> {
  const real = await realpath(directory).catch(() => null);
  const stats = real === null ? null : await stat(real).catch(() => null);
  if (real === null || stats === null) {
    throw new AppError('not_found', `No folder "${directory}". Check the path, or create it.`, { field: 'directory' });
  }
  if (!stats.isDirectory()) {
    throw new AppError('invalid_input', `${directory} is not a folder. Choose the one with the requests.`, {
      field: 'directory',
    });
  }
  if (real === dirname(real)) {
    throw new AppError('invalid_input', 'This is the root of the disk. Choose a folder in it.', {
      field: 'directory',
    });
  }
  return real;
}

/** Makes an empty collection; one that is there stays as it is. Fails with `storage`. */
export async function makeCollection(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true });
  } catch (cause) {
    throw asStorage(cause, directory);
  }
  await writeNewFileDurably(join(directory, settingsNames.collection), vouched('team', 'own', newSettings), 'shared').catch(
    (error: unknown) => {
      if (!(error instanceof AppError && error.code === 'conflict')) throw error;
    },
  );
}
