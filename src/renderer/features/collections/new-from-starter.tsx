import { useState } from 'react';
import { useStore } from 'zustand';
import type { Starter } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Dialog } from '#renderer/ui/dialog.tsx';
import { FormDialog } from '#renderer/ui/form-dialog.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { DirectoryField } from './directory-field.tsx';
import { directoryIn, type DirectoryPicker, type ListDirectories } from './directory-picker.ts';
import type { StartersStore } from './starters-store.ts';

interface NewFromStarterProps {
  readonly store: StartersStore;
  /** The system's own dialog; null if the host has none. */
  readonly pick: DirectoryPicker | null;
  readonly list: ListDirectories;
}

/** Asks which starter collection to copy, and into which directory. */
export function NewFromStarter({ store, pick, list: directories }: NewFromStarterProps) {
  const { asking, list } = useStore(store);
  if (asking === null) return null;
  const { dismiss, load } = store.getState();
  if (list.state === 'ready' && list.starters[0] !== undefined) {
    const first = list.starters.find(({ id }) => id === asking.id) ?? list.starters[0];
    return <Question store={store} pick={pick} list={directories} starters={list.starters} first={first} {...asking} />;
  }
  return (
    <Dialog
      onClose={dismiss}
      title="New from starter"
      width="small"
      actions={
        <>
          <Button onClick={dismiss}>Close</Button>
          {list.state === 'failed' ? <Button onClick={() => startWork(load())}>Try again</Button> : null}
        </>
      }
    >
      {list.state === 'loading' ? <Skeleton rows={3} label="Loading the starter collections" /> : null}
      {list.state === 'failed' ? <p role="alert">{list.message}</p> : null}
      {list.state === 'ready' ? <p>This copy of Croupier has no starter collections.</p> : null}
    </Dialog>
  );
}

function Question({
  store,
  pick,
  list,
  starters,
  first,
  problem,
  busy,
}: NewFromStarterProps & {
  readonly starters: readonly Starter[];
  readonly first: Starter;
  readonly problem: string | null;
  readonly busy: boolean;
}) {
  const [id, setId] = useState(first.id);
  // Null until the user changes the suggested directory.
  const [parent, setParent] = useState<string | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const starter = starters.find((one) => one.id === id) ?? first;
  const directory = typed ?? (parent === null ? starter.directory : directoryIn(parent, starter.id));
  const { copy, dismiss } = store.getState();
  return (
    <FormDialog
      title="New from starter"
      description="Croupier copies the files to your folder and opens it."
      submit="Copy and open"
      busy={busy}
      waits={directory.trim() === '' ? 'Enter a folder first.' : null}
      onSubmit={() => startWork(copy(starter.id, directory.trim()))}
      onClose={dismiss}
    >
      <Field label="Starter" layout="stack" hint={`${starter.summary} ${starter.requests} requests.`}>
        <Select options={starters.map((one) => ({ value: one.id, label: one.title }))} value={starter.id} onChange={setId} />
      </Field>
      <DirectoryField
        hint="A new or empty folder. Croupier creates it."
        error={problem}
        value={directory}
        onText={setTyped}
        pick={pick}
        list={list}
        purpose="create"
        onPicked={(picked) => {
          setParent(picked);
          setTyped(null);
        }}
      />
    </FormDialog>
  );
}
