import { renameSync as renameOnceSync, rmSync as rmOnceSync } from 'node:fs';
import { rename as renameOnce, rm as rmOnce, unlink as unlinkOnce } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** Codes of Windows where another program has a file open: mostly one that looks into each new file for a moment, such as a virus scanner. */
const heldCodes: readonly string[] = ['EPERM', 'EACCES', 'EBUSY'];
/** Milliseconds between tries, some two seconds in all. */
const pauses: readonly number[] = [10, 20, 40, 80, 160, 320, 640, 640];

function isHeld(error: unknown): boolean {
  if (process.platform !== 'win32' || !(error instanceof Error)) return false;
  return heldCodes.includes((error as NodeJS.ErrnoException).code ?? '') || isHeld(error.cause);
}

/** Does what fails on Windows while another program has a file open, and again some times if it failed so. Fails as the last try. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (const pause of pauses)
    try {
      return await work();
    } catch (error) {
      if (!isHeld(error)) throw error;
      await setTimeout(pause);
    }
  return work();
}

/** The same in one turn: the thread does nothing else meanwhile. */
function patientlyNow<T>(work: () => T): T {
  for (const pause of pauses)
    try {
      return work();
    } catch (error) {
      if (!isHeld(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
  return work();
}

/** Node's own, but patient, as the functions below. */
export const rename: typeof renameOnce = (from, to) => patiently(() => renameOnce(from, to));
/** Removes a file. */
export const unlink: typeof unlinkOnce = (path) => patiently(() => unlinkOnce(path));
/** Removes files and folders. */
export const rm: typeof rmOnce = (path, options) => patiently(() => rmOnce(path, options));
/** Renames in one turn. */
export const renameSync: typeof renameOnceSync = (from, to) => patientlyNow(() => renameOnceSync(from, to));
/** Removes files and folders in one turn. */
export const rmSync: typeof rmOnceSync = (path, options) => patientlyNow(() => rmOnceSync(path, options));
