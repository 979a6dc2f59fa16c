import type { Place } from './tree-rows.ts';
import type { TreeViewState } from './tree-view.ts';

/** Returns the position of the keyboard in the tree; null if it was nowhere yet. */
export function activePlace({ activeKey }: Pick<TreeViewState, 'activeKey'>): Place | null {
  if (activeKey === null) return null;
  const slash = activeKey.indexOf('/');
  return { collectionId: activeKey.slice(0, slash), path: activeKey.slice(slash + 1) };
}
