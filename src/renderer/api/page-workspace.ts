/** The workspace that a page had. */
export interface OwnWorkspace {
  readonly page: string;
  readonly id: string;
}

/** Hands a workspace to the page that is loaded after this one. */
export interface PageWorkspace {
  /** Returns what was put last, once. */
  take(): OwnWorkspace | null;
  put(mine: OwnWorkspace): void;
}

const storedAs = 'croupier.workspace';

/**
 * Hands a page that loads again the workspace of the page before it in this tab of the browser. The storage holds it only while no
 * page does: a browser copies its storage when a tab is duplicated, and two pages must not take one workspace.
 */
export function createPageWorkspace(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null): PageWorkspace {
  return {
    take() {
      const text = storage?.getItem(storedAs);
      storage?.removeItem(storedAs);
      const found = /^([0-9a-f]{24}) (.{1,64})$/.exec(text ?? '');
      return found?.[1] === undefined || found[2] === undefined ? null : { id: found[1], page: found[2] };
    },
    put: ({ id, page }: OwnWorkspace) => storage?.setItem(storedAs, `${id} ${page}`),
  };
}
