import { useStore } from 'zustand';
import { folderOf } from '#shared/collections/file-names.ts';
import { activePlace } from '#renderer/features/collections/active-place.ts';
import { OpenDirectory } from '#renderer/features/collections/open-directory.tsx';
import { SaveRequest } from '#renderer/features/collections/save-request.tsx';
import { offeredName } from '#shared/calls/offered-name.ts';
import { fileTitle } from '#renderer/features/request/tab-file.ts';
import type { Workbench } from './workbench.ts';

/** The questions for the directory of a collection, and for the place of a request in one. */
export function CollectionQuestions({ workbench }: { workbench: Workbench }) {
  const canPick = useStore(workbench.shell, (state) => state.info?.capabilities.pickDirectory === true);
  return (
    <>
      <OpenDirectory
        store={workbench.collections}
        pick={canPick ? workbench.pickDirectory : null}
        list={workbench.listDirectories}
      />
      <SaveArea workbench={workbench} />
    </>
  );
}

/** Asks where to save the tab: its present folder is offered, or that of the tree's keyboard. */
function SaveArea({ workbench }: { workbench: Workbench }) {
  const { collections, requests } = workbench;
  const tab = useStore(requests, (state) => state.tabs.find(({ id }) => id === state.savingId) ?? null);
  if (tab === null) return null;
  const { file } = tab;
  const place = file === null ? activePlace(collections.getState()) : { ...file, path: folderOf(file.path) };
  const { saveAs, stopSaveAs } = requests.getState();
  return (
    <SaveRequest
      key={tab.id}
      store={collections}
      name={file === null ? offeredName(tab.operation, tab.text) : fileTitle(file.path)}
      place={place}
      onSave={(collectionId, folder, name) => saveAs(tab.id, collectionId, folder, name)}
      onClose={stopSaveAs}
    />
  );
}
