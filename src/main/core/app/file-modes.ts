import type { Dirent } from 'node:fs';
import { chmod, lstat, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isOfCroupier } from './home.ts';

/**
 * Folders of which only their own mode is checked: they hold thousands of pictures, Electron's own files, or files of collections,
 * which keep their modes until they are restored.
 */
const closed: readonly string[] = ['cache', 'desktop', 'removed'];
const deepest = 4;

/**
 * Makes everything of a home readable by its owner alone, also in one that an earlier version, a backup or another umask made:
 * files 0600, folders 0700. Links are not followed. Returns the paths that could not be changed. Windows has no such modes; a
 * user's profile is private there.
 */
export async function mendModes(home: string, platform: NodeJS.Platform = process.platform): Promise<string[]> {
  if (platform === 'win32') return [];
  const refused: string[] = [];

  async function mend(path: string, depth: number): Promise<void> {
    try {
      const found = await lstat(path);
      const wanted = found.isDirectory() ? 0o700 : 0o600;
      if (!found.isDirectory() && !found.isFile()) return;
      if ((found.mode & 0o777 & ~wanted) !== 0) await chmod(path, found.mode & wanted);
      if (!found.isDirectory() || depth >= deepest) return;
      await Promise.all((await readdir(path)).map((name) => mend(join(path, name), depth + 1)));
    } catch (error) {
      // A file that another program removed meanwhile needs nothing.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') refused.push(path);
    }
  }

  // A home that was put at the root of something else is not Croupier's alone.
  if (home !== homedir() && home !== dirname(home)) await mend(home, deepest);
  const entries = await readdir(home, { withFileTypes: true }).catch((): Dirent[] => []);
  await Promise.all(
    entries
      .filter(({ name }) => isOfCroupier(name))
      .map(({ parentPath, name }) => mend(join(parentPath, name), closed.includes(name) ? deepest : 1)),
  );
  return refused.sort();
}
