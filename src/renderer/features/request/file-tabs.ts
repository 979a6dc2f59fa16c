import type { Client, Output, ReadRequest } from '#shared/ipc/index.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import { contentKey, contentOf, fileOf, fileTitle, requestOf, type TabExtras, type TabFile } from './tab-file.ts';
import type { RequestState, RequestTab } from './request-store.ts';

/** What tabs do with files. */
export interface FileActions {
  /** Selects the file's tab, or opens one; false where it could not be read, which `problem` says. */
  readonly openFile: (collectionId: string, path: string) => Promise<boolean>;
  /** Writes the tab into its file; a tab without one asks where, by `savingId`. */
  readonly save: (id?: string) => Promise<void>;
  /** Asks where to save the tab, also where it has a file. */
  readonly startSaveAs: (id?: string) => void;
  readonly stopSaveAs: () => void;
  /** Makes a new file of the tab, which is its file from then on; gives a sentence where that could not be done, else null. */
  readonly saveAs: (id: string, collectionId: string, folder: string, name: string) => Promise<string | null>;
  /** Keeps what was typed: the next save goes over what the other program wrote. */
  readonly keepMine: (id: string) => void;
  /** Takes what the other program wrote; the editor can undo it. */
  readonly takeTheirs: (id: string) => void;
  readonly dismissFileProblem: (id: string) => void;
  /** Asks under which name the answer of the tab is kept as an example in its file. */
  readonly startKeeping: (id: string) => void;
  readonly stopKeeping: () => void;
  /** What would be kept of a call's answer, or a sentence that says why nothing can be. */
  readonly previewExample: (callId: number) => Promise<Output<'collections.previewExample'> | string>;
  /** Adds it to the tab's file, unsaved edits aside; gives a sentence where that could not be done, else null. */
  readonly keepExample: (id: string, name: string) => Promise<string | null>;
  readonly setExtras: (id: string, extras: TabExtras) => void;
  /** A file or folder comes to lie elsewhere: what this gives back is called with where that is, or null where it stayed. */
  readonly holdFiles: (
    collectionId: string,
    path: string,
  ) => (to: { readonly collectionId: string; readonly path: string } | null) => void;
  /** Looks whether files changed while nobody listened. */
  readonly lookAtFiles: () => void;
}

interface Inside {
  readonly update: (id: string, change: (tab: RequestTab) => RequestTab) => void;
  readonly find: (id: string | undefined) => RequestTab | undefined;
  readonly add: (tab: RequestTab) => void;
  readonly show: (id: string) => void;
  readonly edited: (tab: RequestTab, change: Partial<RequestTab>) => RequestTab;
  readonly started: (content: ReturnType<typeof contentOf>) => RequestTab;
  readonly set: (state: Partial<RequestState>) => void;
  readonly tabs: () => readonly RequestTab[];
}

