import { randomBytes } from 'node:crypto';
import { mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { newerFormatText, newSettings } from '#shared/collections/format.ts';
import { folderOf, nameOf, pathIn, settingsNames } from '#shared/collections/file-names.ts';
import { AppError } from '#shared/errors.ts';
import type { Collection, CollectionTree, Input, Output, ParsedInput, Payload } from '#shared/ipc/index.ts';
import type { SessionLock } from '../files/session-lock.ts';
import { removeStaleTemporaries, writeNewFileDurably } from '../files/files.ts';
import { withLock } from '../files/locks.ts';
import { createDirectory } from './directory.ts';
import type { Directory } from './directory.ts';
import { asStorage } from './disk.ts';
import type { FileReader } from './file-reader.ts';
import { createLive } from './live.ts';
import type { LiveCollection } from './live.ts';
import { createOpened, openedDirectory } from './opened.ts';
import { createReplacing } from './replace.ts';
import type { Replacing } from './replace.ts';
import { notRead, otherVersionNotice, placed } from './tree.ts';
import { createTransfers } from './transfers.ts';
import type { Transfers } from './transfers.ts';
import { createTrash } from './trash.ts';

export interface CollectionsDeps {
  readonly home: string;
  readonly run: Pick<SessionLock, 'token' | 'hold' | 'isAlive'>;
  readonly reader: FileReader;
  /** Whether a text holds the key of an environment, as far as that can be told now. */
  readonly holdsKey: (text: string) => Promise<boolean>;
  readonly onChange: (change: Payload<'collections.changed'>) => void;
  /** Called if another program wrote a file during a save, after its version was kept beside it. */
  readonly onKept: (kept: Payload<'collections.kept'>) => void;
  readonly onFault: (error: unknown) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly platform: NodeJS.Platform;
}

/** Collections of requests: directories of YAML files that other programs change too. Its members are those of the inside contract. */
export interface Collections extends Transfers {
  list(): Promise<Collection[]>;
  open(input: Input<'collections.open'>): Promise<Collection>;
  forget(id: string): Promise<void>;
  tree(id: string): Promise<CollectionTree>;
  read(id: string, path: string): Promise<Output<'collections.read'>>;
  save(input: Omit<ParsedInput<'collections.save'>, 'secrets'>): Promise<Output<'collections.save'>>;
  create(input: Omit<ParsedInput<'collections.create'>, 'secrets'>): Promise<Output<'collections.create'>>;
  createFolder(input: ParsedInput<'collections.createFolder'>): Promise<{ path: string }>;
  readFolder(id: string, path: string): Promise<Output<'collections.readFolder'>>;
  saveFolder(input: Omit<ParsedInput<'collections.saveFolder'>, 'secrets'>): Promise<Output<'collections.saveFolder'>>;
  rename(input: ParsedInput<'collections.rename'>): Promise<{ path: string }>;
  move(input: ParsedInput<'collections.move'>): Promise<{ path: string }>;
  duplicate(id: string, path: string): Promise<{ path: string }>;
  remove(id: string, path: string): Promise<{ removal: string }>;
  restore(id: string, removal: string): Promise<{ path: string }>;
  reorder(input: ParsedInput<'collections.reorder'>): Promise<void>;
  /** Locates an open collection, or any directory as one. Fails with `not_found` and `invalid_input`. */
  locate(where: { collectionId?: string; directory?: string }): Promise<{ id: string; directory: string; name: string }>;
  /** Several changes as one, while no other one is under way; what changed is told at the end. */
  inTurn<T>(id: string, work: (directory: Directory) => Promise<T>): Promise<T>;
  /** From now on changes by other programs are told, of every collection that is or was read in this run. */
  watch(): void;
  close(): Promise<void>;
}

interface Removal {
  readonly id: string;
  readonly path: string;
  /** Its place in the folder's order, or -1. */
  readonly place: number;
}

export function createCollections(deps: CollectionsDeps): Collections {
  const { home, run, reader, holdsKey, onChange, onKept, onFault, now, platform } = deps;
  const opened = createOpened(join(home, 'collections.json'));
  const trash = createTrash(home, run, now);
  const lives = new Map<string, LiveCollection>();
  const replacings = new Map<string, Replacing>();
  const removals = new Map<string, Removal>();
  // Changes of a collection take turns, here and (by its lock) among the programs of a home.
  const turns = new Map<string, Promise<unknown>>();
  /** Collections from which what killed programs left was removed in this run. */
  const swept = new Set<string>();
  let watching = false;

  async function checkText(text: string): Promise<void> {
    if (!(await holdsKey(text))) return;
    throw new AppError(
      'refused',
      'Nothing was saved: the text holds the private key of an environment. Take it out; calls are signed without it.',
    );
  }

  async function directoryOf(id: string): Promise<string> {
    const found = (await opened.list()).find((one) => one.id === id);
    if (found === undefined) throw new AppError('not_found', 'This collection is not open any more. Open its directory again.');
    return found.directory;
  }

  async function liveOf(id: string): Promise<LiveCollection> {
    const directory = await directoryOf(id);
    const existing = lives.get(id);
    if (existing !== undefined) return existing;
    const live = createLive({ directory, reader, platform, onFault, onChange: (paths) => onChange({ id, paths }) });
    if (watching) live.watch();
    lives.set(id, live);
    return live;
  }

  async function files(id: string): Promise<Directory> {
    const directory = await directoryOf(id);
    return createDirectory(directory, { reader, checkText, replacing: replacingIn(id, directory) });
  }

  function replacingIn(id: string, directory: string): Replacing {
    const pathOf = (absolute: string) => relative(directory, absolute).split(sep).join('/');
    const made =
      replacings.get(id) ??
      createReplacing({
        onFault,
        onKept(absolute, copy) {
          onKept({ id, path: pathOf(absolute), copy: pathOf(copy) });
          // It may come after the save, which looks by itself.
          void lives
            .get(id)
            ?.look()
            .catch(() => undefined);
        },
      });
    replacings.set(id, made);
    return made;
  }

  /** Runs a change while no other one is under way, then tells what changed. */
  async function change<T>(id: string, work: (directory: Directory) => Promise<T>): Promise<T> {
    const directory = await files(id);
    const live = await liveOf(id);
    const result = (turns.get(id) ?? Promise.resolve()).then(async () => {
      try {
        // In the home, not beside what it guards: that is in git.
        return await withLock(
          join(home, `collection-${id}`),
          () =>
            live.quietly(async () => {
              await directory.checkFormat();
              return work(directory);
            }),
          {
            named: await directoryOf(id),
          },
        );
      } finally {
        // A change that failed halfway is one too.
        await live.look().catch(() => undefined);
      }
    });
    turns.set(
      id,
      result.catch(() => undefined),
    );
    return result;
  }

  /** Returns the shown names of a folder, in its order. */
  async function namesShown(id: string, folder: string): Promise<readonly string[]> {
    const { nodes } = await (await liveOf(id)).look();
    return nodes.filter(({ path }) => folderOf(path) === folder).map(({ path }) => nameOf(path));
  }

  async function describe({ id, directory, name }: { id: string; directory: string; name: string }): Promise<Collection> {
    const stats = await stat(directory).catch(() => null);
    const problem = stats?.isDirectory() === true ? null : `${directory} is not there. Bring it back, or forget the collection.`;
    return { id, directory, name, problem };
  }

  async function makeCollection(directory: string): Promise<void> {
    try {
      await mkdir(directory, { recursive: true });
    } catch (cause) {
      throw asStorage(cause, directory);
    }
    await writeNewFileDurably(join(directory, settingsNames.collection), newSettings, 'shared').catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'conflict')) throw error;
    });
  }

  return {
    list: async () => Promise.all((await opened.list()).map(describe)),
    async open({ directory, create = false }) {
      checkAbsolute(directory);
      if (create) await makeCollection(directory);
      const added = await opened.add(await existingDirectory(directory));
      // Other pages of this program show it, too.
      onChange({ id: added.id, paths: [] });
      return describe(added);
    },
    async locate({ collectionId, directory }) {
      if ((collectionId === undefined) === (directory === undefined)) {
        throw new AppError('invalid_input', 'Name an open collection or a directory.', { field: 'collectionId' });
      }
      if (collectionId !== undefined) return openedDirectory(await directoryOf(collectionId));
      checkAbsolute(directory ?? '');
      return openedDirectory(await existingDirectory(directory ?? ''));
    },
    async forget(id) {
      await directoryOf(id);
      lives.get(id)?.close();
      lives.delete(id);
      await opened.forget(id);
      onChange({ id, paths: [] });
    },
    async tree(id) {
      const directory = await directoryOf(id);
      const live = await liveOf(id);
      const { nodes, problem, warnings, newerFormat, ignored, otherVersions, complete, folders } = await live.look();
      if (!swept.has(id)) {
        for (const folder of folders) {
          const absolute = join(directory, ...folder.split('/'));
          await removeStaleTemporaries(absolute);
          await replacingIn(id, directory).sweep(absolute);
        }
      }
      swept.add(id);
      const trouble = live.trouble();
      const notices = [
        ...(complete ? [] : ['There is more in this directory than is shown. Open the folder that the requests are in.']),
        ...(trouble === null ? [] : [trouble]),
        ...warnings.map((warning) => placed(settingsNames.collection, warning)),
        ...otherVersions.map(otherVersionNotice),
        ...ignored.map(notRead),
      ];
      return {
        collection: await describe(openedDirectory(directory)),
        nodes: [...nodes],
        problem,
        notices,
        readOnly: newerFormat === null ? null : newerFormatText(newerFormat),
      };
    },
    read: async (id, path) => (await files(id)).readRequest(path),
    save: ({ id, path, request, revision }) => change(id, (directory) => directory.saveRequest(path, request, revision)),
    create: ({ id, folder, name, request }) => change(id, (directory) => directory.createRequest(folder, name, request)),
    createFolder: ({ id, folder, name }) =>
      change(id, async (directory) => ({ path: await directory.createFolder(folder, name) })),
    readFolder: async (id, path) => (await files(id)).readSettings(path),
    saveFolder: ({ id, path, settings, revision }) => change(id, (directory) => directory.saveSettings(path, settings, revision)),
    rename: ({ id, path, name }) =>
      change(id, async (directory) => {
        const to = await directory.rename(path, name);
        await directory.changeOrder(folderOf(path), (order) => order.map((one) => (one === nameOf(path) ? nameOf(to) : one)));
        return { path: to };
      }),
    async move({ id, path, folder, before }) {
      const shown = before === undefined ? [] : await namesShown(id, folder);
      return change(id, async (directory) => {
        const to = await directory.move(path, folder);
        const name = nameOf(to);
        if (folderOf(path) !== folder) {
          await directory.changeOrder(folderOf(path), (order) => order.filter((one) => one !== nameOf(path)));
        }
        if (before !== undefined) {
          const others = shown.filter((one) => pathIn(folder, one) !== path);
          const place = before === null ? others.length : others.indexOf(before);
          await directory.changeOrder(folder, () => others.toSpliced(place < 0 ? others.length : place, 0, name));
        }
        return { path: to };
      });
    },
    ...createTransfers({ inTurn: change, names: namesShown }),
    duplicate: (id, path) =>
      change(id, async (directory) => {
        const to = await directory.duplicate(path);
        // Beside the one it was made from, where that has a place of its own.
        await directory.changeOrder(folderOf(path), (order) =>
          order.includes(nameOf(path)) ? order.toSpliced(order.indexOf(nameOf(path)) + 1, 0, nameOf(to)) : order,
        );
        return { path: to };
      }),
    remove: (id, path) =>
      change(id, async (directory) => {
        const absolute = await directory.find(path);
        const removal = randomBytes(8).toString('hex');
        try {
          await trash.put(removal, absolute);
        } catch (cause) {
          throw asStorage(cause, path);
        }
        let place = -1;
        removals.set(removal, { id, path, place });
        await directory.changeOrder(folderOf(path), (order) => {
          place = order.indexOf(nameOf(path));
          return order.filter((one) => one !== nameOf(path));
        });
        removals.set(removal, { id, path, place });
        return { removal };
      }),
    restore: (id, removal) =>
      change(id, async (directory) => {
        const removed = removals.get(removal);
        if (removed === undefined || removed.id !== id) {
          throw new AppError('not_found', 'Cannot undo: the item is already restored, or Croupier has restarted since.');
        }
        const { path, place } = removed;
        const absolute = await directory.findFree(path);
        try {
          await trash.takeBack(removal, absolute);
        } catch (cause) {
          throw asStorage(cause, path);
        }
        removals.delete(removal);
        if (place >= 0) {
          await directory.changeOrder(folderOf(path), (order) =>
            order.includes(nameOf(path)) ? order : order.toSpliced(place, 0, nameOf(path)),
          );
        }
        return { path };
      }),
    reorder: ({ id, folder, order }) => change(id, (directory) => directory.changeOrder(folder, () => [...new Set(order)], true)),
    inTurn: change,
    watch() {
      watching = true;
      for (const live of lives.values()) live.watch();
    },
    async close() {
      for (const live of lives.values()) live.close();
      await Promise.all(turns.values());
      await Promise.all([...replacings.values()].map((replacing) => replacing.close()));
      await trash.close();
    },
  };
}

/** Fails with `invalid_input` unless the path is absolute. */
export function checkAbsolute(directory: string): void {
  if (!isAbsolute(directory) || directory.includes('\0')) {
    throw new AppError('invalid_input', 'Use an absolute path for the directory.', { field: 'directory' });
  }
}

/** The real path of a directory that is there. */
async function existingDirectory(directory: string): Promise<string> {
  const real = await realpath(directory).catch(() => null);
  const stats = real === null ? null : await stat(real).catch(() => null);
  if (real === null || stats === null) {
    throw new AppError('not_found', `There is no ${directory}. Check the path, or create it.`, { field: 'directory' });
  }
  if (!stats.isDirectory()) {
    throw new AppError('invalid_input', `${directory} is not a directory. Choose the one that the requests are in.`, {
      field: 'directory',
    });
  }
  if (real === dirname(real)) {
    throw new AppError('invalid_input', 'This is the root of the whole disk. Choose a directory below it.', {
      field: 'directory',
    });
  }
  return real;
}
