import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { FolderPlus } from 'lucide-react';
import { freeRequestName } from '#shared/calls/offered-name.ts';
import { refusedName } from '#shared/collections/file-names.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { FormDialog } from '#renderer/ui/form-dialog.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { ListBox } from '#renderer/ui/list-box.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import type { CollectionsStore } from './collections-store.ts';
import { placeIn, useUsableCollections } from './place-fields.tsx';
import { rowKey, type OpenCollection, type Place } from './tree-rows.ts';

interface SaveRequestProps {
  readonly store: CollectionsStore;
  /** Name in the field at first; a number is added if its file is there. */
  readonly name: string;
  /** Its current position, or the one to offer; null for none. */
  readonly place: Place | null;
  /** Saves it. Resolves to null, or to the reason why it was not saved. */
  readonly onSave: (collectionId: string, folder: string, name: string) => Promise<string | null>;
  readonly onClose: () => void;
}

/** Asks where to save a request; if no collection is open, it leads through making one first. */
export function SaveRequest(props: SaveRequestProps) {
  const { store, place, onClose } = props;
  const collections = useUsableCollections(store);
  const ready = useStore(store, ({ list }) => list.state === 'ready');
  const opening = useStore(store, (state) => state.opening !== null);
  const asked = useRef(false);
  const first = placeIn(collections, place ?? { collectionId: '', path: '' });
  const missing = ready && first === null;
  useEffect(() => {
    if (!missing || opening) return;
    // Its question was closed: nothing is saved.
    if (asked.current) return onClose();
    asked.current = true;
    store.getState().startOpening(true);
  }, [missing, opening, store, onClose]);
  return opening || first === null ? null : <Question {...props} collections={collections} first={first} />;
}

function Question({
  store,
  name,
  collections,
  first,
  onSave,
  onClose,
}: SaveRequestProps & { readonly collections: readonly OpenCollection[]; readonly first: Place }) {
  const [wanted, setWanted] = useState<Place>(first);
  const [text, setText] = useState(() => freeName(collections, first, name));
  /** The name of a new folder; null for none. */
  const [folder, setFolder] = useState<string | null>(null);
  const [problems, setProblems] = useState<{ readonly name?: string | null; readonly folder?: string | null }>({});
  const [busy, setBusy] = useState(false);
  const places = useMemo(() => placesOf(collections), [collections]);
  const place = placeIn(collections, wanted) ?? first;
  const added = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (folder === '') added.current?.focus();
  }, [folder]);

  async function save(): Promise<void> {
    const wrong = {
      name: refusedName(text.trim(), 'request'),
      folder: folder === null ? null : refusedName(folder.trim(), 'folder'),
    };
    setProblems(wrong);
    if (wrong.name !== null || wrong.folder !== null) return;
    setBusy(true);
    try {
      let { path } = place;
      if (folder !== null) {
        const made = await store.getState().createFolder(place, folder.trim());
        if (made.path === null) return setProblems({ folder: made.problem });
        // It is there, also if the request is not saved.
        ({ path } = made);
        setWanted({ ...place, path });
        setFolder(null);
      }
      setProblems({ name: await onSave(place.collectionId, path, text.trim()) });
    } finally {
      setBusy(false);
    }
  }
  return (
    <FormDialog title="Save request" width="small" submit="Save" busy={busy} onSubmit={() => startWork(save())} onClose={onClose}>
      <Field label="Name" layout="stack" error={problems.name ?? null}>
        <TextField value={text} onText={setText} />
      </Field>
      <Field label="Save in" layout="stack">
        <ListBox
          options={places.map(({ key, label, level }) => ({ value: key, label, level }))}
          value={rowKey(place.collectionId, place.path)}
          onChange={(key) => setWanted(places.find((one) => one.key === key)?.place ?? place)}
          // As in the field above: the place is chosen, so this saves.
          onOpen={() => startWork(save())}
        />
      </Field>
      {folder === null ? (
        <Button icon={<FolderPlus />} onClick={() => setFolder('')}>
          New folder…
        </Button>
      ) : (
        <Field label="New folder" layout="stack" error={problems.folder ?? null}>
          <TextField ref={added} value={folder} onText={setFolder} />
        </Field>
      )}
    </FormDialog>
  );
}

interface ListedPlace {
  readonly key: string;
  readonly place: Place;
  readonly label: string;
  readonly level: number;
}

/** Returns the collections with their folders below them. */
function placesOf(collections: readonly OpenCollection[]): readonly ListedPlace[] {
  return collections.flatMap(({ collection: { id, name }, tree }) => {
    const nodes = tree.state === 'ready' ? tree.nodes : [];
    const folders = nodes.filter(({ kind }) => kind === 'folder');
    return [
      { key: rowKey(id, ''), place: { collectionId: id, path: '' }, label: name, level: 0 },
      ...folders.map(({ path, name: own }) => ({
        key: rowKey(id, path),
        place: { collectionId: id, path },
        label: own,
        level: path.split('/').length,
      })),
    ];
  });
}

/** Returns the name, or with a number behind it, that no file at the position has. */
function freeName(collections: readonly OpenCollection[], { collectionId, path }: Place, name: string): string {
  const tree = collections.find(({ collection }) => collection.id === collectionId)?.tree;
  return freeRequestName(tree?.state === 'ready' ? tree.nodes.map((node) => node.path) : [], path, name);
}
