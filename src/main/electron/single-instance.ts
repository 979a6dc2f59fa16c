import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import { AppError, reasonAndAdvice } from '#shared/errors.ts';

/** Most milliseconds that an ending program takes. */
const leavingMs = 30_000;
const pauseMs = 100;

/**
 * Makes this the only instance on its folder; returns false if another one runs, which then shows its window. Waits for an instance that is
 * ending, because it has no window any more. Fails if the folder is not writable, which Electron cannot distinguish from another instance. Call it
 * before Electron is ready, so that Electron writes nothing into the folder before the lock.
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

/** Marks this instance as ending, for programs that start from now on. */
export function markLeaving(folder: string): void {
  if (leaving) return;
  leaving = true;
  // macOS starts no second instance from the dock but activates the running one, which then relaunches after it has ended.
  app.once('activate', () => app.relaunch());
  try {
    writeFileSync(markOf(folder), '');
  } catch {
    // Without the mark, a program that starts now ends at once, as if this one still had a window.
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
    const message = `Croupier cannot write to ${folder}: ${reasonAndAdvice(cause)} Or set CROUPIER_HOME to another folder.`;
    throw new AppError('storage', message, undefined, { cause });
  }
}
