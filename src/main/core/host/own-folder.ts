import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** A folder of Croupier's own files. It may lie in an archive or in the program itself. */
export interface OwnFolder {
  /** Its path, for messages. */
  readonly path: string;
  /** Returns the names of its files, with `/` and sorted, without links. Rejects if it is missing. */
  list(): Promise<string[]>;
  /** Rejects if the file is missing: another build may have taken it away. */
  read(name: string): Promise<Buffer<ArrayBuffer>>;
}

/** Returns a folder on the disk or in Electron's archive. */
export function ownFolder(path: string): OwnFolder {
  return {
    path,
    async list() {
      const entries = await readdir(path, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      return files.map((file) => relative(path, file).split(sep).join('/')).sort();
    },
    read: (name) => readFile(join(path, name)),
  };
}
