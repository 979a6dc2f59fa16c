import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { refusedName } from '#shared/collections/names.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Dialog } from '#renderer/ui/dialog.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import type { CollectionsStore, Place } from './collections-store.ts';
import forms from './dialog-form.module.css';

interface SaveRequestProps {
  readonly store: CollectionsStore;
  /** What it is called unless something else is written. */
  readonly name: string;
  /** Where it lies now, or should be offered; null for none. */
  readonly place: Place | null;
  /** Gives null where it was saved, else why not. */
  readonly onSave: (collectionId: string, folder: string, name: string) => Promise<string | null>;
  readonly onClose: () => void;
}

/** Asks where a request is to be saved: collection, folder, name. */
export function SaveRequest({ store, name, place, onSave, onClose }: SaveRequestProps) {
  const list = useStore(store, (state) => state.list);
  const collections = useMemo(
    () => (list.state === 'ready' ? list.collections.filter(({ collection }) => collection.problem === null) : []),
    [list],
  );
  const [chosenId, setId] = useState(place?.collectionId ?? null);
  const [folder, setFolder] = useState(place?.path ?? '');
  const [text, setText] = useState(name);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const chosen = collections.find(({ collection }) => collection.id === chosenId) ?? collections[0];
  const folders = chosen?.tree.state === 'ready' ? chosen.tree.nodes.filter(({ kind }) => kind === 'folder') : [];
  const folderThere = folders.some(({ path }) => path === folder) ? folder : '';
  const form = 'save-request';
  if (chosen === undefined) {
    return (
      <Dialog
        open
        onOpenChange={onClose}
        title="Save the request"
        description="A request is saved as a file in a collection, and no collection is open yet."
        width="small"
        actions={
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              variant="primary"
              onClick={() => {
                onClose();
                store.getState().startOpening();
              }}
            >
              Open a directory
            </Button>
          </>
        }
      />
    );
  }
  async function save(): Promise<void> {
    const refused = refusedName(text.trim(), 'request');
    if (refused !== null || chosen === undefined) return setProblem(refused);
    setBusy(true);
    setProblem(await onSave(chosen.collection.id, folderThere, text.trim()));
    setBusy(false);
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Save the request"
      width="small"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} busy={busy}>
            Save
          </Button>
        </>
      }
    >
      <form
        id={form}
        className={forms.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void save();
        }}
      >
        <Field label="Name" layout="stack" hint="The file is called the same, with .yaml." error={problem}>
          <TextField value={text} onText={setText} />
        </Field>
        <Field label="Collection" layout="stack">
          <Select
            options={collections.map(({ collection }) => ({ value: collection.id, label: collection.name }))}
            value={chosen.collection.id}
            onChange={setId}
          />
        </Field>
        <Field label="Folder" layout="stack">
          <Select
            options={[{ value: '', label: 'At the top' }, ...folders.map(({ path }) => ({ value: path, label: path }))]}
            value={folderThere}
            onChange={setFolder}
          />
        </Field>
      </form>
    </Dialog>
  );
}
