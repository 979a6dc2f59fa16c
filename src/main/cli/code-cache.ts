import { chmodSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Where Node may keep this user's compiled code, made where it is missing; null where that is no safe place. Whatever lies there is run, so nobody else
 * may write there, and it is no folder of wherever the command is typed.
 */
export function codeCacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string | null {
  const root = cacheFolder(env, platform);
  if (!isAbsolute(root)) return null;
  const own = join(root, 'croupier');
  const folder = join(own, 'compiled');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // On Windows the profile of a user is private.
    if (platform === 'win32' || [own, folder].every(isOwn)) return folder;
    // Made under another umask. What others could have put there is never run.
    chmodSync(own, 0o700);
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Without a cache it starts more slowly.
  }
  return null;
}

function isOwn(path: string): boolean {
  const { mode, uid } = statSync(path);
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}

/** An empty or relative variable counts as none, as the XDG specification has it. */
function cacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'win32') return env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  const named = env['XDG_CACHE_HOME'] ?? '';
  return isAbsolute(named) ? named : join(homedir(), '.cache');
}
