import type { Client, SavedRequest } from '#shared/ipc/index.ts';
import { standInText } from '#shared/secrets/secret-question.ts';
import { asAppError } from '#renderer/faults/faults.ts';
import { announcer } from '#renderer/ui/announcer.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { FollowedFiles } from './followed-files.ts';
import { startedTab, type RequestTab } from './request-tab.ts';
import { contentKey, contentOf, fileOf, fileTitle, isOf, requestOf, type TabFile } from './tab-file.ts';
import type { SendDeps } from './send-tabs.ts';
import type { TabList } from './tab-list.ts';

/** Opens files of collections in tabs, and saves tabs into files. */
export interface FileTabState {
  /** ID of the tab that asks where to save it. */
  readonly savingId: string | null;

  /** Selects the file's tab, or opens one; resolves to false if it could not be read, which `problem` explains. */
  readonly openFile: (collectionId: string, path: string) => Promise<boolean>;
  /** Writes the tab into its file; a tab without one asks where, by `savingId`. */
  readonly save: (id?: string) => Promise<void>;
  /** Asks where to save the tab, also if it has a file. */
  readonly startSaveAs: (id?: string) => void;
  readonly stopSaveAs: () => void;
  /** Creates a file of the tab, which is its file from then on. Resolves to null, or to the reason of a failure. */
  readonly saveAs: (id: string, collectionId: string, folder: string, name: string) => Promise<string | null>;
}

/** Creates the part of the store that opens and saves files. */
export function createFileTabs(
  client: Client,
  { setState: set }: Pick<StorePart<Pick<FileTabState, 'savingId'>>, 'setState'>,
  { all, find, update, add, show, fail }: TabList,
  { newId, reread, environment, notify }: Pick<FollowedFiles, 'reread'> & Pick<SendDeps, 'newId' | 'environment' | 'notify'>,
): FileTabState {
  async function write(tab: RequestTab, file: TabFile): Promise<void> {
    const { collectionId, path, revision } = file;
    const saved = contentKey(tab);
    try {
      const read = await client.call('collections.save', {
        id: collectionId,
        path,
        request: requestOf(tab),
        revision,
        ...keeping(),
      });
      // Another program may have written it again by the time it is read.
      const written = read.replaced === null ? saved : contentKey(contentOf(read.replaced.request));
      const isOurs = contentKey(contentOf(read.request)) === written;
      update(tab.id, (now) => {
        if (!isOf(now, file)) return now;
        if (!isOurs) return { ...now, file: { ...now.file, gone: false, theirs: read, problem: null } };
        return asSaved(now, saved, collectionId, read);
      });
      if (isOurs) said(tab, collectionId, read);
    } catch (thrown) {
      const error = asAppError(thrown);
      if (error.code === 'conflict' || error.code === 'not_found') return reread(tab.id);
      update(tab.id, (now) =>
        isOf(now, file) ? { ...now, file: { ...now.file, problem: `Not saved. ${error.message}` } } : now,
      );
    }
  }

  /** Names the environment in which the tab goes on with the tokens that the file does not get. */
  function keeping(): { environmentId?: string } {
    const environmentId = environment()?.id;
    return environmentId === undefined ? {} : { environmentId };
  }

  /** Says that a tab was saved, and what its file holds in place of values, which can be taken back. */
  function said(tab: RequestTab, collectionId: string, { path, revision, replaced }: SavedRequest): void {
    announcer.say(`Saved ${fileTitle(path)}.`);
    const text = standInText(replaced?.standIns ?? []);
    if (replaced === null || text === '') return;
    notify({
      tone: 'note',
      text,
      undo: {
        what: `saved ${fileTitle(path)} with variables`,
        async run() {
          const secrets = Object.fromEntries(replaced.standIns.map(({ name }) => [name, 'keep' as const]));
          try {
            const read = await client.call('collections.save', {
              id: collectionId,
              path,
              request: requestOf(tab),
              revision,
              secrets,
            });
            update(tab.id, (now) => asSaved(now, contentKey(contentOf(replaced.request)), collectionId, read));
            return true;
          } catch (error) {
            notify({ tone: 'bad', text: `${fileTitle(path)} still has variables. ${asAppError(error).message}` });
            return false;
          }
        },
      },
    });
  }

  return {
    savingId: null,
    async openFile(collectionId, path) {
      const open = all().find(({ file }) => file?.collectionId === collectionId && file.path === path && !file.gone);
      if (open !== undefined) {
        show(open.id);
        return true;
      }
      try {
        const read = await client.call('collections.read', { id: collectionId, path });
        const { extras, ...draft } = contentOf(read.request);
        add({ ...startedTab(newId(), draft, { extras }), file: fileOf(collectionId, read) });
        return true;
      } catch (error) {
        fail(`"${fileTitle(path)}" could not be opened. ${asAppError(error).message}`);
        return false;
      }
    },
    async save(id) {
      const tab = find(id);
      if (tab === undefined) return;
      if (tab.file === null || tab.file.gone) set({ savingId: tab.id });
      else if (tab.dirty && tab.file.theirs === null) await write(tab, tab.file);
    },
    startSaveAs(id) {
      const tab = find(id);
      if (tab !== undefined) set({ savingId: tab.id });
    },
    stopSaveAs: () => set({ savingId: null }),
    async saveAs(id, collectionId, folder, name) {
      const tab = find(id);
      if (tab === undefined) return null;
      const saved = contentKey(tab);
      try {
        const read = await client.call('collections.create', {
          id: collectionId,
          folder,
          name,
          request: requestOf(tab),
          ...keeping(),
        });
        update(id, (now) => asSaved(now, saved, collectionId, read));
        set({ savingId: null });
        said(tab, collectionId, read);
        return null;
      } catch (error) {
        return asAppError(error).message;
      }
    },
  };
}

/** Returns the tab with the file that it was saved into. What was typed since `saved`, the key of the saved content, stays. */
function asSaved(now: RequestTab, saved: string, collectionId: string, read: SavedRequest): RequestTab {
  const content = contentOf(read.request);
  const clean = contentKey(content);
  const next = contentKey(now) === saved && clean !== saved ? { ...now, ...content } : now;
  return { ...next, file: fileOf(collectionId, read), clean, dirty: contentKey(next) !== clean };
}
