import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { AppError } from '#shared/errors.ts';
import type { OpenedWorkspace, Output, ParsedInput, LeftWorkspace } from '#shared/ipc/index.ts';
import { longestPiece } from '#shared/model/limits.ts';
import type { SessionLock } from '../files/session-lock.ts';
import { removeStaleTemporaries, writeFailure, writeFileDurably } from '../files/files.ts';
import { vouched } from '../files/passed.ts';
import { withLock } from '../files/locks.ts';
import type { Settings } from '../settings/settings.ts';
import { foldersIn, placesIn, readFolder, type Folder, type Holder } from './folders.ts';
import { moveFromSettings } from './from-settings.ts';
import { createTabTexts, type WithoutKeys } from './tab-texts.ts';
import { rm } from '../files/moves.ts';

export interface WorkspacesDeps {
  /** The folder of all workspaces. */
  readonly root: string;
  readonly run: Pick<SessionLock, 'token' | 'hold' | 'isAlive'>;
  /** Settings, in which an earlier version kept its single workspace. */
  readonly settings: Pick<Settings, 'read' | 'remove'>;
  readonly settingsPath: string;
  readonly withoutKeys: WithoutKeys;
  /** Called with a workspace that a page got, or that was removed. */
  readonly onTaken: (id: string) => void;
}

/** Texts up to this length together come with the workspace; others are read in pieces. */
const mostInline = 2 * longestPiece;

/**
 * Open tabs with everything typed: a workspace for each page. Its members are those of the inside contract, and some that the rest
 * of core needs.
 */
