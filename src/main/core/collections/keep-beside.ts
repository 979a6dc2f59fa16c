import { link } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { otherVersionName } from '#shared/collections/file-names.ts';
import { AppError } from '#shared/errors.ts';
import { writeNewFileDurably } from '../files/files.ts';
import { vouched } from '../files/passed.ts';
import { unlink } from '../files/moves.ts';

/** Called with a file, and the name beside it that another program's version of it has now. */
export type OnKept = (absolute: string, copy: string) => void;

/** Moves another program's version of a file beside it, under the first name that is free. */
export async function moveBeside(absolute: string, name: string, onKept: OnKept): Promise<void> {
  for (let number = 1; ; number += 1) {
    const copy = join(dirname(absolute), otherVersionName(basename(absolute), number));
    try {
      await link(name, copy);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') continue;
      // Another process that saw it too was faster.
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw cause;
    }
    await unlink(name);
    onKept(absolute, copy);
    return;
  }
}

/** Writes another program's version of a file beside it, under the first name that is free. */
export async function writeBeside(absolute: string, bytes: Uint8Array, onKept: OnKept): Promise<void> {
  for (let number = 1; ; number += 1) {
    const copy = join(dirname(absolute), otherVersionName(basename(absolute), number));
    try {
      await writeNewFileDurably(copy, vouched('team', 'same', bytes), 'shared');
    } catch (error) {
      if (error instanceof AppError && error.code === 'conflict') continue;
      throw error;
    }
    onKept(absolute, copy);
    return;
  }
}
