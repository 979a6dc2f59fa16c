import { randomBytes } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '#shared/errors.ts';
import type { Passed } from './passed.ts';
import { moveToNew, syncFolder, writeFailure } from './files.ts';

/** A file that is written piece by piece and has its name once it is whole. */
export interface NewFile {
  readonly path: string;
  /** Fails with `storage`. */
  write(text: Passed): Promise<void>;
  /** Gives it its name. Fails with `conflict` if the name is taken, and with `storage`. */
  finish(): Promise<void>;
  /** Leaves nothing of it; harmless after `finish`. */
  discard(): Promise<void>;
}

/** Begins such a file beside its place, for its owner alone. Fails with `storage`. */
export async function openNewFile(path: string): Promise<NewFile> {
  const temporary = join(dirname(path), `.${basename(path).slice(0, 50)}.${randomBytes(8).toString('hex')}.tmp`);
  async function trying<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      throw cause instanceof AppError ? cause : writeFailure(path, cause);
    }
  }
  // `wx` follows no link that somebody put there.
  const file = await trying(() => open(temporary, 'wx', 0o600));
  let closed = false;
  async function close(): Promise<void> {
    if (closed) return;
    closed = true;
    await file.close();
  }
  return {
    path,
    write: (text) => trying(() => file.writeFile(text, 'utf8')),
    finish: () =>
      trying(async () => {
        await file.sync();
        await close();
        await moveToNew(temporary, path);
        await syncFolder(dirname(path));
      }),
    async discard() {
      await close();
      await unlink(temporary).catch(() => undefined);
    },
  };
}
