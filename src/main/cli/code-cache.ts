import { chmodSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Returns the folder for Node's compile cache, which it creates if missing; null if it is not safe. Node runs the code in it, so nobody else
 * may write there, and it must not depend on the current directory.
 */
export function codeCacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string | null {
  const own = ownCacheFolder(env, platform);
  if (own === null) return null;
  const folder = join(own, 'compiled');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // On Windows the profile of a user is private.
    if (platform === 'win32' || [own, folder].every(isOwn)) return folder;
    // It may have been created with another umask. Code that others could have put there is never run.
    chmodSync(own, 0o700);
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Without a cache the start is only slower.
  }
  return null;
}

/** Returns Croupier's folder among the user's caches, outside of the home, whether it is there or not; null if it would not be absolute. */
export function ownCacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string | null {
  const root = cacheFolder(env, platform);
  // On Windows Croupier's home may be beside it, under a name that differs in case alone.
  return isAbsolute(root) ? join(root, platform === 'win32' ? 'croupier-cache' : 'croupier') : null;
}

function isOwn(path: string): boolean {
  const { mode, uid } = statSync(path);
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}

/** Returns the user's cache folder; ignores an empty or relative variable, as the XDG specification demands. */
function cacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  const [variable, ...usual] = platform === 'win32' ? ['LOCALAPPDATA', 'AppData', 'Local'] : ['XDG_CACHE_HOME', '.cache'];
  const named = env[variable ?? ''] ?? '';
  return isAbsolute(named) ? named : join(homedir(), ...usual);
}
