import { useMemo } from 'react';
import { useStore } from 'zustand';
import { Field } from '#renderer/ui/field.tsx';
import { Select } from '#renderer/ui/select.tsx';
import type { CollectionsStore } from './collections-store.ts';
import { readOnlyReason, type OpenCollection, type Place } from './tree-rows.ts';

/** Returns the collections that something can be put into. */
export function useUsableCollections(store: CollectionsStore): readonly OpenCollection[] {
  const list = useStore(store, (state) => state.list);
  return useMemo(
    () =>
      list.state === 'ready'
        ? list.collections.filter(({ collection, tree }) => collection.problem === null && readOnlyReason(tree) === null)
        : [],
    [list],
  );
}

/** Returns the chosen folder as far as it exists: `path` is empty at the top, and if the folder is gone. */
export function placeIn(collections: readonly OpenCollection[], { collectionId, path }: Place): Place | null {
  const chosen = collections.find(({ collection }) => collection.id === collectionId) ?? collections[0];
  if (chosen === undefined) return null;
  return { collectionId: chosen.collection.id, path: foldersOf(chosen).includes(path) ? path : '' };
}

function foldersOf({ tree }: OpenCollection): readonly string[] {
  return tree.state === 'ready' ? tree.nodes.filter(({ kind }) => kind === 'folder').map(({ path }) => path) : [];
}

/** Chooses a collection and a folder in it. */
export function PlaceFields({
  collections,
  place,
  without = null,
  onChange,
}: {
  readonly collections: readonly OpenCollection[];
  readonly place: Place;
  /** A folder that is not offered, with all its contents. */
  readonly without?: Place | null;
  readonly onChange: (place: Place) => void;
}) {
  const chosen = collections.find(({ collection }) => collection.id === place.collectionId);
  const hidden = without?.collectionId === place.collectionId ? without.path : null;
  const folders = (chosen === undefined ? [] : foldersOf(chosen)).filter(
    (path) => hidden === null || (path !== hidden && !path.startsWith(`${hidden}/`)),
  );
  return (
    <>
      <Field label="Collection" layout="stack">
        <Select
          options={collections.map(({ collection }) => ({ value: collection.id, label: collection.name }))}
          value={place.collectionId}
          onChange={(collectionId) => onChange({ collectionId, path: place.path })}
        />
      </Field>
      <Field label="Folder" layout="stack">
        <Select
          options={[{ value: '', label: 'Top level' }, ...folders.map((path) => ({ value: path, label: path }))]}
          value={place.path}
          onChange={(path) => onChange({ collectionId: place.collectionId, path })}
        />
      </Field>
    </>
  );
}
