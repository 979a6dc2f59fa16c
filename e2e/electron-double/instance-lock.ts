import { existsSync, mkdirSync, readFileSync, rmSync, unwatchFile, watchFile, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The lock of the first instance on a folder. */
export interface InstanceLock {
  release(): void;
}

/**
 * Takes the lock of a folder, one instance for each, as in Electron; null if another one runs, which then receives this one's
 * command line. The other one looks at a file for that, twenty times a second.
 */
export function takeInstanceLock(
  folder: string,
  onSecond: (argv: string[], workingDirectory: string) => void,
): InstanceLock | null {
  const lock = path.join(folder, 'double.lock');
  const message = path.join(folder, 'double.second');
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
  } catch {
    // Electron does not distinguish the causes either.
    if (!existsSync(lock)) return null;
    const holder = Number(readFileSync(lock, 'utf8'));
    if (isRunning(holder)) {
      writeFileSync(message, JSON.stringify({ argv: process.argv, workingDirectory: process.cwd(), from: process.pid }));
      return null;
    }
    writeFileSync(lock, String(process.pid));
  }
  rmSync(message, { force: true });
  watchFile(message, { interval: 50, persistent: false }, (now) => {
    if (now.size === 0) return;
    const { argv, workingDirectory } = JSON.parse(readFileSync(message, 'utf8')) as { argv: string[]; workingDirectory: string };
    onSecond(argv, workingDirectory);
  });
  return {
    release() {
      unwatchFile(message);
      rmSync(lock, { force: true });
    },
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
