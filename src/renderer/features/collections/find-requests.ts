import type { CollectionNode } from '#shared/ipc/outputs/collections.ts';
import type { OpenCollection } from './tree-rows.ts';

/** A request of an open collection that a text found. */
export interface FoundRequest {
  readonly collectionId: string;
  readonly collection: string;
  readonly path: string;
  readonly name: string;
  readonly operation: CollectionNode['operation'];
}

/** Returns the phrases that a search looks in; the first counts most. */
export function phrasesOf({ collection, path, name, operation }: FoundRequest): readonly string[] {
  return [name, path, ...path.split('/').slice(0, -1), ...(operation === null ? [] : [operation]), collection];
}

/**
 * Returns the requests that fit a text best, best first, without those whose file cannot be read. `score`: from 0 (not at all) to
 * 1.
 */
export function findRequests(
  collections: readonly OpenCollection[],
  text: string,
  limit: number,
  score: (text: string, phrases: readonly string[]) => number,
): readonly FoundRequest[] {
  if (text.trim() === '') return [];
  const found: { readonly request: FoundRequest; readonly score: number }[] = [];
  for (const { collection, tree } of collections) {
    if (tree.state !== 'ready') continue;
    for (const { kind, path, name, operation, problem } of tree.nodes) {
      if (kind !== 'request' || problem !== null) continue;
      const request = { collectionId: collection.id, collection: collection.name, path, name, operation };
      const fits = score(text, phrasesOf(request));
      if (fits > 0) found.push({ request, score: fits });
    }
  }
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ request }) => request);
}
