import type { OwnWorkspace } from '#renderer/api/page-workspace.ts';
import type { Client } from '#shared/ipc/index.ts';
import type { RequestStore } from '../tabs/request-store.ts';
import type { TabWriter } from './tab-writer.ts';
import { writeList } from './workspace-text.ts';

export interface ListWriterDeps {
  readonly client: Client;
  readonly requests: RequestStore;
  readonly writers: ReadonlyMap<string, TabWriter>;
  readonly mine: () => OwnWorkspace | null;
  /** Returns the next number of this page's writes. */
  readonly next: () => number;
  readonly onWritten: () => void;
  readonly onFailed: (error: unknown) => void;
  /** Called with the ID of a closed tab whose file is gone. */
  readonly onGone: (id: string) => void;
}

/** Writes the list of the open tabs, and removes the files of closed ones with it. */
export function createListWriter({ client, requests, writers, mine, next, onWritten, onFailed, onGone }: ListWriterDeps) {
  /** IDs of tabs that were closed and whose files are to go. */
  const gone = new Set<string>();
  let others: readonly string[] = [];
  let raw: unknown;
  let onDisk = '';
  let writing: Promise<void> | null = null;

  async function writeAll(): Promise<void> {
    try {
      for (;;) {
        // A text that is still being written would come back after its file is gone.
        const closed = [...gone].filter((id) => writers.get(id)?.isBehind() !== true);
        const text = writeList(requests.getState(), others, raw);
        const workspace = mine();
        if (workspace === null || (text === onDisk && closed.length === 0)) break;
        await client.call('workspaces.list', { ...workspace, number: next(), text, closed });
        onDisk = text;
        for (const id of closed) {
          gone.delete(id);
          onGone(id);
        }
      }
      onWritten();
    } catch (error) {
      onFailed(error);
    }
  }

  return {
    /** Goes on with the list that is on the disk. `others`: IDs of tabs that this version cannot read; the list keeps them. */
    resume(written: string | null, read: unknown, kept: readonly string[]) {
      [onDisk, raw, others] = [written ?? '', read, kept];
    },
    /** Forgets what is on the disk, because the page has another workspace now. */
    startOver() {
      gone.clear();
      [onDisk, others] = ['', []];
    },
    /** Notices which tabs with a writer are closed. */
    notice() {
      const open = new Set(requests.getState().tabs.map(({ id }) => id));
      for (const id of writers.keys()) if (!open.has(id)) gone.add(id);
      for (const id of open) gone.delete(id);
    },
    /** Writes until the disk has the present list. One write is under way at a time; a second caller waits for the same. */
    write(): Promise<void> {
      writing ??= writeAll().finally(() => (writing = null));
      return writing;
    },
  };
}
