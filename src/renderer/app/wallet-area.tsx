import { useStore } from 'zustand';
import { startWork } from '#renderer/faults/faults.ts';
import { currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import { wholeHistory } from '#renderer/features/history/history-choice.ts';
import { lazyPage } from '#renderer/ui/lazy-page.ts';
import { useBeside } from './call-beside.tsx';
import { WalletLead } from './wallet-lead.tsx';
import type { Workbench } from './workbench.ts';

const WalletPage = lazyPage(async () => (await import('#renderer/features/wallet/wallet-page.tsx')).WalletPage);

/** The test of the operator's wallet. */
export function WalletArea({ workbench }: { workbench: Workbench }) {
  const { comparison, history, openPoints, shell, wallet } = workbench;
  const list = useStore(workbench.collections, (state) => state.list);
  const environment = useStore(workbench.environments, currentEnvironment);
  return (
    <WalletPage
      store={wallet}
      lead={<WalletLead workbench={workbench} current="wallet" />}
      environment={environment}
      beside={useBeside(workbench)}
      collections={list.state === 'ready' ? list.collections.map(({ collection }) => collection) : []}
      onShowCalls={({ runId, request: { path, callId } }) => {
        comparison.getState().close();
        const { setText, setChoice, setActive } = history.getState();
        setText('');
        setChoice({ ...wholeHistory, collectionRun: { id: runId, title: path, path } });
        if (callId !== null) setActive(callId);
        shell.getState().show('history');
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
