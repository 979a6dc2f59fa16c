import type { Client, Output, ReadRequest } from '#shared/ipc/index.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import { announcer } from '#renderer/ui/announcer.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { FollowedFiles } from './followed-files.ts';
import type { RequestTab } from './request-tab.ts';
import { contentKey, contentOf, fileOf, isOf, type TabFile } from './tab-file.ts';
import type { TabList } from './tab-list.ts';

/** Keeps responses as examples in the files of their requests. */
export interface ExampleState {
  /** ID of the tab whose response is about to be kept as an example. */
  readonly keepingId: string | null;

  /** Asks for the name under which the response of the tab is kept in its file. */
  readonly startKeeping: (id: string) => void;
  readonly stopKeeping: () => void;
  /** Returns the example that a call's response would give, or a sentence that says why there can be none. */
  readonly previewExample: (callId: number) => Promise<Output<'collections.previewExample'> | string>;
  /** Adds it to the tab's file and leaves unsaved edits alone. Resolves to null, or to the reason of a failure. */
  readonly keepExample: (id: string, name: string) => Promise<string | null>;
}

/** Creates the part of the store that keeps examples. */
export function createExampleTabs(
  client: Client,
  { setState: set }: Pick<StorePart<Pick<ExampleState, 'keepingId'>>, 'setState'>,
  { find, update }: Pick<TabList, 'find' | 'update'>,
  { hold, reread }: Pick<FollowedFiles, 'hold' | 'reread'>,
): ExampleState {
  return {
    keepingId: null,
    startKeeping(id) {
      const tab = find(id);
      if (tab?.file?.gone === false && tab.callId !== null) set({ keepingId: id });
    },
    stopKeeping: () => set({ keepingId: null }),
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
      const release = hold(collectionId, path);
      try {
        const read = await client.call('collections.addExample', { id: collectionId, path, revision, callId, name });
        update(id, (now) => (isOf(now, file) ? withExample(now, read) : now));
        set({ keepingId: null });
        announcer.say(`Saved the example ${name}.`);
        return null;
      } catch (error) {
        return asAppError(error).message;
      } finally {
        release();
        startWork(reread(id));
      }
    },
  };
}

/** Returns the tab with the example that was added to its file; unsaved edits stay as they are. */
function withExample(tab: RequestTab & { readonly file: TabFile }, read: ReadRequest): RequestTab {
  const added = read.request.examples.slice(-1);
  const next = { ...tab, extras: { ...tab.extras, examples: [...tab.extras.examples, ...added] } };
  const clean = contentKey(contentOf(read.request));
  return { ...next, file: fileOf(tab.file.collectionId, read), clean, dirty: contentKey(next) !== clean };
}
