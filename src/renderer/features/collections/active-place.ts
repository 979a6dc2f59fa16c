import type { Place, CollectionsState } from './collections-state.ts';

/** Where the tree's keyboard is; null where it was nowhere yet. */
export function activePlace({ activeKey }: Pick<CollectionsState, 'activeKey'>): Place | null {
  if (activeKey === null) return null;
  const slash = activeKey.indexOf('/');
  return { collectionId: activeKey.slice(0, slash), path: activeKey.slice(slash + 1) };
}