export function createWorkspaces({ root, run, settings, settingsPath, withoutKeys, onTaken }: WorkspacesDeps) {
  const places = placesIn(root);
  const texts = createTabTexts(places, withoutKeys);
  const holders = createHolders(run);
  const listNumbers = new Map<string, number>();
  let listing: Promise<unknown> = Promise.resolve();

  async function claim(id: string, page: string, line: string | null, others: readonly Folder[]): Promise<void> {
    run.hold();
    const turn = Math.max(0, ...others.map(({ holder }) => holder.turn)) + 1;
    const holder: Holder = { run: run.token, page, turn };
    try {
      mkdirSync(places.folder(id), { recursive: true, mode: 0o700 });
    } catch (cause) {
      throw writeFailure(places.folder(id), cause);
    }
    await writeFileDurably(places.holder(id), vouched('home', 'own', `${JSON.stringify(holder)}\n`));
    if (!holders.has(page, id)) {
      texts.forget(id);
      listNumbers.delete(id);
    }
    holders.hold(id, page, line);
    onTaken(id);
  }

  function contentOf(id: string): Pick<OpenedWorkspace, 'id' | 'list' | 'tabs'> {
    const { text, tabs } = readFolder(root, id);
    let inline = mostInline;
    return {
      id,
      list: text,
      tabs: tabs.flatMap((tab) => {
        try {
          const whole = texts.begin(id, tab);
          const fits = whole.length <= inline;
          if (fits) inline -= whole.length;
          return [{ id: tab, characters: whole.length, text: fits ? whole : null }];
        } catch {
          // Unreadable: it stays as it is, and its place in the list is free.
          return [];
        }
      }),
    };
  }

  async function remove(id: string): Promise<void> {
    await rm(places.folder(id), { recursive: true, force: true });
    // Nobody writes into a folder that is gone, so nobody needs its lock.
    await rm(places.lock(id), { force: true });
    texts.forget(id);
    holders.drop(id);
    onTaken(id);
  }

  /** Returns whether a page that opens a workspace could get that one: no living page has it, with a line or waiting for one. */
  function freeFor({ line, waiting }: ParsedInput<'workspaces.open'>): (folder: Folder) => boolean {
    return (folder) => !waiting.includes(folder.id) && !holders.isHeld(folder, line);
  }

  async function open(input: ParsedInput<'workspaces.open'>): Promise<OpenedWorkspace> {
    const { page, line, mine, begin } = input;
    const isFree = freeFor(input);
    const newer = await moveFromSettings({ root, settings, settingsPath });
    const folders = foldersIn(root);
    const free = folders.filter((folder) => !folder.newer && isFree(folder));
    // The one page of a host without lines comes after another that cannot say so: its process may have died.
    const before = line === null && !begin ? holders.withoutLine() : undefined;
    const next = chooseWorkspace(folders, free, { mine, before, begin, run: run.token });
    const id = next?.id ?? randomBytes(12).toString('hex');
    await claim(id, page, line, folders);
    await removeStaleTemporaries(places.folder(id));
    const others = foldersIn(root).filter((folder) => folder.id !== id && isFree(folder));
    for (const spare of spareOf(others)) await remove(spare.id);
    return {
      ...(begin ? { id, list: null, tabs: [] } : contentOf(id)),
      left: leftOf(foldersIn(root).filter((folder) => folder.id !== id && isFree(folder))),
      newer: [...newer, ...folders.filter((folder) => folder.newer).map((folder) => places.folder(folder.id))],
      problem: null,
    };
  }

  /** Returns the readable tabs if nothing can be written; the page does not own the workspace. */
  function shown(input: ParsedInput<'workspaces.open'>, cause: AppError): OpenedWorkspace {
    const isFree = freeFor(input);
    const free = foldersIn(root).filter((folder) => !folder.newer && folder.tabs.length > 0 && isFree(folder));
    const found = free.find(({ id }) => id === input.mine?.id) ?? free.sort(worthFirst)[0];
    if (found === undefined) throw cause;
    return { ...contentOf(found.id), left: [], newer: [], problem: cause.message };
  }

  return {
    /** Fails with `storage`. */
    async open(input: ParsedInput<'workspaces.open'>): Promise<OpenedWorkspace> {
      try {
        return await locked(() => open(input));
      } catch (error) {
        if (input.begin || !(error instanceof AppError) || error.code !== 'storage') throw error;
        return shown(input, error);
      }
    },
    read: ({ id, tab, from }: ParsedInput<'workspaces.read'>): Output<'workspaces.read'> => texts.read(id, tab, from),
    /** This and all below fail with `conflict` where the page does not have the workspace. */
    async write(input: ParsedInput<'workspaces.write'>): Promise<Output<'workspaces.write'>> {
      holders.requireHeld(input.page, input.id);
      return texts.write(input);
    },
    list({ page, id, number, text, closed }: ParsedInput<'workspaces.list'>): Promise<Output<'workspaces.list'>> {
      const work = listing.then(async () => {
        holders.requireHeld(page, id);
        if (number <= (listNumbers.get(id) ?? 0)) return {};
        await writeFileDurably(places.list(id), await withoutKeys(text));
        listNumbers.set(id, number);
        for (const tab of closed) await rm(places.tab(id, tab), { force: true });
        return {};
      });
      listing = work.catch(() => undefined);
      return work;
    },
    take: ({ page, id }: ParsedInput<'workspaces.take'>): Promise<Output<'workspaces.take'>> =>
      locked(async () => {
        const folders = foldersIn(root);
        const line = holders.lineOf(page);
        const found = folders.find((folder) => folder.id === id);
        if (line === undefined || found === undefined || found.newer || holders.isHeld(found, line)) {
          throw new AppError('conflict', 'Another window has these tabs now, or they were removed.', {
            reason: 'workspace_held',
          });
        }
        await claim(id, page, line, folders);
        return contentOf(id);
      }),
    drop: ({ page, id }: ParsedInput<'workspaces.drop'>): Promise<Output<'workspaces.drop'>> =>
      locked(async () => {
        holders.requireHeld(page, id);
        await remove(id);
        return {};
      }),
    /** Begins a page's line to this program; the returned function ends it. */
    join: holders.join,
    /** Texts of every tab of the home. `open`: a living page has it. */
    *texts(): Generator<{ readonly file: string; readonly text: string; readonly open: boolean }> {
      for (const folder of foldersIn(root)) {
        for (const tab of folder.tabs) {
          try {
            yield { file: places.tab(folder.id, tab), text: texts.whole(folder.id, tab), open: holders.isOpen(folder) };
          } catch {
            // Removed meanwhile, or not to be read by us.
          }
        }
      }
    },
    /** Masks a private key that was just stored in the texts kept before. */
    async clean(): Promise<void> {
      for (const { id, tabs } of foldersIn(root)) {
        // One that cannot be read or written must not keep the others from it.
        for (const tab of tabs) await texts.clean(id, tab).catch(() => undefined);
      }
    },
  };

  /** Claims take turns, those of other programs too. */
  async function locked<T>(work: () => Promise<T>): Promise<T> {
    await texts.settled();
    await listing;
    return withLock(root, work);
  }
}

