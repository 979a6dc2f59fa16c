import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { startWork } from '#renderer/faults/faults.ts';
import { activeCall } from '#renderer/features/history/chosen-calls.ts';
import { Button } from '#renderer/ui/button.tsx';
import { compareChosen, endComparison } from './comparing.ts';
import { openInDoctor } from './doctor-area.tsx';
import { useCallBeside, useCallPlace } from './call-beside.tsx';
import { useProviderLogBeside } from './provider-log-beside.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { choosePack } from './open-packs.ts';
import { openCall } from './open-call.ts';
import { lazyPage } from '#renderer/ui/lazy-page.ts';
import type { Workbench } from './workbench.ts';

const ComparisonPage = lazyPage(async () => (await import('#renderer/features/comparison/comparison-page.tsx')).ComparisonPage);
const HistoryPage = lazyPage(async () => (await import('#renderer/features/history/history-page.tsx')).HistoryPage);

/** The recorded calls, or a comparison of two of them; the list keeps its position meanwhile. */
export function HistoryArea({ workbench }: { workbench: Workbench }) {
  const log = useProviderLogBeside(workbench);
  const place = useCallPlace();
  const active = useStore(workbench.history, activeCall);
  const detail = useCallBeside(workbench, log.pane === null ? active : null);
  const list = useStore(workbench.environments, (state) => state.list);
  const run = useStore(workbench.shell, (state) => state.info?.run ?? null);
  const openedId = useStore(workbench.requests, (state) => state.tabs.find((tab) => tab.id === state.activeId)?.callId ?? null);
  const compared = useStore(workbench.comparison, (state) => state.pair !== null);
  const box = useRef<HTMLDivElement>(null);
  const wasCompared = useRef(compared);
  const { show } = workbench.shell.getState();
  const requests = workbench.requests.getState();
  const environments = list.state === 'ready' ? list.environments : [];
  useEffect(() => {
    const ended = wasCompared.current && !compared;
    wasCompared.current = compared;
    if (!ended || focusRow(box.current)) return undefined;
    // A list that was never in sight draws its rows one frame after it comes into sight.
    const frame = requestAnimationFrame(() => requestAnimationFrame(() => focusRow(box.current)));
    return () => cancelAnimationFrame(frame);
  }, [compared]);
  const onOpenCall = (id: number) => openCall(workbench, id);
  return (
    <>
      {compared ? (
        <ErrorBoundary name="The comparison" action={<Button onClick={() => endComparison(workbench)}>Back to history</Button>}>
          <ComparisonPage
            store={workbench.comparison}
            environments={environments}
            onOpenCall={onOpenCall}
            onBack={() => endComparison(workbench)}
          />
        </ErrorBoundary>
      ) : null}
      <div ref={box} className="fill-row" hidden={compared}>
        <HistoryPage
          store={workbench.history}
          actions={workbench.callActions}
          exports={workbench.callExports}
          copies={workbench.callCopies}
          repeats={workbench.repeats}
          storage={workbench.storage}
          packs={workbench.packs}
          forget={workbench.forget}
          environments={environments}
          run={run}
          openedId={openedId}
          logShown={log.pane !== null}
          beside={log.pane === null ? { ...log, ...detail, place } : place === 'tab' ? { ...log, place } : log}
          onOpenCall={onOpenCall}
          onCompare={(calls) => compareChosen(workbench, calls)}
          onExamine={(id) => startWork(openInDoctor(workbench, id))}
          onOpenPack={() => choosePack(workbench)}
          onFirstStep={() => {
            show('requests');
            requests.openOperation('gameList');
          }}
        />
      </div>
    </>
  );
}

/** Moves the focus back to the row from which the comparison was opened. */
function focusRow(box: HTMLElement | null): boolean {
  const row = box?.querySelector<HTMLElement>('[data-item][tabindex="0"]') ?? null;
  row?.focus();
  return row !== null;
}
