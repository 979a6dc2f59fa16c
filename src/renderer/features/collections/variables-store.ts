import { createStore, type StoreApi } from 'zustand/vanilla';
import { folderOf, nameOf, settingsNames } from '#shared/collections/file-names.ts';
import type { FolderSettings, Variables } from '#shared/collections/model.ts';
import type { Client, ReadSettings } from '#shared/ipc/index.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import { announcer } from '#renderer/ui/announcer.ts';
import { rowKey } from './tree-rows.ts';

/** The settings of a collection or a folder, or why they cannot be read. */
export type KnownSettings =
  | { readonly state: 'ready'; readonly read: ReadSettings }
  | { readonly state: 'failed'; readonly message: string };

export interface VariablesState {
  /** Settings by the key of their row. */
  readonly settings: Readonly<Record<string, KnownSettings>>;
  /** Fetches the settings around a request that are not known yet; settles once all of them are. */
  readonly want: (collectionId: string, path: string) => Promise<void>;
  /** Reads the current settings of a collection or a folder. */
  readonly read: (collectionId: string, path: string) => Promise<KnownSettings>;
  /** Writes settings over the revision at which they were read. Resolves to null, or to a sentence that says why it failed. */
  readonly save: (
    collectionId: string,
    path: string,
    settings: FolderSettings,
    revision: string | null,
  ) => Promise<string | null>;
}

export type VariablesStore = StoreApi<VariablesState>;

/** Variables that the files around a request give it; folders outermost first. */
export interface FileVariables {
  readonly collection: Variables;
  readonly folders: readonly Variables[];
  /** Settings files that cannot be read, as sentences. */
  readonly problems: readonly string[];
}

/** Keeps the variables of collections and folders as they are in the files now. */
export function createVariablesStore(client: Client): VariablesStore {
  return createStore<VariablesState>()((set) => {
    const asked = new Map<string, { readonly id: string; readonly path: string; round: number; loaded: Promise<void> }>();

    client.on('collections.changed', ({ id, paths }) => {
      for (const one of asked.values()) {
        if (one.id !== id) continue;
        const settled = paths.every((path) => folderOf(path) !== one.path || !isSettings(nameOf(path)));
        if (paths.length === 0 || !settled) startWork(load(one.id, one.path));
      }
    });

    function load(id: string, path: string): Promise<void> {
      const key = rowKey(id, path);
      const one = asked.get(key) ?? { id, path, round: 0, loaded: Promise.resolve() };
      one.round += 1;
      asked.set(key, one);
      const { round } = one;
      one.loaded = read(id, path).then((known) => {
        // Changed meanwhile: what is read now counts.
        if (one.round !== round) return one.loaded;
        set(({ settings }) => ({ settings: { ...settings, [key]: known } }));
        return undefined;
      });
      return one.loaded;
    }

    async function read(id: string, path: string): Promise<KnownSettings> {
      try {
        return { state: 'ready', read: await client.call('collections.readFolder', { id, path }) };
      } catch (thrown) {
        return { state: 'failed', message: asAppError(thrown).message };
      }
    }

    return {
      settings: {},
      async want(collectionId, path) {
        const wanted = (folder: string) => asked.get(rowKey(collectionId, folder))?.loaded ?? load(collectionId, folder);
        await Promise.all(foldersAround(path).map(wanted));
      },
      read,
      async save(collectionId, path, settings, revision) {
        try {
          await client.call('collections.saveFolder', { id: collectionId, path, settings, revision });
          announcer.say('Saved the variables.');
          return null;
        } catch (thrown) {
          const error = asAppError(thrown);
          if (error.code !== 'conflict') return error.message;
          return 'Another program changed the file. Close this and open it again.';
        }
      },
    };
  });
}

/** Returns the variables of the files around a request; null until all of them are known. */
export function variablesAround(
  { settings }: Pick<VariablesState, 'settings'>,
  collectionId: string,
  path: string,
): FileVariables | null {
  const known = foldersAround(path).map((folder) => ({ folder, found: settings[rowKey(collectionId, folder)] }));
  const problems: string[] = [];
  const values: Variables[] = [];
  for (const { folder, found } of known) {
    if (found === undefined) return null;
    if (found.state === 'failed') {
      problems.push(`The variables of ${folder === '' ? 'the collection' : folder} could not be read. ${found.message}`);
    }
    values.push(found.state === 'ready' ? found.read.settings.variables : {});
  }
  const [collection = {}, ...folders] = values;
  return { collection, folders, problems };
}

/** Returns the collection first, then each folder down to that of the request. */
function foldersAround(path: string): string[] {
  const folders: string[] = [];
  for (let at = folderOf(path); at !== ''; at = folderOf(at)) folders.unshift(at);
  return ['', ...folders];
}

function isSettings(name: string): boolean {
  return name === settingsNames.folder || name === settingsNames.collection;
}
