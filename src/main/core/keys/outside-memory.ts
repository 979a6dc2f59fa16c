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
 * has them, and neither a core dump nor a heap snapshot. By themselves they say nothing. Where no file can be made they are in memory.
 */
export function createPad(length: number): Pad {
  const bytes = randomBytes(length);
  const file = openNameless();
  if (file === null) {
    return { readInto: (into) => into.set(bytes), forget: () => void bytes.fill(0) };
  }
  writeSync(file, bytes, 0, length, 0);
  bytes.fill(0);
  let open = true;
  return {
    readInto(into) {
      if (readSync(file, into, 0, length, 0) !== length) throw new Error('The file that hides a key was truncated.');
    },
    forget() {
      if (open) closeSync(file);
      open = false;
    },
  };
}

function openNameless(): number | null {
  const path = join(tmpdir(), `croupier-${randomUUID()}`);
  try {
    const file = openSync(path, 'wx+', 0o600);
    rmSync(path);
    return file;
  } catch {
    return null;
  }
}
