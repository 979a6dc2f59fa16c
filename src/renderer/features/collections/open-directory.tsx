import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { orNull, startWork } from '#renderer/faults/faults.ts';
import { Checkbox } from '#renderer/ui/checkbox.tsx';
import { FormDialog } from '#renderer/ui/form-dialog.tsx';
import type { CollectionsStore } from './collections-store.ts';
import { DirectoryField } from './directory-field.tsx';
import type { DirectoryPicker, ListDirectories } from './directory-picker.ts';
import type { OpenQuestion } from './open-directories.ts';

interface OpenDirectoryProps {
  readonly store: CollectionsStore;
  /** The system's own dialog; null if the host has none. */
  readonly pick: DirectoryPicker | null;
  readonly list: ListDirectories;
}

/** Asks for the directory of a collection. */
export function OpenDirectory(props: OpenDirectoryProps) {
  const opening = useStore(props.store, (state) => state.opening);
  return opening === null ? null : <Question {...props} {...opening} />;
}

function Question({ store, pick, list, problem, busy, fresh }: OpenDirectoryProps & OpenQuestion) {
  const [directory, setDirectory] = useState('');
  const [create, setCreate] = useState(fresh);
  const typed = useRef(false);
  const state = store.getState();
  useEffect(() => {
    if (!fresh) return;
    const offer = async () => {
      const found = await orNull(list(null));
      if (found !== null && !typed.current) setDirectory(found.suggested);
    };
    startWork(offer());
  }, [fresh, list]);
  const onText = (text: string) => {
    typed.current = true;
    setDirectory(text);
  };
  return (
    <FormDialog
      title={fresh ? 'New collection' : 'Open a collection'}
      description={
        fresh
          ? 'A collection is a folder of requests. None is open yet.'
          : 'Open any folder. Nothing is written until you save a request.'
      }
      submit={fresh ? 'Continue' : 'Open'}
      busy={busy}
      waits={directory.trim() === '' ? 'Enter a folder first.' : null}
      onSubmit={() => startWork(state.openDirectory(directory.trim(), create))}
      onClose={state.stopOpening}
    >
      <DirectoryField
        hint="Absolute path, such as /home/you/team/requests."
        error={problem}
        value={directory}
        onText={onText}
        pick={pick}
        list={list}
        purpose="open"
        onPicked={onText}
      />
      <Checkbox checked={create} onChange={setCreate}>
        Create the folder if it doesn&apos;t exist
      </Checkbox>
    </FormDialog>
  );
}
