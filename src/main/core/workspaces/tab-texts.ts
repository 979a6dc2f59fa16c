import { AppError } from '#shared/errors.ts';
import type { Output, ParsedInput } from '#shared/ipc/index.ts';
import { longestPiece, longestTab } from '#shared/model/limits.ts';
import { readText, writeFileDurably } from '../files/files.ts';
import type { Passed } from '../files/passed.ts';
import { withLock } from '../files/locks.ts';
import { stampOf, type Places } from './folders.ts';

/** Returns the text without its private keys. Fails with `refused` if the rest would not be JSON. */
export type WithoutKeys = (text: string) => Promise<Passed<'home', string>>;

/** State of a text that a page is writing. */
interface Known {
  /** Of the last write that counts. */
  number: number;
  /** Of the file after it. */
  stamp: string;
  /** A text that is still coming. */
  coming: string | null;
  /** Undo of the last write, because a closing page repeats writes that it does not know to be done. */
  before: { readonly number: number; readonly from: number; readonly to: number; readonly text: string } | null;
}

/** Texts of tabs on the disk, each written by one page at a time, in small changes. */
export function createTabTexts(places: Places, withoutKeys: WithoutKeys) {
  const known = new Map<string, Known>();
  const turns = new Map<string, Promise<unknown>>();

  /** One after the other for one tab; a long text holds up no other. */
  function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (turns.get(key) ?? Promise.resolve()).then(work);
    const ended = result.catch(() => undefined).then(() => void (turns.get(key) === ended && turns.delete(key)));
    turns.set(key, ended);
    return result;
  }

  /** Returns the text that a write changes; null if its base is not on the disk. */
  function baseOf(path: string, base: number | null, last: Known | undefined): string | null {
    if (base === null) return '';
    if (last === undefined) return null;
    if (last.coming !== null) return last.number === base ? last.coming : null;
    if (last.stamp !== stampOf(path)) return null;
    if (last.number === base) return readText('home.tab', path);
    const { before } = last;
    if (before?.number !== base) return null;
    return replaced(readText('home.tab', path), before.from, before.to, before.text);
  }

  async function write(input: ParsedInput<'workspaces.write'>): Promise<Output<'workspaces.write'>> {
    const { id, tab, number, base, from, to, text, rest } = input;
    const key = `${id}/${tab}`;
    const path = places.tab(id, tab);
    const last = known.get(key);
    // A newer one has overtaken it.
    if (last !== undefined && number <= last.number) return { again: false, masked: false };
    const before = baseOf(path, base, last);
    if (before === null || from > to || to > before.length) return { again: true, masked: false };
    const after = replaced(before, from, to, text);
    if (after.length + rest > longestTab) throw tooLong();
    if (rest > 0) {
      known.set(key, { number, stamp: '', coming: after, before: null });
      return { again: false, masked: false };
    }
    const clean = await withoutKeys(after);
    try {
      await withLock(places.folder(id), () => writeFileDurably(path, clean));
    } catch (error) {
      // Pieces are sent again from the first one on.
      if (last !== undefined && last.coming !== null) known.delete(key);
      throw error;
    }
    const isSmall = base !== null && last?.coming === null && to - from <= longestPiece && clean === after;
    known.set(key, {
      number,
      stamp: stampOf(path),
      coming: null,
      before: isSmall ? { number: base, from, to: from + text.length, text: before.slice(from, to) } : null,
    });
    return { again: false, masked: clean !== after };
  }

  /** Fails with `not_found` if it cannot be read, as the two beside it do. */
  function whole(id: string, tab: string): string {
    try {
      return readText('home.tab', places.tab(id, tab));
    } catch (cause) {
      throw new AppError('not_found', `${places.tab(id, tab)} cannot be read. Check its permissions.`, undefined, { cause });
    }
  }

  return {
    whole,
    write: (input: ParsedInput<'workspaces.write'>): Promise<Output<'workspaces.write'>> =>
      inTurn(`${input.id}/${input.tab}`, () => write(input)),
    read(id: string, tab: string, from: number): Output<'workspaces.read'> {
      const text = whole(id, tab);
      const to = from + longestPiece;
      return { text: text.slice(from, to), next: to < text.length ? to : null };
    },
    /** The whole text for a page that has just got the workspace: its first change is based on that, as write 0. */
    begin(id: string, tab: string): string {
      const path = places.tab(id, tab);
      // Taken before: a text that is written in between is nobody's base.
      const stamp = stampOf(path);
      const text = whole(id, tab);
      known.set(`${id}/${tab}`, { number: 0, stamp, coming: null, before: null });
      return text;
    },
    /** Until what has begun is on the disk. */
    async settled(): Promise<void> {
      await Promise.all(turns.values());
    },
    /** Masks a key in the kept text; another program's write at the same time is not lost. */
    clean: (id: string, tab: string): Promise<void> =>
      inTurn(`${id}/${tab}`, () =>
        withLock(places.folder(id), async () => {
          const text = whole(id, tab);
          const clean = await withoutKeys(text);
          if (clean !== text) await writeFileDurably(places.tab(id, tab), clean);
        }),
      ),
    /** Forgets the known texts of a workspace. */
    forget(id: string): void {
      for (const key of known.keys()) if (key.startsWith(`${id}/`)) known.delete(key);
    },
  };
}

function replaced(text: string, from: number, to: number, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

function tooLong(): AppError {
  const most = longestTab.toLocaleString('en');
  return new AppError('refused', `The tab has more than ${most} characters. Shorten it, or save it to a file.`);
}
