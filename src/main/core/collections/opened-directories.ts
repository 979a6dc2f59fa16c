import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { AppError } from '#shared/errors.ts';
import { z } from '#shared/model/schema.ts';
import { keepUnknown } from '#shared/json/keep-unknown.ts';
import { readTextUpTo, writeFileDurably } from '../files/files.ts';
import { vouched } from '../files/passed.ts';
import { withLock } from '../files/locks.ts';

const mostBytes = 4_000_000;
const Stored = z.object({ directories: z.array(z.string().check(z.minLength(1))) });
/** The fields of the file. */
export const openedFields = Object.keys(Stored.shape);

export interface OpenedDirectory {
  readonly id: string;
  readonly directory: string;
  readonly name: string;
}

/** The directories that were opened, in the order they were, kept in one file of the home. Several programs may use it. */
export interface Opened {
  /** Fails with `storage` where the file is broken; it is left as it is. */
  list(): Promise<OpenedDirectory[]>;
  add(directory: string): Promise<OpenedDirectory>;
  forget(id: string): Promise<void>;
}

/** The same for the same directory, in every home. */
export function openedDirectory(directory: string): OpenedDirectory {
  const id = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  return { id, directory, name: basename(directory) || directory };
}

export function createOpened(path: string): Opened {
  /** Reads the list. `raw`: the content of the file, of which a newer version may understand more. */
  async function read(): Promise<{ raw: unknown; directories: string[] }> {
    let text: string;
    try {
      text = readTextUpTo(path, mostBytes);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return { raw: {}, directories: [] };
      const what = cause instanceof AppError ? cause.message : 'Check its permissions.';
      throw new AppError('storage', `${path} cannot be read. ${what}`, undefined, { cause });
    }
    try {
      const raw: unknown = JSON.parse(text);
      return { raw, directories: Stored.parse(raw).directories };
    } catch (cause) {
      throw new AppError(
        'storage',
        `${path} is broken and is left as it is. Repair or remove it; it lists the collections.`,
        undefined,
        {
          cause,
        },
      );
    }
  }

  function change(work: (directories: readonly string[]) => string[]): Promise<void> {
    return withLock(path, async () => {
      const { raw, directories } = await read();
      const after = work(directories);
      if (after.join('\0') === directories.join('\0')) return;
      await writeFileDurably(
        path,
        vouched('home', 'gate', `${JSON.stringify(keepUnknown(raw, { directories }, { directories: after }), null, 2)}\n`),
      );
    });
  }

  return {
    list: async () => (await read()).directories.map(openedDirectory),
    async add(directory) {
      await change((directories) => (directories.includes(directory) ? [...directories] : [...directories, directory]));
      return openedDirectory(directory);
    },
    forget: (id) => change((directories) => directories.filter((directory) => openedDirectory(directory).id !== id)),
  };
}
