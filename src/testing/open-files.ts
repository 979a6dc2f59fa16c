import { readdirSync, readlinkSync } from 'node:fs';
import { sep } from 'node:path';

/** Returns the paths of the files in a folder that this process holds open, removed ones with the system's mark. Linux only. */
export function openFilesIn(folder: string): string[] {
  const paths = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      // The directory itself was open while it was read.
      return [];
    }
  });
  return paths.filter((path) => path.startsWith(folder + sep)).sort();
}
