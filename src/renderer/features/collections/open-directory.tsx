import { useState } from 'react';
import { useStore } from 'zustand';
import { startWork } from '#renderer/faults/faults.ts';
import { Checkbox } from '#renderer/ui/checkbox.tsx';
import { FormDialog } from '#renderer/ui/form-dialog.tsx';
import type { CollectionsStore } from './collections-store.ts';
import { DirectoryField } from './directory-field.tsx';
import type { DirectoryPicker } from './directory-picker.ts';

interface OpenDirectoryProps {
  readonly store: CollectionsStore;
  /** The system's own dialog; null if the host has none. */
  readonly pick: DirectoryPicker | null;
}

/** Asks for the directory of a collection. */
export function OpenDirectory({ store, pick }: OpenDirectoryProps) {
  const opening = useStore(store, (state) => state.opening);
  return opening === null ? null : <Question store={store} pick={pick} {...opening} />;
}

function Question({
  store,
  pick,
  problem,
  busy,
}: OpenDirectoryProps & {
  readonly problem: string | null;
  readonly busy: boolean;
}) {
  const [directory, setDirectory] = useState('');
  const [create, setCreate] = useState(false);
  const state = store.getState();
  return (
    <FormDialog
      title="Open a directory"
      description="Any directory can be opened. Nothing is written into it until you save a request."
      submit="Open"
      busy={busy}
      waits={directory.trim() === '' ? 'Name a directory first.' : null}
      onSubmit={() => startWork(state.openDirectory(directory.trim(), create))}
      onClose={state.stopOpening}
    >
      <DirectoryField
        hint="The absolute path on the machine that Croupier runs on, such as /home/you/team/requests."
        error={problem}
        value={directory}
        onText={setDirectory}
        pick={pick}
        purpose="open"
        onPicked={setDirectory}
      />
      <Checkbox checked={create} onChange={setCreate}>
        Make it where it is missing
      </Checkbox>
    </FormDialog>
  );
}
