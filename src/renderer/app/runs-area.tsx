import { useStore } from 'zustand';
import { startWork } from '#renderer/faults/faults.ts';
import { wholeHistory, type HistoryChoice } from '#renderer/features/history/history-choice.ts';
import type { RunRow } from '#renderer/features/runs/run-rows.ts';
import { openCollection } from '#renderer/features/collections/open-collections.ts';
import { RunsSidebar } from '#renderer/features/runs/runs-sidebar.tsx';
import { openCall } from './open-call.ts';
import { lazyDialog, lazyPage } from '#renderer/ui/lazy-page.ts';
import type { Workbench } from './workbench.ts';

const RunsPage = lazyPage(async () => (await import('#renderer/features/runs/runs-page.tsx')).RunsPage);
const RunDialog = lazyDialog(async () => (await import('#renderer/features/runs/run-dialog.tsx')).RunDialog);

/** The newest runs of collections. */
export function RunsList({ workbench }: { workbench: Workbench }) {
  return <RunsSidebar store={workbench.runs} onNewRun={() => workbench.runStart.getState().startRun()} />;
}

/** The report of a run, with the ways to its calls. */
export function RunsArea({ workbench }: { workbench: Workbench }) {
  const collections = useStore(workbench.collections, (state) => state.list);
  const { startRun, runAgain } = workbench.runStart.getState();
  return (
    <RunsPage
      store={workbench.runs}
      onNewRun={() => startRun()}
      onRunAgain={(run, failedOnly) => startWork(runAgain(run, failedOnly))}
      canOpenRequest={({ collectionId }) => openCollection(collections, collectionId) !== undefined}
      onOpenRequest={({ collectionId }, row) => startWork(openRequest(workbench, collectionId, row))}
      onOpenCall={(id) => openCall(workbench, id)}
      onOpenCalls={({ runId, collection }) => openCallsOf(workbench, { id: runId, title: collection })}
    />
  );
}

async function openRequest(workbench: Workbench, collectionId: string, row: RunRow): Promise<void> {
  const { openOfRun } = await import('./open-of-run.ts');
  await openOfRun(workbench, collectionId, row);
}

/** Shows the history with the calls of one run alone, or of one request of it. */
export function openCallsOf(workbench: Workbench, collectionRun: NonNullable<HistoryChoice['collectionRun']>): void {
  workbench.comparison.getState().close();
  const { setText, setChoice } = workbench.history.getState();
  setText('');
  setChoice({ ...wholeHistory, collectionRun });
  workbench.shell.getState().show('history');
}

/** The dialog that starts a run, over whichever area opened it. */
export function RunStartArea({ workbench }: { workbench: Workbench }) {
  const list = useStore(workbench.environments, (state) => state.list);
  const asked = useStore(workbench.runStart, ({ form, asking }) => form !== null || asking.state === 'unconfirmed');
  if (!asked) return null;
  return <RunDialog store={workbench.runStart} environments={list.state === 'ready' ? list.environments : none} />;
}

const none = [] as const;
