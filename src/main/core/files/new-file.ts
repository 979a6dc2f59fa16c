import { randomBytes } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '#shared/errors.ts';
import type { Passed } from './passed.ts';
import { moveToNew, syncFolder, writeFailure } from './files.ts';
import { rename, rmSync, unlink } from './moves.ts';

/** A file that is written piece by piece and has its name once it is whole. */
export type NewFile = Awaited<ReturnType<typeof openNewFile>>;

/**
 * Begins such a file beside its place, for its owner alone. `over`: it replaces a file, whose access it has; where none is, it has the system's default. Fails
 * with `storage`.
 */
export async function openNewFile(path: string, { over = false } = {}) {
  const temporary = join(dirname(path), `.${basename(path).slice(0, 50)}.${randomBytes(8).toString('hex')}.tmp`);
  async function trying<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      throw cause instanceof AppError ? cause : writeFailure(path, cause);
    }
  }
  // `wx` follows no link that somebody put there.
  const file = await trying(() => open(temporary, 'wx', over ? 0o666 : 0o600));
  let closed = false;
  async function close(): Promise<void> {
    if (closed) return;
    closed = true;
    await file.close();
  }
  return {
    path,
    /** Fails with `storage`. */
    write: (text: Passed): Promise<void> => trying(() => file.writeFile(text, 'utf8')),
    /** Gives it its name. Fails with `conflict` if the name is taken, and with `storage`. */
    finish: (): Promise<void> =>
      trying(async () => {
        const replaced = over ? await stat(path).catch(() => null) : null;
        if (replaced !== null) await file.chmod(replaced.mode & 0o777);
        await file.sync();
        await close();
        await (over ? rename : moveToNew)(temporary, path);
        await syncFolder(dirname(path));
      }),
    /** Leaves nothing of it; harmless after `finish`. */
    async discard(): Promise<void> {
      await close();
      await unlink(temporary).catch(() => undefined);
    },
    /** The same for a process that ends. */
    discardNow: (): void => rmSync(temporary, { force: true }),
  };
}
