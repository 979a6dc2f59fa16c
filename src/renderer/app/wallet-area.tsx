import { useStore } from 'zustand';
import { startWork } from '#renderer/faults/faults.ts';
import { currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import { lazyPage } from '#renderer/ui/lazy-page.ts';
import { useBeside } from './call-beside.tsx';
import { openCallsOf } from './runs-area.tsx';
import { WalletLead } from './wallet-lead.tsx';
import type { Workbench } from './workbench.ts';

const WalletPage = lazyPage(async () => (await import('#renderer/features/wallet/wallet-page.tsx')).WalletPage);

/** The test of the operator's wallet. */
export function WalletArea({ workbench }: { workbench: Workbench }) {
  const { history, openPoints, runs, shell, wallet } = workbench;
  const list = useStore(workbench.collections, (state) => state.list);
  const environment = useStore(workbench.environments, currentEnvironment);
  return (
    <WalletPage
      store={wallet}
      runs={runs}
      lead={<WalletLead workbench={workbench} current="wallet" />}
      environment={environment}
      beside={useBeside(workbench)}
      collections={list.state === 'ready' ? list.collections.map(({ collection }) => collection) : []}
      onShowCalls={({ run, request: { path, callId } }) => {
        openCallsOf(workbench, { id: run.runId, title: path, path });
        if (callId !== null) history.getState().setActive(callId);
      }}
      onOpenPoint={(point) => {
        shell.getState().show('openPoints');
        openPoints.getState().open(point);
      }}
      onRecord={(point, value) => {
        if (environment !== null) startWork(openPoints.getState().record(environment, point, value));
      }}
    />
  );
}
