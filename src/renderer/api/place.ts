/** Which page had which workspace. */
export interface Mine {
  readonly page: string;
  readonly id: string;
}

export interface Place {
  /** Gives what was put there last, once. */
  take(): Mine | null;
  put(mine: Mine): void;
}

const storedAs = 'croupier.workspace';

/**
 * Where a page that loads again finds the workspace of the page before it in this tab of the browser. It is there only while no page is: a browser
 * copies its storage when a tab is duplicated, and two pages must not take one workspace.
 */
export function createPlace(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null): Place {
  return {
    take() {
      const text = storage?.getItem(storedAs);
      storage?.removeItem(storedAs);
      const found = /^([0-9a-f]{24}) (.{1,64})$/.exec(text ?? '');
      return found?.[1] === undefined || found[2] === undefined ? null : { id: found[1], page: found[2] };
    },
    put: ({ id, page }: Mine) => storage?.setItem(storedAs, `${id} ${page}`),
  };
}
