import { useStore } from 'zustand';
import { gapById } from '#shared/provider/index.ts';
import { currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import { RequestWorkspace } from '#renderer/features/request/request-workspace.tsx';
import { ResponsePane } from '#renderer/features/response/response-pane.tsx';
import { FailedState } from '#renderer/ui/failed-state.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { launchFromCall } from './launcher-area.tsx';
import type { Workbench } from './workbench.ts';

/** The open requests, joined with the environment they go to and the answers they got. */
export function RequestsArea({ workbench }: { workbench: Workbench }) {
  const { environments, openPoints, repeats, requests, responses, shell } = workbench;
  const repeating = useStore(repeats, (state) => state.job);
  const list = useStore(environments, (state) => state.list);
  const environment = useStore(environments, currentEnvironment);
  const key = useStore(environments, (state) => (environment === null ? undefined : state.keys[environment.id]));
  const players = useStore(shell, (state) => state.sandbox?.players);
  const { show } = shell.getState();
  function openPoint(id: string) {
    const gap = gapById(id);
    if (gap !== null) openPoints.getState().open(gap.id);
    show('openPoints');
  }
  if (list.state === 'loading') return <Skeleton rows={12} label="Loading the workbench" />;
  if (list.state === 'failed') {
    return (
      <FailedState
        title="The environments could not be read"
        message={list.message}
        retry={() => void environments.getState().load()}
      />
    );
  }
  return (
    <>
      <h1 className="visually-hidden">Requests</h1>
      <RequestWorkspace
        store={requests}
        digests={workbench.digests}
        environment={environment}
        keyStatus={key?.state === 'known' ? key.status : null}
        players={players ?? none}
        gameName={(id) => responses.getState().gameName(id)}
        renderResponse={(tab) => (
          <ResponsePane
            store={responses}
            call={tab.call}
            loading={tab.callId !== null && tab.call === null}
            waitingSince={
              tab.sending.state === 'sending'
                ? tab.sending.startedAt
                : repeating.state === 'sending' && repeating.id === tab.callId
                  ? repeating.startedAt
                  : null
            }
            now={workbench.now}
            onCancel={() =>
              void (tab.sending.state === 'sending' ? requests.getState().cancel(tab.id) : repeats.getState().cancel())
            }
            onEdit={({ draft }) => requests.getState().openDraft(draft)}
            onRepeat={(id) => void repeats.getState().repeat(id)}
            onOpenCall={(id) => void requests.getState().openCall(id)}
            onOpenPoint={openPoint}
            onOpenLauncher={(callId) => launchFromCall(workbench, callId)}
          />
        )}
        now={workbench.now}
        onSetKey={() => {
          if (environment !== null) environments.getState().open(environment.id);
          show('environments');
        }}
        onOpenPoint={openPoint}
      />
    </>
  );
}

const none = [] as const;
