import type { Client, ReadRequest } from '#shared/ipc/index.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import type { RequestTab } from './request-tab.ts';
import { contentKey, contentOf, fileOf, isOf, type TabFile } from './tab-file.ts';
import type { TabList } from './tab-list.ts';

/** Answers a tab's questions about its file, which another program wrote. */
export interface FollowedFileActions {
  /** Keeps the typed text: the next save overwrites the other program's version. */
  readonly keepMine: (id: string) => void;
  /** Takes the other program's version; the editor can undo it. */
  readonly takeTheirs: (id: string) => void;
  readonly dismissFileProblem: (id: string) => void;
  /** Called before a file or folder moves; the returned function is called with its new position, or null if it stayed. */
  readonly holdFiles: (
    collectionId: string,
    path: string,
  ) => (to: { readonly collectionId: string; readonly path: string } | null) => void;
  /** Checks whether files changed while nobody listened. */
  readonly rereadFiles: () => void;
}

/** The part of the store that follows the files of tabs on the disk. */
export type FollowedFiles = ReturnType<typeof createFollowedFiles>;

/** Creates the part that compares tabs with their files. */
export function createFollowedFiles(client: Client, { all, find, update }: Pick<TabList, 'all' | 'find' | 'update'>) {
  const held = new Set<{ readonly collectionId: string; readonly path: string }>();

  client.on('collections.changed', ({ id, paths }) => {
    const changed = new Set(paths);
    for (const { id: tabId, file } of all()) {
      if (file?.collectionId === id && (changed.size === 0 || changed.has(file.path))) startWork(reread(tabId));
    }
  });

  function hold(collectionId: string, path: string): () => void {
    const one = { collectionId, path };
    held.add(one);
    return () => {
      held.delete(one);
    };
  }

  function isHeld({ collectionId, path }: TabFile): boolean {
    return [...held].some((one) => one.collectionId === collectionId && isWithin(path, one.path));
  }

  async function reread(tabId: string): Promise<void> {
    const file = find(tabId)?.file;
    if (file === undefined || file === null || isHeld(file)) return;
    const { collectionId, path } = file;
    try {
      const read = await client.call('collections.read', { id: collectionId, path });
      update(tabId, (tab) => (isOf(tab, file) ? followed(tab, tab.file, read) : tab));
    } catch (thrown) {
      const error = asAppError(thrown);
      update(tabId, (tab) => {
        if (!isOf(tab, file) || isHeld(tab.file)) return tab;
        if (error.code !== 'not_found') return { ...tab, file: { ...tab.file, problem: `${path}: ${error.message}` } };
        return { ...tab, file: { ...tab.file, gone: true, theirs: null, problem: null }, dirty: true, clean: null };
      });
    }
  }

  const actions: FollowedFileActions = {
    keepMine(id) {
      update(id, (tab) => {
        const { file } = tab;
        if (file === null || file.theirs === null) return tab;
        const clean = contentKey(contentOf(file.theirs.request));
        return { ...tab, file: fileOf(file.collectionId, file.theirs), clean, dirty: contentKey(tab) !== clean };
      });
    },
    takeTheirs(id) {
      update(id, (tab) => {
        const { file } = tab;
        if (file === null || file.theirs === null) return tab;
        const theirs = contentOf(file.theirs.request);
        return { ...tab, ...theirs, file: fileOf(file.collectionId, file.theirs), clean: contentKey(theirs), dirty: false };
      });
    },
    dismissFileProblem(id) {
      update(id, (tab) => (tab.file === null ? tab : { ...tab, file: { ...tab.file, problem: null } }));
    },
    holdFiles(collectionId, path) {
      const release = hold(collectionId, path);
      return (to) => {
        release();
        for (const { id, file } of all()) {
          if (file?.collectionId !== collectionId || !isWithin(file.path, path)) continue;
          if (to !== null) {
            const moved = { collectionId: to.collectionId, path: to.path + file.path.slice(path.length) };
            update(id, (tab) => (isOf(tab, file) ? { ...tab, file: { ...tab.file, ...moved } } : tab));
          }
          startWork(reread(id));
        }
      };
    },
    rereadFiles() {
      for (const { id, file } of all()) if (file !== null) startWork(reread(id));
    },
  };
  return {
    actions /** Reads the tab's file and acts by its state: takes it silently, asks, or says that it is gone. */,
    reread /** Asks nothing about changes of a file until the returned function is called: they are ours. */,
    hold,
  };
}

function followed(tab: RequestTab, before: TabFile, read: ReadRequest): RequestTab {
  const theirs = contentOf(read.request);
  const key = contentKey(theirs);
  const file = fileOf(before.collectionId, read);
  if (contentKey(tab) === key) return { ...tab, file, clean: key, dirty: false };
  if (read.revision === before.revision) return { ...tab, file, clean: key, dirty: true };
  if (!tab.dirty) return { ...tab, ...theirs, file, clean: key };
  return { ...tab, file: { ...before, gone: false, theirs: read, problem: null } };
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
