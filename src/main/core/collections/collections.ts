import { removeStaleTemporaries } from '../files/files.ts';
import { createReplacing, type Replacing } from './replace-file.ts';
import { stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { newerFormatText } from '#shared/collections/format.ts';
import { settingsNames } from '#shared/collections/file-names.ts';
import { AppError } from '#shared/errors.ts';
import type { Collection, CollectionTree, Input, Output, ParsedInput, Payload, ReadRequest } from '#shared/ipc/index.ts';
import { withLock } from '../files/locks.ts';
import type { SessionLock } from '../files/session-lock.ts';
import { checkAbsolute, existingDirectory, makeCollection } from './collection-directory.ts';
import { createDirectory } from './directory.ts';
import type { Directory } from './directory.ts';
import type { FileReader } from './file-reader.ts';
import { createGitStates, type GitStatesDeps } from './git/git-states.ts';
import { createLiveCollections, type LiveCollections } from './live-collections.ts';
import { createOpened, openedDirectory, type OpenedDirectory } from './opened-directories.ts';
import { createRearrangements } from './rearrangements.ts';
import { createRemovals } from './removals.ts';
import { placed, type Remark } from './tree.ts';
import { createTransfers } from './transfers.ts';
import { createTrash } from './trash.ts';

export interface CollectionsDeps extends Pick<GitStatesDeps, 'reading' | 'pass' | 'onCommit' | 'platform' | 'env'> {
  readonly home: string;
  readonly run: Pick<SessionLock, 'token' | 'hold' | 'isAlive'>;
  readonly reader: FileReader;
  readonly onChange: (change: Payload<'collections.changed'>) => void;
  /** Called if another program wrote a file during a save, after its version was kept beside it. */
  readonly onKept: (kept: Payload<'collections.kept'>) => void;
  readonly onFault: (error: unknown) => void;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

/** Names an open collection or a directory, one of the two. */
interface Where {
  readonly collectionId?: string | undefined;
  readonly directory?: string | undefined;
}

/**
 * Collections of requests: directories of YAML files that other programs change, too. Its members are those of the inside contract.
 */
export type Collections = ReturnType<typeof createCollections>;

export function createCollections(deps: CollectionsDeps) {
  const { home, run, reader, reading, pass, onChange, onCommit, onKept, onFault, now, platform, env } = deps;
  const opened = createOpened(join(home, 'collections.json'));
  const trash = createTrash(home, run, now);
  const lives = createLiveCollections({ directoryOf, reader, onChange, onFault, platform });
  const gitStates = createGitStates({ env, platform, directoryOf, lives, reading, pass, onCommit });
  const replacings = createReplacings({
    onFault,
    onKept(kept) {
      onKept(kept);
      // It may come after the save, which reads by itself.
      lives.readAgain(kept.id);
    },
  });
  const turns = createTurns({ home, directoryOf, filesOf, lives });

  async function directoryOf(id: string): Promise<string> {
    const found = (await opened.list()).find((one) => one.id === id);
    if (found === undefined) throw new AppError('not_found', 'This collection is no longer open. Open its folder again.');
    return found.directory;
  }

  async function filesOf(id: string): Promise<Directory> {
    return filesAt(id, await directoryOf(id));
  }

  function filesAt(id: string, directory: string): Directory {
    return createDirectory(directory, { reader, checkText, replacing: replacings.of(id, directory) });
  }

  const checkText = async (text: string) => (await pass('team', [text], {}))(Buffer.from(text, 'utf8'));

  /** Locates an open collection, or any directory as one. Fails with `not_found` and `invalid_input`. */
  async function locate({ collectionId, directory }: Where): Promise<OpenedDirectory> {
    if ((collectionId === undefined) === (directory === undefined)) {
      throw new AppError('invalid_input', 'Name an open collection or a folder.', { field: 'collectionId' });
    }
    if (collectionId !== undefined) return openedDirectory(await directoryOf(collectionId));
    checkAbsolute(directory ?? '');
    return openedDirectory(await existingDirectory(directory ?? ''));
  }

  return {
    list: async (): Promise<Collection[]> => Promise.all((await opened.list()).map(describe)),
    async open({ directory, create = false }: Input<'collections.open'>): Promise<Collection> {
      checkAbsolute(directory);
      if (create) await makeCollection(directory);
      const added = await opened.add(await existingDirectory(directory));
      // Other pages of this program show it, too.
      onChange({ id: added.id, paths: [] });
      return describe(added);
    },
    locate,
    /** Returns the files of an open collection, or of any directory as one, for reading. Fails as `locate` does. */
    async filesOf(where: Where): Promise<{ directory: string; files: Directory }> {
      const { id, directory } = await locate(where);
      return { directory, files: filesAt(id, directory) };
    },
    /** Changes files of a directory, which need not be open, while no other change of it is under way. Fails as `locate` does. */
    async changeAt<T>(directory: string, work: (files: Directory) => Promise<T>): Promise<T> {
      const { id } = await locate({ directory });
      const isOpen = (await opened.list()).some((one) => one.id === id);
      if (isOpen) return turns.take(id, work);
      const files = filesAt(id, directory);
      return withLock(join(home, `collection-${id}`), async () => {
        await files.checkFormat();
        return work(files);
      });
    },
    async forget(id: string): Promise<void> {
      await directoryOf(id);
      lives.drop(id);
      gitStates.drop(id);
      await opened.forget(id);
      onChange({ id, paths: [] });
    },
    async tree(id: string): Promise<CollectionTree> {
      const directory = await directoryOf(id);
      const live = await lives.of(id);
      const { nodes, problem, warnings, variables, newerFormat, remarks, folders } = await live.read();
      await replacings.sweep(id, directory, folders);
      const trouble = live.trouble();
      const notices = [
        ...(trouble === null ? [] : [trouble]),
        ...warnings.map((warning) => placed(settingsNames.collection, warning)),
        ...remarks.map(({ words }) => words),
      ];
      return {
        collection: await describe(openedDirectory(directory)),
        nodes: [...nodes],
        problem,
        notices,
        variables,
        readOnly: newerFormat === null ? null : newerFormatText(newerFormat),
      };
    },
    /** Returns what is in the directory and is not read, as it was last seen. */
    remarks: async (id: string): Promise<readonly Remark[]> => (await (await lives.of(id)).seen()).remarks,
    gitMarks: gitStates.marks,
    versions: gitStates.versions,
    read: async (id: string, path: string): Promise<Output<'collections.read'>> => (await filesOf(id)).readRequest(path),
    comments: async (id: string, path: string): Promise<string[]> => (await filesOf(id)).comments(path),
    save: ({ id, path, request, revision }: Omit<ParsedInput<'collections.save'>, 'secrets'>): Promise<ReadRequest> =>
      turns.take(id, (directory) => directory.saveRequest(path, request, revision)),
    create: ({ id, folder, name, request }: Omit<ParsedInput<'collections.create'>, 'secrets'>): Promise<ReadRequest> =>
      turns.take(id, (directory) => directory.createRequest(folder, name, request)),
    createFolder: ({ id, folder, name }: ParsedInput<'collections.createFolder'>): Promise<{ path: string }> =>
      turns.take(id, async (directory) => ({ path: await directory.createFolder(folder, name) })),
    readFolder: async (id: string, path: string): Promise<Output<'collections.readFolder'>> =>
      (await filesOf(id)).readSettings(path),
    saveFolder: ({
      id,
      path,
      settings,
      revision,
    }: Omit<ParsedInput<'collections.saveFolder'>, 'secrets'>): Promise<Output<'collections.saveFolder'>> =>
      turns.take(id, (directory) => directory.saveSettings(path, settings, revision)),
    ...createRearrangements({ inTurn: turns.take, names: lives.names }),
    ...createTransfers({ inTurn: turns.take, names: lives.names }),
    ...createRemovals({ inTurn: turns.take, trash }),
    /** Makes several changes as one, while no other one is under way; reports them at the end. */
    inTurn: turns.take,
    /** Reports changes by other programs from now on, of every collection that is or was read in this session. */
    watch: lives.watch,
    async close(): Promise<void> {
      lives.close();
      gitStates.close();
      await turns.done();
      await replacings.close();
      await trash.close();
    },
  };
}

async function describe({ id, directory, name }: OpenedDirectory): Promise<Collection> {
  const stats = await stat(directory).catch(() => null);
  const problem = stats?.isDirectory() === true ? null : `${directory} is missing. Restore it, or forget the collection.`;
  return { id, directory, name, problem };
}

/** Replaces the files of each collection in this session. */
function createReplacings({ onKept, onFault }: Pick<CollectionsDeps, 'onKept' | 'onFault'>) {
  const replacings = new Map<string, Replacing>();
  const swept = new Set<string>();

  function replacingIn(id: string, directory: string): Replacing {
    const pathOf = (absolute: string) => relative(directory, absolute).split(sep).join('/');
    const made =
      replacings.get(id) ??
      createReplacing({ onFault, onKept: (absolute, copy) => onKept({ id, path: pathOf(absolute), copy: pathOf(copy) }) });
    replacings.set(id, made);
    return made;
  }

  return {
    of: replacingIn,
    /** Removes temporary files that killed programs left in these folders: once in a session, and again while some are too young. */
    async sweep(id: string, directory: string, folders: Iterable<string>): Promise<void> {
      if (swept.has(id)) return;
      let isYoung = false;
      for (const folder of folders) {
        const absolute = join(directory, ...folder.split('/'));
        const found = [await removeStaleTemporaries(absolute), await replacingIn(id, directory).sweep(absolute)];
        isYoung ||= found.includes(true);
      }
      if (!isYoung) swept.add(id);
    },
    /** Reads the files that were replaced a last time. */
    async close(): Promise<void> {
      await Promise.all([...replacings.values()].map((replacing) => replacing.close()));
    },
  };
}

interface TurnsDeps {
  readonly home: string;
  readonly directoryOf: (id: string) => Promise<string>;
  readonly filesOf: (id: string) => Promise<Directory>;
  readonly lives: Pick<LiveCollections, 'of'>;
}

/** Lets changes of a collection take turns, here and (by its lock) among the programs of a home. */
function createTurns({ home, directoryOf, filesOf, lives }: TurnsDeps) {
  const turns = new Map<string, Promise<unknown>>();

  return {
    /** Runs a change while no other one is under way, then reports its changes. */
    async take<T>(id: string, work: (directory: Directory) => Promise<T>): Promise<T> {
      const directory = await filesOf(id);
      const live = await lives.of(id);
      const changed = async () => {
        await directory.checkFormat();
        return work(directory);
      };
      const result = (turns.get(id) ?? Promise.resolve()).then(async () => {
        try {
          // In the home, not beside the directory that it guards: that is in git.
          return await withLock(join(home, `collection-${id}`), () => live.quietly(changed), { named: await directoryOf(id) });
        } finally {
          // A change that failed halfway is one too.
          await live.read().catch(() => undefined);
        }
      });
      turns.set(
        id,
        result.catch(() => undefined),
      );
      return result;
    },
    /** Waits for the changes that are under way. */
    async done(): Promise<void> {
      await Promise.all(turns.values());
    },
  };
}
