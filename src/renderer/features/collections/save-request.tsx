import { useState } from 'react';
import { useStore } from 'zustand';
import { refusedName } from '#shared/collections/file-names.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Dialog } from '#renderer/ui/dialog.tsx';
import { FormDialog } from '#renderer/ui/form-dialog.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import type { CollectionsStore } from './collections-store.ts';
import type { Place } from './tree-rows.ts';
import { placeIn, PlaceFields, useUsableCollections } from './place-fields.tsx';

interface SaveRequestProps {
  readonly store: CollectionsStore;
  /** Name in the field at first. */
  readonly name: string;
  /** Its current position, or the one to offer; null for none. */
  readonly place: Place | null;
  /** Saves it. Resolves to null, or to the reason why it was not saved. */
  readonly onSave: (collectionId: string, folder: string, name: string) => Promise<string | null>;
  readonly onClose: () => void;
}

/** Asks for the collection, folder and name under which to save a request. */
export function SaveRequest({ store, name, place, onSave, onClose }: SaveRequestProps) {
  const collections = useUsableCollections(store);
  const opening = useStore(store, (state) => state.opening !== null);
  const [wanted, setWanted] = useState<Place>(place ?? { collectionId: '', path: '' });
  const [text, setText] = useState(name);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const chosen = placeIn(collections, wanted);
  if (chosen === null) {
    // Its place is taken until a directory is open; then it goes on here.
    if (opening) return null;
    return (
      <Dialog
        open
        onOpenChange={onClose}
        title="Save the request"
        description="A request is saved as a file in a collection, which is a directory, and none is open yet. Open or make one, and the request is saved into it."
        width="small"
        actions={
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" onClick={() => store.getState().startOpening()}>
              Open a directory
            </Button>
          </>
        }
      />
    );
  }
  async function save(): Promise<void> {
    const refused = refusedName(text.trim(), 'request');
    if (refused !== null || chosen === null) return setProblem(refused);
    setBusy(true);
    setProblem(await onSave(chosen.collectionId, chosen.path, text.trim()));
    setBusy(false);
  }
  return (
    <FormDialog
      title="Save the request"
      width="small"
      submit="Save"
      busy={busy}
      onSubmit={() => startWork(save())}
      onClose={onClose}
    >
      <Field label="Name" layout="stack" hint="The file is called the same, with .yaml." error={problem}>
        <TextField value={text} onText={setText} />
      </Field>
      <PlaceFields collections={collections} place={chosen} onChange={setWanted} />
    </FormDialog>
  );
}
