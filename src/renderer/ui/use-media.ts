import { useCallback, useMemo, useSyncExternalStore } from 'react';

/**
 * Sizes of a window without room for panes and lists beside each other: 720 x 450 is 1440 x 900 at a zoom of 200 %. Parts take turns
 * as tabs, and areas and lists are in a drawer. Styles write the same query.
 */
export const COMPACT = '(max-width: 1023px), (max-height: 559px)';

/** Heights of a window in which what is read keeps its lines, and what explains it folds. */
export const LOW = '(max-height: 559px)';

/** Returns whether a media query holds now. */
export function useMedia(query: string): boolean {
  const list = useMemo(() => matchMedia(query), [query]);
  const watch = useCallback(
    (listener: () => void) => {
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [list],
  );
  return useSyncExternalStore(watch, () => list.matches);
}
