import { useState } from 'react';
import { useStore } from 'zustand';
import { folderOf } from '#shared/collections/file-names.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { FormDialog } from '#renderer/ui/form-dialog.tsx';
import type { CollectionsStore } from './collections-store.ts';
import { placeIn, PlaceFields, useUsableCollections } from './place-fields.tsx';
import { titleOf, type Place } from './tree-rows.ts';

/** Asks for the target of a request or a folder: moving by the keyboard in place of dragging. */
export function MoveTo({ store }: { readonly store: CollectionsStore }) {
  const moving = useStore(store, (state) => state.moving);
  return moving === null ? null : <Question key={`${moving.collectionId}/${moving.path}`} store={store} moving={moving} />;
}

function Question({ store, moving }: { readonly store: CollectionsStore; readonly moving: Place }) {
  const collections = useUsableCollections(store);
  const at = { collectionId: moving.collectionId, path: folderOf(moving.path) };
  const [chosen, setChosen] = useState<Place>(() => {
    // The likeliest target: the other collection, if there is one.
    const others = collections.filter(({ collection }) => collection.id !== moving.collectionId);
    return others.length === 1 ? { collectionId: others[0]?.collection.id ?? '', path: '' } : at;
  });
  const place = placeIn(collections, chosen);
  const stays = place === null || (place.collectionId === at.collectionId && place.path === at.path);
  const { startMoving, transfer } = store.getState();
  const close = () => startMoving(null);
  return (
    <FormDialog
      title={`Move "${titleOf(moving.path)}"`}
      description="Open tabs follow. Variables of the old collection and folders stay there."
      width="small"
      submit="Move"
      waits={
        !stays
          ? null
          : place === null
            ? 'No open collection can be read.'
            : "It's already there. Choose another folder or collection."
      }
      onSubmit={() => {
        if (place === null) return;
        close();
        startWork(transfer(moving, { collectionId: place.collectionId, folder: place.path }));
      }}
      onClose={close}
    >
      {place === null ? (
        <p role="alert">No open collection can be read.</p>
      ) : (
        <PlaceFields collections={collections} place={place} without={moving} onChange={setChosen} />
      )}
    </FormDialog>
  );
}
