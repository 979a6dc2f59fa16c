import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import { AppError } from '#shared/errors.ts';

/** A program that ends takes no longer than this, whatever it still has open. */
const leavingMs = 30_000;
const pauseMs = 100;

/**
 * Makes this the one instance on its folder; false where another one runs, which is told of this start. Waits for one that is ending: it has no
 * window to show any more. Fails where the folder cannot be written to, which Electron does not tell from another instance. To be called
 * before Electron is ready, so that nothing of it is in the folder before the lock is.
 */
export function becomeTheInstance(folder: string): boolean {
  const until = Date.now() + leavingMs;
  while (!app.requestSingleInstanceLock()) {
    assertWritable(folder);
    if (!existsSync(markOf(folder))) return false;
    if (Date.now() > until)
      throw new AppError('conflict', 'Croupier is still closing. Start it again in a moment, or end its process.');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
  rmSync(markOf(folder), { force: true });
  return true;
}

let leaving = false;

/** Says to whoever starts from now on that this instance has no window any more and is ending. */
export function markLeaving(folder: string): void {
  if (leaving) return;
  leaving = true;
  // macOS starts no second instance from the dock: it asks the one that runs, which is then started anew when it has ended.
  app.once('activate', () => app.relaunch());
  try {
    writeFileSync(markOf(folder), '');
  } catch {
    // Then a start at this moment ends at once, as it did while there was a window.
  }
}

function markOf(folder: string): string {
  return join(folder, 'leaving');
}

function assertWritable(folder: string): void {
  const probe = join(folder, 'probe');
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(probe, '');
    rmSync(probe, { force: true });
  } catch (cause) {
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    const message = `Croupier cannot write to ${folder} (${why}). Check its permissions and the free space, or set CROUPIER_HOME to another folder.`;
    throw new AppError('storage', message, undefined, { cause });
  }
}
