import { Suspense } from 'react';
import { useStore } from 'zustand';
import { templateText, operationByName, formOf } from '#shared/provider/index.ts';
import { defaultEnvironment } from '#shared/model/default-environment.ts';
import { startWork } from '#renderer/faults/faults.ts';
import type { Place } from '#renderer/features/collections/tree-rows.ts';
import { exportRequests } from '#renderer/features/collections/export-requests.ts';
import { sidebarParts } from '#renderer/features/collections/remembered-tree.ts';
import { currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import { saveBytes, saveText } from '#renderer/ui/save-file.ts';
import { useDroppedFiles } from '#renderer/ui/use-dropped-files.ts';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { Segmented } from '#renderer/ui/segmented.tsx';
import { lazyDialog, lazyPage } from '#renderer/ui/lazy-page.ts';
import { OperationsSidebar } from './operations-sidebar.tsx';
import type { Workbench } from './workbench.ts';

const CollectionsPart = lazyPage(
  async () => (await import('#renderer/features/collections/collections-part.tsx')).CollectionsPart,
);
const ImportDialog = lazyDialog(async () => (await import('#renderer/features/collections/import-dialog.tsx')).ImportDialog);
const MoveTo = lazyDialog(async () => (await import('#renderer/features/collections/move-to.tsx')).MoveTo);
const VersionsDialog = lazyDialog(
  async () => (await import('#renderer/features/collections/versions-dialog.tsx')).VersionsDialog,
);
const TeamEnvironmentsDialog = lazyDialog(
  async () => (await import('#renderer/features/collections/team-environments-dialog.tsx')).TeamEnvironmentsDialog,
);
const NewFromStarter = lazyDialog(
  async () => (await import('#renderer/features/collections/new-from-starter.tsx')).NewFromStarter,
);

/** Starting points of requests: the operations of the specification, or the files of collections. */
export function RequestsSidebar({ workbench }: { workbench: Workbench }) {
  const { collections, environments, imports, requests } = workbench;
  const { client, shell } = workbench;
  const { notify } = shell.getState();
  const { over, handlers } = useDroppedFiles((files) => {
    collections.getState().setPart('collections');
    imports.getState().ask(null);
    startWork(imports.getState().take(files));
  });
  const part = useStore(collections, (state) => state.part);
  const file = useStore(requests, (state) => state.tabs.find((tab) => tab.id === state.activeId)?.file ?? null);
  const canPick = useStore(workbench.shell, (state) => state.info?.capabilities.pickDirectory === true);
  const pick = canPick ? workbench.pickDirectory : null;
  return (
    <div className={classNames('full-column', over && 'drop-over')} {...handlers}>
      <Segmented
        label="Request sources"
        items={sidebarParts.map((value) => ({ value, label: value === 'operations' ? 'Operations' : 'Collections' }))}
        value={part}
        onChange={collections.getState().setPart}
        panelClassName={part === 'operations' ? 'fill-scroll' : 'fill-column'}
      >
        {part === 'operations' ? (
          <OperationsSidebar workbench={workbench} />
        ) : (
          <Suspense fallback={<Skeleton rows={8} label="Loading the collections" />}>
            <CollectionsPart
              store={collections}
              starters={workbench.starters}
              current={file?.gone === false ? file : null}
              actions={{
                onOpen: ({ collectionId, path }) => startWork(requests.getState().openFile(collectionId, path)),
                onNewRequest: (place) => startWork(makeRequest(workbench, place)),
                onRun: (collectionId, path) => workbench.runStart.getState().startRun(collectionId, path),
                onExport: (place, format) =>
                  startWork(
                    exportRequests(
                      { client, notify, saveText: save, saveBytes: (name, bytes) => saveBytes(document, bytes, name) },
                      place,
                      format,
                      currentEnvironment(environments.getState()),
                    ),
                  ),
                onImport: (place) => imports.getState().ask(place),
              }}
            />
          </Suspense>
        )}
      </Segmented>
      <CollectionDialogs workbench={workbench} pick={pick} />
    </div>
  );
}

/** The questions about collections. */
function CollectionDialogs({ workbench, pick }: { workbench: Workbench; pick: Workbench['pickDirectory'] | null }) {
  const { collections, imports, starters } = workbench;
  const moving = useStore(collections, (state) => state.moving !== null);
  const comparing = useStore(collections, (state) => state.versions !== null);
  const asking = useStore(collections, (state) => state.teamQuestion !== null);
  const starting = useStore(starters, (state) => state.asking !== null);
  const importing = useStore(imports, (state) => state.question !== null);
  return (
    <>
      {starting ? <NewFromStarter store={starters} pick={pick} list={workbench.listDirectories} /> : null}
      {moving ? <MoveTo store={collections} /> : null}
      {comparing ? <VersionsDialog store={collections} /> : null}
      {asking ? <TeamEnvironmentsDialog store={collections} /> : null}
      {importing ? <ImportDialog store={imports} collections={collections} /> : null}
    </>
  );
}

function save(name: string, text: string, mediaType?: string): void {
  saveText(document, name, text, mediaType);
}

/** Creates a file with the open operation from its template, and its tab; the tree asks for its name. */
async function makeRequest({ collections, environments, now, requests }: Workbench, place: Place): Promise<void> {
  const { tabs, activeId } = requests.getState();
  const name = tabs.find((tab) => tab.id === activeId)?.operation ?? 'gameList';
  const operation = operationByName(name);
  const environment = currentEnvironment(environments.getState());
  const form = formOf(operation, '').id;
  const data = templateText(operation, form, environment?.defaults ?? defaultEnvironment.defaults, {
    now: now(),
    timeZone: environment?.timeZone ?? 'UTC',
    answers: environment?.answers ?? {},
  });
  const request = { operation: name, form, tags: [], data, overrides: {}, take: {}, expect: [], notes: '', examples: [] };
  await collections.getState().newRequest(place, request);
}
