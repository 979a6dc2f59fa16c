import { Suspense, useMemo } from 'react';
import { useStore } from 'zustand';
import type { LoggedVerdict } from '#shared/ipc/index.ts';
import type { BesideHistory } from '#renderer/features/history/history-page.tsx';
import { chosenVerdict, usualShares } from '#renderer/features/provider-log/provider-log-store.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { useMedia } from '#renderer/ui/use-media.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { lazyPage } from '#renderer/ui/lazy-page.ts';
import { openCall } from './open-call.ts';
import type { Workbench } from './workbench.ts';

const ProviderLogPanel = lazyPage(
  async () => (await import('#renderer/features/provider-log/provider-log-panel.tsx')).ProviderLogPanel,
);

/** Widths at which the log is below the list and takes half of its rows. */
const narrowQuery = '(max-width: 1099px)';

/** Shows the provider's log as the second pane of the history on request. */
export function useProviderLogBeside(workbench: Workbench): BesideHistory {
  const { history, providerLog, shell } = workbench;
  const shares = useStore(providerLog, (state) => state.shares);
  const verdict = useStore(providerLog, chosenVerdict);
  const choice = useStore(providerLog, (state) => state.choice);
  const shown = useStore(providerLog, (state) => state.shown);
  const status = useStore(shell, (state) => state.sandbox);
  const inTabs = useStore(shell, (state) => state.info?.capabilities.openOutside === false);
  const stacked = useMedia(narrowQuery);
  const { setShare, setShown, choose } = providerLog.getState();
  // A chosen verdict brings its call into sight.
  const reveal = useMemo(
    () => (choice !== null && 'number' in choice && verdict?.callId ? { key: verdict.callId } : null),
    [choice, verdict],
  );

  function onChoose({ number, callId }: LoggedVerdict): void {
    if (callId !== null) history.getState().setActive(callId);
    choose({ number });
  }

  return {
    pane: !shown ? null : (
      // While the log's code is fetched, the list beside it stays, with the focus in it.
      <ErrorBoundary name="The provider's log" action={<Button onClick={() => setShown(false)}>Close the log</Button>}>
        <Suspense fallback={<Skeleton rows={6} label="Loading the provider's log" />}>
          <ProviderLogPanel
            store={providerLog}
            status={status}
            stacked={stacked}
            inTabs={inTabs}
            onChoose={onChoose}
            onOpenCall={(id) => openCall(workbench, id)}
            onClose={() => setShown(false)}
          />
        </Suspense>
      </ErrorBoundary>
    ),
    title: "Provider's log",
    onToggle: () => setShown(!shown),
    place: stacked ? 'below' : 'beside',
    usual: stacked ? usualShares.stacked : usualShares.beside,
    share: stacked ? shares.stacked : shares.beside,
    onShare: (share) => setShare(stacked ? 'stacked' : 'beside', share),
    reveal,
  };
}

/** Shows the history with the log, or hides the log there. */
export function toggleProviderLog(workbench: Workbench): void {
  const { providerLog, shell } = workbench;
  const inHistory = shell.getState().area === 'history';
  const { shown, setShown } = providerLog.getState();
  setShown(!inHistory || !shown);
  if (!inHistory) shell.getState().show('history');
}

/** Shows the provider's verdict on a call, beside the call in the history. */
export function showInProviderLog(workbench: Workbench, callId: number): void {
  const { history, providerLog, shell, moveFocus } = workbench;
  providerLog.getState().setShown(true);
  history.getState().setActive(callId);
  providerLog.getState().choose({ callId });
  shell.getState().show('history');
  // Not on a row of the log, should the list still lack the call.
  moveFocus('#content [aria-label="Calls"] [data-item][tabindex="0"]');
}