/** The pages of this program with their workspaces, and the pages that live. */
function createHolders(run: Pick<SessionLock, 'token' | 'isAlive'>) {
  /** The line is null for the one page of a host that has no lines. */
  const held = new Map<string, { readonly page: string; readonly line: string | null }>();
  const lines = new Set<string>();

  const has = (page: string, id: string) => held.get(id)?.page === page;

  /** Returns whether a living page has it; a page on `line` asks: two pages without a line never live at once. */
  function isHeld({ id, holder }: Folder, line: string | null): boolean {
    if (holder.run !== run.token) return holder.run !== '' && run.isAlive(holder.run);
    const holding = held.get(id);
    if (holding === undefined) return false;
    return holding.line === null ? line !== null : lines.has(holding.line);
  }

  return {
    isHeld,
    /** Returns whether another page of this process has the workspace open. */
    isOpen(folder: Folder): boolean {
      const holding = held.get(folder.id);
      return folder.holder.run === run.token && holding?.line === null ? true : isHeld(folder, null);
    },
    has,
    /** Fails with `conflict` if the page does not have the workspace. */
    requireHeld(page: string, id: string): void {
      if (has(page, id)) return;
      throw new AppError('conflict', 'Another window has these tabs now.', { reason: 'workspace_held' });
    },
    hold: (id: string, page: string, line: string | null): void => void held.set(id, { page, line }),
    drop: (id: string): void => void held.delete(id),
    /** Returns the workspace of the one page of a host that has no lines. */
    withoutLine: (): string | undefined => [...held].find(([, one]) => one.line === null)?.[0],
    /** Returns the line of a page that has a workspace; undefined if it has none. */
    lineOf: (page: string): string | null | undefined => [...held.values()].find((one) => one.page === page)?.line,
    /** Begins a page's line to this program; the returned function ends it. */
    join(): { readonly line: string; readonly leave: () => void } {
      const line = randomBytes(12).toString('hex');
      lines.add(line);
      return { line, leave: () => void lines.delete(line) };
    },
  };
}

/** A page that opens a workspace. */
export interface Opening {
  /** The page that had a workspace before this one, with that workspace, as the page itself says; null if it had none. */
  readonly mine: { readonly page: string; readonly id: string } | null;
  /** The workspace of the only page of a host without lines. */
  readonly before: string | undefined;
  /** Asks for an empty workspace, unless its own is there. */
  readonly begin: boolean;
  /** Token of the session of this program. */
  readonly run: string;
}

/** Number of kept workspaces that nobody took up and in which nothing is unsaved. */
const mostClean = 5;

/**
 * Returns the workspace that a page goes on with: its own, or the one whose loss would be worst; undefined for a new one.
 * `free`: those of `folders` that no living page has.
 */
export function chooseWorkspace(
  folders: readonly Folder[],
  free: readonly Folder[],
  { mine, before, begin, run }: Opening,
): Folder | undefined {
  const wanted = mine?.id ?? before;
  const own = folders.find((folder) => folder.id === wanted && !folder.newer);
  const isOwn = own !== undefined && (own.holder.page === mine?.page || own.id === before);
  // Its own page is gone, whatever its line shows: it handed its workspace to this one. It cannot be another program's.
  if (isOwn && (own.holder.run === run || free.includes(own))) return own;
  if (begin) return undefined;
  return free.filter(({ id, tabs, list }) => id !== mine?.id && (tabs.length > 0 || list !== null)).sort(worthFirst)[0];
}

/** Returns those that go: where nothing would be missed, and of those without unsaved text all but the newest. */
export function spareOf(folders: readonly Folder[]): Folder[] {
  const free = folders.filter(({ newer, unsaved }) => !newer && unsaved === 0);
  const worth = free.filter(({ plain }) => !plain).sort(newestFirst);
  return [...free.filter(({ plain }) => plain), ...worth.slice(mostClean)];
}

/** Returns what a page is told of the workspaces that nobody has. */
export function leftOf(folders: readonly Folder[]): LeftWorkspace[] {
  return folders
    .filter(({ newer, tabs }) => !newer && tabs.length > 0)
    .sort(worthFirst)
    .map(({ id, tabs, unsaved }) => ({ id, tabs: tabs.length, unsaved }));
}

function newestFirst(one: Folder, other: Folder): number {
  return other.holder.turn - one.holder.turn;
}

/** Compares workspaces: unsaved text first, then the newer one. */
function worthFirst(one: Folder, other: Folder): number {
  return Number(other.unsaved > 0) - Number(one.unsaved > 0) || newestFirst(one, other);
}
