import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readWhole, writeFileDurably } from '../files/files.ts';
import { vouched } from '../files/passed.ts';
import { unlink } from '../files/moves.ts';

/** Pictures on disk, so that a catalogue that was seen once shows at once. Everything here can be deleted at any time. */
export type ThumbnailFiles = ReturnType<typeof createThumbnailFiles>;

const oldestMs = 7 * 24 * 60 * 60 * 1_000;
/** Number of written bytes after which the folder is measured again. */
const measureEveryBytes = 8 * 1_048_576;

/** `limit` is in bytes; the oldest files go first. */
export function createThumbnailFiles(folder: string, limit = 128 * 1_048_576) {
  let written = measureEveryBytes;
  let trimming: Promise<void> | null = null;
  const fileOf = (id: string) => join(folder, id);

  async function trim(): Promise<void> {
    const files: { path: string; size: number; at: number }[] = [];
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const found = await stat(path).catch(() => null);
      if (found?.isFile() === true) files.push({ path, size: found.size, at: found.mtimeMs });
    }
    files.sort((a, b) => b.at - a.at);
    let total = 0;
    for (const { path, size, at } of files) {
      total += size;
      if (total > limit || Date.now() - at > oldestMs) await unlink(path).catch(() => undefined);
    }
  }

  return {
    /** Returns the bytes as received; null if there are none or they are too old. An ID is a file name: 64 hexadecimal digits. */
    async read(id: string): Promise<Buffer<ArrayBuffer> | null> {
      try {
        const path = fileOf(id);
        const found = await stat(path);
        return Date.now() - found.mtimeMs > oldestMs ? null : readWhole('home.picture', path);
      } catch {
        return null;
      }
    },
    /** Caches the bytes; ignores write failures. */
    async write(id: string, bytes: Buffer): Promise<void> {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFileDurably(fileOf(id), vouched('home', 'asked', bytes));
        written += bytes.length;
        if (written < measureEveryBytes || trimming !== null) return;
        written = 0;
        trimming = trim().finally(() => (trimming = null));
        await trimming;
      } catch {
        // A full disk is reported where it loses something.
      }
    },
  };
}
