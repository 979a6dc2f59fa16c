import type { LeftWorkspace } from '#shared/ipc/index.ts';
import type { Folder } from './folders.ts';

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
export function worthFirst(one: Folder, other: Folder): number {
  return Number(other.unsaved > 0) - Number(one.unsaved > 0) || newestFirst(one, other);
}
