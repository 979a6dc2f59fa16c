import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Random bytes that are kept where a dump of this process does not have them. */
export interface Pad {
  /** Writes the bytes into memory that the caller overwrites as soon as it has used them. */
  readInto(bytes: Uint8Array): void;
  forget(): void;
}

/**
 * Keeps `length` random bytes in a file that has no name from its first moment on and that only this process can read: the system
 * has them, and neither a core dump nor a heap snapshot does. By themselves they mean nothing. If no file can be created they are
 * in memory.
 */
export function createPad(length: number): Pad {
  const bytes = randomBytes(length);
  const file = keepNameless(bytes);
  if (file === null) return { readInto: (into) => into.set(bytes), forget: () => void bytes.fill(0) };
  bytes.fill(0);
  let open = true;
  return {
    readInto(into) {
      if (readSync(file, into, 0, length, 0) !== length)
        throw new Error('The temporary file that protects a key in memory was truncated.');
    },
    forget() {
      if (open) closeSync(file);
      open = false;
    },
  };
}

/** Returns the open file, or null if there can be none: no temporary directory, a full disk, a system that removes no open file. */
function keepNameless(bytes: Uint8Array): number | null {
  const path = join(tmpdir(), `croupier-${randomUUID()}`);
  let file: number | null = null;
  try {
    file = openSync(path, 'wx+', 0o600);
    rmSync(path);
    writeSync(file, bytes, 0, bytes.length, 0);
    return file;
  } catch {
    if (file !== null) closeSync(file);
    try {
      rmSync(path, { force: true });
    } catch {
      // It has no byte of the pad, or only random ones.
    }
    return null;
  }
}
