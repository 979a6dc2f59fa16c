import { AppError } from '#shared/errors.ts';
import type { Client } from '#shared/ipc/index.ts';
import { longestPiece, longestTab } from '#shared/model/limits.ts';
import { changeOf, isKeptAlike, writeTab, type Before } from './workspace-text.ts';
import type { RequestTab } from './request-tab.ts';

/** Keeps the file of one tab like the tab. */
export interface TabWriter {
  /** Writes what changed, until the file is like the tab. Rejects where it cannot be; then the next call begins again. */
  write(): Promise<void>;
  /** Whether the file is not known to be like the tab. */
  isBehind(): boolean;
  /** Whether the file has been like the tab once since the page has it. */
  isKept(): boolean;
  /** What a page that goes away has to send, each at once; none is waited for. */
  lastWords(): readonly { readonly characters: number; readonly send: () => Promise<void> }[];
  /** Nothing is known of the file any more: the next write is of the whole text. */
  startOver(): void;
}

export interface TabWriterDeps {
  readonly client: Client;
  readonly tab: () => RequestTab | undefined;
  readonly tabId: string;
  /** Where the file is. */
  readonly at: () => { readonly page: string; readonly id: string };
  /** Counts every write of the page. */
  readonly next: () => number;
  /** What was read of it, and the text itself; null for a new tab. */
  readonly read: { readonly before: Before; readonly text: string } | null;
  readonly onMasked: () => void;
}

interface OnDisk {
  readonly text: string;
  readonly number: number | null;
  /** What the text was written from; null where it was read. */
  readonly tab: RequestTab | null;
}

const nothing: OnDisk = { text: '', number: null, tab: null };

export function createTabWriter(deps: TabWriterDeps): TabWriter {
  const { client, tabId } = deps;
  let disk: OnDisk = deps.read === null ? nothing : { text: deps.read.text, number: 0, tab: null };
  let going: Promise<void> | null = null;

  function textOf(tab: RequestTab): string {
    const text = writeTab(tab, deps.read?.before);
    if (text.length <= longestTab) return text;
    const most = longestTab.toLocaleString('en');
    throw new AppError('refused', `It has more than ${most} characters. Shorten it.`);
  }

  /** One call for each piece; gives the number of the last, null where the base was not what is on the disk. */
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
    // What is on the disk is another text then.
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
      const number = (await send(disk, text, true)) ?? (await send(nothing, text, true));
      if (number === null) throw new AppError('storage', 'The file was changed by another program meanwhile.');
      became(text, tab, number);
    }
  }

  return {
    write() {
      going ??= writeAll().finally(() => (going = null));
      return going;
    },
    isBehind() {
      const tab = deps.tab();
      return tab !== undefined && (going !== null || !isLike(tab));
    },
    isKept: () => disk.tab !== null,
    lastWords() {
      const tab = deps.tab();
      if (tab === undefined || (going === null && isLike(tab))) return [];
      const text = textOf(tab);
      if (disk.number !== null && text === disk.text) return [];
      const from = disk;
      const characters = JSON.stringify(changeOf(from.text, text).text).length + 300;
      return [{ characters, send: async () => became(text, tab, (await send(from, text, false)) ?? -1) }];
    },
    startOver() {
      disk = nothing;
    },
  };
}
