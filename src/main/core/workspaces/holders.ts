import { randomBytes } from 'node:crypto';
import { AppError } from '#shared/errors.ts';
import type { SessionLock } from '../files/session-lock.ts';
import type { Folder } from './folders.ts';

/** The pages of this program with their workspaces, and the pages that live. */
export function createHolders(run: Pick<SessionLock, 'token' | 'isAlive'>) {
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
