import { AppError } from '#shared/errors.ts';
import type { Client } from '#shared/ipc/index.ts';
import { longestPiece, longestTab } from '#shared/model/limits.ts';
import { changeOf, isKeptAlike, writeTab, type Before } from './workspace-text.ts';
import type { RequestTab } from '../tabs/request-tab.ts';

/** Keeps the file of one tab equal to the tab. */
export type TabWriter = ReturnType<typeof createTabWriter>;

export interface TabWriterDeps {
  readonly client: Client;
  readonly tab: () => RequestTab | undefined;
  readonly tabId: string;
  /** Returns the workspace of the file: its ID, and the page's. */
  readonly at: () => { readonly page: string; readonly id: string };
  /** Counts every write of the page. */
  readonly next: () => number;
  /** The text that was read of it, and its value; null for a new tab. */
  readonly read: { readonly before: Before; readonly text: string } | null;
  readonly onMasked: () => void;
}

interface OnDisk {
  readonly text: string;
  readonly number: number | null;
  /** The tab that the text was written from; null if it was read. */
  readonly tab: RequestTab | null;
}

const notOnDisk: OnDisk = { text: '', number: null, tab: null };

export function createTabWriter(deps: TabWriterDeps) {
  const { client, tabId } = deps;
  let disk: OnDisk = deps.read === null ? notOnDisk : { text: deps.read.text, number: 0, tab: null };
  let going: Promise<void> | null = null;

  function textOf(tab: RequestTab): string {
    const text = writeTab(tab, deps.read?.before);
    if (text.length <= longestTab) return text;
    const most = longestTab.toLocaleString('en');
    throw new AppError('refused', `It has more than ${most} characters. Shorten it.`);
  }

  /** Makes one call for each piece. Resolves to the number of the last, or to null if the base was not the text on the disk. */
  async function send(from: OnDisk, text: string, wait: boolean): Promise<number | null> {
    const change = changeOf(from.text, text);
    let base = from.number;
    const calls: Promise<{ again: boolean; masked: boolean }>[] = [];
    for (let at = 0; at === 0 || at < change.text.length; at += longestPiece) {
      const piece = change.text.slice(at, at + longestPiece);
      const number = deps.next();
      const place = change.from + at;
      const to = at === 0 ? change.to : place;
      const rest = change.text.length - at - piece.length;
      const written = client.call('workspaces.write', {
        ...deps.at(),
        tab: tabId,
        number,
        base,
        from: place,
        to,
        text: piece,
        rest,
      });
      calls.push(written);
      if (wait && (await written).again) return null;
      base = number;
    }
    const results = await Promise.all(calls);
    if (results.some(({ again }) => again)) return null;
    if (results.some(({ masked }) => masked)) deps.onMasked();
    // The disk then holds another text.
    return results.some(({ masked }) => masked) ? -1 : base;
  }

  function became(text: string, tab: RequestTab, number: number): void {
    // Of two that were under way the later one counts.
    if (number === -1) disk = { text: '', number: null, tab };
    else if (number > (disk.number ?? 0)) disk = { text, number, tab };
  }

  function isLike(tab: RequestTab): boolean {
    return disk.tab !== null && isKeptAlike(disk.tab, tab);
  }

  async function writeAll(): Promise<void> {
    for (let tab = deps.tab(); tab !== undefined && !isLike(tab); tab = deps.tab()) {
      const text = textOf(tab);
      if (disk.number !== null && text === disk.text) {
        disk = { ...disk, tab };
        continue;
      }
      const number = (await send(disk, text, true)) ?? (await send(notOnDisk, text, true));
      if (number === null) throw new AppError('storage', 'Another program changed the file.');
      became(text, tab, number);
    }
  }

  return {
    /** Writes changes until the file equals the tab. Rejects if it cannot; the next call then begins again. */
    write(): Promise<void> {
      going ??= writeAll().finally(() => (going = null));
      return going;
    },
    /** Returns whether the file may differ from the tab. */
    isBehind(): boolean {
      const tab = deps.tab();
      return tab !== undefined && (going !== null || !isLike(tab));
    },
    /** Returns whether the file has equalled the tab once since the page opened it. */
    isKept: (): boolean => disk.tab !== null,
    /** Returns the calls of a page that goes away, each to be sent at once; none is waited for. */
    lastWords(): readonly { readonly characters: number; readonly send: () => Promise<void> }[] {
      const tab = deps.tab();
      if (tab === undefined || (going === null && isLike(tab))) return [];
      const text = textOf(tab);
      if (disk.number !== null && text === disk.text) return [];
      const from = disk;
      const characters = JSON.stringify(changeOf(from.text, text).text).length + 300;
      return [{ characters, send: async () => became(text, tab, (await send(from, text, false)) ?? -1) }];
    },
    /** Forgets the state of the file: the next write is of the whole text. */
    startOver() {
      disk = notOnDisk;
    },
  };
}
