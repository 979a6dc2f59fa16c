import { startWork } from '#renderer/faults/faults.ts';

/** The workspace that a page had. */
export interface OwnWorkspace {
  readonly page: string;
  readonly id: string;
}

/** Hands a workspace to the page that is loaded after this one. */
export type PageWorkspace = ReturnType<typeof createPageWorkspace>;

const storedAs = 'croupier.workspace';
const lockName = /^croupier\.workspace\.([0-9a-f]{24})$/;

/**
 * Hands a page that loads again the workspace of the page before it in this tab of the browser. The storage holds it only while no
 * page does: a browser copies its storage when a tab is duplicated, and two pages must not take one workspace. A lock of the browser
 * ends with its page, however that ends. Both are null in a host with one page.
 */
export function createPageWorkspace(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null,
  locks: Pick<LockManager, 'request' | 'query'> | null,
) {
  let holding = '';
  let release = () => undefined as void;
  return {
    /** Shows the other pages of the browser that this one has the workspace, as long as it lives or until it has another. */
    hold(id: string) {
      if (locks === null || id === holding) return;
      release();
      holding = id;
      const { promise, resolve } = Promise.withResolvers<void>();
      release = resolve;
      // Shared, because a page may have got it from one that was away: neither waits for the other.
      startWork(locks.request(`croupier.workspace.${id}`, { mode: 'shared' }, () => promise));
    },
    /** Returns the workspaces that pages of the browser have, also those that wait for a host. */
    async held(): Promise<string[]> {
      const { held = [] } = (await locks?.query()) ?? {};
      return held.flatMap(({ name = '' }) => lockName.exec(name)?.[1] ?? []);
    },
    /** Returns what was put last, once. */
    take(): OwnWorkspace | null {
      const text = storage?.getItem(storedAs);
      storage?.removeItem(storedAs);
      const found = /^([0-9a-f]{24}) (.{1,64})$/.exec(text ?? '');
      return found?.[1] === undefined || found[2] === undefined ? null : { id: found[1], page: found[2] };
    },
    put: ({ id, page }: OwnWorkspace) => storage?.setItem(storedAs, `${id} ${page}`),
  };
}
