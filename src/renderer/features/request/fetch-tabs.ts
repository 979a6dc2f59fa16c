import { reportIfFault } from '#renderer/faults/faults.ts';
import type { Client, OpenedWorkspace } from '#shared/ipc/index.ts';
import type { readTab } from './read-tab.ts';

/** A tab as its file holds it. */
export interface ReadTab {
  readonly id: string;
  readonly text: string;
  /** Null if this version cannot read it. */
  readonly tab: ReturnType<typeof readTab>;
}

/** Reads the tabs of a workspace one after the other, because each may be long. A tab that cannot be fetched counts as one that cannot be read. */
export async function fetchTabs(
  client: Client,
  page: string,
  { id, tabs }: Pick<OpenedWorkspace, 'id' | 'tabs'>,
): Promise<ReadTab[]> {
  const read: ReadTab[] = [];
  if (tabs.length === 0) return read;
  const reader = await import('./read-tab.ts');
  for (const { id: tab, text: short } of tabs) {
    try {
      let text = short ?? '';
      for (let from: number | null = short === null ? 0 : null; from !== null;) {
        const piece: { text: string; next: number | null } = await client.call('workspaces.read', { page, id, tab, from });
        text += piece.text;
        from = piece.next;
      }
      read.push({ id: tab, text, tab: reader.readTab(text) });
    } catch (error) {
      reportIfFault(error);
      read.push({ id: tab, text: '', tab: null });
    }
  }
  return read;
}