/** Joins tabs with the files of collections; the second function stops listening to the client. */
export function createFileTabs(client: Client, inside: Inside): readonly [FileActions, () => void] {
  const { update, find } = inside;
  const held = new Set<{ readonly collectionId: string; readonly path: string }>();

  const stop = client.on('collections.changed', ({ id, paths }) => {
    const changed = new Set(paths);
    for (const { id: tabId, file } of inside.tabs()) {
      if (file?.collectionId === id && (changed.size === 0 || changed.has(file.path))) startWork(look(tabId));
    }
  });

  function isHeld({ collectionId, path }: TabFile): boolean {
    return [...held].some((one) => one.collectionId === collectionId && isWithin(path, one.path));
  }

  /** Reads the tab's file and goes by what it finds: takes it silently, asks, or says that it is gone. */
  async function look(tabId: string): Promise<void> {
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

  function followed(tab: RequestTab, before: TabFile, read: ReadRequest): RequestTab {
    const theirs = contentOf(read.request);
    const key = contentKey(theirs);
    const file = fileOf(before.collectionId, read);
    if (contentKey(tab) === key) return { ...tab, file, clean: key, dirty: false };
    if (read.revision === before.revision) return { ...tab, file, clean: key, dirty: true };
    if (!tab.dirty) return { ...tab, ...theirs, file, clean: key };
    return { ...tab, file: { ...before, gone: false, theirs: read, problem: null } };
  }

  async function write(tab: RequestTab, file: TabFile): Promise<void> {
    const { collectionId, path, revision } = file;
    const saved = contentKey(tab);
    try {
      const read = await client.call('collections.save', { id: collectionId, path, request: requestOf(tab), revision });
      // Another program may have written it again by the time that it was read.
      const isOurs = contentKey(contentOf(read.request)) === saved;
      update(tab.id, (now) => {
        if (!isOf(now, file)) return now;
        if (!isOurs) return { ...now, file: { ...now.file, gone: false, theirs: read, problem: null } };
        return { ...now, file: fileOf(collectionId, read), clean: saved, dirty: contentKey(now) !== saved };
      });
    } catch (thrown) {
      const error = asAppError(thrown);
      if (error.code === 'conflict' || error.code === 'not_found') return look(tab.id);
      update(tab.id, (now) =>
        isOf(now, file) ? { ...now, file: { ...now.file, problem: `It was not saved. ${error.message}` } } : now,
      );
    }
  }

  const actions: FileActions = {
    async openFile(collectionId, path) {
      const open = inside.tabs().find(({ file }) => file?.collectionId === collectionId && file.path === path && !file.gone);
      if (open !== undefined) {
        inside.show(open.id);
        return true;
      }
      try {
        const read = await client.call('collections.read', { id: collectionId, path });
        inside.add({ ...inside.started(contentOf(read.request)), file: fileOf(collectionId, read) });
        return true;
      } catch (thrown) {
        const error = asAppError(thrown);
        inside.set({ problem: `“${fileTitle(path)}” could not be opened. ${error.message}` });
        return false;
      }
    },
    async save(id) {
      const tab = find(id);
      if (tab === undefined) return;
      if (tab.file === null || tab.file.gone) inside.set({ savingId: tab.id });
      else if (tab.dirty && tab.file.theirs === null) await write(tab, tab.file);
    },
    startSaveAs(id) {
      const tab = find(id);
      if (tab !== undefined) inside.set({ savingId: tab.id });
    },
    stopSaveAs: () => inside.set({ savingId: null }),
    async saveAs(id, collectionId, folder, name) {
      const tab = find(id);
      if (tab === undefined) return null;
      const saved = contentKey(tab);
      try {
        const read = await client.call('collections.create', { id: collectionId, folder, name, request: requestOf(tab) });
        update(id, (now) => ({ ...now, file: fileOf(collectionId, read), clean: saved, dirty: contentKey(now) !== saved }));
        inside.set({ savingId: null });
        return null;
      } catch (error) {
        return asAppError(error).message;
      }
    },
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
    startKeeping(id) {
      const tab = find(id);
      if (tab?.file?.gone === false && tab.callId !== null) inside.set({ keepingId: id });
    },
    stopKeeping: () => inside.set({ keepingId: null }),
    async previewExample(callId) {
      try {
        return await client.call('collections.previewExample', { callId });
      } catch (error) {
        return asAppError(error).message;
      }
    },
    async keepExample(id, name) {
      const tab = find(id);
      if (tab === undefined || tab.file === null || tab.callId === null) return 'The tab was closed meanwhile.';
      const { file, callId } = tab;
      const { collectionId, path, revision } = file;
      // The change of the file is ours: nobody is asked about it.
      const hold = { collectionId, path };
      held.add(hold);
      try {
        const read = await client.call('collections.addExample', { id: collectionId, path, revision, callId, name });
        update(id, (now) => (isOf(now, file) ? withExample(now, read) : now));
        inside.set({ keepingId: null });
        return null;
      } catch (error) {
        return asAppError(error).message;
      } finally {
        held.delete(hold);
        startWork(look(id));
      }
    },
    setExtras(id, extras) {
      update(id, (tab) => inside.edited(tab, { extras }));
    },
    holdFiles(collectionId, path) {
      const hold = { collectionId, path };
      held.add(hold);
      return (to) => {
        held.delete(hold);
        for (const { id, file } of inside.tabs()) {
          if (file?.collectionId !== collectionId || !isWithin(file.path, path)) continue;
          if (to !== null) {
            const moved = { collectionId: to.collectionId, path: to.path + file.path.slice(path.length) };
            update(id, (tab) => (isOf(tab, file) ? { ...tab, file: { ...tab.file, ...moved } } : tab));
          }
          startWork(look(id));
        }
      };
    },
    lookAtFiles() {
      for (const { id, file } of inside.tabs()) if (file !== null) startWork(look(id));
    },
  };
  return [actions, stop];
}

/** The tab with the example that was added to its file, and what was typed besides as it is. */
function withExample(tab: RequestTab & { readonly file: TabFile }, read: ReadRequest): RequestTab {
  const added = read.request.examples.slice(-1);
  const next = { ...tab, extras: { ...tab.extras, examples: [...tab.extras.examples, ...added] } };
  const clean = contentKey(contentOf(read.request));
  return { ...next, file: fileOf(tab.file.collectionId, read), clean, dirty: contentKey(next) !== clean };
}

/** Whether a tab still has the file that something was asked about. */
function isOf(tab: RequestTab, file: TabFile): tab is RequestTab & { readonly file: TabFile } {
  return tab.file?.collectionId === file.collectionId && tab.file.path === file.path;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
