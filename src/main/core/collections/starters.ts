import { mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { requestOfFile, settingsNames } from '#shared/collections/file-names.ts';
import { AppError } from '#shared/errors.ts';
import type { Starter } from '#shared/ipc/index.ts';
import type { OwnFolder } from '../host/own-folder.ts';
import { writeNewFileDurably } from '../files/files.ts';
import { vouched } from '../files/passed.ts';
import { collectionForm } from './collection-file.ts';
import { checkAbsolute } from './collection-directory.ts';
import { freeDirectory } from './directory-list.ts';
import { asStorage } from './disk.ts';
import { rm } from '../files/moves.ts';

export interface StartersDeps {
  /** The starters, one directory each; null if none ship. */
  readonly folder: OwnFolder | null;
  /** The directory below which copies are offered to lie. */
  readonly parent: string;
}

/** In this order they teach; one that is not named here follows. */
const lessons = ['first-call', 'launch', 'wallet-session', 'free-rounds', 'rounds-and-replay'];

/** The collections that ship with Croupier. They are only read: users work with copies. */
export function createStarters({ folder, parent }: StartersDeps) {
  /** Returns the files of each starter by its ID, with `/` below it. */
  async function filesById(from: OwnFolder): Promise<Map<string, string[]>> {
    const names = await from.list().catch((cause: unknown) => {
      throw asStorage(cause, from.path);
    });
    const files = names
      .map((name) => name.split('/'))
      .filter((parts) => parts.length > 1 && !parts.some((part) => part.startsWith('.')));
    const found = Map.groupBy(files, ([id = '']) => id);
    const ids = [...lessons.filter((id) => found.has(id)), ...[...found.keys()].filter((id) => !lessons.includes(id))];
    return new Map(ids.map((id) => [id, (found.get(id) ?? []).map((parts) => parts.slice(1).join('/'))]));
  }

  async function describe(from: OwnFolder, id: string, files: readonly string[]): Promise<Starter> {
    const { value } = collectionForm.read((await from.read(`${id}/${settingsNames.collection}`)).toString('utf8'));
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
    list: async (): Promise<Starter[]> =>
      folder === null ? [] : Promise.all([...(await filesById(folder))].map(([id, files]) => describe(folder, id, files))),
    /**
     * Copies one into a directory, created if it is missing, without an entry in `collections.json`. All of it or nothing: fails with
     * `not_found` for an unknown starter, `conflict` if the directory is not empty, `invalid_input` and `storage`.
     */
    async copy(starter: string, directory: string): Promise<void> {
      checkAbsolute(directory);
      const files = folder === null ? undefined : (await filesById(folder)).get(starter);
      if (folder === null || files === undefined) {
        throw new AppError('not_found', `No starter collection "${starter}". Choose one from the list.`);
      }
      await checkEmpty(directory);
      const written: string[] = [];
      let made: string | undefined;
      try {
        made = await mkdir(directory, { recursive: true });
        for (const path of files) {
          const bytes = await folder.read(`${starter}/${path}`);
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
