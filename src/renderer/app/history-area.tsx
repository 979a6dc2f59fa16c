import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import type { ComparisonOrigin } from '#renderer/features/comparison/comparison-store.ts';
import { useProviderLogBeside } from './provider-log-beside.tsx';
import { lazyPage } from './lazy-page.ts';
import type { Workbench } from './workbench.ts';
import styles from './history-area.module.css';

const ComparisonPage = lazyPage(async () => (await import('#renderer/features/comparison/comparison-page.tsx')).ComparisonPage);
const HistoryPage = lazyPage(async () => (await import('#renderer/features/history/history-page.tsx')).HistoryPage);

/** The recorded calls, or two of them against each other; the list keeps its place meanwhile. */
export function HistoryArea({ workbench }: { workbench: Workbench }) {
  const beside = useProviderLogBeside(workbench);
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
    // A list that was never in sight draws its rows a frame after it is.
    const frame = requestAnimationFrame(() => requestAnimationFrame(() => focusRow(box.current)));
    return () => cancelAnimationFrame(frame);
  }, [compared]);
  function openCall(id: number): void {
    show('requests');
    void requests.openCall(id);
  }
  return (
    <>
      {compared ? (
        <ComparisonPage
          store={workbench.comparison}
          environments={environments}
          now={workbench.now}
          onOpenCall={openCall}
          onBack={() => endComparison(workbench)}
        />
      ) : null}
      <div ref={box} className={styles.list} hidden={compared}>
        <HistoryPage
          store={workbench.history}
          actions={workbench.callActions}
          exportCalls={workbench.exportCalls}
          repeats={workbench.repeats}
          storage={workbench.storage}
          now={workbench.now}
          environments={environments}
          run={run}
          openedId={openedId}
          beside={beside}
          onOpenCall={openCall}
          onCompare={(calls) => compareTwo(workbench, calls)}
          onFirstStep={() => {
            show('requests');
            requests.openOperation('gameList');
          }}
        />
      </div>
    </>
  );
}

/** Back to the row from which the comparison was opened. */
function focusRow(box: HTMLElement | null): boolean {
  const row = box?.querySelector<HTMLElement>('[data-item][tabindex="0"]') ?? null;
  row?.focus();
  return row !== null;
}

/** Shows two calls of the history against each other. */
export function compare(workbench: Workbench, one: number, other: number, origin: ComparisonOrigin): void {
  void workbench.comparison.getState().open(one, other, origin);
  workbench.shell.getState().show('history');
}

/** Compares the two calls that were chosen, or says that it takes two. */
export function compareTwo(workbench: Workbench, calls: readonly { readonly id: number }[]): void {
  const [one, other] = calls;
  if (one !== undefined && other !== undefined && calls.length === 2) return compare(workbench, one.id, other.id, 'history');
  workbench.shell
    .getState()
    .notify({ tone: 'note', text: 'A comparison takes two calls: tick exactly two, with Space or a click.' });
}

function endComparison(workbench: Workbench): void {
  const { origin, close } = workbench.comparison.getState();
  close();
  if (origin === 'requests') workbench.shell.getState().show('requests');
}
