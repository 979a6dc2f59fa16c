import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionLock } from '../files/session-lock.ts';
import { writeFailure } from '../files/files.ts';
import { moveEntry } from './disk.ts';
import { rm } from '../files/moves.ts';

/** Removed files and folders, outside the collection, until the session ends. */
export type Trash = ReturnType<typeof createTrash>;

const abandonedAfterMs = 7 * 86_400_000;

/**
 * Creates the trash. What a killed session left is removed a week later; what a living one may still restore stays, however long it
 * runs and whatever the clock shows.
 */
export function createTrash(home: string, run: Pick<SessionLock, 'token' | 'hold' | 'isAlive'>, now: () => number) {
  const folder = join(home, 'removed');
  const own = join(folder, run.token);

  async function sweep(): Promise<void> {
    for (const name of await readdir(folder).catch(() => [])) {
      const left = join(folder, name);
      const found = await stat(left).catch(() => null);
      if (!run.isAlive(name) && found !== null && now() - found.mtimeMs > abandonedAfterMs)
        await rm(left, { recursive: true, force: true });
    }
  }

  return {
    /** Moves an entry here under the ID. */
    async put(id: string, absolute: string): Promise<void> {
      run.hold();
      await sweep();
      await mkdir(join(own, id), { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
        throw writeFailure(folder, cause);
      });
      await moveEntry(absolute, join(own, id, 'removed'));
    },
    /** Moves it back to a free path. */
    async takeBack(id: string, absolute: string): Promise<void> {
      await moveEntry(join(own, id, 'removed'), absolute);
      await rm(join(own, id), { recursive: true, force: true });
    },
    async close(): Promise<void> {
      await rm(own, { recursive: true, force: true });
      await sweep();
    },
  };
}
