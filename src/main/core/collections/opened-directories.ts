import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { z } from '#shared/model/schema.ts';
import { keepUnknown } from '#shared/json/keep-unknown.ts';
import { writeFileDurably } from '../files/files.ts';
import { vouched } from '../files/passed.ts';
import { readHomeFile } from '../files/home-file.ts';
import { withLock } from '../files/locks.ts';

const Stored = z.object({ directories: z.array(z.string().check(z.minLength(1))) });
/** The fields of the file. */
export const openedFields = Object.keys(Stored.shape);

export interface OpenedDirectory {
  readonly id: string;
  readonly directory: string;
  readonly name: string;
}

/** Each use of a collection looks for it among all of them. */
const known = new Map<string, OpenedDirectory>();

/** The same for the same directory, in every home. */
export function openedDirectory(directory: string): OpenedDirectory {
  const found = known.get(directory);
  if (found !== undefined) return found;
  const id = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  const made = { id, directory, name: basename(directory) || directory };
  known.set(directory, made);
  return made;
}

/** The directories that were opened, in the order they were, kept in one file of the home. Several programs may use it. */
export function createOpened(path: string) {
  function read(): { raw: unknown; directories: string[] } {
    const found = readHomeFile({ kind: 'home.collections', path, schema: Stored, holds: 'lists the collections' });
    return { raw: found?.raw ?? {}, directories: found?.value.directories ?? [] };
  }

  function change(work: (directories: readonly string[]) => string[]): Promise<void> {
    return withLock(path, async () => {
      const { raw, directories } = read();
      const after = work(directories);
      if (after.join('\0') === directories.join('\0')) return;
      await writeFileDurably(
        path,
        vouched('home', 'gate', `${JSON.stringify(keepUnknown(raw, { directories }, { directories: after }), null, 2)}\n`),
      );
    });
  }

  return {
    /** Fails as `readHomeFile` does. */
    list: async (): Promise<OpenedDirectory[]> => read().directories.map(openedDirectory),
    async add(directory: string): Promise<OpenedDirectory> {
      await change((directories) => (directories.includes(directory) ? [...directories] : [...directories, directory]));
      return openedDirectory(directory);
    },
    forget: (id: string): Promise<void> =>
      change((directories) => directories.filter((directory) => openedDirectory(directory).id !== id)),
  };
}
