import { useCallback, useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { findOpenPoint } from '#shared/provider/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { openCollection } from '#renderer/features/collections/open-collections.ts';
import { readOnlyReason } from '#renderer/features/collections/tree-rows.ts';
import { currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import { RequestWorkspace } from '#renderer/features/request/request-workspace.tsx';
import { ResponsePane } from '#renderer/features/response/response-pane.tsx';
import { FailedState } from '#renderer/ui/failed-state.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { useCallContext } from './call-context.ts';
import { lazyDialog } from '#renderer/ui/lazy-page.ts';
import { makeOfValue } from './value-at-cursor.ts';
import type { Workbench } from './workbench.ts';
import type { TakenAccess } from '#renderer/features/collections/taken-values.tsx';
import { takenFor } from '#renderer/features/request/results-store.ts';
import { folderOf } from '#shared/collections/file-names.ts';
import { activePlace } from '#renderer/features/collections/active-place.ts';
import { OpenDirectory } from '#renderer/features/collections/open-directory.tsx';
import { offeredName } from '#shared/calls/offered-name.ts';
import { fileTitle } from '#renderer/features/request/tabs/tab-file.ts';

const SaveRequest = lazyDialog(async () => (await import('#renderer/features/collections/save-request.tsx')).SaveRequest);
const KeepExample = lazyDialog(async () => (await import('#renderer/features/request/examples/keep-example.tsx')).KeepExample);

/** The open requests, joined with their environment and their responses. */
export function RequestsArea({ workbench }: { workbench: Workbench }) {
  const { environments, gameLists, openPoints, repeats, requests, responses, shell } = workbench;
  const repeating = useStore(repeats, (state) => state.job);
  const list = useStore(environments, (state) => state.list);
  const environment = useStore(environments, currentEnvironment);
  const key = useStore(environments, (state) => (environment === null ? undefined : state.keys[environment.id]));
  const environmentId = environment?.id ?? null;
  useEffect(() => {
    if (environmentId !== null) gameLists.getState().want(environmentId);
  }, [gameLists, environmentId]);
  const games = useStore(gameLists, ({ lists }) => (environmentId === null ? null : (lists.get(environmentId) ?? null)));
  const production = useStore(workbench.production, (state) => (state.environmentId === environmentId ? state.status : null));
  const isNew = useStore(shell, (state) => state.info?.calls === 0);
  const players = useStore(shell, (state) => state.sandbox?.players);
  const contextOf = useCallContext(workbench);
  const settings = useStore(workbench.variables, (state) => state.settings);
  const taken = useStore(workbench.results, (state) => state.taken);
  const collections = useStore(workbench.collections, (state) => state.list);
  const variableView = useMemo(
    () => ({ variables: workbench.tabVariables, settings, players, taken, collections }),
    [workbench, settings, players, taken, collections],
  );
  const readOnlyOf = useCallback((id: string) => readOnlyReason(openCollection(collections, id)?.tree), [collections]);
  const collectionName = useCallback((id: string) => openCollection(collections, id)?.collection.name ?? '', [collections]);
  const frozenAt = useStore(workbench.clock, (state) => state.frozenAt);
  const requestNow = useMemo(() => (frozenAt === null ? workbench.now : () => frozenAt), [workbench, frozenAt]);
  const { show } = shell.getState();
  const title = <h1 className="visually-hidden">Requests</h1>;
  if (list.state !== 'ready') {
    return (
      <>
        {title}
        {list.state === 'loading' ? (
          <Skeleton rows={12} label="Loading the workbench" />
        ) : (
          <FailedState
            title="The environments could not be read"
            message={list.message}
            retry={() => startWork(environments.getState().load())}
          />
        )}
      </>
    );
  }
  return (
    <>
      {title}
      <RequestWorkspace
        store={requests}
        keeper={workbench.keeper}
        unknownFiles={workbench.unknownFiles}
        digests={workbench.digests}
        environment={environment}
        variableView={variableView}
        environments={list.environments}
        production={production}
        readOnlyOf={readOnlyOf}
        collectionName={collectionName}
        onSwitchEnvironment={(id) => environments.getState().select(id)}
        onAskAgain={() => startWork(workbench.production.getState().ask())}
        keyStatus={key?.state === 'known' ? key.status : null}
        players={players ?? none}
        games={games}
        renderResponse={(tab) => (
          <ResponsePane
            beginnings={
              isNew
                ? [
                    { title: 'Test my wallet', begin: () => show('wallet') },
                    { title: 'Watch my backend', begin: () => show('gateway') },
                  ]
                : undefined
            }
            store={responses}
            copies={workbench.callCopies}
            call={tab.call}
            loading={tab.callId !== null && tab.call === null}
            waitingSince={
              tab.sending.state === 'sending'
                ? tab.sending.startedAt
                : repeating.state === 'sending' && repeating.id === tab.callId
                  ? repeating.startedAt
                  : null
            }
            left={tab.sending.state === 'sending' ? tab.sending.left : repeating.state === 'sending' && repeating.left}
            cancelled={
              tab.sending.state === 'sending'
                ? tab.sending.cancelled
                : repeating.state === 'sending' && repeating.id === tab.callId && repeating.cancelled
            }
            onCancel={() =>
              startWork(tab.sending.state === 'sending' ? requests.getState().cancel(tab.id) : repeats.getState().cancel())
            }
            onEdit={(call) => requests.getState().openDraft(call.draft, call)}
            onRepeat={(id) => startWork(repeats.getState().repeat(id))}
            {...contextOf(tab.call)}
            onValue={(as) => startWork(makeOfValue(workbench, as))}
            onKeep={tab.file?.gone === false ? () => requests.getState().startKeeping(tab.id) : undefined}
            onShowTaken={
              tab.file === null
                ? undefined
                : () => workbench.collections.getState().edit({ collectionId: tab.file?.collectionId ?? '', path: '' })
            }
          />
        )}
        now={requestNow}
        onSetKey={() => {
          if (environment !== null) environments.getState().openKey(environment.id);
          show('environments');
        }}
        onOpenPoint={(id) => {
          const point = findOpenPoint(id);
          if (point !== null) openPoints.getState().open(point.id);
          show('openPoints');
        }}
      />
      <CollectionQuestions workbench={workbench} />
      <KeepArea workbench={workbench} />
      <VariablesArea workbench={workbench} />
    </>
  );
}

/** Asks for the name of an example, of the tab whose response is to be kept. */
function KeepArea({ workbench: { requests } }: { workbench: Workbench }) {
  const tab = useStore(requests, (state) => state.tabs.find(({ id }) => id === state.keepingId) ?? null);
  if (tab === null) return null;
  return <KeepExample key={tab.id} store={requests} tab={tab} />;
}

const none = [] as const;

const EditVariables = lazyDialog(async () => (await import('#renderer/features/collections/edit-variables.tsx')).EditVariables);

/** The variables of a collection or a folder, joined with the values from earlier responses in the chosen environment. */
function VariablesArea({ workbench: { collections, environments, results, variables } }: { workbench: Workbench }) {
  const environment = useStore(environments, currentEnvironment);
  const known = useStore(results, (state) => state.taken);
  const environmentId = environment?.id ?? '';
  const environmentName = environment?.name ?? null;
  const taken = useMemo(
    (): TakenAccess => ({
      environment: environmentName,
      of: (collectionId) => takenFor({ taken: known }, collectionId, environmentId),
      want(collectionId) {
        if (environmentId !== '') startWork(results.getState().want(collectionId, environmentId));
      },
      forget: (collectionId, name) => results.getState().forget(collectionId, environmentId, name),
    }),
    [environmentId, environmentName, known, results],
  );
  const editing = useStore(collections, (state) => state.editing !== null);
  if (!editing) return null;
  return <EditVariables store={collections} variables={variables} taken={taken} />;
}

/** The questions for the directory of a collection, and for the place of a request in one. */
function CollectionQuestions({ workbench }: { workbench: Workbench }) {
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
