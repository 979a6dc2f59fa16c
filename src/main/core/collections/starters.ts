import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { requestOfFile, settingsNames } from '#shared/collections/file-names.ts';
import { AppError } from '#shared/errors.ts';
import type { Starter } from '#shared/ipc/index.ts';
import { writeNewFileDurably } from '../files/files.ts';
import { vouched } from '../files/passed.ts';
import { collectionForm } from './collection-file.ts';
import { checkAbsolute } from './collection-directory.ts';
import { freeDirectory } from './directory-list.ts';
import { asStorage } from './disk.ts';

export interface StartersDeps {
  /** Directory of the starters, one directory each; null if none ship. */
  readonly folder: string | null;
  /** The directory below which copies are offered to lie. */
  readonly parent: string;
}

/** In this order they teach; one that is not named here follows. */
const lessons = ['first-call', 'launch', 'wallet-session', 'free-rounds', 'rounds-and-replay'];

/**
 * The collections that ship with Croupier. They are only read: users work with copies. `folder` may lie in an archive, so it is read
 * by names and bytes and with nothing else.
 */
export function createStarters({ folder, parent }: StartersDeps) {
  async function ids(): Promise<string[]> {
    if (folder === null) return [];
    const names = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
      throw asStorage(cause, folder);
    });
    const found = names.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    return [...lessons.filter((id) => found.includes(id)), ...found.filter((id) => !lessons.includes(id)).sort()];
  }

  /** Paths with `/` below the starter. */
  async function filesOf(directory: string, below = ''): Promise<string[]> {
    const entries = await readdir(join(directory, below), { withFileTypes: true });
    const files = await Promise.all(
      entries
        .filter(({ name }) => !name.startsWith('.'))
        .map(async (entry) => {
          const path = below === '' ? entry.name : `${below}/${entry.name}`;
          return entry.isDirectory() ? filesOf(directory, path) : [path];
        }),
    );
    return files.flat().sort();
  }

  async function describe(directory: string, id: string): Promise<Starter> {
    const files = await filesOf(directory);
    const { value } = collectionForm.read(await readFile(join(directory, settingsNames.collection), 'utf8'));
    const title = id.replaceAll('-', ' ');
    return {
      id,
      title: title.charAt(0).toUpperCase() + title.slice(1),
      summary: /^[^\n]*?\.(?=\s|$)/.exec(value.notes)?.[0] ?? '',
      requests: files.filter((path) => requestOfFile(path.replace(/^.*\//, '')) !== null).length,
      directory: await freeDirectory(join(parent, id)),
    };
  }

  return {
    /** Fails with `storage` if they cannot be read. */
    list: async (): Promise<Starter[]> => Promise.all((await ids()).map((id) => describe(join(folder ?? '', id), id))),
    /**
     * Copies one into a directory, created if it is missing, without an entry in `collections.json`. All of it or nothing: fails with
     * `not_found` for an unknown starter, `conflict` if the directory is not empty, `invalid_input` and `storage`.
     */
    async copy(starter: string, directory: string): Promise<void> {
      checkAbsolute(directory);
      if (folder === null || !(await ids()).includes(starter)) {
        throw new AppError('not_found', `No starter collection "${starter}". Choose one from the list.`);
      }
      await checkEmpty(directory);
      const source = join(folder, starter);
      const written: string[] = [];
      let made: string | undefined;
      try {
        made = await mkdir(directory, { recursive: true });
        for (const path of await filesOf(source)) {
          const bytes = await readFile(join(source, path));
          const target = join(directory, ...path.split('/'));
          await mkdir(dirname(target), { recursive: true });
          await writeNewFileDurably(target, vouched('team', 'own', bytes), 'shared');
          written.push(target);
        }
      } catch (cause) {
        // Half a collection would be in the way of the next try.
        for (const target of written) await rm(target, { force: true });
        if (made !== undefined) await rm(made, { recursive: true, force: true });
        throw asStorage(cause, directory);
      }
    },
  };
}

/** Checks that a directory is empty except for hidden files, such as a new git repository's. */
async function checkEmpty(directory: string): Promise<void> {
  const stats = await stat(directory).catch(() => null);
  if (stats === null) return;
  if (!stats.isDirectory()) {
    throw new AppError('conflict', `${directory} is a file. Name a new folder.`, {
      field: 'directory',
    });
  }
  const names = await readdir(directory).catch((cause: unknown) => {
    throw asStorage(cause, directory);
  });
  const [found] = names.filter((name) => !name.startsWith('.'));
  if (found === undefined) return;
  throw new AppError(
    'conflict',
    `Nothing was written: ${directory} already contains ${found}. Name another folder, or open this one.`,
    { field: 'directory' },
  );
}
