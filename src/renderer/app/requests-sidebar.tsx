import { Suspense } from 'react';
import { useStore } from 'zustand';
import { templateText, operationByName, formOf } from '#shared/provider/index.ts';
import { defaultEnvironment } from '#shared/model/default-environment.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { CollectionsPart } from '#renderer/features/collections/collections-part.tsx';
import type { Place } from '#renderer/features/collections/tree-rows.ts';
import { sidebarParts } from '#renderer/features/collections/remembered-tree.ts';
import { currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import { Segmented } from '#renderer/ui/segmented.tsx';
import { lazyPage } from './lazy-page.ts';
import { OperationsSidebar } from './operations-sidebar.tsx';
import type { Workbench } from './workbench.ts';
import styles from './requests-sidebar.module.css';

const MoveTo = lazyPage(async () => (await import('#renderer/features/collections/move-to.tsx')).MoveTo);
const NewFromStarter = lazyPage(async () => (await import('#renderer/features/collections/new-from-starter.tsx')).NewFromStarter);
const OpenDirectory = lazyPage(async () => (await import('#renderer/features/collections/open-directory.tsx')).OpenDirectory);

/** Starting points of requests: the operations of the specification, or the files of collections. */
export function RequestsSidebar({ workbench }: { workbench: Workbench }) {
  const { collections, requests } = workbench;
  const part = useStore(collections, (state) => state.part);
  const file = useStore(requests, (state) => state.tabs.find((tab) => tab.id === state.activeId)?.file ?? null);
  const asks = useStore(collections, (state) => state.opening !== null || state.moving !== null);
  const copies = useStore(workbench.starters, (state) => state.asking !== null);
  const canPick = useStore(workbench.shell, (state) => state.info?.capabilities.pickDirectory === true);
  const pick = canPick ? workbench.pickDirectory : null;
  return (
    <div className={styles.side}>
      <Segmented
        label="What requests are started from"
        items={sidebarParts.map((value) => ({ value, label: value === 'operations' ? 'Operations' : 'Collections' }))}
        value={part}
        onChange={collections.getState().setPart}
        panelClassName={part === 'operations' ? 'fill-scroll' : styles.collections}
      >
        {part === 'operations' ? (
          <OperationsSidebar workbench={workbench} />
        ) : (
          <CollectionsPart
            store={collections}
            starters={workbench.starters}
            current={file?.gone === false ? file : null}
            now={workbench.now}
            actions={{
              onOpen: ({ collectionId, path }) => startWork(requests.getState().openFile(collectionId, path)),
              onNewRequest: (place) => startWork(makeRequest(workbench, place)),
              onRun: (collectionId, path) => workbench.runStart.getState().startRun(collectionId, path),
            }}
          />
        )}
      </Segmented>
      {asks || copies ? (
        <Suspense fallback={null}>
          <OpenDirectory store={collections} pick={pick} />
          <NewFromStarter store={workbench.starters} pick={pick} />
          <MoveTo store={collections} />
        </Suspense>
      ) : null}
    </div>
  );
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
  const request = { operation: name, form, data, overrides: {}, take: {}, expect: [], notes: '', examples: [] };
  await collections.getState().newRequest(place, request);
}
