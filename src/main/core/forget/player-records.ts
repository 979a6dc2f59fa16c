import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { environmentsFolder, fileOfOtherVersion, fileOfRequest, pathIn, settingsNames } from '#shared/collections/file-names.ts';
import { AppError } from '#shared/errors.ts';
import { readText } from '../files/files.ts';

import { each, type Naming } from '../history/player-naming.ts';
import type { Runs } from '../runs/runs.ts';
import type { Collections } from '../collections/collections.ts';

export interface PlayerRecordsDeps {
  readonly collections: Pick<Collections, 'list' | 'tree' | 'read' | 'readFolder' | 'filesOf' | 'inTurn'>;
  readonly runs: Pick<Runs, 'naming' | 'remove'>;
  /** Folder in which removed files wait for the end of the session. */
  readonly removedFolder: string;
}

type Found = { -readonly [K in keyof FoundInCollections]: FoundInCollections[K] extends readonly (infer T)[] ? T[] : never };

/** Creates the search for a player in open collections and reports of runs. */
export function createPlayerRecords({ collections, runs, removedFolder }: PlayerRecordsDeps) {
  async function searchCollection(id: string, directory: string, naming: Naming, found: Found, stop: AbortSignal): Promise<void> {
    const fileOf = (path: string) => join(directory, ...path.split('/'));
    const { nodes, problem } = await collections.tree(id);
    if (problem !== null) found.unread.push(fileOf(settingsNames.collection));
    await each(['', ...nodes.filter(({ kind }) => kind === 'folder').map(({ path }) => path)], stop, async (path) => {
      const file = fileOf(path === '' ? settingsNames.collection : pathIn(path, settingsNames.folder));
      try {
        const { settings } = await collections.readFolder(id, path);
        if (fillsIn(Object.entries(settings.variables), naming)) found.fillingIn.push(file);
      } catch {
        if (!found.unread.includes(file)) found.unread.push(file);
      }
      await searchOtherVersions(fileOf(path), naming, found);
    });
    await each(
      nodes.filter(({ kind }) => kind === 'request'),
      stop,
      async ({ path }) => {
        try {
          const { request } = await collections.read(id, path);
          const names = request.examples.filter(({ body }) => naming.text(body)).map(({ name }) => name);
          if (names.length > 0) found.examples.push({ collectionId: id, path, file: fileOf(path), names });
          if (naming.text(request.data)) found.fillingIn.push(fileOf(path));
        } catch {
          found.unread.push(fileOf(path));
        }
      },
    );
    await searchEnvironments(directory, naming, found, stop);
  }

  async function searchEnvironments(directory: string, naming: Naming, found: Found, stop: AbortSignal): Promise<void> {
    const folder = join(directory, environmentsFolder);
    const { files } = await collections.filesOf({ directory });
    await each(await files.environmentNames(), stop, async (name) => {
      const file = join(folder, fileOfRequest(name));
      try {
        const read = await files.readEnvironment(name);
        if (textsIn(read?.file).some((text) => naming.text(text))) found.fillingIn.push(file);
      } catch {
        found.unread.push(file);
      }
    });
    await searchOtherVersions(folder, naming, found);
  }

  /** Searches other programs' versions, which were kept when files were saved. */
  async function searchOtherVersions(folder: string, naming: Naming, found: Found): Promise<void> {
    for (const name of await readdir(folder).catch((): string[] => [])) {
      if (fileOfOtherVersion(name) === null) continue;
      const file = join(folder, name);
      try {
        if (naming.text(readText('collection.file', file))) found.otherVersions.push(file);
      } catch {
        found.unread.push(file);
      }
    }
  }

  async function searchRemoved(naming: Naming, found: Found, stop: AbortSignal): Promise<void> {
    const names = await readdir(removedFolder, { recursive: true }).catch((): string[] => []);
    await each(names, stop, async (name) => {
      const file = join(removedFolder, name);
      try {
        if (naming.text(readText('collection.file', file))) found.removed.push(file);
      } catch (error) {
        // Larger than any request, and not a folder.
        if (error instanceof AppError) found.unread.push(file);
      }
    });
  }

  return {
    async find(naming: Naming, stop: AbortSignal): Promise<FoundInCollections> {
      const { reports, running } = await runs.naming(naming, stop);
      const found: Found = {
        runReports: reports,
        running,
        examples: [],
        fillingIn: [],
        otherVersions: [],
        unread: [],
        removed: [],
      };
      await each(await collections.list(), stop, async ({ id, directory, problem }) => {
        if (problem !== null) return void found.unread.push(directory);
        await searchCollection(id, directory, naming, found, stop).catch(() => void found.unread.push(directory));
      });
      await searchRemoved(naming, found, stop);
      return found;
    },
    /**
     * Removes the reports and the examples that were found; returns the files that could not be changed, or not before it was
     * stopped.
     */
    async remove({ runReports, examples }: FoundInCollections, naming: Naming, stop: AbortSignal): Promise<readonly string[]> {
      const unchanged = new Set(examples.map(({ file }) => file));
      await runs.remove(runReports);
      await each(examples, stop, async ({ collectionId, path, file }) => {
        try {
          // Read again under its lock: a change that somebody else made to the file meanwhile stays.
          await collections.inTurn(collectionId, async (directory) => {
            const { request, revision } = await directory.readRequest(path);
            const kept = request.examples.filter(({ body }) => !naming.text(body));
            await directory.saveRequest(path, { ...request, examples: kept }, revision);
          });
          unchanged.delete(file);
        } catch {
          // It is reported with the files that could not be changed.
        }
      });
      return [...unchanged];
    },
  };
}

/** Returns whether a variable is the player's ID, or a text with a field that names it. */
function fillsIn(variables: readonly (readonly [string, string])[], naming: Naming): boolean {
  return variables.some(([, value]) => value === naming.player || naming.text(value));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** A player's records in collections and their runs. */
export type CollectionRecords = ReturnType<typeof createPlayerRecords>;

export interface FoundInCollections {
  readonly runReports: readonly string[];
  /** Reports of runs that go on. */
  readonly running: readonly string[];
  /** By request. */
  readonly examples: readonly {
    readonly collectionId: string;
    readonly path: string;
    readonly file: string;
    readonly names: readonly string[];
  }[];
  /** Files whose fields or variables fill in the player. */
  readonly fillingIn: readonly string[];
  /** Other programs' versions of files that name the player, kept during saves. */
  readonly otherVersions: readonly string[];
  /** Files that could not be looked into. */
  readonly unread: readonly string[];
  /** Files that were removed in this session and can be restored. */
  readonly removed: readonly string[];
}
